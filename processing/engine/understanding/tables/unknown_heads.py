"""Heads in words that no dictionary knows: the values under them tell that a list names products, and how."""

from collections.abc import Sequence

from processing.engine.page import Line
from processing.engine.understanding.rules.labels import FOREIGN, label_kind
from processing.engine.understanding.rules.shapes import is_code, is_date, is_measure, is_no_value, is_number, is_price
from processing.engine.understanding.rules.wording import is_sentence

_LEAST_LABELS = 3
_LONGEST_LABEL = 30


def may_head(row: Sequence[Line]) -> bool:
    """Several short texts side by side that are words and no values, nor labels of other tables."""
    texts = [line.text for line in row]
    return len(texts) >= _LEAST_LABELS and all(map(_may_label, texts))


def _may_label(text: str) -> bool:
    values = (is_no_value, is_number, is_price, is_date, is_measure, is_code, is_sentence)
    words = any(map(str.isalpha, text)) and len(text) <= _LONGEST_LABEL
    return words and label_kind(text) != FOREIGN and not any(test(text) for test in values)
