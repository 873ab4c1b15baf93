"""Page type A table, B mixed, C grid or photo, D no product, with confidence and layout (TA-CLS)."""

import re
import unicodedata
from dataclasses import dataclass

from catalogsku.core.box import Box, area, centre, contains_point, height, intersect, width
from catalogsku.core.text import mixed_letters, trim
from processing.engine.page import Picture
from processing.engine.understanding.captions.captioned import captioned_pictures
from processing.engine.understanding.captions.extractor import extract_captions
from processing.engine.understanding.captions.grids import (
    codes_at_photos,
    names_on_a_photo,
    names_samples,
    shows_alike,
    shows_documents,
    shows_samples,
)
from processing.engine.understanding.captions.photo_names import names_photos, photos_tell_more
from processing.engine.understanding.captions.told_photos import tells_of_photos
from processing.engine.understanding.cards.extractor import extract_cards, names_a_product, specifies_a_product
from processing.engine.understanding.cards.families import extract_families
from processing.engine.understanding.cards.sheets import sheet_title
from processing.engine.understanding.cards.titled_tables import extract_titled_tables, tells_by_titles
from processing.engine.understanding.draft import Extraction
from processing.engine.understanding.lists.extractor import extract_listed, lists_tell_more
from processing.engine.understanding.lists.facts import is_bulleted
from processing.engine.understanding.lists.photo_rows import photo_rows_tell
from processing.engine.understanding.lists.priced_rows import rows_tell_more
from processing.engine.understanding.rules.headings import (
    heads_specification,
    is_document,
    is_works_heading,
    names_no_thing,
)
from processing.engine.understanding.rules.shapes import is_measure
from processing.engine.understanding.rules.wording import heads_introduction, is_title_of_document
from processing.engine.understanding.signs import Signs, find_signs
from processing.engine.understanding.singles import extract_single
from processing.engine.understanding.unread import is_of_figures, may_be_of_products, shows_things
from processing.engine.understanding.view import FEW_PHOTOS, PageView
from processing.engine.understanding.ways import (
    BARRED,
    BULLETED,
    CODE_MATRIX,
    CODED_HEADS,
    NAMED_PHOTOS,
    NAMES_IN_COLUMN,
    PHOTO_NAMES,
    PHOTO_ROWS,
    PICTURE_PAGE,
    PRICED_NAMES,
    PRICED_ROWS,
    PRICED_TITLE,
    SURE,
    TITLED_LABELS,
    TITLED_PAIRS,
    TOLD_PHOTOS,
    Way,
    few_layout,
    grid_layout,
    list_layout,
)

# Variance of the Laplacian (Picture.blur) above which a picture is sharp as print or a drawing is: photographs of the
# corpus and the drawn styles stay below 1600, tables and diagrams kept as pictures lie above 2400.
_PRINT_SHARP = 2000.0
# A sharp picture over this share of a page beside few words may be a table or a poster that names products.
_PRINT_AREA = 0.15
_LITTLE_TEXT = 400
# Attributes under labels that make a caption a block of labelled lines.
_LABELS = 2
# Pictures for each of several products, as a grid has none.
_PICTURES_A_BLOCK = 2
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
# Products of a family that stand in a small table under the family's own picture: text and pictures of a few products.
_FAMILY_ROWS = 12


@dataclass(frozen=True)
class PageType:
    """``detail`` keeps features, scores, thresholds and reason for the trace (TA-TRACEAPI)."""

    page_type: str
    confidence: float
    layout: str
    reason: str
    detail: dict[str, object]


def classify(view: PageView) -> PageType:
    """The page's type by what the extractors would find on it, and how sure that is."""
    signs = find_signs(view)
    if view.is_index:
        return _typed(view, "D", 0.85, "L3", "index_page", signs, 0)
    rows = sum(reading.grid.n_rows - reading.header.body for reading in view.tables)
    beside = _pictures_outside(view)
    if view.tables:
        certainty = max(reading.judgement.certainty for reading in view.tables)
        mixed = (
            bool(extract_cards(view).drafts)
            or bool(extract_captions(view).drafts)
            or signs.prices >= 3
            or _shows_families(view)
        )
        kind, reason = ("B", "table_and_more") if mixed else ("A", "product_table")
        confidence = certainty * (0.93 if mixed else 1.0)
        return _typed(view, kind, confidence, _table_layout(rows, beside), reason, signs, rows)
    if families := extract_families(view).drafts:
        return _typed(view, "B", families[0].confidence, "L3", "priced_families", signs, rows)
    captions, cards = extract_captions(view), extract_cards(view)
    if tells_by_titles(view, captions, cards):
        titled = extract_titled_tables(view).drafts
        return _typed(view, "B", titled[0].confidence, few_layout(len(titled)), "titled_tables", signs, rows)
    if lists_tell_more(view, captions, cards, extract_single(view)):
        listed = extract_listed(view).drafts
        sure = min(draft.confidence for draft in listed)
        return _typed(view, "B", sure, few_layout(len(listed)), "headed_lists", signs, rows)
    if photo_rows_tell(view, captions, cards) and (told := _told(view, signs, PHOTO_ROWS)):
        return told
    if rows_tell_more(view, captions, cards) and (told := _told(view, signs, PRICED_ROWS)):
        return told
    if photos_tell_more(view, captions, cards, extract_single(view)) and (told := _told(view, signs, PHOTO_NAMES)):
        return told
    if len(captions.drafts) > len(cards.drafts) or (
        len(captions.drafts) == len(cards.drafts) > 1 and captions.values >= cards.values
    ):
        sure = sum(draft.confidence for draft in captions.drafts) / len(captions.drafts)
        if any(holds_print(view, picture) for picture in view.pictures):
            return _typed(view, "B", 0.93 * sure, "L3", "captions_and_printed_picture", signs, rows)
        if _has_card_beside(captions, cards):
            return _typed(view, "B", sure, "L3", "captions_and_card", signs, rows)
        if _are_blocks(view, captions):
            return _typed(view, "B", sure, "L3", "pictures_with_labelled_lines", signs, rows)
        return _typed(view, "C", sure, grid_layout(len(captions.drafts)), "captioned_pictures", signs, rows)
    if cards.drafts:
        sure = min(draft.confidence for draft in cards.drafts)
        return _typed(view, "B", sure, few_layout(len(cards.drafts)), "labelled_card", signs, rows)
    return _told(view, signs, *SURE) or _without_products(view, signs)


def _told(view: PageView, signs: Signs, *ways: Way) -> PageType | None:
    """By the first of these ways that finds products."""
    for way in ways:
        if drafts := way.extract(view).drafts:
            sure = drafts[0].confidence if way.confidence is None else way.confidence
            return _typed(view, way.kind(view, drafts), sure, way.layout(len(drafts)), way.reason, signs, 0)
    return None


def _has_card_beside(captions: Extraction, cards: Extraction) -> bool:
    """A large product with its labelled lines stands over its accessories."""
    return any(all(intersect(card.box, one.box) is None for one in captions.drafts) for card in cards.drafts)


def _are_blocks(view: PageView, captions: Extraction) -> bool:
    """Blocks of labelled lines under each other, or with several pictures each: no grid of captioned pictures."""
    drafts = captions.drafts
    labelled = 2 * sum(len(draft.contexts) >= _LABELS for draft in drafts) > len(drafts)
    x0, x1 = max(draft.box[0] for draft in drafts), min(draft.box[2] for draft in drafts)
    return labelled and (x0 < x1 or len(view.pictures) >= _PICTURES_A_BLOCK * len(drafts))


def _shows_families(view: PageView) -> bool:
    """Most product tables are small, hold no pictures and stand under one of their own."""
    rows = [reading for reading in view.tables if not reading.grid.turned]
    small = [reading for reading in rows if reading.grid.n_rows - reading.header.body <= _FAMILY_ROWS]
    small = [r for r in small if not any(contains_point(r.grid.table.box, *centre(p.box)) for p in view.pictures)]
    free = [p.box for p in view.pictures if not any(contains_point(box, *centre(p.box)) for box in view.table_boxes)]
    free = [box for box in free if box not in view.figure_boxes]
    headed = sum(1 for reading in small if any(_heads(box, reading.grid.table.box) for box in free))
    return headed * 2 > len(view.tables)


def _heads(picture: Box, table: Box) -> bool:
    """The picture stands right above the table and within its columns."""
    over = min(picture[2], table[2]) - max(picture[0], table[0])
    return over > 0.5 * (picture[2] - picture[0]) and -2 <= table[1] - picture[3] <= height(picture)


def _without_products(view: PageView, signs: Signs) -> PageType:
    """D, as sure as the page is free of prices, labels and codes; with many of them a page that was not understood."""
    if view.suspects:
        return _with_suspects(view, signs)
    if _unreadable(view):
        return _typed(view, "D", 0.5, "L3", "text_not_readable", signs, 0)
    if signs.priced_rows:
        return _typed(view, "A", 0.5, list_layout(signs.priced_rows), "priced_rows_not_understood", signs, 0)
    if told := _told(view, signs, CODED_HEADS, PRICED_NAMES, PRICED_ROWS):
        return told
    if signs.prices >= 3 or (signs.prices and signs.weight >= 3):
        return _typed(view, "B", 0.4, "L3", "products_not_understood", signs, 0)
    if told := _told(view, signs, TITLED_PAIRS, TITLED_LABELS, PRICED_TITLE, BARRED):
        return told
    if signs.weight >= 3:
        return _typed(view, "D", 0.6, "L3", "product_words_without_product", signs, 0)
    if told := _told(view, signs, NAMES_IN_COLUMN):
        return told
    if view.page.ocr is not None and view.page.features.picture_ratio > PICTURE_PAGE:
        return _typed(view, "D", 0.65, "L1", "recognised_page_with_pictures", signs, 0)
    if names_a_product(view) or specifies_a_product(view):
        return _typed(view, "D", 0.65, "L1", "code_and_name_without_specification", signs, 0)
    if _is_specification(view):
        return _typed(view, "D", 0.65, "L1", "sheet_of_a_product_not_understood", signs, 0)
    if _is_introduction(view):
        return _typed(view, "D", 0.65, "L1", "introduction_with_photo", signs, 0)
    captioned = captioned_pictures(view)
    if len(captioned) >= 2 and not signs.weight and shows_documents(view, captioned):
        return _typed(view, "D", 0.85, "L2", "certificates", signs, 0)
    if len(captioned) >= 2 and shows_samples(view, captioned):
        return _typed(view, "D", 0.85 if names_samples(captioned) else 0.65, "L2", "samples", signs, 0)
    if told := _told(view, signs, BULLETED, PHOTO_NAMES):
        return told
    if names_photos(view) and not tells_of_photos(view):
        return _typed(view, "D", 0.65, "L3", PHOTO_NAMES.reason, signs, 0)
    if tells_of_photos(view):
        told = _told(view, signs, TOLD_PHOTOS)
        return told or _typed(view, "D", 0.65, "L3", TOLD_PHOTOS.reason, signs, 0)
    named = len(captioned) >= 3 and len(captioned) * 10 >= len(view.pictures) * 7
    if named and view.chars < 600:
        told = _told(view, signs, NAMED_PHOTOS)
        return told or _typed(view, "D", 0.65, "L2", "pictures_with_captions", signs, 0)
    if shows_alike(view):
        return _typed(view, "D", 0.65, "L3", "pictures_alike_with_text", signs, 0)
    if sum(len(_PRICED.findall(line.text)) for line in view.lines) >= _TOLD_PRICES:
        return _typed(view, "D", 0.6, "L3", "prices_in_running_text", signs, 0)
    if names_on_a_photo(view):
        return _typed(view, "D", 0.65, "L3", "names_on_a_photo", signs, 0)
    if codes_at_photos(view):
        return _typed(view, "D", 0.65, "L3", "codes_at_photos", signs, 0)
    if _introduces(view):
        return _typed(view, "D", 0.65, "L1", "title_photo_and_facts", signs, 0)
    titled = any(is_title_of_document(line.text) for line in view.lines)
    if view.poster is not None and (signs.codes or signs.prices) and not titled:
        return _typed(view, "D", 0.65, "L1", "poster_with_code", signs, 0)
    if view.chars < _LITTLE_TEXT and view.page.ocr is None and _holds_print(view):
        return _typed(view, "D", 0.65, "L1", "picture_may_hold_text", signs, 0)
    if told := _told(view, signs, CODE_MATRIX):
        return told
    if shows_things(view) and (told := _told(view, signs, NAMED_PHOTOS)):
        return told
    if reason := may_be_of_products(view):
        return _typed(view, "D", 0.65, "L3", reason, signs, 0)
    return _typed(view, "D", max(0.75, 0.95 - 0.05 * signs.weight), "L3", "no_product_signs", signs, 0)


def _is_introduction(view: PageView) -> bool:
    """Its largest print, which other pages may have too, says that it introduces a product; a photo shows that."""
    title = max(view.page.lines, key=lambda line: line.size, default=None)
    return title is not None and heads_introduction(title.text) and 0 < len(view.large_photos) <= FEW_PHOTOS


def _is_specification(view: PageView) -> bool:
    """A heading over the page says that it is a product's sheet, and measures of the product stand on it."""
    over = view.page.height_pt * _OVER_PAGE
    headed = any(heads_specification(line.text) for line in view.lines if line.box[3] <= over)
    return headed and sum(is_measure(line.text) for line in view.lines) >= _FEW_ITEMS


def _introduces(view: PageView) -> bool:
    """Under a large title that may name a thing a photo, and items with numbers in them."""
    title = sheet_title(view)
    if title is None or names_no_thing(title.text) or is_document(title.text) or is_works_heading(title.text):
        return False
    photos = [p for p in view.large_photos if p.blur <= _PRINT_SHARP]
    items = [line for line in view.lines if _AMOUNTS.fullmatch(trim(line.text))
             or (is_bulleted(line.text) and any(map(str.isdigit, line.text)))]  # fmt: skip
    return 0 < len(photos) <= FEW_PHOTOS and len(items) >= _FEW_ITEMS


def _unreadable(view: PageView) -> bool:
    """Much of the text are signs of fonts without a mapping, which say nothing of what is printed, or letters of more
    scripts than one page is printed in: a mapping that is wrong."""
    chars = [char for line in view.lines for char in line.text if not char.isspace()]
    broken = sum(1 for char in chars if char == "\ufffd" or unicodedata.category(char) in ("Co", "Cn", "Cc"))
    return broken > _BROKEN * len(chars) or mixed_letters("".join(chars)) > _MIXED * len(chars)


def _holds_print(view: PageView) -> bool:
    """A large picture is as sharp as print, and nothing says that it is a figure: a caption, a section's number."""
    large = any(_is_print(view, picture) and not view.is_repeated(picture) for picture in view.page.pictures)
    return large and not is_of_figures(view)


def holds_print(view: PageView, picture: Picture) -> bool:
    """Beside captioned pictures, one without a caption that is wide and as sharp as print, as a table would be."""
    named = any(captioned.picture is picture for captioned in captioned_pictures(view))
    return _is_print(view, picture) and width(picture.box) > height(picture.box) and not named


def _is_print(view: PageView, picture: Picture) -> bool:
    return picture.blur > _PRINT_SHARP and area(picture.box) > _PRINT_AREA * view.page_area


def _with_suspects(view: PageView, signs: Signs) -> PageType:
    """A table page whose table no rule took; sure of it where the table goes on with products of a page before."""
    going_on = next((reading for reading in view.suspects if reading.merge), None)
    rows = sum(reading.grid.table.n_rows for reading in view.suspects)
    reading = going_on or view.suspects[0]
    return _typed(view, "A", 0.9 if going_on else 0.5, _table_layout(rows, 0), reading.suspect, signs, rows)


def _typed(view: PageView, kind: str, confidence: float, layout: str, reason: str, signs: Signs, rows: int) -> PageType:
    limits = view.config.classification
    detail: dict[str, object] = {
        "reason": reason,
        "table_reasons": [reading.judgement.reasons for reading in view.tables],
        "features": {
            "product_tables": len(view.tables),
            "product_rows": rows,
            "pictures": len(view.pictures),
            "prices": signs.prices,
            "codes": signs.codes,
            "labels": signs.labels,
        },
        "scores": {"page_type": round(confidence, 4), "tables": [reading.judgement.score for reading in view.tables]},
        "thresholds": {"page_type": limits.page_type_min_confidence, "table": limits.product_score},
    }
    if view.page.ocr is not None:
        confidence *= max(0.5, min(1.0, view.page.ocr.mean_score))
    return PageType(kind, round(confidence, 4), layout, reason, detail)


def _table_layout(rows: int, beside: int) -> str:
    if rows > 20:
        return "L4"
    return "L1" if rows == 1 else "L3" if beside or rows > 1 else "L2"


def _pictures_outside(view: PageView) -> int:
    return sum(1 for p in view.pictures if not any(contains_point(box, *centre(p.box)) for box in view.table_boxes))
