"""Heads that are printed over a grid: on a band of colour that has no rules of its own, in the columns of the grid."""

from statistics import median

import msgspec

from catalogsku.core.box import centre, contains_point, height, union
from catalogsku.core.text import trim
from processing.engine.page import Cell, Line, ParsedPage, Table
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code, is_lettered_code, is_number
from processing.engine.understanding.tables.header import is_unit_row
from processing.engine.understanding.tables.open_table import baselines
from processing.engine.understanding.tables.variants import REMARK

# Of the grid's usual row, how far over it the head stands at most.
_FAR = 1.8
_LEAST_LABELS = 2
_MAIN = frozenset(("model", "product_name", "price"))

# Left and right edge by column.
Columns = dict[int, tuple[float, float]]


def with_head_over(table: Table, page: ParsedPage) -> Table:
    """The grid with the labels right over its columns, and their units, as its first rows, where it prints none."""
    if not table.ruled or any(label_kind(cell.text) for cell in table.cells if cell.row == 0):
        return table
    columns = {cell.col: (cell.box[0], cell.box[2]) for cell in table.cells if cell.cols == 1}
    rows = _rows_over(table, page)
    units = rows.pop() if len(rows) > 1 and is_unit_row([line.text for line in rows[-1]]) else []
    row = _whole_head(rows, columns)
    own = _by_column(columns, row)
    if len(own) < len(row) or not (_are_labels(row, table.n_cols) or _heads_variants(own, table)):
        return table
    top, middle = min(line.box[1] for line in row), min((line.box[1] for line in units), default=table.box[1])
    head = [Cell(0, col, trim(line.text), (columns[col][0], top, columns[col][1], middle))
            for col, line in sorted(own.items())]  # fmt: skip
    head += [Cell(1, col, trim(line.text), (columns[col][0], middle, columns[col][1], table.box[1]))
             for col, line in sorted(_by_column(columns, units).items())]  # fmt: skip
    added = 2 if units else 1
    rest = [msgspec.structs.replace(cell, row=cell.row + added) for cell in table.cells]
    box = union([table.box, *(cell.box for cell in head)])
    return msgspec.structs.replace(table, box=box, n_rows=table.n_rows + added, cells=(*head, *rest))


def _are_labels(row: list[Line], n_cols: int) -> bool:
    """Half of them are known; or some with a name, a code or a price among them, where each column has one and none is
    a number."""
    kinds = [kind for line in row if (kind := label_kind(line.text))]
    whole = len(row) == n_cols and not any(is_code(line.text) or is_number(line.text) for line in row)
    sure = whole and len(_MAIN.intersection(kinds)) >= _LEAST_LABELS
    return len(kinds) >= _LEAST_LABELS and (2 * len(kinds) >= len(row) or sure)


def _heads_variants(own: dict[int, Line], table: Table) -> bool:
    """Different codes over all columns but the first, which is one of words: each column tells of one product."""
    codes = {REMARK.sub("", line.text) for line in own.values()}
    words = [cell.text for cell in table.cells if cell.col == 0]
    coded = sorted(own) == list(range(1, table.n_cols)) and len(codes) == len(own) >= _LEAST_LABELS
    told = sum(bool(label_kind(text)) for text in words) >= _LEAST_LABELS and not any(map(is_code, words))
    return coded and told and all(map(is_lettered_code, codes))


def _rows_over(table: Table, page: ParsedPage) -> list[list[Line]]:
    """The lines on the baselines right over the grid, the lowest last."""
    x0, top, x1, _ = table.box
    reach = _FAR * median(height(cell.box) for cell in table.cells if cell.rows == 1)
    others = [other.box for other in page.tables if other is not table]
    lines = [piece for line in page.lines for piece in pieces(line)]
    over = [line for line in lines if top - reach <= centre(line.box)[1] <= top and x0 <= centre(line.box)[0] <= x1]
    return baselines([line for line in over if not any(contains_point(box, *centre(line.box)) for box in others)])


def _whole_head(rows: list[list[Line]], columns: Columns) -> list[Line]:
    """The lowest row, the title of the grid's first rows under it aside, with what stands half a line higher over other
    columns: labels of two lines beside such of one."""
    titles = 1 if len(rows) > 1 and len(rows[-1]) == 1 < len(rows[-2]) else 0
    rows = rows[: len(rows) - titles]
    whole = list(rows[-1]) if rows else []
    for row in reversed(rows[:-1]):
        near = min(line.box[1] for line in whole) - max(line.box[3] for line in row) <= 0.5 * height(row[0].box)
        beside = _by_column(columns, row).keys().isdisjoint(_by_column(columns, whole))
        if not (near and beside and len(_by_column(columns, row)) == len(row)):
            break
        whole = [*row, *whole]
    return whole


def _by_column(columns: Columns, row: list[Line]) -> dict[int, Line]:
    return {col: line for line in row if (col := _column(columns, line)) is not None}


def _column(columns: Columns, line: Line) -> int | None:
    x = centre(line.box)[0]
    return next((col for col, (left, right) in columns.items() if left <= x <= right), None)
