"""The six dimensions on which a page is scored before it is routed (TA-DIMS)."""

import msgspec

DIMENSIONS = (
    "text_readability",
    "layout_quality",
    "table_structure",
    "image_quality",
    "image_text_relation",
    "product_density",
)


class PageScore(msgspec.Struct, frozen=True):
    """Each dimension 0 to 1; None where the page has nothing to judge it by (no table, no picture)."""

    number: int
    dimensions: dict[str, float | None]
    page_type: str
    expected_confidence: float


class MarginSummary(msgspec.Struct, frozen=True):
    """What the document pass needs of a page: its margin lines in running form, picture hashes, contents-page hints."""

    number: int
    lines: tuple[str, ...] = ()
    picture_hashes: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    index_like: bool = False
