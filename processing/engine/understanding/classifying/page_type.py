"""A page's type (TA-CLS), and how it follows from what stands on the page."""

from dataclasses import dataclass

from processing.engine.understanding.signs import Signs
from processing.engine.understanding.view import PageView
from processing.engine.understanding.ways import Way


@dataclass(frozen=True)
class PageType:
    """A table, B mixed, C grid or photo, D no product; ``detail`` keeps features, scores, thresholds and reason for the
    trace (TA-TRACEAPI)."""

    page_type: str
    confidence: float
    layout: str
    reason: str
    detail: dict[str, object]


def typed(
    view: PageView, kind: str, confidence: float, layout: str, reason: str, signs: Signs, rows: int = 0
) -> PageType:
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


def by_ways(view: PageView, signs: Signs, *ways: Way) -> PageType | None:
    """By the first of these ways that finds products."""
    for way in ways:
        if drafts := way.extract(view).drafts:
            sure = drafts[0].confidence if way.confidence is None else way.confidence
            return typed(view, way.kind(view, drafts), sure, way.layout(len(drafts)), way.reason, signs)
    return None


def table_layout(rows: int, beside: int) -> str:
    if rows > 20:
        return "L4"
    return "L1" if rows == 1 else "L3" if beside or rows > 1 else "L2"
