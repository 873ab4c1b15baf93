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
# Of both arms together: an estimate and its bounds, in one cell or in two.
_BOUNDS = rf"{_NUMBER}\s*(?:,|;|to|[−–-])\s*{_NUMBER}"
_ESTIMATE = re.compile(rf"({_NUMBER})\s*[(\[]\s*(?:95 ?% ?CI:?\s*)?({_BOUNDS})\s*[)\]]")
_INTERVAL = re.compile(rf"[(\[]?\s*({_BOUNDS})\s*[)\]]?")
_SAYS_INTERVAL = re.compile(r"\bCI\b|confidence|95 ?%")
_MEASURES = (
    ("hr", re.compile(r"\ba?HRs?\b|[Hh]azard")),
    ("ratio", re.compile(r"\b(?:a?ORs?|a?RRs?|IRR)\b|\b[Rr]atio\b|[Rr]elative risk")),
    ("difference", re.compile(r"[Dd]ifferen|\bMD\b")),
)
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
class Effect:
    """What a row says of two arms together. ``measure``: hr, ratio or difference; the rest as printed."""

    measure: str
    value: str
    interval: str


@dataclass(frozen=True)
class Outcome:
    """A row of a table with a figure for each of two arms or more. ``label``: as the row says it; ``name``: with the
    section of the table that it stands in."""

    name: str
    label: str
    page: int
    figures: tuple[tuple[Arm, Figure], ...]
    effects: tuple[Effect, ...] = ()


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
            effects = tuple(_effects(table, row, arms, figures[0][1].kind))
            name = f"{row.section} {row.label}".strip()
            yield Outcome(name, row.label.strip(), table.page, tuple(figures), effects)


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


def _effects(table: PaperTable, row: Row, arms: Iterable[int], kind: str) -> Iterator[Effect]:
    """From columns that are no arm's and say what they compare by; one that stands outside its own bounds is none."""
    columns = [n for n in range(len(table.columns)) if n not in set(arms)]
    heads = {n: normalize("NFKC", table.columns[n].head) for n in columns}
    texts = {n: cell.text.strip() if (cell := row.cells[n]) else "" for n in columns}
    for n in columns:
        measure = _measure(heads[n], kind)
        if not measure:
            continue
        bounds = _INTERVAL.fullmatch(texts[n + 1]) if _SAYS_INTERVAL.search(heads.get(n + 1, "")) else None
        if found := _ESTIMATE.match(texts[n]):
            value, interval = found[1], found[2]
        elif bounds and re.fullmatch(_NUMBER, texts[n]):
            value, interval = texts[n], bounds[1]
        else:
            continue
        if _holds(interval, value):
            yield Effect(measure, value, interval)


def _measure(head: str, kind: str) -> str:
    """What a head says; a hazard ratio is one. "Difference or ratio" is a ratio of events, a difference of means."""
    said = [measure for measure, words in _MEASURES if words.search(head)]
    if said == ["ratio", "difference"]:
        return "ratio" if kind == "events" else "difference"
    return said[0] if said else ""


def _holds(interval: str, value: str) -> bool:
    parts = re.fullmatch(rf"({_NUMBER})\s*(?:,|;|to|[−–-])\s*({_NUMBER})", interval)
    return parts is not None and _number(parts[1]) <= _number(value) <= _number(parts[2])


def _number(text: str) -> float:
    return float(text.replace("−", "-").replace("–", "-").replace("·", "."))


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
