"""Why a person is needed, in codes: per page and per SKU (X-BLOCKER)."""

from collections.abc import Iterator

from processing.engine.result import Blocker, Finding, Sku
from processing.engine.understanding.classifying.page_type import PageType
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.judging.consistency import ACTIONS
from processing.engine.understanding.judging.coverage import Coverage
from processing.engine.understanding.judging.schema_rules import schema_blockers
from processing.engine.understanding.rules.typed import doubt_of


def find_blockers(
    config: AnalystConfig,
    kind: PageType,
    skus: tuple[Sku, ...],
    findings: tuple[Finding, ...],
    confidence: float,
    covered: Coverage,
    seen_twice: frozenset[int] = frozenset(),
) -> tuple[Blocker, ...]:
    """Blockers of the page first, then of its SKUs in their order. ``seen_twice``: numbers of those of which rules and
    a model say the same; that nothing is printed of them but a name is no doubt then."""
    return (
        *_page_blockers(config, kind, skus, findings, confidence, covered),
        *_sku_blockers(config, skus, seen_twice),
        *schema_blockers(findings, config.schema_rules),
    )


def _page_blockers(
    config: AnalystConfig,
    kind: PageType,
    skus: tuple[Sku, ...],
    findings: tuple[Finding, ...],
    confidence: float,
    covered: Coverage,
) -> Iterator[Blocker]:
    minimum = config.classification.page_type_min_confidence
    if kind.confidence < minimum:
        yield Blocker("page_type_uncertain", {"confidence": kind.confidence, "minimum": minimum, "reason": kind.reason})
    if kind.page_type != "D" and not skus:
        yield Blocker("no_sku_found", {"reason": kind.reason})
    for finding in findings:
        if ACTIONS.get(finding.code) == "blocker":
            yield Blocker(
                finding.code, finding.params, finding.sku, "error" if finding.severity == "error" else "review"
            )
    if skus and (covered.share < config.rules.coverage_min or covered.products >= 1 or covered.pictures):
        uncovered = {"products": covered.products, "pictures": covered.pictures}
        yield Blocker("coverage_low", {"coverage": covered.share, "minimum": config.rules.coverage_min, **uncovered})
    if skus and confidence < config.review_below:
        yield Blocker("low_confidence", {"confidence": confidence, "minimum": config.review_below})


def _sku_blockers(config: AnalystConfig, skus: tuple[Sku, ...], seen_twice: frozenset[int]) -> Iterator[Blocker]:
    for n, sku in enumerate(skus):
        if sku.validity == "invalid":
            yield Blocker("identity_missing", {}, n)
        if sku.validity == "partial" and config.validity_mode == "strict" and n not in seen_twice:
            yield Blocker("specification_missing", {}, n)
        if sku.confidence < config.sku_review_below:
            yield Blocker(
                "sku_doubtful", {"confidence": round(sku.confidence, 2), "minimum": config.sku_review_below}, n
            )
        if sku.ambiguous:
            yield Blocker("binding_ambiguous", {"pictures": len(sku.candidates)}, n)
        price = sku.attributes.get("price")
        if price is not None and doubt_of("price", price.text):
            yield Blocker("price_unclear", {"price": price.text}, n)
