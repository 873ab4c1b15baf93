"""Cells over several columns that are none: in the rows below a head its rules are left out where a picture stands."""

from collections.abc import Sequence
from itertools import pairwise

from processing.engine.reading.grids import Grid, GridCell
from processing.engine.reading.port import Glyphs

Cells = list[list[Glyphs]]

# Rows with the same wide cell, at least; of all rows below the one that parts its columns.
_LEAST, _MOST = 2, 0.6
# Points by which a letter may reach over a column's edge.
_OVER = 1.0
# Words in such a cell at most; more are a text, and each is compared with each.
_MOST_WORDS = 100
# Of the print's size: the gutter between words of one line that stand in different columns.
_GUTTER = 1.0


def with_columns(grid: Grid, own: Cells) -> tuple[Grid, Cells]:
    """The grid with wide cells cut into the columns of the row above them, where most rows have the same one, words
    stand in several of these columns and none over their edges; what stands across is text over several columns."""
    cut = {place: edges for place in _wide(grid) if (edges := _edges(grid, own, place))}
    if not cut:
        return grid, own
    cells: list[GridCell] = []
    words: Cells = []
    for cell, held in zip(grid.cells, own, strict=True):
        edges = cut.get((cell.col, cell.cols), [cell.box[0], cell.box[2]])
        single = len(edges) == 2
        for n, (left, right) in enumerate(pairwise(edges)):
            wide = cell.cols if single else 1
            cells.append(GridCell(cell.row, cell.col + n, cell.rows, wide, (left, cell.box[1], right, cell.box[3])))
            words.append(held if single else [word for word in held if left <= _middle(word) < right])
    return grid._replace(cells=tuple(cells)), words


def _wide(grid: Grid) -> set[tuple[int, int]]:
    return {(cell.col, cell.cols) for cell in grid.cells if cell.cols > 1}


def _edges(grid: Grid, own: Cells, place: tuple[int, int]) -> list[float]:
    """Where to cut the cells in this place, their own edges first and last; empty where they are what they seem."""
    first, count = place
    wide = [(cell, held) for cell, held in zip(grid.cells, own, strict=True) if (cell.col, cell.cols) == place]
    above = min(cell.row for cell, _ in wide) - 1
    head = [
        cell.box
        for cell, held in zip(grid.cells, own, strict=True)
        if cell.row == above and cell.cols == 1 and first <= cell.col < first + count and held
    ]
    rows = [cell.row for cell, _ in wide]
    below = grid.n_rows - above - 1
    if len(head) < count or len(rows) < max(_LEAST, _MOST * below) or any(cell.rows > 1 for cell, _ in wide):
        return []
    edges = [*sorted(box[0] for box in head), max(box[2] for box in head)]
    return edges if all(_stands_in_columns(held, edges) for _, held in wide) else []


def _stands_in_columns(words: Sequence[Glyphs], edges: Sequence[float]) -> bool:
    if len(words) > _MOST_WORDS:
        return False
    if any(word.box[0] < edge - _OVER and word.box[2] > edge + _OVER for word in words for edge in edges[1:-1]):
        return False
    parts = [[word for word in words if left <= _middle(word) < right] for left, right in pairwise(edges)]
    apart = all(
        b.box[0] - a.box[2] >= _GUTTER * max(a.size, b.size)
        for n, part in enumerate(parts)
        for a in part
        for later in parts[n + 1 :]
        for b in later
        if a.box[1] < _level(b) < a.box[3]
    )
    return apart and sum(map(bool, parts)) > 1


def _middle(word: Glyphs) -> float:
    return (word.box[0] + word.box[2]) / 2


def _level(word: Glyphs) -> float:
    return (word.box[1] + word.box[3]) / 2
