"""Size charts: measures of a garment for each of its sizes, in a table that lists no products."""

import re
from collections.abc import Sequence

from processing.engine.page import Table
from processing.engine.understanding.rules.shapes import is_no_value
from processing.engine.understanding.tables.grid import Grid

# Sizes by letters; a chart names at least so many.
_SIZE = re.compile(r"X{0,4}[SL]|M|[2-6]X[SL]?|均码|free size|one size", re.IGNORECASE)
_LEAST = 2
# One or more numbers, with what stands between them: "96", "96-100", "37 1/2".
_AMOUNTS = re.compile(r"[\d\s.,/~±+\-–—]*\d[\d\s.,/~±+\-–—]*(cm|in|\")?", re.IGNORECASE)


def is_size_chart(table: Table) -> bool:
    """Sizes in the first row or the first column, and nothing but their measures behind the labels."""
    return any(_is_chart(Grid(table, turned)) for turned in (False, True))


def _is_chart(grid: Grid) -> bool:
    if grid.n_rows < _LEAST or grid.n_cols <= _LEAST:
        return False
    rows = [[grid.text(row, col) for col in range(grid.n_cols)] for row in range(grid.n_rows)]
    while len(rows) > _LEAST and len(set(filter(None, rows[0]))) <= 1:
        rows = rows[1:]  # a title
    return _are_sizes(rows[0][1:]) and all(_are_amounts(row[1:]) for row in rows[1:])


def _are_sizes(texts: Sequence[str]) -> bool:
    named = [text for text in texts if text]
    return len(named) >= _LEAST and all(_SIZE.fullmatch(text) for text in named)


def _are_amounts(texts: Sequence[str]) -> bool:
    printed = [text for text in texts if text and not is_no_value(text)]
    return bool(printed) and all(_AMOUNTS.fullmatch(text) for text in printed)
