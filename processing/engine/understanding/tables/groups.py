"""Open lists in groups: the name is printed in the first row of each, and holds for the rows that follow closely."""

import msgspec

from catalogsku.core.box import Box
from catalogsku.core.text import trim
from processing.engine.page import Cell, Table
from processing.engine.understanding.rules.labels import NAME_OR_TEXT, label_kind
from processing.engine.understanding.rules.shapes import is_code

_NAMES = frozenset(("product_name", NAME_OR_TEXT))
# Names that make groups, and of the coded rows the share that has one at most: else a gap is only a missing name.
_LEAST, _MOST = 2, 0.5
# Of the usual step from row to row, how far apart those of a group stand.
_CLOSE = 1.4


def with_names_of_groups(table: Table) -> Table:
    """The table, its first row being the head, with names that reach down over the coded rows right below them."""
    kinds = {cell.col: label_kind(cell.text) for cell in table.cells if cell.row == 0}
    names = next((col for col, kind in kinds.items() if kind in _NAMES), None)
    codes = next((col for col, kind in kinds.items() if kind == "model"), None)
    if names is None or codes is None:
        return table
    coded = {cell.row: cell for cell in table.cells if cell.col == codes and cell.row and is_code(cell.text)}
    named = {cell.row: cell for cell in table.cells if cell.col == names and cell.row in coded and trim(cell.text)}
    reach = {row: _reach(row, coded, named) for row in named}
    if not _LEAST <= len(named) <= _MOST * len(coded):
        return table
    cells = [_down(cell, reach[cell.row]) if named.get(cell.row) is cell else cell for cell in table.cells]
    return msgspec.structs.replace(table, cells=tuple(cells))


def _reach(row: int, coded: dict[int, Cell], named: dict[int, Cell]) -> int:
    """How many rows the name in this one holds for."""
    step, last = _least_step(coded), row
    while last + 1 in coded and last + 1 not in named and _apart(coded[last].box, coded[last + 1].box) <= _CLOSE * step:
        last += 1
    return last - row + 1


def _least_step(coded: dict[int, Cell]) -> float:
    steps = [_apart(cell.box, coded[row + 1].box) for row, cell in coded.items() if row + 1 in coded]
    return min(steps, default=0.0)


def _apart(above: Box, below: Box) -> float:
    return below[1] - above[1]


def _down(cell: Cell, rows: int) -> Cell:
    """Its box stays where its text is printed."""
    return msgspec.structs.replace(cell, rows=rows)
