"""Tables that go on over the end of a page: with which earlier table, and why. Each merge is a decision that is stored
with the page (TA-BR17, X-MERGE); what it joins are rows, of which only a head printed again is left out."""

from collections.abc import Iterator, Sequence

from catalogsku.core.text import squash
from processing.engine.page import ParsedPage, Table
from processing.engine.result import TableMerge
from processing.engine.understanding.rules.shapes import is_code, is_lettered_code, is_number
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import Header, find_header
from processing.engine.understanding.tables.shaded import tables_of

# Why two tables are one: the lower has no head of its own, prints the same again, or its products stand in columns.
HEAD_INHERITED, HEAD_REPEATED, PRODUCTS_IN_COLUMNS = "head_inherited", "head_repeated", "products_in_columns"
# Of the page's width.
_SAME_COLUMN = 0.03
# Of the page's height; points by which boxes of neighbours may overlap.
_SAME_HEIGHT, _TOUCH_PT = 0.03, 2.0
# Columns of a table that another goes on with, and those that it may have more.
_LEAST, _MORE = 3, 2


def merge_of(table: Table, before: Table, page_number: int, reason: str, repeated_rows: int = 0) -> TableMerge:
    """The decision that ``table`` goes on with ``before`` of an earlier page, keeping all rows but a head's."""
    return TableMerge(table.id, page_number, before.id, reason, table.n_rows - repeated_rows, repeated_rows)


def tables_before(
    table: Table, page: ParsedPage, earlier: Sequence[ParsedPage], look_back: int
) -> Iterator[tuple[ParsedPage, Table]]:
    """Tables with the same columns, from the nearest page back to the first one with other tables alone."""
    nearest = sorted((other for other in earlier if other.number < page.number), key=lambda other: -other.number)
    for other in nearest[:look_back]:
        tables = tables_of(other)
        alike = [before for before in reversed(tables) if same_columns(table, page, before, other)]
        yield from ((other, before) for before in alike)
        if tables and not alike:
            return


def repeated_head(grid: Grid, header: Header, page: ParsedPage, earlier: Sequence[ParsedPage]) -> TableMerge | None:
    """The page's first table goes on with the last one of the page before, whose head it prints again."""
    other = next((sheet for sheet in earlier if sheet.number == page.number - 1), None)
    if grid.turned or other is None or any(table.box[3] <= grid.table.box[1] for table in tables_of(page)):
        return None
    last = max(tables_of(other), key=lambda table: table.box[3], default=None)
    if last is None or not same_columns(grid.table, page, last, other):
        return None
    own = find_header(Grid(last))
    if own is None or [squash(label.text) for label in own.labels] != [squash(label.text) for label in header.labels]:
        return None
    return merge_of(grid.table, last, other.number, HEAD_REPEATED, header.rows)


def is_letterhead(table: Table, page: ParsedPage, head: Grid, header: Header, other: ParsedPage) -> bool:
    """What stands over the list on each page: under it the page prints the head again, where ``other`` prints it,
    with other units or remarks at most."""
    top = head.row_box(header.first)[1] / other.height_pt
    for grid in (Grid(below) for below in tables_of(page) if below.box[1] >= table.box[3] - _TOUCH_PT):
        own = find_header(grid)
        if own is not None and [label.kind for label in own.labels] == [label.kind for label in header.labels]:
            return abs(grid.row_box(own.first)[1] / page.height_pt - top) <= _SAME_HEIGHT
    return False


def heads_itself(grid: Grid) -> bool:
    """Words that nobody knows stand over codes and numbers in its first row, as heads do: no row of another's list."""
    first, rows = [cell for _, cell in grid.filled(0)], range(1, grid.n_rows)
    if len(first) < _LEAST or len(rows) < _LEAST or any(is_number(c.text) or is_code(c.text) for c in first):
        return False
    columns = [[text for row in rows if (text := grid.text(row, cell.col))] for cell in first]
    return any(len(texts) >= _LEAST and all(map(is_lettered_code, texts)) for texts in columns)


def same_columns(a: Table, page: ParsedPage, b: Table, other: ParsedPage) -> bool:
    """As many columns at the same places across the page."""
    if a.n_cols != b.n_cols or a.n_cols < 2:
        return False
    left, right = _edges(a, page.width_pt), _edges(b, other.width_pt)
    shared = [col for col in left if col in right]
    near = sum(1 for col in shared if abs(left[col] - right[col]) <= _SAME_COLUMN)
    return len(shared) >= 2 and near * 4 >= len(shared) * 3


def before_with_fewer_columns(
    table: Table, page: ParsedPage, earlier: Sequence[ParsedPage]
) -> tuple[ParsedPage, Table] | None:
    """The last table of the page before, all of whose columns begin where columns of the page's first table do, of
    which only one or two are more: lines that nobody sees may part it."""
    other = next((sheet for sheet in earlier if sheet.number == page.number - 1), None)
    last = max(tables_of(other), key=lambda candidate: candidate.box[3], default=None) if other else None
    if other is None or last is None or any(candidate.box[3] <= table.box[1] for candidate in tables_of(page)):
        return None
    own, begun = _edges(table, page.width_pt).values(), _edges(last, other.width_pt).values()
    alike = all(any(abs(start - edge) <= _SAME_COLUMN / 2 for edge in own) for start in begun)
    sides = ((table.box[2] / page.width_pt, last.box[2] / other.width_pt), (min(own, default=0), min(begun, default=1)))
    wide = all(abs(a - b) <= _SAME_COLUMN / 2 for a, b in sides)
    return (other, last) if alike and wide and 0 < len(own) - len(begun) <= _MORE and len(begun) >= _LEAST else None


def _edges(table: Table, page_width: float) -> dict[int, float]:
    """Left edge of each column as a share of the page width."""
    edges: dict[int, float] = {}
    for cell in table.cells:
        if cell.cols == 1:
            edges.setdefault(cell.col, cell.box[0] / max(1.0, page_width))
    return edges
