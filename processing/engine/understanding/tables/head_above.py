"""Grids under each other on a page of which only the first prints a head, as groups of one list parted by space are."""

from collections.abc import Sequence
from dataclasses import replace

from processing.engine.page import Table
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import Label, find_header

# Points by which the edges of one column may differ.
_SAME_PT = 3.0
_LEAST_KNOWN = 2


def labels_above(table: Table, tables: Sequence[Table]) -> tuple[Label, ...]:
    """Labels of the nearest head above, by place; none where the grid has labels of its own, a grid of other columns
    lies between, or fewer than two labels that are known stand over columns of this one."""
    own = [cell.text for cell in table.cells if cell.col == 0 or cell.row == 0]
    if any(label_kind(text) for text in own if len(text) > 1):
        return ()
    over = [other for other in tables if other is not table and other.ruled and other.box[3] <= table.box[1]]
    for other in sorted(over, key=lambda one: -one.box[3]):
        labels = _by_place(table, other)
        if sum(1 for label in labels if label.kind) >= _LEAST_KNOWN:
            return labels
        if not _shares_columns(table, other):
            return ()
    return ()


def _by_place(table: Table, other: Table) -> tuple[Label, ...]:
    header = find_header(Grid(other))
    if header is None or not header.known:
        return ()
    columns, above = _columns(table), _columns(other)
    named = {col: _label_at(columns.get(col), above, header.labels) for col in range(table.n_cols)}
    return tuple(replace(label, col=col) if label else Label(col, "", None) for col, label in named.items())


def _label_at(
    place: tuple[float, float] | None, above: dict[int, tuple[float, float]], labels: Sequence[Label]
) -> Label | None:
    found = (label for label in labels if label.col in above and place and _same(place, above[label.col]))
    return next(found, None)


def _shares_columns(table: Table, other: Table) -> bool:
    """Most columns of the one are columns of the other."""
    columns, above = _columns(table).values(), list(_columns(other).values())
    shared = sum(1 for place in columns if any(_same(place, one) for one in above))
    return 2 * shared > len(columns)


def _same(a: tuple[float, float], b: tuple[float, float]) -> bool:
    return abs(a[0] - b[0]) <= _SAME_PT and abs(a[1] - b[1]) <= _SAME_PT


def _columns(table: Table) -> dict[int, tuple[float, float]]:
    """Left and right edge of each column, of a cell that covers no other."""
    found: dict[int, tuple[float, float]] = {}
    for cell in table.cells:
        if cell.cols == 1:
            found.setdefault(cell.col, (cell.box[0], cell.box[2]))
    return found
