"""Grids that are no tables: labels beside their values, in several pairs of columns."""

from processing.engine.page import Table
from processing.engine.understanding.rules.labels import label_kind

_LEAST_PAIRS = 2
# Share of a column's texts that are labels.
_MOSTLY, _HARDLY = 0.6, 0.2


def holds_fields(table: Table) -> bool:
    """Columns of labels and of values in turn: the cards of one product or of several side by side; or whole cards
    that a reader took for the rows of a table without a head."""
    first = [cell.text for cell in table.cells if cell.row == 0]
    if not table.ruled and any(_labelled_lines(text) >= _LEAST_PAIRS for text in first):
        return True
    texts: dict[int, list[str]] = {}
    for cell in table.cells:
        if cell.text.strip():
            texts.setdefault(cell.col, []).append(cell.text)
    shares = [sum(label_kind(text) is not None for text in texts[col]) / len(texts[col]) for col in sorted(texts)]
    labels, values = shares[::2], shares[1::2]
    if table.n_rows < 2 or len(labels) < _LEAST_PAIRS or len(labels) != len(values):
        return False
    return min(labels) >= _MOSTLY and max(values) <= _HARDLY


def _labelled_lines(text: str) -> int:
    """Lines of the form "label: value" whose label is known."""
    pairs = [line.replace("：", ":").partition(":") for line in text.splitlines()]
    return sum(1 for label, _, value in pairs if value.strip() and label_kind(label) is not None)
