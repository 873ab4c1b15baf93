"""Tables with rules between the columns and none between the rows: one tall cell a column is cut into rows."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from processing.engine.reading.grids import Grid, GridCell
from processing.engine.reading.layout import cell_lines, joined
from processing.engine.reading.port import Glyphs

Cells = list[list[Glyphs]]

_LEAST_ROWS, _LEAST_COLS = 3, 3
# Of the type's size: the least step from row to row, which loosely set text has too. Of that step: the widest one.
_STEP, _UNEVEN = 1.5, 1.6
# Share of the columns that have text in each row, and of the rows in which each column has some.
_FILLED = 0.6
# Of the type's size: how far over the first column's text the others of its row may begin.
_OVER = 0.6


def with_rows(grid: Grid, own: Cells) -> tuple[Grid, Cells]:
    """The grid with a row for each line of its first column, where the last row holds the whole body: texts of one row
    may stand on baselines of their own and be wrapped, rows leave white between them."""
    last = [n for n, cell in enumerate(grid.cells) if cell.row == grid.n_rows - 1]
    if len(last) < _LEAST_COLS or any(grid.cells[n].rows * grid.cells[n].cols > 1 for n in last) or not _is_body(grid):
        return grid, own
    last.sort(key=lambda n: grid.cells[n].col)
    rows = _rows([own[n] for n in last])
    if not rows:
        return grid, own
    cells = [cell for n, cell in enumerate(grid.cells) if n not in last]
    words = [held for n, held in enumerate(own) if n not in last]
    tops = [(_foot(a) + _top(b)) / 2 for a, b in pairwise(rows)]
    for n, (top, foot) in enumerate(pairwise([grid.cells[last[0]].box[1], *tops, grid.cells[last[0]].box[3]])):
        for col, cell in enumerate(grid.cells[place] for place in last):
            cells.append(GridCell(cell.row + n, cell.col, 1, 1, (cell.box[0], top, cell.box[2], foot)))
            words.append(rows[n][col])
    return grid._replace(n_rows=grid.n_rows + len(rows) - 1, cells=tuple(cells)), words


def _is_body(grid: Grid) -> bool:
    """The last row is higher than all before it together."""
    heights = {cell.row: cell.box[3] - cell.box[1] for cell in grid.cells if cell.rows == 1}
    body = heights.pop(grid.n_rows - 1)
    return bool(heights) and body > sum(heights.values())


def _rows(columns: Sequence[Sequence[Glyphs]]) -> list[Cells]:
    """By row the words of each column; none where the texts do not stand in rows, each beginning with a number or a
    code as no line of a wrapped text need do."""
    lines = cell_lines(columns[0])
    if len(lines) < _LEAST_ROWS or not all(any(map(str.isdigit, joined(line))) for line in lines):
        return []
    starts = [min(word.box[1] for word in line) for line in lines]
    size = median(word.size for word in columns[0])
    steps = [low - top for top, low in pairwise(starts)]
    if min(steps) < _STEP * size or max(steps) > _UNEVEN * min(steps):
        return []
    rows: list[Cells] = [[[] for _ in columns] for _ in starts]
    for col, words in enumerate(columns):
        for word in words:
            place = sum(start <= word.box[1] + _OVER * size for start in starts) - 1
            rows[max(place, 0)][col].append(word)
    apart = all(_foot(a) <= _top(b) for a, b in pairwise(rows))
    return rows if apart and _are_filled(rows) and _are_filled(list(zip(*rows, strict=True))) else []


def _are_filled(rows: Sequence[Sequence[Sequence[Glyphs]]]) -> bool:
    return all(sum(map(bool, row)) >= _FILLED * len(row) for row in rows)


def _top(row: Cells) -> float:
    return min(word.box[1] for cell in row for word in cell)


def _foot(row: Cells) -> float:
    return max(word.box[3] for cell in row for word in cell)
