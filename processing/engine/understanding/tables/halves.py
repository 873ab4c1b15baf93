"""Lists printed in two or three columns of one grid, each under the same head or one that differs in a label or two,
taken apart into a table each."""

from collections.abc import Sequence

from catalogsku.core.box import union
from catalogsku.core.text import squash
from processing.engine.page import Cell, Table
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import find_header

# A head names two things at least; with one label repeated the columns are one product's.
_LEAST_LABELS = 2
# Labels of heads that are alike though one differs, and the share of them that is the same.
_LEAST_ALIKE, _ALIKE = 4, 0.6


def apart(table: Table) -> list[Table]:
    """The table's parts from left to right; the table alone where its head does not repeat."""
    step = _step(table)
    if not step:
        return [table]
    return [_part(table, first, min(first + step, table.n_cols)) for first in range(0, table.n_cols, step)]


def are_alike(first: Sequence[str], second: Sequence[str]) -> bool:
    """One head begins anew with the other, though a label of its own may stand for what only its things have: "price a
    pair" and "price each", a measure under another letter."""
    if list(first) == list(second):
        return True
    same = sum(a == b for a, b in zip(first, second, strict=False))
    whole = len(first) == len(second) >= _LEAST_ALIKE and first[0] == second[0]
    return whole and _LEAST_LABELS < same >= _ALIKE * len(first)


def _step(table: Table) -> int:
    """Columns from one beginning of the head to the next; an empty column may part them. 0 where it does not repeat."""
    if table.n_cols < 2 * _LEAST_LABELS:
        return 0
    header = find_header(Grid(table))
    if header is None:
        return 0
    heads = [squash(label.text) for label in header.labels]
    step = next((col for col in range(_LEAST_LABELS, len(heads)) if heads[col] == heads[0]), 0)
    if not step or not heads[0] or any(_crosses(cell, step) and cell.cols < table.n_cols for cell in table.cells):
        return 0
    parts = [[head for head in heads[first : first + step] if head] for first in range(0, len(heads), step)]
    known = {label_kind(head) for head in parts[0]} - {None}
    parts = parts if parts[-1] else parts[:-1]
    alike = all(are_alike(parts[0], part) for part in parts) and len(parts[0]) >= _LEAST_LABELS
    return step if alike and len(parts) > 1 and len(known) >= _LEAST_LABELS else 0


def _crosses(cell: Cell, step: int) -> bool:
    return cell.col // step != (cell.col + cell.cols - 1) // step


def _part(table: Table, first: int, end: int) -> Table:
    """The columns ``first`` to ``end``; a row's title across the whole table belongs to each part."""
    own = [c for c in table.cells if first <= c.col < end and c.cols < table.n_cols]
    box = union(c.box for c in own)
    cells = [Cell(c.row, c.col - first, c.text, c.box, c.rows, c.cols) for c in own]
    cells += [
        Cell(c.row, 0, c.text, (box[0], c.box[1], box[2], c.box[3]), c.rows, end - first)
        for c in table.cells
        if c.cols == table.n_cols
    ]
    name = f"{table.id}.{first + 1}"
    return Table(name, box, table.n_rows, end - first, tuple(cells), table.ruled, table.method)
