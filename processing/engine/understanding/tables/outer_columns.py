"""Ruled tables whose outermost column is none: where the rule or the shade of a heading reaches beyond the table, an
empty cell stands beside a few rows, and the table seems to have other columns than its part on the next page."""

import msgspec

from catalogsku.core.box import union
from catalogsku.core.text import trim
from processing.engine.page import Table

# A table keeps as many columns at least; of its rows, those that have a cell of their own in such a column.
_LEAST_COLS, _FEW = 2, 0.25


def without_outer_columns(table: Table) -> Table:
    """The table without outermost columns of which few rows have a cell, each of them empty."""
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
    return None
