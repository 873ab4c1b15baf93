"""Page type A table, B mixed, C grid or photo, D no product, with confidence and layout (TA-CLS)."""

from catalogsku.core.box import Box, centre, contains_point, height, holds_centre, intersect
from processing.engine.understanding.captions.extractor import extract_captions
from processing.engine.understanding.captions.photo_names import photos_tell_more
from processing.engine.understanding.cards.extractor import extract_cards
from processing.engine.understanding.cards.families import extract_families
from processing.engine.understanding.cards.titled_tables import extract_titled_tables, tells_by_titles
from processing.engine.understanding.classifying.page_type import PageType, by_strategies, table_layout, typed
from processing.engine.understanding.classifying.printed import holds_print
from processing.engine.understanding.classifying.without_products import without_products
from processing.engine.understanding.draft import Extraction
from processing.engine.understanding.lists.extractor import extract_listed, lists_tell_more
from processing.engine.understanding.signs import Signs, find_signs
from processing.engine.understanding.singles import extract_single
from processing.engine.understanding.strategies import (
    PHOTO_NAMES,
    SURE,
    few_layout,
    grid_layout,
)
from processing.engine.understanding.view import PageView

# Prices outside its tables that make a page mixed.
_PRICES = 3
# Attributes under labels that make a caption a block of labelled lines.
_LABELS = 2
# Pictures for each of several products, as a grid has none.
_PICTURES_A_BLOCK = 2
# Products of a family that stand in a small table under the family's own picture: text and pictures of a few products.
_FAMILY_ROWS = 12


def classify(view: PageView) -> PageType:
    """The page's type by what the extractors would find on it, and how sure that is."""
    signs = find_signs(view)
    if view.is_index:
        return typed(view, "D", 0.85, "L3", "index_page", signs)
    if view.tables:
        return _with_tables(view, signs)
    if families := extract_families(view).drafts:
        return typed(view, "B", families[0].confidence, "L3", "priced_families", signs)
    captions, cards = extract_captions(view), extract_cards(view)
    if tells_by_titles(view, captions, cards):
        titled = extract_titled_tables(view).drafts
        return typed(view, "B", titled[0].confidence, few_layout(len(titled)), "titled_tables", signs)
    if lists_tell_more(view, captions, cards, extract_single(view)):
        listed = extract_listed(view).drafts
        sure = min(draft.confidence for draft in listed)
        return typed(view, "B", sure, few_layout(len(listed)), "headed_lists", signs)
    if photos_tell_more(view, captions, cards, extract_single(view)) and (
        page_type := by_strategies(view, signs, PHOTO_NAMES)
    ):
        return page_type
    if len(captions.drafts) > len(cards.drafts) or (
        len(captions.drafts) == len(cards.drafts) > 1 and captions.values >= cards.values
    ):
        sure = sum(draft.confidence for draft in captions.drafts) / len(captions.drafts)
        if any(holds_print(view, picture) for picture in view.pictures):
            return typed(view, "B", 0.93 * sure, "L3", "captions_and_printed_picture", signs)
        if _has_card_beside(captions, cards):
            return typed(view, "B", sure, "L3", "captions_and_card", signs)
        if _are_blocks(view, captions):
            return typed(view, "B", sure, "L3", "pictures_with_labelled_lines", signs)
        return typed(view, "C", sure, grid_layout(len(captions.drafts)), "captioned_pictures", signs)
    if cards.drafts:
        sure = min(draft.confidence for draft in cards.drafts)
        return typed(view, "B", sure, few_layout(len(cards.drafts)), "labelled_card", signs)
    return by_strategies(view, signs, *SURE) or without_products(view, signs)


def _with_tables(view: PageView, signs: Signs) -> PageType:
    rows = sum(reading.grid.n_rows - reading.header.body for reading in view.tables)
    certainty = max(reading.judgement.certainty for reading in view.tables)
    mixed = (
        bool(extract_cards(view).drafts)
        or bool(extract_captions(view).drafts)
        or signs.prices >= _PRICES
        or _shows_families(view)
    )
    kind, reason = ("B", "table_and_more") if mixed else ("A", "product_table")
    confidence = certainty * (0.93 if mixed else 1.0)
    return typed(view, kind, confidence, table_layout(rows, _pictures_outside(view)), reason, signs, rows)


def _has_card_beside(captions: Extraction, cards: Extraction) -> bool:
    """A large product with its labelled lines stands over its accessories."""
    return any(all(intersect(card.box, caption.box) is None for caption in captions.drafts) for card in cards.drafts)


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
    free = [p.box for p in view.pictures if not holds_centre(view.table_boxes, p.box)]
    free = [box for box in free if box not in view.figure_boxes]
    headed = sum(1 for reading in small if any(_heads(box, reading.grid.table.box) for box in free))
    return headed * 2 > len(view.tables)


def _heads(picture: Box, table: Box) -> bool:
    """The picture stands right above the table and within its columns."""
    over = min(picture[2], table[2]) - max(picture[0], table[0])
    return over > 0.5 * (picture[2] - picture[0]) and -2 <= table[1] - picture[3] <= height(picture)


def _pictures_outside(view: PageView) -> int:
    return sum(1 for p in view.pictures if not holds_centre(view.table_boxes, p.box))
