"""A table's cells by place, merged cells at every place they cover; also seen from the side (transposed)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from catalogsku.core.box import Box, union
from catalogsku.core.text import trim
from processing.engine.page import Cell, Table
from processing.engine.understanding.rules.shapes import is_code

# Where a code is broken over lines at its hyphens.
_BROKEN = re.compile(r"(?<=[A-Za-z0-9]-)\s*\n\s*(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])\s*\n\s*(?=-[A-Za-z0-9])")


@dataclass(frozen=True)
class Grid:
    """``table`` seen as rows of products; ``turned`` when its columns are the rows."""

    table: Table
    turned: bool = False

    @property
    def n_rows(self) -> int:
        return self.table.n_cols if self.turned else self.table.n_rows

    @property
    def n_cols(self) -> int:
        return self.table.n_rows if self.turned else self.table.n_cols

    def turn(self) -> "Grid":
        return Grid(self.table, not self.turned)

    @cached_property
    def _places(self) -> dict[tuple[int, int], Cell]:
        places: dict[tuple[int, int], Cell] = {}
        for printed in self.table.cells:
            text = _whole_code(printed.text)
            cell = printed if text is printed.text else msgspec.structs.replace(printed, text=text)
            for row in range(cell.row, cell.row + cell.rows):
                for col in range(cell.col, cell.col + cell.cols):
                    places.setdefault((row, col), cell)
        return places

    def cell(self, row: int, col: int) -> Cell | None:
        return self._places.get((col, row) if self.turned else (row, col))

    def text(self, row: int, col: int) -> str:
        cell = self.cell(row, col)
        return trim(cell.text) if cell else ""

    def starts(self, row: int, col: int) -> bool:
        """The cell at this place begins in this row: it is not the lower part of a merged one."""
        cell = self.cell(row, col)
        return cell is not None and (cell.col if self.turned else cell.row) == row

    def span(self, row: int, col: int) -> int:
        """Columns that the cell covers."""
        cell = self.cell(row, col)
        return 1 if cell is None else (cell.rows if self.turned else cell.cols)

    def depth(self, row: int, col: int) -> int:
        """Rows that the cell covers."""
        cell = self.cell(row, col)
        return 1 if cell is None else (cell.cols if self.turned else cell.rows)

    def row_cells(self, row: int) -> Sequence[tuple[int, Cell]]:
        """The different cells of a row with the first column each stands in, merged-down ones included."""
        return self._rows[row] if 0 <= row < self.n_rows else ()

    @cached_property
    def _rows(self) -> list[list[tuple[int, Cell]]]:
        rows = []
        for row in range(self.n_rows):
            first: dict[int, tuple[int, Cell]] = {}
            for col in range(self.n_cols):
                if (cell := self.cell(row, col)) is not None:
                    first.setdefault(id(cell), (col, cell))
            rows.append(list(first.values()))
        return rows

    def filled(self, row: int) -> list[tuple[int, Cell]]:
        """The cells of a row that hold text and begin in it."""
        return [(col, cell) for col, cell in self.row_cells(row) if trim(cell.text) and self.starts(row, col)]

    def row_box(self, row: int) -> Box:
        """The row's box: as high as its cells that span no other row."""
        cells = [cell for _, cell in self.row_cells(row)]
        if not cells:
            return self.table.box
        single = [c for c in cells if (c.cols if self.turned else c.rows) == 1] or cells
        around = union(cell.box for cell in cells)
        own = union(cell.box for cell in single)
        return (own[0], around[1], own[2], around[3]) if self.turned else (around[0], own[1], around[2], own[3])


def _whole_code(text: str) -> str:
    """The text; a code that was broken at its hyphens, for want of room in its column, in one piece again."""
    joined = _BROKEN.sub("", text) if "\n" in text and "-" in text else text
    return joined if joined is not text and is_code(joined) else text
