"""Heads and labels on a page that no dictionary knows: what a merchant's own could name."""

import re
from collections.abc import Iterator

from catalogsku.core.text import trim
from processing.engine.page import ParsedPage, Table
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.rules.in_force import in_force
from processing.engine.understanding.rules.labels import label_forms, label_kind
from processing.engine.understanding.rules.shapes import is_code, is_extent, is_measure, is_number, is_price
from processing.engine.understanding.rules.wording import is_sentence, is_total
from processing.engine.understanding.schema import known_labels

_PAIR = re.compile(r"^([^:：]{2,40})[:：]\s*(\S.*)$")
_LEAST_ROWS, _WORDS_MOST = 3, 5
_VALUES = (is_price, is_code, is_number, is_measure, is_extent, is_sentence, is_total)


def unknown_labels(page: ParsedPage, config: AnalystConfig) -> dict[str, str]:
    """Each as printed, with a value under or behind it. ``config``: with the words that are known already."""
    with in_force(config.words):
        known = known_labels(config.attributes)
        found: dict[str, str] = {}
        for label, value in (*_heads(page), *_pairs(page)):
            if _may_be_label(label) and value and known.isdisjoint(label_forms(label)):
                found.setdefault(label, value)
        return found


def _may_be_label(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    if letters < 2 or 2 * letters < len(text) or len(text.split()) > _WORDS_MOST or any(test(text) for test in _VALUES):
        return False
    return bool(label_forms(text)) and label_kind(text) is None


def _heads(page: ParsedPage) -> Iterator[tuple[str, str]]:
    """Of the uppermost row of each table that has several rows below, and no figures itself."""
    for table in page.tables:
        first = _row(table, 0)
        if table.n_rows < _LEAST_ROWS or any(is_price(text) or is_number(text) for text in first.values() if text):
            continue
        second = _row(table, 1)
        yield from ((text, second.get(col, "")) for col, text in first.items())


def _row(table: Table, row: int) -> dict[int, str]:
    return {cell.col: trim(cell.text) for cell in table.cells if cell.row == row}


def _pairs(page: ParsedPage) -> Iterator[tuple[str, str]]:
    for line in page.lines:
        if (pair := _PAIR.match(trim(line.text))) and not pair[2].startswith("//"):
            yield trim(pair[1]), trim(pair[2])
