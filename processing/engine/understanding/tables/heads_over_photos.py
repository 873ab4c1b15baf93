"""Tables with products as columns that begin over the products' photos: codes and names, a row of photos, and what is
said of each below them, where a reader sees the table's end alone."""

from collections.abc import Sequence

import msgspec

from catalogsku.core.box import Box, centre, union
from catalogsku.core.text import trim
from processing.engine.page import Cell, Line, ParsedPage, Table
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, label_kind
from processing.engine.understanding.tables.open_table import baselines

_LEAST_COLS, _MOST_HEADS = 3, 3
_IDENTITIES = ("model", CODE_OR_NUMBER, "product_name")
# Labels below the photos that show a table of such kind.
_LEAST_LABELS = 2


def with_heads_over_photos(table: Table, page: ParsedPage) -> Table:
    """The table with the rows over the photos, and a row for these; as it is where no photos stand over its columns, or
    no labelled row of codes over them."""
    columns = _columns(table)
    if len(columns) < _LEAST_COLS or not _is_begun(table):
        return table
    photos = _over(columns, table.box[1], page)
    if not photos:
        return table
    rows = _heads(columns, min(box[1] for box in photos), page)
    if not rows or not any(label_kind(row[0].text) in _IDENTITIES[:2] for row in rows):
        return table
    cells = [
        Cell(n, col, trim(line.text), (columns[col][0], line.box[1], columns[col][1], line.box[3]))
        for n, row in enumerate(rows)
        for col, line in enumerate(row)
    ]
    top, foot = max(line.box[3] for row in rows for line in row), table.box[1]
    cells += [Cell(len(rows), col, "", (x0, top, x1, foot)) for col, (x0, x1) in enumerate(columns)]
    more = len(rows) + 1
    cells += [msgspec.structs.replace(cell, row=cell.row + more) for cell in table.cells]
    box = union(cell.box for cell in cells)
    return msgspec.structs.replace(table, box=box, n_rows=table.n_rows + more, cells=tuple(cells))


def _columns(table: Table) -> list[tuple[float, float]]:
    """Left and right edge of each column; empty where cells of several columns leave one untold."""
    boxes: dict[int, list[Box]] = {}
    for cell in table.cells:
        if cell.cols == 1:
            boxes.setdefault(cell.col, []).append(cell.box)
    if len(boxes) < table.n_cols:
        return []
    return [(min(b[0] for b in boxes[col]), max(b[2] for b in boxes[col])) for col in range(table.n_cols)]


def _is_begun(table: Table) -> bool:
    """Labels in its first column, none of them of an identity."""
    kinds = [label_kind(cell.text) for cell in table.cells if cell.col == 0]
    return sum(kind is not None for kind in kinds) >= _LEAST_LABELS and not any(kind in _IDENTITIES for kind in kinds)


def _over(columns: Sequence[tuple[float, float]], top: float, page: ParsedPage) -> list[Box]:
    """The photos right over the table, one over each of its columns but the first; none where a column has none."""
    near = [p.box for p in page.pictures if p.box[3] <= top + 2.0 and top - p.box[3] <= p.box[3] - p.box[1]]
    photos = [next((box for box in near if x0 <= centre(box)[0] <= x1), None) for x0, x1 in columns[1:]]
    found = [box for box in photos if box is not None]
    return found if len(set(found)) == len(columns) - 1 else []


def _heads(columns: Sequence[tuple[float, float]], top: float, page: ParsedPage) -> list[list[Line]]:
    """The rows right over the photos, with a label and one text for each product."""
    lines = [piece for line in page.lines for piece in pieces(line) if line.box[3] <= top + 2.0]
    found: list[list[Line]] = []
    for row in reversed(baselines(lines)):
        placed = [
            next((n for n, (x0, x1) in enumerate(columns) if x0 <= centre(line.box)[0] <= x1), -1) for line in row
        ]
        if placed != list(range(len(columns))) or label_kind(row[0].text) is None or len(found) == _MOST_HEADS:
            break
        found.insert(0, row)
    return found
