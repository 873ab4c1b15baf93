"""Grids in which a table ends and another begins: labels in the first column that begin again further down, a head
under rows like those that it heads, which go on with a table of the page before, or a head printed again under a title
of its own."""

from itertools import pairwise

import msgspec

from catalogsku.core.box import union
from catalogsku.core.text import squash
from processing.engine.page import Table
from processing.engine.understanding.rules.labels import EXTRA, label_kind
from processing.engine.understanding.rules.shapes import is_code, is_number
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import find_header

_IDENTITIES = ("product_name", "model")
# Two columns are the labels and the values of one product each, and no table.
_LEAST_COLS, _LEAST_LABELS = 3, 2
# Of the columns: how many hold the same in two rows of one kind.
_ALIKE = 0.75


def restarted(table: Table) -> list[Table]:
    """The table's parts from top to bottom; the table alone where its first label, of an identity, is not printed again
    or does not stand over further labels alone, no head stands under rows like those below it, and none comes again
    under a title."""
    starts = _starts(table) or _head_below(table) or _titled(table) if table.n_cols >= _LEAST_COLS else []
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
    return starts if len({*known} - {EXTRA}) >= _LEAST_LABELS and 2 * len(known) > len(first) and parted else []


def _head_below(table: Table) -> list[int]:
    """Where the head begins with the title over it, if the rows above are filled as the first one below."""
    grid = Grid(table)
    headed = any(label_kind(grid.text(0, col)) for col in range(table.n_cols))  # the usual table, at little cost
    header = None if headed else find_header(grid)
    if header is None or not header.first or header.known < _LEAST_COLS or header.body >= table.n_rows:
        return []
    start = header.first
    while start > 0 and len(grid.filled(start - 1)) <= 1:
        start -= 1
    rows = [_looks(grid, row) for row in range(start)]
    below = _looks(grid, header.body)
    alike = all(sum(a == b for a, b in zip(row, below, strict=True)) >= _ALIKE * table.n_cols for row in rows)
    whole = all(grid.starts(start, col) for col in range(table.n_cols) if grid.cell(start, col))
    filled = all(sum(map(bool, row)) >= _LEAST_COLS for row in rows)
    return [0, start] if rows and alike and whole and filled else []


def _titled(table: Table) -> list[int]:
    """Where the table begins, and each title alone across it that stands over the same head printed again."""
    grid = Grid(table)
    head = [squash(grid.text(0, col)) for col in range(table.n_cols)]
    if not all(head) or sum(label_kind(grid.text(0, col)) is not None for col in range(table.n_cols)) < _LEAST_LABELS:
        return []
    first = head[0]
    again = [
        r for r in range(2, table.n_rows - 1) if squash(grid.text(r, 0)) == first and _is_head_again(grid, r, head)
    ]
    starts = [row - 1 for row in again if grid.span(row - 1, 0) == table.n_cols and grid.starts(row - 1, 0)]
    return [0, *starts] if starts and len(starts) == len(again) and all(grid.text(row, 0) for row in starts) else []


def _is_head_again(grid: Grid, row: int, head: list[str]) -> bool:
    """The same labels, but for one: a family of things may be told by another measure."""
    texts = [squash(grid.text(row, col)) for col in range(grid.n_cols)]
    return sum(a != b for a, b in zip(texts, head, strict=True)) <= 1


def _looks(grid: Grid, row: int) -> list[str]:
    """Of each cell whether it holds a figure or a code, words, or nothing."""
    texts = [grid.text(row, col) for col in range(grid.n_cols)]
    return ["" if not text else "figure" if is_number(text) or is_code(text) else "words" for text in texts]


def _part(table: Table, first: int, end: int) -> Table:
    cells = tuple(msgspec.structs.replace(c, row=c.row - first) for c in table.cells if first <= c.row < end)
    name = table.id if first == 0 else f"{table.id}.{first + 1}"
    return msgspec.structs.replace(
        table, id=name, box=union(cell.box for cell in cells), n_rows=end - first, cells=cells
    )
