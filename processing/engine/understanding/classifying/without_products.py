"""A page on which tables, cards, captions and the sure ways found no product: by a way that waits for the others, or D,
as sure as the page is free of what would speak of products."""

import re
import unicodedata
from collections.abc import Callable

from catalogsku.core.box import centre, contains_point
from catalogsku.core.text import mixed_letters, trim
from processing.engine.page import Line
from processing.engine.understanding.captions.captioned import captioned_pictures
from processing.engine.understanding.captions.grids import (
    names_samples,
    shows_documents,
    shows_samples,
)
from processing.engine.understanding.captions.photo_names import names_photos
from processing.engine.understanding.captions.unread_photos import codes_at_photos, names_on_a_photo, shows_alike
from processing.engine.understanding.cards.extractor import names_a_product, specifies_a_product
from processing.engine.understanding.cards.sheets import sheet_title
from processing.engine.understanding.classifying.page_type import PageType, by_strategies, table_layout, typed
from processing.engine.understanding.classifying.printed import PRINT_SHARP, may_hold_print
from processing.engine.understanding.lists.facts import is_bulleted
from processing.engine.understanding.rules.headings import (
    heads_facts,
    heads_specification,
    is_document,
    is_works_heading,
    names_no_thing,
)
from processing.engine.understanding.rules.shapes import is_measure
from processing.engine.understanding.rules.wording import heads_introduction, is_title_of_document
from processing.engine.understanding.signs import Signs
from processing.engine.understanding.strategies import PHOTO_NAMES, PICTURE_PAGE, Strategy, list_layout
from processing.engine.understanding.unread import may_be_of_products
from processing.engine.understanding.view import FEW_PHOTOS, PageView

Step = Callable[[PageView, Signs], PageType | None]

# Of a page that a person looks at, though it may be free of products.
_DOUBTFUL = 0.65
# Prices alone, and what is counted for codes, labels and prices together, that make a page one of products.
_PRICES, _WEIGHT = 3, 3
_LITTLE_TEXT, _LITTLE_BESIDE_CAPTIONS = 400, 600
# Captioned pictures, and how many of ten pictures have captions where all but a few do.
_CAPTIONED, _MOST_CAPTIONED = 3, 7
# What is measured and how much of it, once or more: "Energy 36 kcal", "脂肪 0g · 钠 0mg".
_AMOUNT = r"[^\W\d][^\d:：.。]{0,15}?[ \u3000][<≤≥]?\d[\d.,]*\s?[A-Za-z%℃µ\u3400-\u9fff]{1,4}"
_AMOUNTS = re.compile(rf"{_AMOUNT}(\s*[·•|/,，]\s*{_AMOUNT})*")
# A price as running text tells one, and how many make a page one of products.
_PRICED = re.compile(
    r"(?:售价|价格|单价|零售价|参考价|(?<![a-z])price)\s*(?:is|of|[:：为])\s*\D{0,4}\d{2,}", re.IGNORECASE
)
_TOLD_PRICES = 3
# Share of signs without a meaning; bullets of symbol fonts stay far below.
_BROKEN = 0.3
# Items with numbers by which a page introduces a thing at least.
_FEW_ITEMS = 3
# Down to where on the page the heading of all of it stands.
_OVER_PAGE = 0.33
# Share of a page's signs that letters of many scripts are where a mapping is wrong.
_MIXED = 0.1


def without_products(view: PageView, signs: Signs) -> PageType:
    """By the first of the steps that says what the page is."""
    for step in _STEPS:
        if page_type := step(view, signs):
            return page_type
    return typed(view, "D", max(0.75, 0.95 - 0.05 * signs.weight), "L3", "no_product_signs", signs)


def _strategies(*strategies: Strategy) -> Step:
    return lambda view, signs: by_strategies(view, signs, *strategies)


def _doubt(reason: str, holds: Callable[[PageView], bool], layout: str = "L3", confidence: float = _DOUBTFUL) -> Step:
    return lambda view, signs: typed(view, "D", confidence, layout, reason, signs) if holds(view) else None


def _suspects(view: PageView, signs: Signs) -> PageType | None:
    """A table page whose table no rule took; sure of it where the table goes on with products of a page before."""
    if not view.suspects:
        return None
    going_on = next((reading for reading in view.suspects if reading.merge), None)
    rows = sum(reading.grid.table.n_rows for reading in view.suspects)
    reading = going_on or view.suspects[0]
    return typed(view, "A", 0.9 if going_on else 0.5, table_layout(rows, 0), reading.suspect, signs, rows)


def _unreadable(view: PageView) -> bool:
    """Much of the text are signs of fonts without a mapping, which say nothing of what is printed, or letters of more
    scripts than one page is printed in: a mapping that is wrong."""
    chars = [char for line in view.lines for char in line.text if not char.isspace()]
    broken = sum(1 for char in chars if char == "\ufffd" or unicodedata.category(char) in ("Co", "Cn", "Cc"))
    return broken > _BROKEN * len(chars) or mixed_letters("".join(chars)) > _MIXED * len(chars)


def _priced_rows(view: PageView, signs: Signs) -> PageType | None:
    rows = signs.priced_rows
    return typed(view, "A", 0.5, list_layout(rows), "priced_rows_not_understood", signs) if rows else None


def _prices(view: PageView, signs: Signs) -> PageType | None:
    if signs.prices >= _PRICES or (signs.prices and signs.weight >= _WEIGHT):
        return typed(view, "B", 0.4, "L3", "products_not_understood", signs)
    return None


def _words(view: PageView, signs: Signs) -> PageType | None:
    if signs.weight >= _WEIGHT:
        return typed(view, "D", 0.6, "L3", "product_words_without_product", signs)
    return None


def _recognised(view: PageView, signs: Signs) -> PageType | None:
    """A page of pictures, the scan itself mostly: never sure to be free of products, but what is seen on it may be
    told of as on any page."""
    if view.page.ocr is None or view.page.features.picture_ratio <= PICTURE_PAGE:
        return None
    doubt = typed(view, "D", _DOUBTFUL, "L1", "recognised_page_with_pictures", signs)
    if _documents_or_samples(view, signs):
        return doubt
    return by_strategies(view, signs, PHOTO_NAMES) or doubt


def _is_specification(view: PageView) -> bool:
    """A heading over the page says that it is a product's sheet, and measures of the product stand on it; or one heads
    specifications beside a large photo or a few. In 180 documents no page without products has these."""
    over = view.page.height_pt * _OVER_PAGE
    headed = any(heads_specification(line.text) for line in view.lines if line.box[3] <= over)
    if headed and sum(is_measure(line.text) for line in view.lines) >= _FEW_ITEMS:
        return True
    heads = [line for line in view.lines if heads_facts(line.text) and not _heads_column(view, line)]
    return bool(heads) and 0 < len(view.large_photos) <= FEW_PHOTOS


def _heads_column(view: PageView, line: Line) -> bool:
    """Of a table: another head stands beside it there."""
    tables = [table.box for table in view.page.tables if contains_point(table.box, *centre(line.box))]
    return any(
        other is not line
        and contains_point(box, *centre(other.box))
        and line.box[1] < centre(other.box)[1] < line.box[3]
        for box in tables
        for other in view.lines
    )


def _is_introduction(view: PageView) -> bool:
    """Its largest print, which other pages may have too, says that it introduces a product; a photo shows that."""
    title = max(view.page.lines, key=lambda line: line.size, default=None)
    return title is not None and heads_introduction(title.text) and 0 < len(view.large_photos) <= FEW_PHOTOS


def _documents_or_samples(view: PageView, signs: Signs) -> PageType | None:
    captioned = captioned_pictures(view)
    if len(captioned) < 2:
        return None
    if not signs.weight and shows_documents(view, captioned):
        return typed(view, "D", 0.85, "L2", "certificates", signs)
    if shows_samples(view, captioned):
        return typed(view, "D", 0.85 if names_samples(captioned) else _DOUBTFUL, "L2", "samples", signs)
    return None


def _captioned(view: PageView, signs: Signs) -> PageType | None:
    captioned = len(captioned_pictures(view))
    if (
        captioned < _CAPTIONED
        or captioned * 10 < len(view.pictures) * _MOST_CAPTIONED
        or view.chars >= _LITTLE_BESIDE_CAPTIONS
    ):
        return None
    return typed(view, "D", _DOUBTFUL, "L2", "pictures_with_captions", signs)


def _tells_prices(view: PageView) -> bool:
    return sum(len(_PRICED.findall(line.text)) for line in view.lines) >= _TOLD_PRICES


def _introduces(view: PageView) -> bool:
    """Under a large title that may name a thing a photo, and items with numbers in them."""
    title = sheet_title(view)
    if title is None or names_no_thing(title.text) or is_document(title.text) or is_works_heading(title.text):
        return False
    photos = [p for p in view.large_photos if p.blur <= PRINT_SHARP]
    items = [
        line
        for line in view.lines
        if _AMOUNTS.fullmatch(trim(line.text)) or (is_bulleted(line.text) and any(map(str.isdigit, line.text)))
    ]
    return 0 < len(photos) <= FEW_PHOTOS and len(items) >= _FEW_ITEMS


def _poster(view: PageView, signs: Signs) -> PageType | None:
    if view.poster is None or not (signs.codes or signs.prices):
        return None
    if any(is_title_of_document(line.text) for line in view.lines):
        return None
    return typed(view, "D", _DOUBTFUL, "L1", "poster_with_code", signs)


def _is_a_picture(view: PageView) -> bool:
    return view.chars < _LITTLE_TEXT and view.page.ocr is None and may_hold_print(view)


def _unread(view: PageView, signs: Signs) -> PageType | None:
    reason = may_be_of_products(view)
    return typed(view, "D", _DOUBTFUL, "L3", reason, signs) if reason else None


_STEPS: tuple[Step, ...] = (
    _suspects,
    _doubt("text_not_readable", _unreadable, confidence=0.5),
    _priced_rows,
    _prices,
    _words,
    _recognised,
    _doubt("code_and_name_without_specification", lambda v: names_a_product(v) or specifies_a_product(v), "L1"),
    _doubt("sheet_of_a_product_not_understood", _is_specification, "L1"),
    _doubt("introduction_with_photo", _is_introduction, "L1"),
    _documents_or_samples,
    _strategies(PHOTO_NAMES),
    _doubt(PHOTO_NAMES.reason, names_photos),
    _captioned,
    _doubt("pictures_alike_with_text", shows_alike),
    _doubt("prices_in_running_text", _tells_prices, confidence=0.6),
    _doubt("names_on_a_photo", names_on_a_photo),
    _doubt("codes_at_photos", codes_at_photos),
    _doubt("title_photo_and_facts", _introduces, "L1"),
    _poster,
    _doubt("picture_may_hold_text", _is_a_picture, "L1"),
    _unread,
)
