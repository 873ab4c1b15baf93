"""Cells with a frame of their own in them, as word processors draw those of a head: its sides part no columns."""

from collections.abc import Sequence

from catalogsku.core.box import union, width
from processing.engine.reading.grids import Grid, GridCell
from processing.engine.reading.port import Glyphs

# A framed line is three rows: what is over and under it in its cell.
_HEAD_ROWS = 3
# Points: the white between a cell's sides and those of the frame in it; word processors leave 5.4.
_RIM_PT = 12.0


def without_frames(grid: Grid, own: list[list[Glyphs]]) -> tuple[Grid, list[list[Glyphs]]]:
    """The grid and the words of each cell; columns that only the head parts are one where no row has two texts."""
    column = _columns(grid, own)
    if column[-1] + 1 == grid.n_cols:
        return grid, own
    places: dict[tuple[int, int, int], list[int]] = {}
    for n, cell in enumerate(grid.cells):
        places.setdefault((cell.row, column[cell.col], column[cell.col + cell.cols - 1]), []).append(n)
    if any(len({grid.cells[n].rows for n in held}) > 1 for held in places.values()):
        return grid, own
    cells = tuple(
        GridCell(row, first, grid.cells[held[0]].rows, last - first + 1, union(grid.cells[n].box for n in held))
        for (row, first, last), held in places.items()
    )
    whole = Grid(grid.box, grid.n_rows, column[-1] + 1, cells)
    return whole, [[word for n in held for word in own[n]] for held in places.values()]


def _columns(grid: Grid, own: Sequence[Sequence[Glyphs]]) -> list[int]:
    """For each column of the grid the one that it is part of."""
    rows: list[dict[int, int]] = [{} for _ in range(grid.n_rows)]
    for n, cell in enumerate(grid.cells):
        for row in rows[cell.row : cell.row + cell.rows]:
            row |= dict.fromkeys(range(cell.col, cell.col + cell.cols), n)
    column, first = [0], 0
    for k in range(1, grid.n_cols):
        body = [row for row in rows[_HEAD_ROWS:] if k in row]
        beside = [{row.get(k - 1), row.get(k)} for row in rows if row.get(k - 1) != row.get(k)]
        texts = max(len({n for c, n in row.items() if first <= c <= k and own[n]}) for row in rows)
        rims = all(any(n is not None and _is_rim(grid.cells[n], own[n]) for n in pair) for pair in beside)
        parted = texts > 1 or not body or not rims or any(row.get(k - 1) != row[k] for row in body)
        first = k if parted else first
        column.append(column[-1] + parted)
    return column


def _is_rim(cell: GridCell, words: Sequence[Glyphs]) -> bool:
    return not words and width(cell.box) <= _RIM_PT
