"""Grids whose labels stand in the first column and begin again further down: a table for each product there."""

from itertools import pairwise

import msgspec

from catalogsku.core.box import union
from catalogsku.core.text import squash
from processing.engine.page import Table
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.tables.grid import Grid

_IDENTITIES = ("product_name", "model")
# Two columns are the labels and the values of one product each, and no table.
_LEAST_COLS, _LEAST_LABELS = 3, 2


def restarted(table: Table) -> list[Table]:
    """The table's parts from top to bottom; the table alone where its first label, of an identity, is not printed again
    or does not stand over further labels alone."""
    starts = _starts(table) if table.n_cols >= _LEAST_COLS else []
    if len(starts) < 2:
        return [table]
    return [_part(table, first, end) for first, end in pairwise([*starts, table.n_rows])]


def _starts(table: Table) -> list[int]:
    grid = Grid(table)
    labels = [grid.text(row, 0) for row in range(table.n_rows)]
    if label_kind(labels[0]) not in _IDENTITIES:
        return []
    starts = [row for row, label in enumerate(labels) if squash(label) == squash(labels[0]) and grid.starts(row, 0)]
    first = [label_kind(label) for label in labels[: starts[1]]] if len(starts) > 1 else []
    known = [kind for kind in first if kind]
    parted = all(grid.starts(row, col) for row in starts for col in range(table.n_cols) if grid.cell(row, col))
    return starts if len(set(known)) >= _LEAST_LABELS and 2 * len(known) > len(first) and parted else []


def _part(table: Table, first: int, end: int) -> Table:
    cells = tuple(msgspec.structs.replace(c, row=c.row - first) for c in table.cells if first <= c.row < end)
    name = table.id if first == 0 else f"{table.id}.{first + 1}"
    return msgspec.structs.replace(
        table, id=name, box=union(cell.box for cell in cells), n_rows=end - first, cells=cells
    )
