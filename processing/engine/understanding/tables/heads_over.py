"""Heads that are printed over a grid: on a band of colour that has no rules of its own, in the columns of the grid."""

from statistics import median

import msgspec

from catalogsku.core.box import centre, contains_point, height, union
from catalogsku.core.text import trim
from processing.engine.page import Cell, Line, ParsedPage, Table
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code, is_lettered_code
from processing.engine.understanding.tables.open_table import baselines
from processing.engine.understanding.tables.variants import REMARK

# Of the grid's usual row, how far over it the head stands at most.
_FAR = 1.8
_LEAST_LABELS = 2


def with_head_over(table: Table, page: ParsedPage) -> Table:
    """The grid with the labels right over its columns as its first row, where it prints none itself."""
    if not table.ruled or any(label_kind(cell.text) for cell in table.cells if cell.row == 0):
        return table
    columns = {cell.col: (cell.box[0], cell.box[2]) for cell in table.cells if cell.cols == 1}
    row = _row_over(table, page)
    own = {col: line for line in row if (col := _column(columns, line)) is not None}
    labels = sum(label_kind(line.text) is not None for line in row)
    if len(own) < len(row) or (labels < _LEAST_LABELS or 2 * labels < len(row)) and not _heads_variants(own, table):
        return table
    top = min(line.box[1] for line in row)
    head = [Cell(0, col, trim(line.text), (columns[col][0], top, columns[col][1], table.box[1]))
            for col, line in sorted(own.items())]  # fmt: skip
    rest = [msgspec.structs.replace(cell, row=cell.row + 1) for cell in table.cells]
    box = union([table.box, *(cell.box for cell in head)])
    return msgspec.structs.replace(table, box=box, n_rows=table.n_rows + 1, cells=(*head, *rest))


def _heads_variants(own: dict[int, Line], table: Table) -> bool:
    """Different codes over all columns but the first, which is one of words: each column tells of one product."""
    codes = {REMARK.sub("", line.text) for line in own.values()}
    words = [cell.text for cell in table.cells if cell.col == 0]
    coded = sorted(own) == list(range(1, table.n_cols)) and len(codes) == len(own) >= _LEAST_LABELS
    told = sum(bool(label_kind(text)) for text in words) >= _LEAST_LABELS and not any(map(is_code, words))
    return coded and told and all(map(is_lettered_code, codes))


def _row_over(table: Table, page: ParsedPage) -> list[Line]:
    """The lines on the last baseline over the grid; the title of its first rows may stand alone between both."""
    x0, top, x1, _ = table.box
    reach = _FAR * median(height(cell.box) for cell in table.cells if cell.rows == 1)
    others = [other.box for other in page.tables if other is not table]
    lines = [piece for line in page.lines for piece in pieces(line)]
    over = [line for line in lines if top - reach <= centre(line.box)[1] <= top and x0 <= centre(line.box)[0] <= x1]
    rows = baselines([line for line in over if not any(contains_point(box, *centre(line.box)) for box in others)])
    titles = 1 if len(rows) > 1 and len(rows[-1]) == 1 < len(rows[-2]) else 0
    return rows[-1 - titles] if rows else []


def _column(columns: dict[int, tuple[float, float]], line: Line) -> int | None:
    x = centre(line.box)[0]
    return next((col for col, (left, right) in columns.items() if left <= x <= right), None)
