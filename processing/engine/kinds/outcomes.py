"""Arms and what was measured in them, as tables of trials print it: candidates for a person or a model, never proof."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from processing.engine.kinds.paper_tables import Column, PaperTable, Row

_SIZE = re.compile(r"\(?\b[nN]\s*=\s*(\d{1,3}(?:,\d{3})+|\d+)\)?")
_NUMBER = r"[−–-]?\d+(?:[.·]\d+)?"
_EVENTS_OF = re.compile(r"(\d+)\s*/\s*(\d+)\b")
_EVENTS = re.compile(r"(\d+)\s*[(\[]\s*(\d+(?:[.·]\d+)?)\s*%?\s*[)\]]")
_MEAN_PM = re.compile(rf"({_NUMBER})\s*(?:±|\+/[−-])\s*(\d+(?:[.·]\d+)?)")
_MEAN_IN = re.compile(rf"({_NUMBER})\s*[(\[]\s*(\d+(?:[.·]\d+)?)\s*[)\]]")
_SAYS_DEVIATION = re.compile(r"\bSD\b|\bs\.d\.|standard deviation|±", re.IGNORECASE)
_SAYS_SHARE = re.compile(r"%|\bno\.|\bn\s*\(", re.IGNORECASE)
_SAYS_FORM = re.compile(r"\(?\b(?:mean|n|no\.)\s*(?:±|[(\[])\s*(?:SDs?|SE|SEM|%)\s*[)\]]?\)?|\(%\)", re.IGNORECASE)
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


def outcomes_of(table: PaperTable) -> Iterator[Outcome]:
    """Rows of ``table`` whose cells have the same form in each arm's column."""
    arms = {n: arm for n, arm in enumerate(map(arm_of, table.columns)) if arm.size or not _NO_ARM.search(arm.label)}
    if len(arms) < 2:
        return
    sizes = dict(_sizes(table, arms))
    arms = {n: Arm(arm.label, arm.size or sizes.get(n, "")) for n, arm in arms.items()}
    for row in table.rows:
        said = f"{row.section} {row.label} {table.caption}"
        figures = [
            (arm, figure) for n, arm in arms.items() if (figure := _figure(row, n, arm, said, table)) is not None
        ]
        if len(figures) >= 2 and len({figure.kind for _, figure in figures}) == 1:
            yield Outcome(f"{row.section} {row.label}".strip(), row.label.strip(), table.page, tuple(figures))


def _sizes(table: PaperTable, arms: dict[int, Arm]) -> Iterator[tuple[int, str]]:
    """From a row that gives them, where heads do not."""
    for row in table.rows:
        if re.fullmatch(r"(?:no\.? (?:of )?(?:patients|participants|subjects)|[nN]|number.*)", row.label.strip()):
            for n in arms:
                cell = row.cells[n]
                if cell is not None and cell.text.strip().isdigit():
                    yield n, cell.text.strip()
            return


def _figure(row: Row, n: int, arm: Arm, said: str, table: PaperTable) -> Figure | None:
    cell = row.cells[n]
    if cell is None:
        return None
    text, quote = cell.text.strip(), " | ".join(line.text.strip() for line in row.lines)
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


def arms_of(tables: Sequence[PaperTable]) -> Iterator[tuple[Arm, str, str, int]]:
    """Those with a size over their column, in their order, each once; with the rows of heads that tell its name and its
    size, and the page."""
    seen: set[Arm] = set()
    for table in tables:
        for arm in map(arm_of, table.columns):
            if arm.size and arm.label and not _NO_ARM.search(arm.label) and arm not in seen:
                seen.add(arm)
                names = (row for row in table.heads if arm.label in normalize("NFKC", row))
                sizes = (row for row in table.heads if arm.size in _sizes_in(row))
                yield arm, next(names, arm.label), next(sizes, arm.label), table.page


def _sizes_in(text: str) -> list[str]:
    return [size.replace(",", "") for size in _SIZE.findall(normalize("NFKC", text))]
