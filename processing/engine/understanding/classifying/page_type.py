"""A page's type (TA-CLS), and how it follows from what stands on the page."""

from dataclasses import dataclass

from processing.engine.understanding.signs import Signs
from processing.engine.understanding.strategies import Strategy
from processing.engine.understanding.view import PageView


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


def by_strategies(view: PageView, signs: Signs, *strategies: Strategy) -> PageType | None:
    """By the first of these strategies that finds products."""
    for strategy in strategies:
        if drafts := strategy.extract(view).drafts:
            sure = drafts[0].confidence if strategy.confidence is None else strategy.confidence
            return typed(view, strategy.kind(view, drafts), sure, strategy.layout(len(drafts)), strategy.reason, signs)
    return None


def table_layout(rows: int, beside: int) -> str:
    if rows > 20:
        return "L4"
    return "L1" if rows == 1 else "L3" if beside or rows > 1 else "L2"
