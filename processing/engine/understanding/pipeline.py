"""One page understood, stage after stage. Read this first: every stage is a pure function of what stands above it."""

from collections.abc import Sequence

import msgspec

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts, PageResult, Sku
from processing.engine.understanding.binding import bind
from processing.engine.understanding.blockers import find_blockers
from processing.engine.understanding.classify import PageType, classify
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.consistency import Checked, check
from processing.engine.understanding.coverage import cover_page
from processing.engine.understanding.dedup import without_duplicates
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.extractors import extract
from processing.engine.understanding.inheritance import with_inherited
from processing.engine.understanding.order import order_boxes
from processing.engine.understanding.roles import picture_roles
from processing.engine.understanding.rules.dictionaries import DICTIONARY_VERSION
from processing.engine.understanding.schema import named_by_schema
from processing.engine.understanding.schema_rules import check_schema
from processing.engine.understanding.validity import to_sku
from processing.engine.understanding.view import PageView

ANALYST = f"rules/{DICTIONARY_VERSION}"


def understand_page(
    page: ParsedPage, earlier: Sequence[ParsedPage], facts: DocumentFacts, config: AnalystConfig
) -> PageResult:
    """Products of one page. ``earlier``: up to 10 pages before it, in any order, for tables that continue."""
    view = PageView(page, earlier, facts, config)
    kind = classify(view)
    extraction = extract(kind.page_type, view)
    drafts, tallies = without_duplicates(extraction.drafts, extraction.tallies)
    drafts = with_inherited(view, named_by_schema(drafts, config.attributes))
    drafts = tuple(drafts[n] for n in order_boxes([draft.box for draft in drafts]))
    skus = bound_skus(view, drafts, kind)
    roles = picture_roles(view, skus, kind.page_type)
    findings = check(Checked(page, kind.page_type, skus, roles, tallies, config.rules))
    findings += check_schema(skus, config.schema_rules)
    covered = cover_page(view, kind, extraction.used, tallies, skus, roles)
    failed = any(finding.severity == "error" for finding in findings)
    confidence = page_confidence(kind.confidence, skus, covered.share, config.rules.error_factor if failed else 1.0)
    return PageResult(
        number=page.number,
        page_type=kind.page_type,
        type_confidence=kind.confidence,
        layout_type=kind.layout,
        confidence=confidence,
        extractor=extraction.extractor,
        skus=skus,
        roles=roles,
        blockers=(*extraction.blockers, *find_blockers(config, kind, skus, findings, confidence, covered)),
        tallies=tallies,
        continues=extraction.continues,
        coverage=covered.share,
        ledger=covered.ledger,
        classification=kind.detail,
        findings=findings,
        analyst=ANALYST,
    )


def bound_skus(view: PageView, drafts: tuple[Draft, ...], kind: PageType) -> tuple[Sku, ...]:
    """The drafts as SKUs with their pictures or the candidates for them."""
    skus = tuple(to_sku(draft) for draft in drafts)
    decided = bind(view, skus, drafts, kind.layout)
    return tuple(
        msgspec.structs.replace(sku, bindings=d.bindings, candidates=d.candidates, ambiguous=d.ambiguous)
        for sku, d in zip(skus, decided, strict=True)
    )


def page_confidence(type_confidence: float, skus: tuple[Sku, ...], coverage: float, factor: float) -> float:
    """Smallest of type confidence, mean SKU confidence and coverage share, times 0.7 on an error rule (X-CONF)."""
    parts = [type_confidence, coverage]
    if skus:
        parts.append(sum(sku.confidence for sku in skus) / len(skus))
    return round(min(parts) * factor, 4)
