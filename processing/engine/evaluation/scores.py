"""The six dimensions on which a page is scored before it is routed (TA-DIMS)."""

import msgspec

from processing.engine.result import Value

DIMENSIONS = (
    "text_readability",
    "layout_quality",
    "table_structure",
    "image_quality",
    "image_text_relation",
    "product_density",
)


# The rule analyst, where the name of a model would stand.
BY_RULES = "rules"


class PageScore(msgspec.Struct, frozen=True):
    """Each dimension 0 to 1; None where the page has nothing to judge it by (no table, no picture).

    ``analyst``: who scored the page, a model or BY_RULES; ``evidence``: the model's sentence of what speaks most for or
    against the page.
    """

    number: int
    dimensions: dict[str, float | None]
    page_type: str
    expected_confidence: float
    analyst: str = BY_RULES
    evidence: str = ""


class MarginSummary(msgspec.Struct, frozen=True):
    """What the document pass needs of a page: its margin lines in running form, picture hashes, contents-page hints.

    ``notes``: what a page without products says that values are given in, by the key of the document's facts.
    """

    number: int
    lines: tuple[str, ...] = ()
    picture_hashes: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    index_like: bool = False
    notes: dict[str, Value] = {}
