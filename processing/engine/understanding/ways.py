"""The ways in which a page without product tables tells of its products, in the order in which they are asked.

Classifying and extracting go through the same list: what a page is taken for is what is then taken from it. Tables,
labelled cards and captioned pictures are asked before all of these; a way that another one may outdo is asked by that.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from processing.engine.understanding.captions.bulleted_names import extract_bulleted
from processing.engine.understanding.captions.labelled_photos import extract_labelled_photos
from processing.engine.understanding.captions.named_photos import extract_named_photos
from processing.engine.understanding.captions.names_in_column import extract_names_in_column
from processing.engine.understanding.captions.on_ground import extract_on_ground
from processing.engine.understanding.captions.photo_names import extract_photo_names, stand_beside
from processing.engine.understanding.captions.told_photos import extract_told_photos
from processing.engine.understanding.cards.coded_heads import extract_coded_heads
from processing.engine.understanding.cards.named_specs import extract_named
from processing.engine.understanding.cards.priced_title import extract_priced_title
from processing.engine.understanding.cards.titled_pairs import extract_titled_pairs
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.lists.bare_rows import extract_bare_rows
from processing.engine.understanding.lists.barred_titles import extract_barred
from processing.engine.understanding.lists.photo_rows import extract_photo_rows
from processing.engine.understanding.lists.priced_names import extract_priced_names
from processing.engine.understanding.lists.priced_rows import extract_priced_rows
from processing.engine.understanding.lists.titled_labels import extract_titled_labels
from processing.engine.understanding.lists.told_alike import extract_told_alike
from processing.engine.understanding.once import Extractor
from processing.engine.understanding.singles import extract_single
from processing.engine.understanding.tables.code_matrix import extract_code_matrix
from processing.engine.understanding.view import PageView

Drafts = Sequence[Draft]

# Share of the page that pictures take where it is one of photos, and a table where it is nothing else.
PICTURE_PAGE, _TABLE_PAGE = 0.33, 0.4
# Products that make a grid.
_GRID = 4


def grid_layout(products: int) -> str:
    if products == 1:
        return "L1"
    return "L2" if products <= 16 else "L4"


def list_layout(products: int) -> str:
    return "L4" if products > 20 else "L3"


def few_layout(products: int) -> str:
    return "L1" if products == 1 else "L3"


@dataclass(frozen=True)
class Way:
    """``reason``: of the page's type, which ``kind`` tells of what was found, as ``layout`` does of how many.
    ``confidence``: that the page is of this type; None: as sure as the first product."""

    reason: str
    extract: Extractor
    kind: Callable[[PageView, Drafts], str]
    layout: Callable[[int], str] = lambda products: "L3"
    confidence: float | None = None


def _mixed(view: PageView, drafts: Drafts) -> str:
    return "B"


def _table(view: PageView, drafts: Drafts) -> str:
    return "A"


def _photos(view: PageView, drafts: Drafts) -> str:
    return "C"


def _by_number(view: PageView, drafts: Drafts) -> str:
    return "C" if len(drafts) >= _GRID else "B"


def _by_place(view: PageView, drafts: Drafts) -> str:
    """Texts under their photos make a grid of however many."""
    under = all(draft.picture and draft.anchor[1] >= draft.picture[3] for draft in drafts)
    return "C" if under else _by_number(view, drafts)


def _by_pictures(view: PageView, drafts: Drafts) -> str:
    return "C" if view.page.features.picture_ratio > PICTURE_PAGE else "B"


def _by_what_is_shown(view: PageView, drafts: Drafts) -> str:
    if drafts[0].picture:
        return "C"
    return "A" if view.page.features.table_ratio > _TABLE_PAGE else "B"


def _by_side(view: PageView, drafts: Drafts) -> str:
    return "B" if stand_beside(view) and len(drafts) < _GRID else "C"


NAMED = Way("names_with_specifications", extract_named, _by_pictures)
SINGLE = Way("single_product", extract_single, _by_what_is_shown, lambda products: "L1")
TOLD_ALIKE = Way("names_with_one_label", extract_told_alike, _by_number)
ON_GROUND = Way("codes_on_ground", extract_on_ground, _photos, grid_layout)
CODED_HEADS = Way("names_beside_labelled_codes", extract_coded_heads, _mixed, few_layout, 0.6)
PRICED_NAMES = Way("priced_names_without_head", extract_priced_names, _table, list_layout, 0.5)
PRICED_ROWS = Way("rows_of_names_and_prices", extract_priced_rows, _table, list_layout, 0.5)
BARE_ROWS = Way("rows_of_names_and_bare_amounts", extract_bare_rows, _table, list_layout, 0.4)
PHOTO_ROWS = Way("rows_of_photos_names_and_prices", extract_photo_rows, _table, list_layout, 0.5)
TITLED_PAIRS = Way("titles_over_labels", extract_titled_pairs, _mixed)
TITLED_LABELS = Way("title_photo_and_labels", extract_titled_labels, _mixed, few_layout)
PRICED_TITLE = Way("title_photo_and_price", extract_priced_title, _mixed, few_layout)
BARRED = Way("title_between_bars", extract_barred, _mixed, few_layout)
NAMES_IN_COLUMN = Way("names_in_column", extract_names_in_column, _mixed)
BULLETED = Way("bulleted_names_at_photos", extract_bulleted, _photos, grid_layout, 0.65)
PHOTO_NAMES = Way("large_names_beside_photos", extract_photo_names, _by_side, confidence=0.65)
CODE_MATRIX = Way("matrix_of_codes", extract_code_matrix, _table, list_layout, 0.6)
TOLD_PHOTOS = Way("photos_with_a_text_each", extract_told_photos, _by_place, confidence=0.65)
LABELLED_PHOTOS = Way("photos_with_one_label", extract_labelled_photos, _photos, grid_layout, 0.65)
NAMED_PHOTOS = Way("photos_with_a_name_each", extract_named_photos, _photos, grid_layout, 0.65)

# These tell of products whatever else the page shows; the others only where nothing speaks against it.
SURE = (NAMED, SINGLE, TOLD_ALIKE, ON_GROUND)
WAYS = (*SURE, CODED_HEADS, PRICED_NAMES, PRICED_ROWS, BARE_ROWS, TITLED_PAIRS, TITLED_LABELS, PRICED_TITLE, BARRED,
        NAMES_IN_COLUMN, LABELLED_PHOTOS, BULLETED, PHOTO_NAMES, TOLD_PHOTOS, NAMED_PHOTOS, CODE_MATRIX)  # fmt: skip
