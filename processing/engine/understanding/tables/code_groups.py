"""Tables with a code for each of several variants in one row ("1 pole: Cat. no., USD | 2 pole: Cat. no., USD"), taken
apart into a list for each variant, with the columns that all share."""

from collections.abc import Sequence

import msgspec

from catalogsku.core.box import union
from catalogsku.core.text import squash
from processing.engine.page import Cell, Table
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_lettered_code, is_no_value
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import Header, find_header

# Of the codes in a column.
_MOSTLY = 0.8

Group = tuple[int, int]


def by_variant(table: Table) -> list[Table]:
    """A table for each group of columns under a head of its own; the table alone where there are none."""
    grid = Grid(table)
    header = find_header(grid)
    groups = _groups(grid, header) if header is not None and header.body > 1 else []
    if header is None or len(groups) < 2 or not _are_coded(grid, header, groups):
        return [table]
    shared = [col for col in range(grid.n_cols) if not any(first <= col < end for first, end in groups)]
    if any(label_kind(header.labels[col].text) == "model" for col in shared):
        return [table]
    if any(c.cols > 1 and c.cols < table.n_cols and not _is_within(c, groups, shared) for c in table.cells):
        return [table]
    return [_part(table, [*shared, *range(*group)]) for group in groups]


def _groups(grid: Grid, header: Header) -> list[Group]:
    """The columns under each cell that reaches over several right above the labels, the same under each."""
    cells = [cell for _, cell in grid.filled(header.body - 2) if 1 < cell.cols < grid.n_cols and cell.rows == 1]
    groups = [(cell.col, cell.col + cell.cols) for cell in cells]
    below = [[squash(grid.text(header.body - 1, col)) for col in range(*group)] for group in groups]
    alike = all(labels == below[0] and all(labels) for labels in below)
    return groups if alike and len({squash(cell.text) for cell in cells}) == len(cells) else []


def _are_coded(grid: Grid, header: Header, groups: Sequence[Group]) -> bool:
    """One column of codes in each, none of which stands there twice."""
    rows, codes = range(header.body, grid.n_rows), []
    for group in groups:
        models = [col for col in range(*group) if label_kind(grid.text(header.body - 1, col)) == "model"]
        texts = [text for col in models for row in rows if (text := grid.text(row, col)) and not is_no_value(text)]
        if len(models) != 1 or sum(map(is_lettered_code, texts)) < _MOSTLY * max(1, len(texts)):
            return False
        codes += texts
    return len(set(codes)) == len(codes)


def _is_within(cell: Cell, groups: Sequence[Group], shared: Sequence[int]) -> bool:
    end = cell.col + cell.cols
    return any(first <= cell.col and end <= last for first, last in groups) or set(range(cell.col, end)) <= set(shared)


def _part(table: Table, cols: Sequence[int]) -> Table:
    """These columns alone; what reaches over the whole table, a section's title, belongs to each part."""
    place = {col: n for n, col in enumerate(cols)}
    own = [
        msgspec.structs.replace(c, col=place[c.col]) for c in table.cells if c.col in place and c.cols < table.n_cols
    ]
    box = union(cell.box for cell in own)
    whole = [msgspec.structs.replace(c, col=0, cols=len(cols)) for c in table.cells if c.cols == table.n_cols]
    name = f"{table.id}.{cols[-1] + 1}"
    return msgspec.structs.replace(table, id=name, box=box, n_cols=len(cols), cells=(*own, *whole))
