"""Names and materials in open lists that are printed on two or three lines: which lines go on with which product's.

Such lists also print texts below a name, in the same column. A line goes on with the name above it where that was
full (its next word would have passed the column's right edge) or ends or begins as half a name does.
"""

import re
from dataclasses import dataclass

from catalogsku.core.box import Box, height
from catalogsku.core.text import trim
from processing.engine.page import Cell
from processing.engine.result import BASE_KEYS
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code, is_measure, is_no_value, is_number, is_price, is_size
from processing.engine.understanding.rules.wording import is_framed, is_note, is_sentence, is_series, is_total
from processing.engine.understanding.tables.columns import CUSTOM, Column
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import Header

_MOST_LINES = 3
# In line heights: to the line above, and how unlike two lines of one name may be.
_LEADING, _UNLIKE, _INDENT = 0.7, 0.2, 0.6
# Where more of the products have text below their name than this, it describes them.
_DESCRIBED = 0.6
_WRAPPED = ("product_name", "material", "color")
_TEXTS = frozenset((*_WRAPPED, "description", "packing", "size", CUSTOM))
_OPEN_END = re.compile(r"([-–&+/,，、(（]|\b(with|and|for|of|in|w/|by|to))$", re.IGNORECASE)
_OPEN_START = re.compile(r"^([&+/)）]|(with|and|for|of|in|w/|by)\b)", re.IGNORECASE)


@dataclass
class _Name:
    """One product's text in a column while its lines are gathered: ``rows`` holds each line's row and cell."""

    lead: int
    rows: dict[int, Cell]


def wrapped_texts(
    grid: Grid, header: Header, columns: tuple[Column, ...], leads: list[int]
) -> dict[int, dict[str, list[Cell]]]:
    """For each row of ``leads`` the texts that go over several lines: their cells from top to bottom, by attribute.

    ``leads``: the rows in which a product begins.
    """
    wrapped: dict[int, dict[str, list[Cell]]] = {}
    texts = {column.col for column in columns if column.role in _TEXTS}
    for column in columns if leads and not grid.table.ruled else ():
        if column.role in _WRAPPED:
            for lead, cells in _wrapped(grid, header, column, texts, leads).items():
                wrapped.setdefault(lead, {})[column.role] = cells
    return wrapped


def _wrapped(grid: Grid, header: Header, column: Column, texts: set[int], leads: list[int]) -> dict[int, list[Cell]]:
    others = [row for row in range(header.body, grid.n_rows) if row not in leads]
    pieces = {row for row in others if _is_piece(grid, row, column, texts)}
    if not pieces:
        return {}
    names = {lead: _Name(lead, _own(grid, lead, column)) for lead in leads}
    for row in sorted(pieces):
        if owner := _owner(grid, row, column, leads, pieces):
            names[owner].rows[row] = _cell(grid, row, column)
    right = max((_cell(grid, row, column).box[2] for name in names.values() for row in name.rows), default=0.0)
    trusted = column.label.kind == column.role or _few_described(names)
    joined = {name.lead: _joined(name, right, trusted) for name in names.values() if name.rows}
    return {lead: cells for lead, cells in joined.items() if [cell.row for cell in cells] != [lead]}


def _own(grid: Grid, lead: int, column: Column) -> dict[int, Cell]:
    cell = grid.cell(lead, column.col)
    return {lead: cell} if cell is not None and not is_no_value(cell.text) else {}


def _cell(grid: Grid, row: int, column: Column) -> Cell:
    cell = grid.cell(row, column.col)
    if cell is None:
        raise ValueError(f"no cell in row {row}")
    return cell


def _is_piece(grid: Grid, row: int, column: Column, texts: set[int]) -> bool:
    """Words in the name's column, and beside them at most words in other columns of text; no heading of a series."""
    filled = dict(grid.filled(row))
    cell = filled.get(column.col)
    if cell is None or not set(filled) <= texts:
        return False
    text = trim(cell.text)
    head, colon, _ = text.replace("：", ":").partition(":")
    if colon and (label_kind(head) in BASE_KEYS or len(head) <= 24):
        return False
    tests = (
        is_no_value,
        is_sentence,
        is_price,
        is_number,
        is_measure,
        is_size,
        is_code,
        is_note,
        is_total,
        is_framed,
        is_series,
    )
    return len(text) <= 60 and not any(test(text) for test in tests)


def _owner(grid: Grid, row: int, column: Column, leads: list[int], pieces: set[int]) -> int | None:
    """The product that this line stands with: the one above, or the one below where it is clearly nearer."""
    box = _cell(grid, row, column).box
    above = next((r for r in range(row - 1, -1, -1) if r in pieces or r in leads), None)
    lead_above = max((lead for lead in leads if lead < row), default=None)
    below = row + 1 if row + 1 in leads else None
    up = _distance(grid, above, column, box) if above is not None else None
    down = _distance(grid, below, column, box) if below is not None else None
    if below is not None and down is not None and down <= _LEADING * height(box):
        nameless = is_no_value(grid.text(below, column.col))
        if (nameless and (up is None or down < up)) or up is None or down * 2 < up:
            return below
    return lead_above if up is not None and up <= _LEADING * height(box) else None


def _distance(grid: Grid, row: int, column: Column, box: Box) -> float:
    """Empty height between the line and the name's cell in another row, or that row where it has none."""
    cell = grid.cell(row, column.col)
    other = cell.box if cell is not None and not is_no_value(cell.text) else grid.row_box(row)
    return max(box[1] - other[3], other[1] - box[3], 0.0)


def _few_described(names: dict[int, _Name]) -> bool:
    return sum(1 for name in names.values() if len(name.rows) > 1) <= _DESCRIBED * len(names)


def _joined(name: _Name, right: float, trusted: bool) -> list[Cell]:
    """The name's lines as far as each goes on with the one before; its own line alone where too many do."""
    cells = [cell for _, cell in sorted(name.rows.items())]
    first = next((n for n, row in enumerate(sorted(name.rows)) if row >= name.lead), 0)
    cells_of_name = cells[:1]
    for cell in cells[1:]:
        if not _goes_on(cells_of_name[-1], cell, right, trusted) and len(cells_of_name) > first:
            break
        cells_of_name.append(cell)
    return cells_of_name if len(cells_of_name) <= _MOST_LINES else cells[first : first + 1]


def _goes_on(upper: Cell, lower: Cell, right: float, trusted: bool) -> bool:
    if not _alike(upper.box, lower.box):
        return False
    above, text = trim(upper.text), trim(lower.text)
    if _OPEN_END.search(above) or _OPEN_START.match(text) or above.count("(") > above.count(")"):
        return True
    word = text.split(" ", 1)[0]
    width = (lower.box[2] - lower.box[0]) * len(word) / len(text)
    space = 0.25 * height(upper.box)
    if not word.isascii():
        width = min(width, height(lower.box))
    return trusted and upper.box[2] + space + width > right


def _alike(a: Box, b: Box) -> bool:
    """In one print, and beginning or standing centred under each other."""
    high = max(height(a), height(b), 0.1)
    if abs(height(a) - height(b)) > _UNLIKE * high:
        return False
    return abs(a[0] - b[0]) <= _INDENT * high or abs(a[0] + a[2] - b[0] - b[2]) <= 2 * _INDENT * high
