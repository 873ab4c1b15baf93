"""Grids that are no tables: labels beside their values, in several pairs of columns."""

from processing.engine.page import Table
from processing.engine.understanding.rules.labels import label_kind

_LEAST_PAIRS = 2
# Share of a column's texts that are labels.
_MOSTLY, _HARDLY = 0.6, 0.2


def holds_fields(table: Table) -> bool:
    """Columns of labels and of values in turn: the cards of one product or of several side by side."""
    texts: dict[int, list[str]] = {}
    for cell in table.cells:
        if cell.text.strip():
            texts.setdefault(cell.col, []).append(cell.text)
    shares = [sum(label_kind(text) is not None for text in texts[col]) / len(texts[col]) for col in sorted(texts)]
    labels, values = shares[::2], shares[1::2]
    if table.n_rows < 2 or len(labels) < _LEAST_PAIRS or len(labels) != len(values):
        return False
    return min(labels) >= _MOSTLY and max(values) <= _HARDLY
