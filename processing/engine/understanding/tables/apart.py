"""Lists in which products of one name stand in many rows: a size or a variant beside the name tells them apart."""

from collections.abc import Sequence

from processing.engine.understanding.rules.folding import squash
from processing.engine.understanding.tables.columns import CUSTOM, Column
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import Header

# What tells two products of one name apart.
_TELLING = frozenset(("size", "size_part", "color", "material", "packing", "weight", "series", CUSTOM))
# A list of so many rows prints hardly one twice.
_LEAST_ROWS, _MOST = 4, 0.9


def told_apart(grid: Grid, header: Header, columns: Sequence[Column]) -> bool:
    """Under a head of names and one of prices hardly two rows say the same of size, colour, variant."""
    name = next((c for c in columns if c.role == "product_name" and c.label.kind == "product_name"), None)
    if name is None or all(column.role != "price" for column in columns):
        return False
    telling = [name.col, *(column.col for column in columns if column.role in _TELLING)]
    named = [row for row in range(header.body, grid.n_rows) if grid.text(row, name.col)]
    rows = {tuple(squash(grid.text(row, col)) for col in telling) for row in named}
    return len(named) >= _LEAST_ROWS and len(rows) >= _MOST * len(named)
