"""Columns that print two values in a cell under a head that names both ("Size / weight"), taken apart into two."""

import re
from collections.abc import Callable

import msgspec

from processing.engine.page import Cell, Table
from processing.engine.understanding.rules.labels import (
    SIZE_OR_TEXT,
    is_price_per,
    label_kind,
    label_parts,
    names_and_describes,
)
from processing.engine.understanding.rules.normalise import is_valid_price
from processing.engine.understanding.rules.shapes import is_code, is_measure, is_no_value, is_size
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import find_header

_SLASH = r"\s+[/／]\s+|(?<=[^\W\d_])[/／]\s*(?=[^\W\d_])"
_PARTS, _LINES = re.compile(rf"{_SLASH}|\s*\n\s*"), re.compile(r"\s*\n\s*")
_TESTS: dict[str, Callable[[str], bool]] = {
    "model": is_code, "size": is_size, SIZE_OR_TEXT: is_size, "weight": is_measure, "price": is_valid_price
}  # fmt: skip
# Share of the cells that must hold two values, one of each pair being what its label says.
_MOSTLY = 0.8


def divided(table: Table) -> Table:
    """The table with two columns for each one of this kind; the table itself where it has none."""
    grid = Grid(table)
    header = find_header(grid)
    if header is None or header.rows != 1:
        return table
    for label in reversed(header.labels):
        kinds = [label_kind(part) for part in label_parts(label.text)]
        if len(kinds) != 2 or None in kinds or is_price_per(label.text):
            continue
        rows = range(header.body, grid.n_rows)
        cells = [c for row in rows if (c := grid.cell(row, label.col)) and grid.starts(row, label.col)]
        texts = [c.text for c in cells if c.cols == 1 and not is_no_value(c.text)]
        if names_and_describes(kinds) and _have_two_lines(texts):
            table = _apart(table, label.col, header.body, _LINES)
        elif kinds[0] != kinds[1] and _hold_two(texts, kinds):
            table = _apart(table, label.col, header.body, _PARTS)
    return table


def _have_two_lines(texts: list[str]) -> bool:
    """The name alone in the first line of nearly every cell."""
    return bool(texts) and sum("\n" in text.strip() for text in texts) >= _MOSTLY * len(texts)


def _hold_two(texts: list[str], kinds: list[str | None]) -> bool:
    pairs = [parts for text in texts if len(parts := _PARTS.split(text.strip())) == 2]
    if not pairs or len(pairs) < _MOSTLY * len(texts):
        return False
    tests = [(n, _TESTS[kind]) for n, kind in enumerate(kinds) if kind in _TESTS]
    return any(sum(test(pair[n]) for pair in pairs) >= _MOSTLY * len(pairs) for n, test in tests)


def _apart(table: Table, col: int, body: int, between: re.Pattern[str]) -> Table:
    """``between``: what parts the two values of a cell from row ``body`` on."""
    cells: list[Cell] = []
    for cell in table.cells:
        if cell.col == col and cell.cols == 1:
            text = cell.text.strip()
            parts = label_parts(text) if cell.row < body else between.split(text, maxsplit=1)
            cells += _halves(cell, parts)
        elif cell.col > col:
            cells.append(msgspec.structs.replace(cell, col=cell.col + 1))
        else:
            cells.append(msgspec.structs.replace(cell, cols=cell.cols + (cell.col + cell.cols > col)))
    return msgspec.structs.replace(table, n_cols=table.n_cols + 1, cells=tuple(cells))


def _halves(cell: Cell, parts: list[str]) -> tuple[Cell, Cell]:
    """Both values with their part of the cell: its upper and lower half, or its left and right one on one line."""
    first, second = (*parts, "", "")[:2]
    x0, y0, x1, y1 = cell.box
    middle = (y0 + y1) / 2
    upper, lower = (x0, y0, x1, middle), (x0, middle, x1, y1)
    if "\n" not in cell.text:
        upper, lower = (x0, y0, (x0 + x1) / 2, y1), ((x0 + x1) / 2, y0, x1, y1)
    return (
        msgspec.structs.replace(cell, text=first, box=upper),
        msgspec.structs.replace(cell, text=second, box=lower, col=cell.col + 1),
    )
