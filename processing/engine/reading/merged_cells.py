"""Merged cells of tables between level rules: those beside shorter rules, and labels as high as their head."""

from collections.abc import Sequence
from itertools import pairwise

from catalogsku.core.box import centre, contains_point, union
from processing.engine.reading.grids import Grid, GridCell, Rule
from processing.engine.reading.port import Glyphs


def with_inner_rules(grid: Grid, rules: Sequence[Rule]) -> Grid:
    """With the cells cut that a shorter rule runs through: those beside merged ones."""
    parts = [(cell, [cell.box[1], *_through(cell, rules), cell.box[3]]) for cell in grid.cells]
    ys = sorted({y for _, edges in parts for y in edges})
    row = {y: n for n, y in enumerate(ys)}
    cells = [
        GridCell(row[top], cell.col, row[foot] - row[top], cell.cols, (cell.box[0], top, cell.box[2], foot))
        for cell, edges in parts
        for top, foot in pairwise(edges)
    ]
    return grid._replace(n_rows=len(ys) - 1, cells=tuple(sorted(cells, key=lambda cell: (cell.row, cell.col))))


def _through(cell: GridCell, rules: Sequence[Rule]) -> list[float]:
    """Where rules run through the cell."""
    middle = (cell.box[0] + cell.box[2]) / 2
    return sorted(r.at for r in rules if cell.box[1] < r.at < cell.box[3] and r.start <= middle <= r.end)


def with_tall_labels(grid: Grid, first: Sequence[Glyphs]) -> Grid:
    """With the labels beside those over several columns in both lines of the head; ``first``: words of the first."""
    bare = [
        c
        for c in grid.cells
        if c.row == 0 and c.cols == 1 and not any(contains_point(c.box, *centre(w.box)) for w in first)
    ]
    tall = {c.col: c.box for c in bare}
    cells = (
        c._replace(row=0, rows=2, box=union([tall[c.col], c.box])) if c.row == 1 and c.col in tall else c
        for c in grid.cells
        if c not in bare
    )
    return grid._replace(cells=tuple(sorted(cells, key=lambda c: (c.row, c.col))))
