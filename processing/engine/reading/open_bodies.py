"""Tables of which only the labels at the left stand between rules: the values beside them belong to the same rows."""

from collections.abc import Sequence
from itertools import pairwise

from catalogsku.core.box import intersect
from processing.engine.reading.alignment import columns_of, gutters, segments
from processing.engine.reading.grids import Grid, GridCell
from processing.engine.reading.layout import text_rows, typical_size
from processing.engine.reading.port import Glyphs

Row = list[Glyphs]

_LEAST_ROWS, _LEAST_COLS = 5, 2
# Share of the rows that have values beside them, all of these but few on one baseline; and of those in each column.
_BESIDE, _ON_ONE_LINE, _FILLED = 0.8, 0.9, 0.6


def with_bodies(grids: Sequence[Grid], words: Sequence[Glyphs]) -> list[Grid]:
    """The grids, each with the columns of values that stand to the right of its rows without rules of their own."""
    return [_with_body(grid, grids, words) if grid.n_rows >= _LEAST_ROWS else grid for grid in grids]


def _with_body(grid: Grid, grids: Sequence[Grid], words: Sequence[Glyphs]) -> Grid:
    x0, top, edge, foot = grid.box
    beside = [w for w in words if w.box[0] >= edge - 1 and top <= _middle(w) < foot]
    if not beside:
        return grid
    end = max(w.box[2] for w in beside) + 1
    if any(other is not grid and intersect(other.box, (edge + 1, top, end, foot)) for other in grids):
        return grid
    tops = sorted({cell.row: cell.box[1] for cell in sorted(grid.cells, key=lambda c: -c.box[1])}.items())
    numbers = [*(row for row, _ in tops), grid.n_rows]  # not all: in some no cell begins
    ys = [*(y for _, y in tops), foot]
    rows = [[w for w in beside if a <= _middle(w) < b] for a, b in pairwise(ys)]
    if not _are_beside(rows):
        return grid
    em = typical_size(beside)
    parted = [row for row in rows if len(segments(row, em)) > 1]
    xs = [edge, *gutters(parted, edge, end, em), end]
    if len(xs) - 1 < _LEAST_COLS or not _are_columns(parted, xs):
        return grid
    cells = [*grid.cells]
    for n, row in enumerate(rows):
        y0, y1 = ys[n], ys[n + 1]
        for first, last in _spans(row, xs, em):
            box = (xs[first], y0, xs[last + 1], y1)
            rows_high = numbers[n + 1] - numbers[n]
            cells.append(GridCell(numbers[n], grid.n_cols + first, rows_high, last - first + 1, box))
    cells.sort(key=lambda cell: (cell.row, cell.col))
    return Grid((x0, top, end, foot), grid.n_rows, grid.n_cols + len(xs) - 1, tuple(cells))


def _are_beside(rows: Sequence[Row]) -> bool:
    filled = [row for row in rows if row]
    single = [row for row in filled if len(text_rows(row)) == 1]
    return len(filled) >= _BESIDE * len(rows) and len(single) >= _ON_ONE_LINE * len(filled)


def _are_columns(rows: Sequence[Row], xs: Sequence[float]) -> bool:
    """Most rows have values, and each column has some in most of them."""
    filled = [sum(any(a <= w.box[0] < b for w in row) for row in rows) for a, b in pairwise(xs)]
    return len(rows) >= _LEAST_ROWS and min(filled) >= _FILLED * len(rows)


def _spans(row: Row, xs: Sequence[float], em: float) -> list[tuple[int, int]]:
    """First and last column of each cell of the row; one text alone across a column's edge stands over all columns."""
    parts = [columns_of(part, xs) for part in segments(row, em)]
    if len(parts) == 1 and parts[0][0] < parts[0][1]:
        return [(0, len(xs) - 2)]
    spans: list[tuple[int, int]] = []
    for col in range(len(xs) - 1):
        if not spans or col > spans[-1][1]:
            spans.append((col, max([last for first, last in parts if first <= col <= last], default=col)))
    return spans


def _middle(word: Glyphs) -> float:
    return (word.box[1] + word.box[3]) / 2
