"""One thing on a page: its name in large print, its only price in large print under it, and a photo beside or over
them. A person always looks at such a page."""

from collections.abc import Sequence
from statistics import median

from catalogsku.core.box import Box, area, centre, contains_point, union
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import add_currency, text_value
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.headings import is_category_heading, names_no_thing
from processing.engine.understanding.rules.shapes import price_spans, prices_in
from processing.engine.understanding.rules.wording import is_title_of_document
from processing.engine.understanding.view import FEW_PHOTOS, PageView

# Of the page's usual print: large print.
_LARGE = 1.8
# Signs of the page at most: more are a text in which a price is named.
_MOST_SIGNS = 800
_FOUND = 0.66


@way("priced_title")
def extract_priced_title(view: PageView) -> list[Draft]:
    """The page's one product; nothing where several prices, names as large or no photo stand there."""
    prices = [line for line in view.lines if price_spans(line.text)]
    photos = [p.box for p in view.large_photos]
    if len(prices) != 1 or not 0 < len(photos) <= FEW_PHOTOS or view.chars > _MOST_SIGNS:
        return []
    price = prices[0]
    usual = median(line.size for line in view.lines)
    alone = prices_in(price.text) == 1 and price_spans(trim(price.text)) == ((0, len(trim(price.text))),)
    title = _over(view.lines, price)
    if not alone or price.size < _LARGE * usual or title is None or not _may_name(title, photos):
        return []
    attributes = {
        "product_name": text_value(trim(title.text), title.box, view.page.number, "title", _FOUND),
        "price": text_value(trim(price.text), price.box, view.page.number, "title", _FOUND),
    }
    add_currency(attributes)
    box, largest = union([title.box, price.box]), max(photos, key=area)
    return [Draft(box=union([box, largest]), anchor=box, attributes=attributes, confidence=_FOUND,
                  picture=largest if len(photos) == 1 else None)]  # fmt: skip


def _over(lines: Sequence[Line], price: Line) -> Line | None:
    """The one line no smaller than the price that stands over it in its column."""
    large = [line for line in lines if line is not price and line.size >= price.size and line.box[1] < price.box[1]
             and line.box[0] < price.box[2] and price.box[0] < line.box[2]]  # fmt: skip
    return large[0] if len(large) == 1 else None


def _may_name(title: Line, photos: Sequence[Box]) -> bool:
    others = (names_no_thing, is_category_heading, is_title_of_document)
    printed = any(contains_point(photo, *centre(title.box)) for photo in photos)
    return is_name(title.text) and not printed and not any(test(title.text) for test in others)
