"""Ruled tables whose outermost column is none: where the rule or the shade of a heading reaches beyond the table, an
empty cell stands beside a few rows, and the table seems to have other columns than its part on the next page; where a
table stands on a leaflet, what is told on the panel beside it seems to be a cell along all of its rows."""

import msgspec

from catalogsku.core.box import union
from catalogsku.core.text import trim
from processing.engine.page import Cell, Table
from processing.engine.understanding.rules.wording import is_sentence

# A table keeps as many columns at least; of its rows, those that have a cell of their own in such a column.
_LEAST_COLS, _FEW = 2, 0.25
# Lines of a panel's text; fewer may be a name for all rows.
_PANEL_LINES = 6


def without_outer_columns(table: Table) -> Table:
    """The table without outermost columns of which few rows have a cell, each of them empty, or that are a panel."""
    while table.n_cols > _LEAST_COLS and (col := _outer(table)) is not None:
        cells = tuple(msgspec.structs.replace(c, col=c.col - (c.col > col)) for c in table.cells if c.col != col)
        table = msgspec.structs.replace(table, cells=cells, n_cols=table.n_cols - 1, box=union(c.box for c in cells))
    return table


def _outer(table: Table) -> int | None:
    for col in (0, table.n_cols - 1):
        own = [cell for cell in table.cells if cell.col <= col < cell.col + cell.cols]
        rows = sum(cell.rows for cell in own)
        if rows <= _FEW * table.n_rows and all(cell.cols == 1 and not trim(cell.text) for cell in own):
            return col
        if len(own) == 1 and own[0].cols == 1 and own[0].rows == table.n_rows > 1 and _is_panel(own[0]):
            return col
    return None


def _is_panel(cell: Cell) -> bool:
    """Running text in many lines, over the head too."""
    return cell.text.count("\n") >= _PANEL_LINES - 1 and is_sentence(cell.text)
