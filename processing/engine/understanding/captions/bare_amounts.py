"""Amounts without a currency in captions, where the page says once in which one all of its prices are."""

import re
from collections.abc import Sequence

from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.understanding.captions.sides import Captioned
from processing.engine.understanding.rules.shapes import is_on_request, is_price
from processing.engine.understanding.rules.units import note_marks
from processing.engine.understanding.view import PageView

# With both digits behind the point: what has none, or one, may count or measure as well.
_AMOUNT = re.compile(r"[0-9]{1,3}(?:,?[0-9]{3})*\.[0-9]{2}")
# Captions that make a page of them.
_LEAST = 3


def bare_amounts(view: PageView, captions: Sequence[Captioned]) -> list[Line]:
    """The one amount of each caption, or that it is given on request, where a note says the currency; nothing where a
    caption has none or several, or the page prints prices with their currency."""
    note = any("price" in note_marks(line.text) for line in view.page.lines)
    own = [[line for line in caption.lines if _is_amount(line)] for caption in captions]
    if not note or len(captions) < _LEAST or any(len(amounts) != 1 for amounts in own):
        return []
    printed = any(is_price(line.text) for line in view.lines)
    amounts = [] if printed else [amount for (amount,) in own]
    return amounts if any(_AMOUNT.fullmatch(trim(line.text)) for line in amounts) else []


def _is_amount(line: Line) -> bool:
    return _AMOUNT.fullmatch(trim(line.text)) is not None or is_on_request(line.text)
