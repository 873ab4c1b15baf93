"""Values with the place they stand at: every value a SKU gets is made here (GR-EVID)."""

from collections.abc import Iterable

import msgspec

from catalogsku.core.box import Box, rounded, union
from catalogsku.core.text import trim
from processing.engine.page import Cell, Line
from processing.engine.result import Evidence, Value
from processing.engine.understanding.rules.normalise import currency_mark
from processing.engine.understanding.rules.shapes import is_on_request, is_price

ELSEWHERE, MISLABELLED = "elsewhere", "mislabelled"
# What only the picture of the page shows: read again there and found the same, or not.
READ_AGAIN, SEEN = "read_again", "seen"
UNPROVED = frozenset({ELSEWHERE, MISLABELLED, SEEN, "model"})


def cell_evidence(cells: Iterable[Cell], page_number: int, filled: bool = False) -> Evidence:
    """Evidence of one cell, or of neighbouring cells read left to right."""
    cells = tuple(cells)
    quote = " ".join(trim(cell.text) for cell in cells)
    method = "table_cell_merged" if filled or any(cell.rows > 1 for cell in cells) else "table_cell"
    return Evidence(quote, page_number, rounded(union(cell.box for cell in cells)), 1.0, method)


def cell_value(cells: Iterable[Cell], page_number: int, filled: bool = False, confidence: float = 1.0) -> Value:
    evidence = cell_evidence(cells, page_number, filled)
    return Value(evidence.quote, evidence, "filled_down" if filled else "direct", confidence)


def text_value(text: str, box: Box, page_number: int, method: str, confidence: float = 1.0) -> Value:
    """A value that is (part of) the printed text inside ``box``."""
    quote = trim(text)
    return Value(quote, Evidence(quote, page_number, rounded(box), 1.0, method), "direct", confidence)


def disproved(evidence: Evidence, method: str) -> Evidence:
    """Printed there, but as another product's (ELSEWHERE) or another attribute's (MISLABELLED): it proves nothing."""
    return msgspec.structs.replace(evidence, match=0.0, method=method)


def add_currency(attributes: dict[str, Value]) -> None:
    """The currency mark printed beside the amount, when no field of its own gives it; none of an amount not proved."""
    price = attributes.get("price")
    if price is None or "currency" in attributes or not is_price(price.text) or not price.evidence.match:
        return
    if mark := currency_mark(price.text):
        place = price.evidence
        attributes["currency"] = Value(
            mark, Evidence(mark, place.page_number, place.bbox, 1.0, place.method), price.source
        )


def take_on_request(attributes: dict[str, Value]) -> Value | None:
    """Takes words like "on request" out of ``attributes``: they are a fact about the price, no price."""
    price = attributes.get("price")
    return attributes.pop("price") if price is not None and is_on_request(price.text) else None


def part_box(line: Line, part: str) -> Box:
    """Box of the words of ``line`` that hold ``part``; the whole line where words do not tell."""
    wanted = "".join(part.split())
    words = line.words
    for first in range(len(words)):
        joined = ""
        for last in range(first, len(words)):
            joined += "".join(words[last].text.split())
            if wanted in joined:
                return union(word.box for word in words[_first_needed(words, first, last, wanted) : last + 1])
    return line.box


def _first_needed(words: tuple[object, ...], first: int, last: int, wanted: str) -> int:
    """The latest word to start from so that ``wanted`` is still whole."""
    texts = ["".join(str(getattr(word, "text", "")).split()) for word in words]
    while first < last and wanted in "".join(texts[first + 1 : last + 1]):
        first += 1
    return first
