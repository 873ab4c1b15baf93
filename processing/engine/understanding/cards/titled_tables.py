"""Small tables of labels and values with a title over each, which name no product themselves: where several tell of the
same things, each is one product under its title."""

from collections import Counter
from collections.abc import Sequence

from catalogsku.core.box import contains_point, height, union
from catalogsku.core.text import squash, trim
from processing.engine.page import Cell, Line, ParsedPage, Table
from processing.engine.result import BASE_KEYS, CustomValue, Value
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.evidence import add_currency, cell_value, take_on_request, text_value
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.once import as_extractor
from processing.engine.understanding.rules.dictionaries.terms import CONTACTS, SPECIFICATION_HEADS
from processing.engine.understanding.rules.folding import fold
from processing.engine.understanding.rules.headings import is_works_heading, names_no_thing
from processing.engine.understanding.rules.labels import FOREIGN, label_kind
from processing.engine.understanding.rules.shapes import has_value
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.view import PageView

# Tables that make it sure, rows of each, and labels that one has in common with another one; their share of its own.
_LEAST, _LEAST_ROWS, _SHARED, _MOSTLY = 2, 3, 3, 0.5
# Of the print in the table, how much larger a title is; of its own print, how far over the table it stands.
_LARGER, _OVER = 1.15, 1.5
# Points by which a title begins beside its table's left edge, and print may reach into the table under it.
_ALIGNED_PT, _TOUCHING_PT = 8.0, 2.0
# A longer text is no label.
_LONGEST = 40
# Surer where one of the labels is one of products; of others a person looks at them.
_FOUND, _UNSURE = 0.8, 0.65
_IDENTITY = ("model", "product_name")

Titled = tuple[Line, Table]


@as_extractor("titled_tables")
def extract_titled_tables(view: PageView) -> list[Draft]:
    """A product for each such table; nothing where tables without a title of their own stand among them."""
    return _drafts(view)


def tells_by_titles(view: PageView, captions: Extraction, cards: Extraction) -> bool:
    """As many products as captions and cards give are under such titles."""
    drafts = extract_titled_tables(view).drafts
    return bool(drafts) and len(drafts) >= max(len(captions.drafts), len(cards.drafts))


def _drafts(view: PageView) -> list[Draft]:
    own = [] if view.tables else _titled(view.page)
    near = [titled for page in view.earlier for titled in _titled(page)] if len(own) == 1 else []
    tables = [*own, *near]
    if len(tables) < _LEAST or len({squash(title.text) for title, _ in tables}) < len(tables):
        return []
    times = Counter(label for _, table in tables for label in _labels(table))
    if not all(_is_alike(_labels(table), times) for _, table in tables):
        return []
    known = {kind for _, table in tables for label, _ in _rows(table) if (kind := label_kind(label.text)) in BASE_KEYS}
    sure = _FOUND if known - {"description"} else _UNSURE
    return [_draft(view, title, table, sure) for title, table in own]


def _is_alike(labels: frozenset[str], times: Counter[str]) -> bool:
    shared = sum(1 for label in labels if times[label] > 1)
    return shared >= max(_SHARED, _MOSTLY * len(labels))


def _titled(page: ParsedPage) -> list[Titled]:
    """Tables of labels and values with their titles; none where a page has such tables without one."""
    small = [table for table in page.tables if _has_fields(table)]
    titled = [(title, table) for table in small if (title := _title(table, page.lines)) is not None]
    return titled if len(titled) == len(small) else []


def _has_fields(table: Table) -> bool:
    """Two ruled columns, labels before values, none of them a product's name or code, and no address."""
    rows = _rows(table)
    if not table.ruled or table.n_cols != 2 or len(rows) < max(_LEAST_ROWS, table.n_rows - 1):
        return False
    labels = [trim(label.text) for label, _ in rows]
    kinds = [label_kind(label) for label in labels]
    others = {*_IDENTITY, FOREIGN}.intersection(kind for kind in kinds if kind)
    plain = all(len(label) <= _LONGEST and any(map(str.isalpha, label)) and not is_sentence(label) for label in labels)
    return plain and not others and not any(fold(label) in CONTACTS for label in labels)


def _rows(table: Table) -> list[tuple[Cell, Cell]]:
    """Labels with their values, without a head over both."""
    cells = {(cell.row, cell.col): cell for cell in table.cells if cell.rows == cell.cols == 1 and trim(cell.text)}
    pairs = ((cells.get((row, 0)), cells.get((row, 1))) for row in range(table.n_rows))
    rows = [(label, value) for label, value in pairs if label is not None and value is not None]
    return rows[1:] if rows and fold(rows[0][0].text) in SPECIFICATION_HEADS else rows


def _labels(table: Table) -> frozenset[str]:
    return frozenset(squash(label.text) for label, _ in _rows(table))


def _title(table: Table, lines: Sequence[Line]) -> Line | None:
    """The last line over the table: a name in larger print than the table's, that begins at its left edge."""
    x0, top, x1, _ = table.box
    over = [line for line in lines if line.box[3] <= top + _TOUCHING_PT and line.box[0] < x1 and line.box[2] > x0]
    last = max(over, key=lambda line: line.box[3], default=None)
    inside = [
        line.size for line in lines if contains_point(table.box, line.box[0] + 1, (line.box[1] + line.box[3]) / 2)
    ]
    if last is None or not inside or last.size < _LARGER * max(inside):
        return None
    near = top - last.box[3] <= _OVER * max(last.size, height(last.box)) and abs(last.box[0] - x0) <= _ALIGNED_PT
    named = is_name(last.text) and not names_no_thing(last.text) and not is_works_heading(last.text)
    return last if near and named else None


def _draft(view: PageView, title: Line, table: Table, sure: float) -> Draft:
    number = view.page.number
    attributes: dict[str, Value] = {"product_name": text_value(title.text, title.box, number, "title", 0.95)}
    contexts: dict[str, str] = {}
    custom: list[CustomValue] = []
    for label, cell in _rows(table):
        kind, value = label_kind(label.text), cell_value([cell], number)
        if kind in BASE_KEYS and has_value(kind, value.text) and kind not in attributes:
            attributes[kind], contexts[kind] = value, trim(label.text)
        elif has_value(None, value.text):
            custom.append(CustomValue(trim(label.text), value.text, value.evidence))
    add_currency(attributes)
    box = union([title.box, table.box])
    return Draft(
        box=box,
        anchor=box,
        attributes=attributes,
        custom=tuple(custom),
        contexts=contexts,
        confidence=sure,
        on_request=take_on_request(attributes),
    )
