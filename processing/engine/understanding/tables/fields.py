"""Grids that are no tables: labels beside their values, in several pairs of columns, or over them in pairs of rows."""

from collections import Counter
from collections.abc import Callable, Sequence

from catalogsku.core.text import fold, trim
from processing.engine.page import Cell, Table
from processing.engine.result import BASE_KEYS
from processing.engine.understanding.rules.labels import label_kind

_LEAST_PAIRS = 2
# Share of a column's texts that are labels.
_MOSTLY, _HARDLY = 0.6, 0.2
_COLONS = (":", "：")


def holds_fields(table: Table) -> bool:
    """Columns of labels and of values in turn: the cards of one product or of several side by side; or whole cards
    that a reader took for the rows of a table without a head."""
    first = [cell.text for cell in table.cells if cell.row == 0]
    if not table.ruled and any(_labelled_lines(text) >= _LEAST_PAIRS for text in first):
        return True
    return table.n_rows > 1 and (_in_turn(table.cells, lambda cell: cell.col) or stacks_fields(table))


def stacks_fields(table: Table) -> bool:
    """Rows of labels and of values in turn, each label once: the card of one product. Further print that an open list
    has below its columns does not matter, nor does one more row of such print."""
    filled = [cell for cell in table.cells if cell.text.strip()]
    often = Counter(cell.row for cell in filled)
    rows = sorted(row for row, times in often.items() if times > 1)
    last = [cell.text for cell in filled if rows and cell.row == rows[-1]]
    if not table.ruled and len(rows) % 2 and _labels_in(last) < _MOSTLY * len(last):
        rows.pop()
    cells = [cell for cell in filled if cell.row in rows]
    labels = [fold(cell.text) for cell in cells if cell.row % 2 == 0]
    return len(set(labels)) == len(labels) and _in_turn(cells, lambda cell: cell.row)


def scatters_fields(table: Table) -> bool:
    """Under some of the heads further labels with their values, each once, in rows of their own: the card of one
    product, whose columns are not of one length."""
    at = {(cell.row, cell.col): cell.text for cell in table.cells if cell.text.strip()}
    further = [
        (row, text)
        for (row, col), text in at.items()
        if row and label_kind(text) in BASE_KEYS and (row + 1, col) in at and label_kind(at[row + 1, col]) is None
    ]
    kinds = {label_kind(text) for _, text in further}
    heads = {label_kind(text) for (row, _), text in at.items() if not row}
    return len({row for row, _ in further}) >= _LEAST_PAIRS <= len(kinds) == len(further) and not kinds & heads


def _in_turn(cells: Sequence[Cell], place: Callable[[Cell], int]) -> bool:
    """Every second column or row, by ``place``, has labels, and those between have none."""
    texts: dict[int, list[str]] = {}
    for cell in cells:
        if cell.text.strip():
            texts.setdefault(place(cell), []).append(cell.text)
    shares = [_labels_in(texts[at]) / len(texts[at]) for at in sorted(texts)]
    labels, values = shares[::2], shares[1::2]
    if len(labels) < _LEAST_PAIRS or len(labels) != len(values):
        return False
    return min(labels) >= _MOSTLY and max(values) <= _HARDLY


def _labels_in(texts: Sequence[str]) -> int:
    """Of the texts those that are labels: known ones, and what ends in a colon."""
    return sum(label_kind(text) is not None or trim(text).endswith(_COLONS) for text in texts)


def _labelled_lines(text: str) -> int:
    """Lines of the form "label: value" whose label is known."""
    pairs = [line.replace("：", ":").partition(":") for line in text.splitlines()]
    return sum(1 for label, _, value in pairs if value.strip() and label_kind(label) is not None)
