"""Arms and what was measured in them, as tables of trials print it: candidates for a person or a model, never proof."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from processing.engine.kinds.paper_tables import Column, PaperTable, Row

_SIZE = re.compile(r"\(?\b[nN]\s*=\s*(\d{1,3}(?:,\d{3})+|\d+)\)?")
_NUMBER = r"[−–-]?\d+(?:[.·]\d+)?"
_SIZES = re.compile(r"(?:no\.? (?:of )?(?:patients|participants|subjects)|[nN]|number.*)")
_EVENTS_OF = re.compile(r"(\d+)\s*/\s*(\d+)\b")
_EVENTS = re.compile(r"(\d+)\s*[(\[]\s*(\d+(?:[.·]\d+)?)\s*%?\s*[)\]]")
_MEAN_PM = re.compile(rf"({_NUMBER})\s*(?:±|\+/[−-])\s*(\d+(?:[.·]\d+)?)")
_MEAN_IN = re.compile(rf"({_NUMBER})\s*[(\[]\s*(\d+(?:[.·]\d+)?)\s*[)\]]")
_SAYS_DEVIATION = re.compile(r"\bSD\b|\bs\.d\.|standard deviation|±", re.IGNORECASE)
_SAYS_SHARE = re.compile(r"%|\bno\.|\bn\s*\(", re.IGNORECASE)
_SAYS_FORM = re.compile(r"\(?\b(?:mean|n|no\.)\s*(?:±|[(\[])\s*(?:SDs?|SE|SEM|%)\s*[)\]]?\)?|\(%\)", re.IGNORECASE)
# Rows that tell who an arm's people are; a cell of theirs is a mean or median with what it is spread over, or a share.
_AGE = re.compile(r"(?:(?:mean|median|average) )?age\b(?! *(?:group|class|categor|range|at ))", re.IGNORECASE)
_MALE = re.compile(r"(?:(?:sex|gender)\W+)?(?:males?|men|boys)\b(?! */)", re.IGNORECASE)
_SPREAD = re.compile(
    rf"({_NUMBER})\s*(?:(?:±|\+/[−-])\s*(\d+(?:[.·]\d+)?)"
    rf"|[(\[]\s*(?:±\s*)?(\d+(?:[.·]\d+)?(?:\s*(?:[−–-]|to)\s*\d+(?:[.·]\d+)?)?)\s*[)\]])"
)
_SHARE = re.compile(r"(?:(\d+)\s*[(\[]\s*)?(\d+(?:[.·]\d+)?)\s*(%?)\s*[)\]]?")
# Columns of what is told of arms together.
_NO_ARM = re.compile(
    r"\b(?:p|t|CI|OR|RR|HR)\b|[\s-]value|χ|differen|effect|ratio|total|overall|all (?:patients|participants)",
    re.IGNORECASE,
)
# Points by which a printed share may differ from events of total: it is rounded.
_ROUNDED = 1.0


@dataclass(frozen=True)
class Figure:
    """What one arm has in a row, as printed. ``kind``: events, ``first`` of ``second``, or mean, with its deviation."""

    kind: str
    first: str
    second: str
    quote: str


@dataclass(frozen=True)
class Arm:
    label: str
    size: str


@dataclass(frozen=True)
class Outcome:
    """A row of a table with a figure for each of two arms or more. ``label``: as the row says it; ``name``: with the
    section of the table that it stands in."""

    name: str
    label: str
    page: int
    figures: tuple[tuple[Arm, Figure], ...]


def arm_of(column: Column) -> Arm:
    head = normalize("NFKC", column.head)
    size = _SIZE.search(head)
    label = _SAYS_FORM.sub("", _SIZE.sub("", head)).strip(" ,;:()*")
    return Arm(label, size[1].replace(",", "") if size else "")


def _arms_in(table: PaperTable) -> dict[int, Arm]:
    """By column; sizes from a row of them where heads say none."""
    arms = {n: arm for n, arm in enumerate(map(arm_of, table.columns)) if arm.size or not _NO_ARM.search(arm.label)}
    sizes = dict(_sizes(table, arms))
    return {n: Arm(arm.label, arm.size or sizes.get(n, "")) for n, arm in arms.items()}


def outcomes_of(table: PaperTable) -> Iterator[Outcome]:
    """Rows of ``table`` whose cells have the same form in each arm's column."""
    arms = _arms_in(table)
    if len(arms) < 2:
        return
    for row in table.rows:
        said = f"{row.section} {row.label} {table.caption}"
        figures = [
            (arm, figure) for n, arm in arms.items() if (figure := _figure(row, n, arm, said, table)) is not None
        ]
        if len(figures) >= 2 and len({figure.kind for _, figure in figures}) == 1:
            yield Outcome(f"{row.section} {row.label}".strip(), row.label.strip(), table.page, tuple(figures))


def _sizes(table: PaperTable, arms: Iterable[int]) -> Iterator[tuple[int, str]]:
    """From a row that gives them, where heads do not."""
    for row in table.rows:
        if _SIZES.fullmatch(row.label.strip()):
            for n in arms:
                cell = row.cells[n]
                if cell is not None and cell.text.strip().isdigit():
                    yield n, cell.text.strip()
            return


def _figure(row: Row, n: int, arm: Arm, said: str, table: PaperTable) -> Figure | None:
    cell = row.cells[n]
    if cell is None:
        return None
    text, quote = cell.text.strip(), _printed(row)
    said = f"{said} {table.columns[n].head}"
    if match := _EVENTS_OF.match(text):
        return Figure("events", match[1], match[2], quote)
    if match := _MEAN_PM.match(text):
        return Figure("mean", match[1], match[2], quote)
    if (match := _EVENTS.match(text)) and arm.size and _is_share(match[1], match[2], arm.size):
        return Figure("events", match[1], arm.size, quote)
    if (match := _MEAN_IN.match(text)) and ("." in match[1] or _SAYS_DEVIATION.search(said)):
        return Figure("mean", match[1], match[2], quote)
    if re.fullmatch(r"\d+", text) and arm.size and _SAYS_SHARE.search(said) and int(text) <= int(arm.size):
        return Figure("events", text, arm.size, quote)
    return None


def _is_share(events: str, share: str, size: str) -> bool:
    if not int(size):
        return False
    return abs(100 * int(events) / int(size) - float(share.replace("·", "."))) <= _ROUNDED


@dataclass(frozen=True)
class Fact:
    """What a table tells of an arm: a field of the shipped templates, the value and the row as printed."""

    arm: Arm
    field: str
    text: str
    quote: str
    page: int


def facts_of(tables: Sequence[PaperTable]) -> Iterator[Fact]:
    """Of each arm its name and size, once, and the age and sex of its people; arms are columns with a size, or those of
    whose people a row tells the age."""
    seen: set[Arm] = set()
    for table in tables:
        for n, arm in _arms_in(table).items():
            people = list(_people(table, n, arm))
            if not arm.label or _NO_ARM.search(arm.label) or not (arm.size or people):
                continue
            if arm not in seen:
                seen.add(arm)
                names = (row for row in table.heads if arm.label in normalize("NFKC", row))
                yield Fact(arm, "arm_name", arm.label, next(names, arm.label), table.page)
                if arm.size:
                    yield Fact(arm, "n_randomised", arm.size, _sizing(table, arm), table.page)
            yield from people


def _people(table: PaperTable, n: int, arm: Arm) -> Iterator[Fact]:
    for row in table.rows:
        cell, label = row.cells[n], row.label.strip()
        text = cell.text.strip() if cell else ""
        if _AGE.match(label) and not _SAYS_SHARE.search(label) and (found := _SPREAD.match(text)):
            yield Fact(arm, "age_mean", found[1], _printed(row), table.page)
            yield Fact(arm, "age_spread", found[2] or found[3], _printed(row), table.page)
        elif _MALE.match(label) and (found := _SHARE.match(text)):
            agrees = found[1] and arm.size and _is_share(found[1], found[2], arm.size)
            if found[3] or "%" in label or agrees:
                yield Fact(arm, "male_percent", found[2] + found[3], _printed(row), table.page)


def _sizing(table: PaperTable, arm: Arm) -> str:
    heads = (row for row in table.heads if arm.size in _sizes_in(row))
    rows = (_printed(row) for row in table.rows if _SIZES.fullmatch(row.label.strip()))
    return next(heads, next(rows, arm.label))


def _printed(row: Row) -> str:
    return " | ".join(line.text.strip() for line in row.lines)


def _sizes_in(text: str) -> list[str]:
    return [size.replace(",", "") for size in _SIZE.findall(normalize("NFKC", text))]
