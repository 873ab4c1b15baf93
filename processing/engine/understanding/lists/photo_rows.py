"""Lists without rules, as shops print them: a column of small photos, beside each a name with its texts under it and a
price at the right edge.

Places and print alone tell that they are products, so that a person always looks at such a page.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from catalogsku.core.box import centre, height, union, width
from catalogsku.core.text import squash, trim
from processing.engine.page import Line, Picture
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.evidence import add_currency, text_value
from processing.engine.understanding.lists.priced_names import FOUND
from processing.engine.understanding.offers import LARGER, to_pay
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.shapes import is_price, price_spans
from processing.engine.understanding.view import PageView

# Rows of a list at least; points by which photos, names and prices stand apart under each other.
_LEAST_ROWS, _ALIGNED_PT = 4, 3.0
# Of the page's width: a photo of a row takes no more.
_SMALL = 0.25
# Of a line's height: how far apart two lines of one name stand; how many a name has.
_NEXT, _MOST_LINES = 0.6, 3
# Points by which the print of one name differs.
_SAME_PRINT_PT = 0.3
_LETTERS, _DIFFERENT = 3, 0.8

_Row = tuple[Picture, list[Line], Line]


@way("photo_rows")
def extract_photo_rows(view: PageView) -> tuple[Draft, ...]:
    """A product for each photo of the column; nothing where one has no name or no price of its own."""
    photos = _column(view.pictures)
    rows = [_row(photo, band, view.lines) for photo, band in zip(photos, _bands(photos), strict=True)]
    found = [row for row in rows if row is not None]
    if len(found) < max(_LEAST_ROWS, len(photos)) or not _are_alike(found):
        return ()
    held = [price for *_, price in found]
    if any(line.size * LARGER >= held[0].size and is_price(line.text) for line in view.lines if line not in held):
        return ()
    return tuple(_draft(row, view.page.number) for row in found)


def photo_rows_tell(view: PageView, captions: Extraction, cards: Extraction) -> bool:
    """Such a list, of which nothing else tells more: neither captions nor cards have codes."""
    coded = any("model" in draft.attributes for draft in (*captions.drafts, *cards.drafts))
    return not coded and bool(extract_photo_rows(view).drafts)


def _column(pictures: Sequence[Picture]) -> list[Picture]:
    """The page's pictures from top to bottom where all are photos of one size under each other."""
    photos = sorted(pictures, key=lambda picture: picture.box[1])
    if len(photos) < _LEAST_ROWS:
        return []
    aligned = _even([centre(photo.box)[0] for photo in photos]) and _even([width(photo.box) for photo in photos])
    apart = all(high.box[3] <= low.box[1] for high, low in pairwise(photos))
    return photos if aligned and apart else []


def _bands(photos: Sequence[Picture]) -> list[tuple[float, float]]:
    """From halfway to the photo above to halfway to the one below."""
    if not photos:
        return []
    middles = [centre(photo.box)[1] for photo in photos]
    step = median(low - high for high, low in pairwise(middles))
    halves = [(high + low) / 2 for high, low in pairwise([middles[0] - step, *middles, middles[-1] + step])]
    return [(max(top, at - step / 2), min(end, at + step / 2))
            for (top, end), at in zip(pairwise(halves), middles, strict=True)]  # fmt: skip


def _row(photo: Picture, band: tuple[float, float], lines: Sequence[Line]) -> _Row | None:
    """The lines at the head of the text beside the photo, all in its largest print, and the one price at the right that
    is printed larger than any other."""
    beside = [line for line in lines if line.box[0] >= photo.box[2] and band[0] <= centre(line.box)[1] <= band[1]]
    edge = min((line.box[0] for line in beside), default=0.0)
    text = sorted((line for line in beside if line.box[0] - edge <= _ALIGNED_PT), key=lambda line: line.box[1])
    name = _head(text)
    prices = [line for line in beside if name and line not in text and price_spans(line.text)
              and line.box[0] > max(one.box[2] for one in name)]  # fmt: skip
    largest = max((price.size for price in prices), default=0.0)
    held = [price for price in prices if price.size * LARGER >= largest]
    if len(held) != 1 or not is_price(held[0].text):
        return None
    return photo, name, held[0]


def _head(text: Sequence[Line]) -> list[Line]:
    """The first lines, which may be several of one print; none where a line under them is larger or has that print too,
    or where they are no words."""
    if not text:
        return []
    same = [line for line in text if abs(line.size - text[0].size) <= _SAME_PRINT_PT and line.bold == text[0].bold]
    name = list(text[: len(same)])
    near = all(low.box[1] - high.box[3] <= _NEXT * height(high.box) for high, low in pairwise(name))
    first = name == same and max(line.size for line in text) <= text[0].size + _SAME_PRINT_PT
    words = " ".join(line.text for line in name)
    named = sum(map(str.isalpha, words)) >= _LETTERS and not is_price(words)
    return name if first and near and named and len(name) <= _MOST_LINES else []


def _are_alike(rows: Sequence[_Row]) -> bool:
    """Names at one edge, most of them different, and prices at one edge."""
    names = [squash(" ".join(line.text for line in name)) for _, name, _ in rows]
    edges = _even([name[0].box[0] for _, name, _ in rows])
    prices = [price.box for *_, price in rows]
    right = _even([box[2] for box in prices]) or _even([box[0] for box in prices])
    return edges and right and len(set(names)) >= _DIFFERENT * len(names)


def _even(places: Sequence[float]) -> bool:
    return max(places) - min(places) <= _ALIGNED_PT


def _draft(row: _Row, page_number: int) -> Draft:
    photo, name, price = row
    text = " ".join(trim(line.text) for line in name)
    place = union(line.box for line in name)
    attributes = {
        "product_name": text_value(text, place, page_number, "caption", FOUND),
        "price": text_value(*to_pay(price), page_number, "caption", FOUND),
    }
    add_currency(attributes)
    whole = union([place, price.box])
    return Draft(box=whole, anchor=whole, attributes=attributes, confidence=FOUND, picture=photo.box)
