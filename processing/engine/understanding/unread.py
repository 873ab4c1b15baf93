"""What a page may show although no rule found a product on it; a person then looks at it, for a product that is lost
without a word costs more than a look."""

import re
from collections.abc import Sequence

from catalogsku.core.box import Box, area, gap
from catalogsku.core.text import squash, trim
from processing.engine.assignment import best_assignment
from processing.engine.page import Line
from processing.engine.understanding.captions.pairing import texts
from processing.engine.understanding.likely_names import bare_name, is_name
from processing.engine.understanding.rules.headings import (
    is_document,
    is_drawing,
    is_works_heading,
    names_no_thing,
)
from processing.engine.understanding.rules.normalise import currency_mark
from processing.engine.understanding.rules.shapes import is_code, is_measure, is_price
from processing.engine.understanding.rules.wording import is_figure_caption
from processing.engine.understanding.view import FEW_PHOTOS, PageView

# Headings of manuals and data sheets, whose pictures are diagrams: "7.3 QFN64", "9、封装信息"; "1.9 kg" is none.
_SECTION = re.compile(r"\d{1,2}(\.\d{1,2})+\.?\s+\w{2}|\d{1,2}、\S")
# Of the page: photos that may be of products, and how many. Of 415 pages without products 3 are then looked at, of 176
# with such photos and products 167 would be if nothing else told of them.
_PHOTO, _LEAST_PHOTOS = 0.02, 2
# The same of small ones, and the share that has a name each; how far off a name stands, points.
_SMALL, _SOME, _NAMED, _NEAR_PT = 0.008, 3, 0.7, 40.0
# Facts beside a large photo or a few, where there is no price: 2 of 373 pages without products have them, and 8 of 10
# on which products were lost without a word, in 181 documents.
_LEAST_FACTS = 3
_FACT = re.compile(r"[^\W\d][^:：]{1,28}[:：]\s*\S.*")
_CONTACT = re.compile(
    r"@|www|http|\b(tel|fax|mail|e-?mail|phone|mobile|whatsapp|address|add)\b|电话|手机|传真|邮|网址|地址",
    re.IGNORECASE,
)
# Different codes that make a table one of products; 3 of the same pages without products have so many.
_LEAST_CODES = 3
# Paths and signs of a page whose print was turned into outlines.
_OUTLINES, _FEW_SIGNS = 1000, 200


def may_be_of_products(view: PageView) -> str | None:
    """Why a person should look at a page without any other sign of products; None where nothing speaks for it."""
    if is_of_figures(view):
        return None
    if shows_things(view):
        return "photos_with_words"
    if _lists_codes(view):
        return "table_of_codes"
    if _offers(view):
        return "photo_with_price_or_facts"
    return "print_in_outlines" if _is_outlined(view) else None


def is_of_figures(view: PageView) -> bool:
    """A page of a manual or a data sheet: by a figure's caption, a drawing's title, a section's number."""
    texts = [trim(line.text) for line in view.lines]
    return any(
        is_figure_caption(text) or is_drawing(text) or (_SECTION.match(text) and not is_measure(text)) for text in texts
    )


def shows_things(view: PageView) -> bool:
    """Photos, and what may be a name or a code near one of them, where the heading is not one of a company's works or
    documents."""
    if _heads_no_products(view):
        return False
    large, small = (_photos(view, least) for least in (_PHOTO, _SMALL))
    if len(large) >= _LEAST_PHOTOS and _named(view, large):
        return True
    return len(small) >= _SOME and _named(view, small) >= _NAMED * len(small)


def _offers(view: PageView) -> bool:
    """A large photo or a few, and a price that stands alone, or facts behind labels, how to reach a company aside."""
    if _heads_no_products(view) or not 0 < len(view.large_photos) <= FEW_PHOTOS:
        return False
    texts = [trim(line.text) for line in view.lines]
    if any(is_price(text) and currency_mark(text) for text in texts):
        return True
    facts = [text for text in texts if _FACT.fullmatch(text) and not reaches_a_company(text)]
    return len(facts) >= _LEAST_FACTS and any(is_name(text) and not names_no_thing(text) for text in texts)


def reaches_a_company(text: str) -> bool:
    """Says where or how to reach one."""
    return _CONTACT.search(text) is not None


def _photos(view: PageView, least: float) -> list[Box]:
    return [p.box for p in view.pictures if area(p.box) >= least * view.page_area]


def _named(view: PageView, photos: Sequence[Box]) -> int:
    """How many of the photos have a name of their own near them: the first line of a text, not one amid it."""
    names = [text[0].box for text in texts(view) if _may_name(text[0])]
    near = {
        (n, m): 1.0
        for n, name in enumerate(names)
        for m, box in enumerate(photos)
        if gap(name, box) <= _NEAR_PT * view.scale
    }
    return len(best_assignment(near))


def _may_name(line: Line) -> bool:
    text = bare_name(line.text)
    return is_code(text) or (is_name(text) and not names_no_thing(text))


def _heads_no_products(view: PageView) -> bool:
    title = max(view.page.lines, key=lambda line: line.size, default=None)
    no_product = title is not None and (is_document(title.text) or names_no_thing(title.text))
    return no_product or any(is_works_heading(line.text) for line in view.page.lines)


def _lists_codes(view: PageView) -> bool:
    return any(
        len({squash(cell.text) for cell in table.cells if is_order_code(cell.text)}) >= _LEAST_CODES
        for table in view.page.tables
    )


def is_order_code(text: str) -> bool:
    """As products have: letters before figures, and no measure."""
    value = trim(text)
    return is_code(value) and value[0].isalpha() and any(map(str.isdigit, value)) and not is_measure(value)


def _is_outlined(view: PageView) -> bool:
    signs = sum(len(line.text) for line in view.page.lines)
    return view.page.ocr is None and view.page.features.drawings >= _OUTLINES and signs < _FEW_SIGNS
