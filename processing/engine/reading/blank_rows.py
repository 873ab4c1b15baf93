"""Rows without text that a merged cell joins with one that has some: print over a shade is cut into bands, above its
line of text, behind it and below it, and the photo beside it is as high as all of them."""

from collections.abc import Sequence

from catalogsku.core.box import union
from processing.engine.reading.grids import Grid, GridCell
from processing.engine.reading.port import Glyphs

Words = list[list[Glyphs]]


def without_blank_rows(grid: Grid, own: Words) -> tuple[Grid, Words]:
    """The grid, those rows made one."""
    groups = _groups(grid, own)
    if not groups:
        return grid, own
    first = {row: group.start for group in groups for row in group}
    first_rows = [row for row in range(grid.n_rows) if first.get(row, row) == row]
    place = {row: first_rows.index(first.get(row, row)) for row in range(grid.n_rows)}
    joined: dict[tuple[int, int], tuple[GridCell, list[Glyphs]]] = {}
    for cell, words in zip(grid.cells, own, strict=True):
        row, last = place[cell.row], place[cell.row + cell.rows - 1]
        other, held = joined.get((row, cell.col), (cell, []))
        box = union([other.box, cell.box])
        joined[row, cell.col] = (GridCell(row, cell.col, last - row + 1, cell.cols, box), [*held, *words])
    cells = [joined[at] for at in sorted(joined)]
    return grid._replace(n_rows=len(first_rows), cells=tuple(cell for cell, _ in cells)), [words for _, words in cells]


def _groups(grid: Grid, own: Words) -> list[range]:
    """Rows that a merged cell spans, the narrowest first, of which one alone has text in cells of its own."""
    groups: list[range] = []
    spans = {(cell.rows, cell.row) for cell in grid.cells if 1 < cell.rows < grid.n_rows}
    for rows, start in sorted(spans):
        group = range(start, start + rows)
        if not any(set(group) & set(other) for other in groups) and _is_one(grid, own, group):
            groups.append(group)
    return groups


def _is_one(grid: Grid, own: Words, group: range) -> bool:
    inner: list[GridCell] = []
    rows_with_text = set()
    for cell, words in zip(grid.cells, own, strict=True):
        rows = range(cell.row, cell.row + cell.rows)
        if not set(rows) & set(group) or set(group) <= set(rows):
            continue
        if cell.rows > 1:
            return False
        inner.append(cell)
        rows_with_text |= {cell.row} if words else set()
    return len(rows_with_text) == 1 and _stand_alike(inner, group)


def _stand_alike(cells: Sequence[GridCell], group: range) -> bool:
    """The same columns in each of the rows."""
    columns = [{(cell.col, cell.cols) for cell in cells if cell.row == row} for row in group]
    return all(own == columns[0] for own in columns)
