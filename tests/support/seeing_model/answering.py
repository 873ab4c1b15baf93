"""The answer to ``read_page``: what was seen, said in the answer's shape, with the mistakes that were asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from catalogsku.core.box import Box
from tests.support.seeing_model.eyes import Line
from tests.support.seeing_model.mistakes import NONE, Mistakes
from tests.support.seeing_model.placing import PrintedTable, aside, id_at, pictures_at, printed_tables
from tests.support.seeing_model.recognising import Found, SeenProduct, products_on, recognised
from tests.support.seeing_model.sheets import Sheet
from tests.support.seeing_model.shown import Shown

SURE = 0.93
# What is said of a page on which nothing is known again.
UNSEEN: dict[str, Any] = {"page_type": "D", "confidence": 0.0, "count": 0}


@dataclass
class Log:
    """What was made up: texts; (identity, key, text of another product); identities that were left out or swapped."""

    made_up: set[str] = field(default_factory=set)
    moved: set[tuple[str, str, str]] = field(default_factory=set)
    dropped: set[str] = field(default_factory=set)
    swapped: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Start:
    """Where a continued answer begins: lines of tables that were told already, and the number of the next product."""

    lines: frozenset[str] = frozenset()
    number: int = 1


FROM_ITS_BEGINNING = Start()


def page_answer(
    lines: Sequence[Line],
    shown: Shown,
    sheets: Sequence[Sheet],
    mistakes: Mistakes = NONE,
    start: Start = FROM_ITS_BEGINNING,
    log: Log | None = None,
) -> dict[str, Any]:
    """The fields of a PageAnswer; ``UNSEEN`` where the lines are of no sheet."""
    sheet = recognised(lines, sheets)
    if sheet is None:
        return UNSEEN
    log = log if log is not None else Log()
    seen = products_on(lines, sheet)
    tables = printed_tables(shown, seen)
    told = _Told(shown, tables, _ordered(seen, tables), mistakes, log)
    left_out = aside(shown, seen)
    products = [entry for n, _ in enumerate(told.products, 1) if n >= start.number and (entry := told.entry(n))]
    listed = [entry for table in tables if (entry := told.table(table, start.lines))]
    return {
        "page_type": sheet.page_type, "confidence": SURE, "count": mistakes.count(len(seen), sheet.said[0]),
        **({"tables": listed} if listed else {}), **({"products": products} if products else {}),
        **({"aside": left_out} if left_out else {}),
    }  # fmt: skip


def _ordered(seen: Sequence[SeenProduct], tables: Sequence[PrintedTable]) -> list[SeenProduct]:
    """Those of the tables' lines first, which come first in the answer too, so that a number tells where it ended."""
    in_lines = [product for table in tables for product in table.lines.values()]
    return [*in_lines, *(one for one in seen if not any(one is other for other in in_lines))]


@dataclass(frozen=True)
class _Told:
    """``products`` by their number, from 1."""

    shown: Shown
    tables: Sequence[PrintedTable]
    products: Sequence[SeenProduct]
    mistakes: Mistakes
    log: Log

    def table(self, printed: PrintedTable, told: frozenset[str]) -> dict[str, Any] | None:
        names = {n: f"{printed.table.id}:{n}" for n, one in printed.lines.items() if not self._is_dropped(one)}
        lines = [n for n, name in names.items() if name not in told]
        if not lines:
            return None
        return {
            "table": printed.table.id, "sideways": printed.sideways, "lines": ranges(lines),
            "columns": {str(at): key for at, key in printed.columns.items()},
        }  # fmt: skip

    def entry(self, number: int) -> dict[str, Any] | None:
        """None for one that is dropped, or of which its table says everything."""
        product = self.products[number - 1]
        if self._is_dropped(product):
            return None
        line = self._line(product)
        values = {key: told for key, one in product.values.items() if (told := self._value(number, key, one, line))}
        custom = [
            {"label": k, **told} for k, one in product.custom.items() if (told := self._value(number, k, one, line))
        ]
        pictures = pictures_at(self.shown, self._pictures_of(number))
        if line is not None and not (values or custom or pictures):
            return None
        return {
            "number": number, **({"line": f"{line[0].table.id}:{line[1]}"} if line else {}),
            **({"attributes": values} if values else {}), **({"custom": custom} if custom else {}),
            **({"pictures": pictures} if pictures else {}), "confidence": SURE,
        }  # fmt: skip

    def _is_dropped(self, product: SeenProduct) -> bool:
        if self.mistakes.strikes("drop", product.name):
            self.log.dropped.add(product.name)
            return True
        return False

    def _line(self, product: SeenProduct) -> tuple[PrintedTable, int] | None:
        return next(((t, n) for t in self.tables for n, one in t.lines.items() if one is product), None)

    def _value(self, number: int, key: str, one: Found, line: tuple[PrintedTable, int] | None) -> dict[str, Any] | None:
        """None where a column says it already."""
        product, following = self.products[number - 1], self.products[number % len(self.products)]
        theirs = following.told.get(key)
        if self.mistakes.strikes("invent", product.name, key):
            text = self.mistakes.invented(one.text)
            self.log.made_up.add(text)
            return {"value": text, **self._where(one, line)}
        if theirs and theirs.text != one.text and self.mistakes.strikes("move", product.name, key):
            self.log.moved.add((product.name, key, theirs.text))
            own = len(self.log.moved) % 2 == 0
            return {
                "value": theirs.text,
                **(self._where(one, line) if own else self._where(theirs, self._line(following))),
            }
        if line is not None and line[0].says(line[1], key, one.text):
            return None
        return {"value": one.text, **self._where(one, line)}

    def _where(self, one: Found, line: tuple[PrintedTable, int] | None) -> dict[str, Any]:
        name = id_at(self.shown, one, line)
        return {"at": name} if name else {"box": [round(edge) for edge in one.place.box]}

    def _pictures_of(self, number: int) -> Sequence[Box]:
        own, theirs = (self.products[at].product.pictures for at in (number - 1, number % len(self.products)))
        if own != theirs and self.mistakes.strikes("swap", self.products[number - 1].name):
            self.log.swapped.add(self.products[number - 1].name)
            return theirs
        return own


def ranges(numbers: Sequence[int]) -> list[str]:
    """``[2, 3, 4, 7]`` as "2-4" and "7"."""
    found: list[list[int]] = []
    for n in sorted(numbers):
        if found and n == found[-1][1] + 1:
            found[-1][1] = n
        else:
            found.append([n, n])
    return [str(a) if a == b else f"{a}-{b}" for a, b in found]
