"""Page type A table, B mixed, C grid or photo, D no product, with confidence and layout (TA-CLS)."""

from dataclasses import dataclass

from catalogsku.core.box import area, centre, contains_point
from processing.engine.understanding.captions import captioned_pictures, extract_captions, shows_documents
from processing.engine.understanding.cards import extract_cards, names_a_product, specifies_a_product
from processing.engine.understanding.draft import Extraction
from processing.engine.understanding.signs import Signs, find_signs
from processing.engine.understanding.view import PageView

# A picture over a third of the page beside few words may be an infographic or a poster that names products.
_PICTURE_PAGE = 0.33
_LITTLE_TEXT = 400


@dataclass(frozen=True)
class PageType:
    """``detail`` keeps features and reason for the trace (TA-TRACEAPI)."""

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
        mixed = bool(extract_cards(view).drafts) or bool(extract_captions(view).drafts) or signs.prices >= 3
        kind, reason = ("B", "table_and_more") if mixed else ("A", "product_table")
        confidence = certainty * (0.93 if mixed else 1.0)
        return _typed(view, kind, confidence, _table_layout(rows, beside), reason, signs, rows)
    captions, cards = extract_captions(view), extract_cards(view)
    if len(captions.drafts) > len(cards.drafts) or (
        len(captions.drafts) == len(cards.drafts) > 1 and _values(captions) >= _values(cards)
    ):
        sure = sum(draft.confidence for draft in captions.drafts) / len(captions.drafts)
        return _typed(view, "C", sure, _grid_layout(len(captions.drafts)), "captioned_pictures", signs, rows)
    if cards.drafts:
        sure = min(draft.confidence for draft in cards.drafts)
        return _typed(view, "B", sure, "L1" if len(cards.drafts) == 1 else "L3", "labelled_card", signs, rows)
    return _without_products(view, signs)


def _values(extraction: Extraction) -> int:
    return sum(len(draft.attributes) for draft in extraction.drafts)


def _without_products(view: PageView, signs: Signs) -> PageType:
    """D, as sure as the page is free of prices, labels and codes; with many of them a page that was not understood."""
    if view.suspects:
        return _with_suspects(view, signs)
    if signs.prices >= 3 or (signs.prices and signs.weight >= 3):
        return _typed(view, "B", 0.4, "L3", "products_not_understood", signs, 0)
    if signs.weight >= 3:
        return _typed(view, "D", 0.6, "L3", "product_words_without_product", signs, 0)
    if view.page.ocr is not None and _picture_share(view) > _PICTURE_PAGE:
        return _typed(view, "D", 0.65, "L1", "recognised_page_with_pictures", signs, 0)
    if names_a_product(view) or specifies_a_product(view):
        return _typed(view, "D", 0.65, "L1", "code_and_name_without_specification", signs, 0)
    captioned = captioned_pictures(view)
    if len(captioned) >= 2 and not signs.weight and shows_documents(view, captioned):
        return _typed(view, "D", 0.85, "L2", "certificates", signs, 0)
    named = len(captioned) >= 3 and len(captioned) * 10 >= len(view.pictures) * 7
    if named and sum(len(line.text) for line in view.lines) < 600:
        return _typed(view, "D", 0.65, "L2", "pictures_with_captions", signs, 0)
    if not view.page.text.strip() and view.page.pictures:
        return _typed(view, "D", 0.5 if _picture_share(view) > 0.3 else 0.75, "L1", "picture_without_text", signs, 0)
    if _largest_picture(view) > _PICTURE_PAGE and sum(len(line.text) for line in view.lines) < _LITTLE_TEXT:
        return _typed(view, "D", 0.65, "L1", "picture_may_hold_text", signs, 0)
    return _typed(view, "D", max(0.75, 0.95 - 0.05 * signs.weight), "L3", "no_product_signs", signs, 0)


def _with_suspects(view: PageView, signs: Signs) -> PageType:
    """A table page whose table no rule took; sure of it where the table goes on with products of a page before."""
    going_on = next((reading for reading in view.suspects if reading.merge), None)
    rows = sum(reading.grid.table.n_rows for reading in view.suspects)
    reading = going_on or view.suspects[0]
    return _typed(view, "A", 0.9 if going_on else 0.5, _table_layout(rows, 0), reading.suspect, signs, rows)


def _typed(view: PageView, kind: str, confidence: float, layout: str, reason: str, signs: Signs, rows: int) -> PageType:
    detail: dict[str, object] = {
        "reason": reason,
        "product_tables": len(view.tables),
        "product_rows": rows,
        "table_reasons": [reading.judgement.reasons for reading in view.tables],
        "pictures": len(view.pictures),
        "prices": signs.prices,
        "codes": signs.codes,
        "labels": signs.labels,
        "min_confidence": view.config.classification.page_type_min_confidence,
    }
    if view.page.ocr is not None:
        confidence *= max(0.5, min(1.0, view.page.ocr.mean_score))
    return PageType(kind, round(confidence, 4), layout, reason, detail)


def _table_layout(rows: int, beside: int) -> str:
    if rows > 20:
        return "L4"
    return "L1" if rows == 1 else "L3" if beside or rows > 1 else "L2"


def _grid_layout(products: int) -> str:
    if products == 1:
        return "L1"
    return "L2" if products <= 16 else "L4"


def _pictures_outside(view: PageView) -> int:
    return sum(1 for p in view.pictures if not any(contains_point(box, *centre(p.box)) for box in view.table_boxes))


def _largest_picture(view: PageView) -> float:
    return max((area(picture.box) for picture in view.page.pictures), default=0.0) / view.page_area


def _picture_share(view: PageView) -> float:
    return sum(area(picture.box) for picture in view.page.pictures) / view.page_area
