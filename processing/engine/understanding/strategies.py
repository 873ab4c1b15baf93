"""The ways in which a page without product tables tells of its products, in the order in which they are asked.

Classifying and extracting go through the same list: what a page is taken for is what is then taken from it. Tables,
labelled cards and captioned pictures are asked before all of these; a way that another one may outdo is asked by that.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from processing.engine.understanding.captions.photo_names import extract_photo_names, stand_beside
from processing.engine.understanding.cards.named_specs import extract_named
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.lists.told_alike import extract_told_alike
from processing.engine.understanding.once import Extractor
from processing.engine.understanding.singles import extract_single
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
class Strategy:
    """``reason``: of the page's type, which ``kind`` tells of what was found, as ``layout`` does of how many.
    ``confidence``: that the page is of this type; None: as sure as the first product."""

    reason: str
    extract: Extractor
    kind: Callable[[PageView, Drafts], str]
    layout: Callable[[int], str] = lambda products: "L3"
    confidence: float | None = None


def _by_number(view: PageView, drafts: Drafts) -> str:
    return "C" if len(drafts) >= _GRID else "B"


def _by_pictures(view: PageView, drafts: Drafts) -> str:
    return "C" if view.page.features.picture_ratio > PICTURE_PAGE else "B"


def _by_what_is_shown(view: PageView, drafts: Drafts) -> str:
    if drafts[0].picture:
        return "C"
    return "A" if view.page.features.table_ratio > _TABLE_PAGE else "B"


def _by_side(view: PageView, drafts: Drafts) -> str:
    return "B" if stand_beside(view) and len(drafts) < _GRID else "C"


NAMED = Strategy("names_with_specifications", extract_named, _by_pictures)
SINGLE = Strategy("single_product", extract_single, _by_what_is_shown, lambda products: "L1")
TOLD_ALIKE = Strategy("names_with_one_label", extract_told_alike, _by_number)
PHOTO_NAMES = Strategy("large_names_beside_photos", extract_photo_names, _by_side, confidence=0.65)

# These tell of products whatever else the page shows; the others only where nothing speaks against it.
SURE = (NAMED, SINGLE, TOLD_ALIKE)
STRATEGIES = (*SURE, PHOTO_NAMES)
