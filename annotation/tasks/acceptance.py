"""May what machines found on a page go out without a person having seen it (TA-SLAACCEPT): a pure function of facts."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

# What a page may wait for and still be right: doubts about the whole of it, and about which picture shows a product
# (one that was not bound stays so). Anything else names something that is wrong or missing.
DOUBTS = frozenset(
    {
        "low_confidence", "page_score_low", "page_type_uncertain", "binding_ambiguous", "image_without_sku",
        "sku_without_image", "main_image_too_small", "sku_count_abnormal",
    }
)  # fmt: skip


class Obstacle(StrEnum):
    NOT_PERMITTED = "not_permitted"
    PEOPLE_ONLY = "people_only"
    CONFIDENCE_LOW = "confidence_low"
    NO_SKU = "no_sku"
    NOT_COMPLETE = "not_complete"
    NOT_PRINTED = "not_printed"
    BLOCKED = "blocked"


@dataclass(frozen=True)
class SkuFacts:
    """``grounded``: each of its values stands on the page in just these words."""

    validity: str
    confidence: float
    grounded: bool


@dataclass(frozen=True)
class PageFacts:
    """``blockers``: codes, of the page and its SKUs and its tasks."""

    permitted: bool
    people_only: bool
    confidence: float | None
    skus: Sequence[SkuFacts]
    blockers: frozenset[str]


def obstacles(page: PageFacts, above: float) -> list[Obstacle]:
    """What stands against it; empty where it may be accepted. ``above``: the confidence that each must exceed."""
    confidences = [page.confidence or 0.0, *(sku.confidence for sku in page.skus)]
    against = {
        Obstacle.NOT_PERMITTED: not page.permitted,
        Obstacle.PEOPLE_ONLY: page.people_only,
        Obstacle.CONFIDENCE_LOW: min(confidences) <= above,
        Obstacle.NO_SKU: not page.skus,
        Obstacle.NOT_COMPLETE: any(sku.validity != "full" for sku in page.skus),
        Obstacle.NOT_PRINTED: not all(sku.grounded for sku in page.skus),
        Obstacle.BLOCKED: bool(page.blockers - DOUBTS),  # an injection flag among them
    }
    return [obstacle for obstacle, stands in against.items() if stands]
