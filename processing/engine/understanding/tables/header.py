"""Finds a table's head rows and what each column is called; the values below are looked at in columns.py."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from catalogsku.core.text import trim
from processing.engine.understanding.rules.dictionaries import measures
from processing.engine.understanding.rules.folding import squash
from processing.engine.understanding.rules.in_force import kept, own_words
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, FOREIGN, NAME_OR_TEXT, SIZE_OR_TEXT, label_kind
from processing.engine.understanding.rules.normalise import amount, is_quantity, least_quantity
from processing.engine.understanding.rules.shapes import is_code, is_date, is_measure, is_no_value, is_number, is_price
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.tables.grid import Grid

_SEARCHED_ROWS = 6
# Marks of notes right behind the word of a head: "型号2", "尺寸1, 3".
_MARKS = re.compile(r"(?<=[\u3400-\u9fff]{2})[1-9](\s*[,，]\s*[1-9])*$")
_MARKED = frozenset(("model", "price", "size", "weight", "packing", "moq"))
# Labels that a second row of a head repeats in another language, and kinds that mean the same then.
_LEAST_ALIKE = 3
_MAIN = {NAME_OR_TEXT: "product_name", CODE_OR_NUMBER: "model", SIZE_OR_TEXT: "size"}
# What names a measure by itself: letters alone ("L", "D1") need the words over them.
_WORD = re.compile(r"[\u3400-\u9fff]{2}|[^\W\d_\u3400-\u9fff]{3}")
_UNIT_WORDS = frozenset(
    squash(word)
    for word in (
        *measures.LENGTHS,
        *measures.WEIGHTS,
        *measures.CURRENCIES,
        *measures.COUNT_UNITS,
        *measures.OTHER_UNITS,
        *measures.SECTION_UNITS,
    )
)


@dataclass(frozen=True)
class Label:
    """One column's head as printed, its parts from top to bottom joined; ``kind`` as in rules.labels.

    ``unit``: what a row of units below the head prints for the column; no part of its name. ``own``: what stands below
    a head over several columns, where it is a word and no other column has it.
    """

    col: int
    text: str
    kind: str | None
    parts: tuple[str, ...] = ()
    unit: str = ""
    own: str = ""

    @property
    def name(self) -> str:
        """What a value below is called."""
        return self.own or self.text

    @property
    def context(self) -> str:
        """All that the head says of the values below: its name and their unit or currency."""
        return f"{self.text} {self.unit}".strip()


@dataclass(frozen=True)
class Header:
    """Head rows ``first`` to ``first + rows - 1``; ``rows`` 0 where a table has none of its own."""

    first: int
    rows: int
    labels: tuple[Label, ...]

    @property
    def body(self) -> int:
        return self.first + self.rows

    @property
    def known(self) -> int:
        return len({label.kind for label in self.labels if label.kind and label.kind != FOREIGN})


def find_header(grid: Grid) -> Header | None:
    """The head of a table, or None where its first rows are already data."""
    best, best_known = None, 0
    for row in range(min(_SEARCHED_ROWS, grid.n_rows)):
        if not is_head_row(grid, row):
            continue
        known = _known(grid, row)
        if known > best_known:
            best, best_known = row, known
    if best is None:
        best = _unknown_head(grid)
    if best is None:
        return None
    first = best
    while first > 0 and len(grid.filled(first - 1)) >= 2 and is_head_row(grid, first - 1):
        first -= 1
    rows = best - first + 1 + _deeper(grid, best)
    return Header(first, rows, labels_of(grid, first, rows))


def labels_of(grid: Grid, first: int, rows: int) -> tuple[Label, ...]:
    """The label of each column, read down the head rows."""
    labels = []
    last = first + rows - 1
    named = last if rows > 1 and is_unit_row([cell.text for _, cell in grid.filled(last)]) else first + rows
    for col in range(grid.n_cols):
        parts = list(dict.fromkeys(text for row in range(first, named) if (text := grid.text(row, col))))
        unit = grid.text(last, col) if named == last and grid.starts(last, col) else ""
        unit = "" if is_no_value(unit) else unit
        labels.append(Label(col, " ".join(parts), _kind(parts), tuple(parts), unit))
    own = [_below_wide(grid, first, named, col) for col in range(grid.n_cols)]
    times = Counter(map(squash, (text or label.text for text, label in zip(own, labels, strict=True))))
    return tuple(
        replace(label, own=text) if text and times[squash(text)] == 1 else label
        for text, label in zip(own, labels, strict=True)
    )


def _below_wide(grid: Grid, first: int, end: int, col: int) -> str:
    """The words of a column's head below what it shares with its neighbours; nothing where it shares none of it."""
    wide = [row for row in range(first, end) if grid.span(row, col) > 1 and grid.text(row, col)]
    below = [grid.text(row, col) for row in range(wide[-1] + 1, end)] if wide else []
    text = " ".join(dict.fromkeys(part for part in below if part))
    return text if _WORD.search(text) else ""


def is_head_row(grid: Grid, row: int) -> bool:
    """Several short words that are labels, not values."""
    cells = [(col, trim(cell.text)) for col, cell in grid.row_cells(row) if trim(cell.text)]
    if len(cells) < 2:
        return False
    kinds = [_kind_of(text) for _, text in cells]
    others = [text for (_, text), kind in zip(cells, kinds, strict=True) if kind is None]
    steps = [text for text in others if is_quantity(text)]
    words = [text for text in others if text not in steps]
    known = len(cells) - len(others)
    quantities = known > 0 and _are_quantities(steps) and not any(map(_is_value, words))
    columns = [col for col, text in cells if text in steps]
    if quantities and ((known > 1 and not words) or _fall(grid, row, columns)):
        return True
    values = sum(1 for text in others if _is_value(text))
    long = sum(1 for _, text in cells if len(text) > 60 or is_sentence(text))
    return values * 3 <= len(cells) and long * 3 <= len(cells) and (any(kinds) or values == 0)


def _fall(grid: Grid, row: int, cols: list[int]) -> bool:
    """What stands under quantities costs less from each to the next."""
    texts = [grid.text(row + 1, col) for col in cols] if row + 1 < grid.n_rows else []
    prices = [Decimal(text) for text in map(amount, texts) if text]
    return len(prices) == len(cols) > 1 and all(a > b for a, b in pairwise(prices))


def _are_quantities(texts: list[str]) -> bool:
    """Price columns headed by what one buys: "1-99", "100-499", "500+"; bare numbers where each is larger than the one
    before, for among values beside labels they may be anything."""
    if len(texts) < 2 or not all(map(is_quantity, texts)):
        return False
    bare = [least_quantity(text) for text in texts if is_number(text) and text[0].isdigit()]
    return not bare or (len(bare) == len(texts) and all(a < b for a, b in pairwise(bare) if a and b))


def repeats_header(grid: Grid, row: int, labels: tuple[Label, ...]) -> bool:
    """The row prints the head again (after a page break or a section)."""
    cells = [(col, squash(cell.text)) for col, cell in grid.row_cells(row) if trim(cell.text)]
    if len(cells) < 2:
        return False
    heads = _heads(labels)
    same = sum(1 for col, text in cells if text in heads.get(col, ()))
    return same * 3 >= len(cells) * 2


@kept(64)  # asked for every row of a table
def _heads(labels: tuple[Label, ...]) -> dict[int, set[str]]:
    return {label.col: {squash(label.text), *map(squash, label.parts)} for label in labels}


def _kind(parts: list[str]) -> str | None:
    if not parts:
        return None
    candidates = [" ".join(parts), "".join(parts), *reversed(parts)]
    return next((kind for text in candidates if (kind := _kind_of(text))), None)


def _kind_of(text: str) -> str | None:
    """What a head stands for, a mark that refers to a note aside."""
    kind, bare = label_kind(text), _MARKS.sub("", trim(text))
    if kind or bare == trim(text):
        return kind
    return marked if (marked := label_kind(bare)) in _MARKED else None


def _known(grid: Grid, row: int) -> int:
    kinds = [_kind_of(cell.text) for _, cell in grid.row_cells(row) if trim(cell.text)]
    return len({kind for kind in kinds if kind})


def _is_value(text: str) -> bool:
    return is_no_value(text) or is_number(text) or is_price(text) or is_date(text) or is_measure(text) or is_code(text)


def _unknown_head(grid: Grid) -> int | None:
    """A first row of words over columns of values: a head in words that the dictionaries do not know."""
    for row in range(min(3, grid.n_rows - 1)):
        cells = grid.filled(row)
        if len(cells) < 2 or len(cells) * 2 < grid.n_cols:
            continue
        if not is_head_row(grid, row):
            return None
        below = [grid.text(lower, col) for col, _ in cells for lower in range(row + 1, min(row + 4, grid.n_rows))]
        return row if any(_is_value(text) for text in below if text) else None
    return None


def _deeper(grid: Grid, row: int) -> int:
    """Further head rows below ``row``: merged heads that reach down, labels under a wide head, a row of units or of the
    same labels in another language."""
    extra = max((grid.depth(row, col) for col, _ in grid.filled(row)), default=1) - 1
    if extra > 3 or row + extra >= grid.n_rows - 1:
        extra = 0
    while row + extra + 1 < grid.n_rows - 1:
        cells = grid.filled(row + extra + 1)
        under_wide = any(grid.span(row + extra, col) > 1 and grid.text(row + extra, col) for col, _ in cells)
        if not cells or not (
            is_unit_row([c.text for _, c in cells])
            or (under_wide and (_all_labels(grid, row + extra + 1) or _are_steps(grid, row + extra)))
            or _are_same_labels(grid, row, row + extra + 1)
            or _goes_on(grid, row + extra)
        ):
            return extra
        extra += 1
    return extra


def _goes_on(grid: Grid, row: int) -> bool:
    """A head whose words go on in the next row, as "Price/" over "roll" says: no values there but the names of columns
    under one wide head ("Packing" over "VE-1", "VE-2")."""
    below = [(col, cell) for col, cell in grid.filled(row + 1) if grid.text(row, col)]
    cut = [col for col, _ in below if grid.text(row, col).endswith("/") and grid.starts(row, col)]
    values = [cell for col, cell in below if col not in cut and grid.span(row, col) == 1 and _is_value(cell.text)]
    values += [cell for col, cell in below if col in cut and (is_number(trim(cell.text)) or is_price(cell.text))]
    return bool(cut) and len(below) >= 2 and not values and not any(is_sentence(cell.text) for _, cell in below)


def _are_same_labels(grid: Grid, first: int, row: int) -> bool:
    """Most cells are labels that stand for what the label over them stands for; none is a value."""
    texts = {col: trim(cell.text) for col, cell in grid.filled(row)}
    pairs = [
        (_MAIN.get(kind, kind), label_kind(grid.text(first, col)))
        for col, text in texts.items()
        if (kind := label_kind(text))
    ]
    alike = sum(own == _MAIN.get(over or "", over) for own, over in pairs)
    return alike >= _LEAST_ALIKE and 2 * alike >= len(texts) and not any(map(_is_value, texts.values()))


def _are_steps(grid: Grid, row: int) -> bool:
    """Nothing but quantities stands under one wide head: its prices are by quantity."""
    below = grid.filled(row + 1)
    return all(grid.span(row, col) > 1 for col, _ in below) and _are_quantities([trim(c.text) for _, c in below])


def _all_labels(grid: Grid, row: int) -> bool:
    texts = [trim(cell.text) for _, cell in grid.filled(row)]
    return (
        bool(texts)
        and all(label_kind(text) or not _is_value(text) for text in texts)
        and not any(map(is_sentence, texts))
    )


def is_unit_row(texts: Sequence[str]) -> bool:
    """Nothing but units and currencies, as a row below a head's labels prints them."""
    words = [squash(text).strip("()（）[].") for text in texts if not is_no_value(text)]
    return bool(words) and all(
        any(part in _UNIT_WORDS or own_words().is_unit(part) for part in word.split("/")) and len(word) <= 8
        for word in words
    )
