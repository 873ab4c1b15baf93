"""Tables over the fold of two facing pages on one sheet: each row's number or code is printed on both halves."""

from collections.abc import Sequence

import msgspec

from catalogsku.core.box import Box, union
from processing.engine.page import Cell, Table
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, NAME_OR_TEXT
from processing.engine.understanding.rules.shapes import is_code, is_number
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import find_header

# Rows that two halves must share by number or code, besides their head.
_LEAST_ROWS = 2
# Points by which a row may lie higher on one half than on the other.
_SAME_HEIGHT = 3.0
_IDENTITIES = frozenset(("model", "product_name", CODE_OR_NUMBER, NAME_OR_TEXT))


def unfolded(tables: Sequence[Table]) -> list[Table]:
    """The tables with the halves of each one joined; the right half's own number column is left out."""
    joined: list[Table] = []
    for table in sorted(tables, key=lambda table: table.box[0]):
        left = next((other for other in joined if _goes_on(other, table)), None)
        if left is None:
            joined.append(table)
        else:
            joined[joined.index(left)] = _joined(left, table)
    return sorted(joined, key=lambda table: (table.box[1], table.box[0]))


def _goes_on(left: Table, right: Table) -> bool:
    if not (left.ruled and right.ruled) or left.n_rows != right.n_rows or left.box[2] > right.box[0]:
        return False
    pairs = list(zip(_rows(left), _rows(right), strict=True))
    if any(abs(a[side] - b[side]) > _SAME_HEIGHT for a, b in pairs for side in (1, 3)):
        return False
    if right.n_cols < 2 or _identities(left) & _identities(right, after=0):
        return False
    return any(_same_keys(left, col, right) for col in range(left.n_cols))


def _identities(table: Table, after: int = -1) -> set[str | None]:
    """What names products; lists that stand side by side, each numbered from one, name them both."""
    header = find_header(Grid(table))
    return {label.kind for label in header.labels if label.col > after} & _IDENTITIES if header else set()


def _rows(table: Table) -> list[Box]:
    grid = Grid(table)
    return [grid.row_box(row) for row in range(table.n_rows)]


def _same_keys(left: Table, col: int, right: Table) -> bool:
    """Under one head the same numbers or codes, row by row, each another; a heading reaches over several columns."""
    first, second = Grid(left), Grid(right)
    rows = [row for row in range(left.n_rows) if first.span(row, col) == 1 and second.span(row, 0) == 1]
    head, *keys = [first.text(row, col) for row in rows] or [""]
    if not head or [head, *keys] != [second.text(row, 0) for row in rows] or len(set(keys)) != len(keys):
        return False
    return len(keys) >= _LEAST_ROWS and all(is_number(key) or is_code(key) for key in keys)


def _joined(left: Table, right: Table) -> Table:
    """The right half's columns behind the left's; a heading of the left half reaches over both."""
    shift = left.n_cols - 1
    beside = [msgspec.structs.replace(cell, col=cell.col + shift) for cell in right.cells if cell.col > 0]
    taken = {row for cell in beside for row in range(cell.row, cell.row + cell.rows)}
    cells = [cell if cell.row in taken else _widened(cell, left.n_cols, shift + right.n_cols) for cell in left.cells]
    box = union((left.box, right.box))
    return msgspec.structs.replace(left, box=box, n_cols=shift + right.n_cols, cells=(*cells, *beside))


def _widened(cell: Cell, end: int, n_cols: int) -> Cell:
    return (
        msgspec.structs.replace(cell, cols=n_cols - cell.col) if cell.cols > 1 and cell.col + cell.cols == end else cell
    )
