"""Marks that repeat the cell above ("〃", "同上", "ditto"): the cell above reaches down over them, as a merged one."""

import re
from collections import Counter

import msgspec

from catalogsku.core.text import trim
from processing.engine.page import Cell, Table

_DITTO = re.compile(r"[-—\s]*(〃|″|\"|''|“|”|´´|ditto|同上)[-—\s]*", re.IGNORECASE)
# What recognition makes of the mark; alone in a row it may be a numeral.
_LOOKS_SO, _LEAST_IN_ROW = re.compile(r"[Il1|]{2}"), 2


def without_dittos(table: Table, body: int) -> Table:
    """The table with what the marks below row ``body`` repeat at their place; they are empty where nothing stands
    above them, or a cell as wide as several columns."""
    marks = _marks(table)
    if not marks:
        return table
    cells = {(cell.row, cell.col): cell for cell in table.cells}
    ends = {(cell.row + cell.rows, cell.col): (cell.row, cell.col) for cell in table.cells if cell.cols == 1}
    for mark in marks:
        above = ends.get((mark.row, mark.col))
        if above is None or above[0] < body or not trim(cells[above].text):
            cells[mark.row, mark.col] = msgspec.structs.replace(mark, text="")
            continue
        cells[above] = _reaching(cells[above], mark)
        ends[mark.row + mark.rows, mark.col] = above
        del cells[mark.row, mark.col]
    return msgspec.structs.replace(table, cells=tuple(cells.values()))


def _marks(table: Table) -> list[Cell]:
    """From the upper rows to the lower ones."""
    alike = [cell for cell in table.cells if _LOOKS_SO.fullmatch(trim(cell.text)) and trim(cell.text) != "11"]
    in_row = Counter(cell.row for cell in alike)
    marks = [cell for cell in table.cells if _DITTO.fullmatch(trim(cell.text))]
    marks += [cell for cell in alike if in_row[cell.row] >= _LEAST_IN_ROW]
    return sorted(marks, key=lambda cell: cell.row)


def _reaching(cell: Cell, mark: Cell) -> Cell:
    """Its box stays where its text is printed."""
    return msgspec.structs.replace(cell, rows=mark.row + mark.rows - cell.row)
