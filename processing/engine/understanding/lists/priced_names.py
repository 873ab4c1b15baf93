"""Lists under no head: a name at the left and its price at the right, row after row, often beside one photo.

Nothing but the places tells that they are products, so that a person always looks at such a page.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from catalogsku.core.box import Box, centre, height, union
from catalogsku.core.text import has_han, squash, trim
from processing.engine.page import Line
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import add_currency, text_value
from processing.engine.understanding.offers import to_pay
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code, is_number, is_price, prices_in
from processing.engine.understanding.rules.wording import is_note, is_sentence, is_total
from processing.engine.understanding.view import PageView

_LEAST_ROWS, _MOST_LINES, _LONGEST = 3, 3, 60
# Points by which prices, and names by their left edges or middles, may stand apart.
_ALIGNED_PT = 8.0
# Of a line's height: how far apart two lines of one name stand, and how unlike their print may be.
_NEXT, _UNLIKE, _LARGER = 1.0, 0.15, 1.5
_DIFFERENT = 0.8
FOUND = 0.7

Row = tuple[list[Line], Line]


@way("priced_names")
def extract_priced_names(view: PageView) -> tuple[Draft, ...]:
    """A product for each price of the page, where each has a name of its own at the same places."""
    prices = sorted((line for line in view.lines if is_price(line.text)), key=lambda line: line.box[1])
    if len(prices) < _LEAST_ROWS or not _are_column(prices, view.lines):
        return ()
    rows = [(_name(price, band, view.lines), price) for price, band in zip(prices, _bands(prices), strict=True)]
    if not all(name for name, _ in rows):
        return ()
    names = [" ".join(trim(line.text) for line in name) for name, _ in rows]
    if not all(map(may_name, names)) or len(set(map(squash, names))) < _DIFFERENT * len(names):
        return ()
    boxes = [union(line.box for line in name) for name, _ in rows]
    if not (_aligned([box[0] for box in boxes]) or _aligned([centre(box)[0] for box in boxes])):
        return ()
    return tuple(_draft(row, name, view.page.number) for row, name in zip(rows, names, strict=True))


def _are_column(prices: Sequence[Line], lines: Sequence[Line]) -> bool:
    """One amount each and nothing else, under each other at one edge; no figure broken off from one, no sum."""
    alone = all(prices_in(price.text) == 1 and len(price.words) <= 2 for price in prices)
    edges = _aligned([price.box[0] for price in prices]) or _aligned([price.box[2] for price in prices])
    apart = all(low.box[1] > high.box[3] for high, low in pairwise(prices))
    summed = any(is_total(line.text) for line in lines)
    return alone and edges and apart and not summed and not any(is_broken(price, lines) for price in prices)


def is_broken(price: Line, lines: Sequence[Line]) -> bool:
    """A figure stands right under it or over it: a part of the amount."""
    x0, _, x1, bottom = price.box
    under = (line for line in lines if x0 <= centre(line.box)[0] <= x1 and line is not price)
    return any(abs(line.box[1] - bottom) <= height(price.box) and is_number(line.text) for line in under)


def _bands(prices: Sequence[Line]) -> list[tuple[float, float]]:
    """From halfway to the price above to halfway to the one below, no further than rows usually stand apart."""
    middles = [centre(price.box)[1] for price in prices]
    step = median(low - high for high, low in pairwise(middles))
    bounds = [(high + low) / 2 for high, low in pairwise([middles[0] - step, *middles, middles[-1] + step])]
    return [
        (max(top, at - step / 2), min(bottom, at + step / 2))
        for (top, bottom), at in zip(pairwise(bounds), middles, strict=True)
    ]


def _name(price: Line, band: tuple[float, float], lines: Sequence[Line]) -> list[Line]:
    """The first text left of the price in its band, in one print, with its further lines; much larger print is a title
    or a mark under the page."""
    left = [line for line in lines if line.box[2] <= price.box[0] and band[0] <= centre(line.box)[1] <= band[1]]
    left = [line for line in left if height(line.box) <= _LARGER * height(price.box)]
    first = min(left, key=lambda line: line.box[0], default=None)
    if first is None:
        return []
    name = [line for line in left if _same_text(line, first)]
    name = sorted(name, key=lambda line: line.box[1])
    near = all(low.box[1] - high.box[3] <= _NEXT * height(high.box) for high, low in pairwise(name))
    return name if near and len(name) <= _MOST_LINES else []


def _same_text(line: Line, first: Line) -> bool:
    """In the same print at the same edge or middle."""
    alike = abs(height(line.box) - height(first.box)) <= _UNLIKE * height(first.box)
    edge = abs(line.box[0] - first.box[0]) <= _ALIGNED_PT
    return alike and (edge or abs(centre(line.box)[0] - centre(first.box)[0]) <= _ALIGNED_PT)


def may_name(text: str) -> bool:
    """Words, in Chinese two signs, that are no price, number, code, note or sum."""
    tests = (is_sentence, is_price, is_number, is_code, is_note, is_total)
    letters = sum(map(str.isalpha, text)) >= 3 or sum(map(has_han, text)) >= 2
    words = letters and len(text) <= _LONGEST and label_kind(text) is None
    return words and not any(test(text) for test in tests)


def _aligned(places: Sequence[float]) -> bool:
    return max(places) - min(places) <= _ALIGNED_PT


def _draft(row: Row, name: str, page_number: int) -> Draft:
    lines, price = row
    box: Box = union(line.box for line in lines)
    attributes = {
        "product_name": text_value(name, box, page_number, "caption", FOUND),
        "price": text_value(*to_pay(price), page_number, "caption", FOUND),
    }
    add_currency(attributes)
    whole = union([box, price.box])
    return Draft(box=whole, anchor=whole, attributes=attributes, custom=(), contexts={}, confidence=FOUND)
