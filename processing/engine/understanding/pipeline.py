"""One page understood, stage after stage. Read this first: every stage is a pure function of what stands above it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import msgspec

from processing.engine.page import ParsedPage
from processing.engine.result import (
    Alternative,
    Blocker,
    DocumentFacts,
    Finding,
    PageResult,
    PictureRole,
    RowTally,
    Sku,
)
from processing.engine.understanding.answers import (
    ModelAnswers,
    answered_drafts,
    answered_type,
    denies_products,
    with_boxes,
)
from processing.engine.understanding.broken_prices import with_broken_prices
from processing.engine.understanding.classifying.page_type import PageType
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.dedup import without_duplicates
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.inheritance import with_inherited
from processing.engine.understanding.judging.blockers import find_blockers
from processing.engine.understanding.judging.confidence import Surroundings, doubts_about
from processing.engine.understanding.judging.consistency import Checked, check
from processing.engine.understanding.judging.context import missing_parts
from processing.engine.understanding.judging.coverage import Coverage, cover_page
from processing.engine.understanding.judging.grounding import grounded
from processing.engine.understanding.judging.injection import suspicions
from processing.engine.understanding.judging.schema_rules import check_schema
from processing.engine.understanding.judging.validity import judge_validity, to_sku
from processing.engine.understanding.judging.yen import in_yen
from processing.engine.understanding.order import order_boxes
from processing.engine.understanding.pictures.binding import bind
from processing.engine.understanding.pictures.roles import picture_roles
from processing.engine.understanding.pictures.told import as_told
from processing.engine.understanding.records import alternatives
from processing.engine.understanding.records.kinds import kind_of
from processing.engine.understanding.records.propose import Proposal
from processing.engine.understanding.records.score import Choice, choose
from processing.engine.understanding.rules.dictionaries import DICTIONARY_VERSION
from processing.engine.understanding.rules.in_force import in_force
from processing.engine.understanding.schema import named_by_schema
from processing.engine.understanding.second_opinion import with_opinion
from processing.engine.understanding.told_by_names import with_values_of_names
from processing.engine.understanding.units import with_units
from processing.engine.understanding.upright import upright
from processing.engine.understanding.view import PageView

ANALYST = f"rules/{DICTIONARY_VERSION}"
_UNKNOWN = PageType("D", 0.0, "L3", "not_classified", {})


@dataclass(frozen=True)
class Understood:
    """All that is known of a page so far; what no stage has filled yet is as empty as on a page without products.

    ``confidence`` is 0 until the last stage.
    """

    view: PageView
    answers: ModelAnswers | None = None
    kind: PageType = _UNKNOWN
    right: float | None = None
    choice: Choice | None = None
    extraction: Extraction = Extraction()
    drafts: tuple[Draft, ...] = ()
    tallies: tuple[RowTally, ...] = ()
    skus: tuple[Sku, ...] = ()
    roles: tuple[PictureRole, ...] = ()
    findings: tuple[Finding, ...] = ()
    coverage: Coverage = Coverage(1.0, 0.0, 0, ())
    confidence: float = 0.0
    blockers: tuple[Blocker, ...] = ()
    alternatives: tuple[Alternative, ...] = ()


def understand_page(
    page: ParsedPage,
    earlier: Sequence[ParsedPage],
    facts: DocumentFacts,
    config: AnalystConfig,
    answers: ModelAnswers | None = None,
) -> PageResult:
    """Products of one page, by the words that are built in and those of ``config``.

    ``earlier``: up to 10 pages before it, in any order, for tables that continue.

    ``answers``: what models said of it, in place of the rule analyst's own reading; checked and judged as that is.
    """
    with in_force(config.words):
        return _by_words(page, earlier, facts, config, answers)


def _by_words(
    page: ParsedPage,
    earlier: Sequence[ParsedPage],
    facts: DocumentFacts,
    config: AnalystConfig,
    answers: ModelAnswers | None,
) -> PageResult:
    seen = upright(page, earlier, facts)
    view = PageView(seen.page, seen.earlier, seen.facts, config)
    if answers is not None and page.turn:
        answers = with_boxes(answers, seen.box)
    if missing := missing_parts(config):
        stopped = Blocker("context_missing", {"parts": ", ".join(missing)}, severity="error")
        return _result(Understood(view, answers, blockers=(stopped,)))
    result = seen.back(_result(_with_alternatives(_understood(Understood(view, answers)))))
    if answers is not None and answers.second is not None:
        return with_opinion(result, _by_words(page, earlier, facts, config, answers.second))
    return result


def _understood(understood: Understood) -> Understood:
    """Every stage in its order; one that fails ends the page, which keeps what was found before it (GR-STAGEFAIL)."""
    for stage in STAGES:
        try:
            understood = stage(understood)
        except MemoryError:
            raise  # a limit of the sandbox: the page ends its child and is tried again
        except Exception as error:
            params: dict[str, str | int | float] = {
                "stage": stage.__name__.strip("_"),
                "error": f"{type(error).__name__}: {error}"[:200],
            }
            failed = Blocker("stage_failed", params, severity="error")
            return replace(understood, blockers=(*understood.blockers, failed))
    return understood


def _guard(understood: Understood) -> Understood:
    """Whether the page speaks to a machine; first, so that no failure of another stage hides it."""
    findings, blockers = suspicions(understood.view.page)
    return replace(understood, findings=findings, blockers=blockers)


def _read(understood: Understood) -> Understood:
    """The records that tell the page best, and the type that follows from them."""
    choice = choose(understood.view)
    kind, extraction = choice.kind, choice.extraction
    denied = understood.answers is not None and denies_products(understood.answers, extraction.drafts)
    if denied:
        understood = replace(understood, blockers=(*understood.blockers, Blocker("products_denied")))
    elif understood.answers is not None and understood.answers.skus is None:
        kind, extraction = answered_type(understood.answers, kind), Extraction(used=extraction.used)
    elif understood.answers is not None:
        extraction = answered_drafts(understood.answers, understood.view, extraction)
        kind = answered_type(understood.answers, kind, extraction.drafts)
    drafts, tallies = without_duplicates(extraction.drafts, extraction.tallies)
    blockers = (*understood.blockers, *extraction.blockers)
    right = choice.right if understood.answers is None or denied else None
    return replace(
        understood,
        kind=kind,
        right=right,
        choice=choice,
        extraction=extraction,
        drafts=drafts,
        tallies=tallies,
        blockers=blockers,
    )


def _complete(understood: Understood) -> Understood:
    """Names of the schema, inherited values, prices in pieces, units and currencies, reading order."""
    named = with_inherited(understood.view, named_by_schema(understood.drafts, understood.view.config.attributes))
    priced = with_broken_prices(with_values_of_names(named), understood.view.lines)
    drafts = with_units(understood.view, priced)
    return replace(understood, drafts=tuple(drafts[n] for n in order_boxes([draft.box for draft in drafts])))


def _judge(understood: Understood) -> Understood:
    """Validity and confidence of each product."""
    around = Surroundings(understood.view, understood.drafts)
    skus = (to_sku(draft, doubts_about(draft, around), around.reading) for draft in understood.drafts)
    return replace(understood, skus=in_yen(skus, understood.view.page))


def _ground(understood: Understood) -> Understood:
    """Each value against the text of the page that its evidence names."""
    near = (understood.view.page, *understood.view.earlier)
    skus, unproved = grounded(understood.skus, {page.number: page for page in near})
    return replace(understood, skus=skus, blockers=(*understood.blockers, *unproved))


def _bind(understood: Understood) -> Understood:
    """Pictures of each product, or the candidates for them, and what every other picture is."""
    decided = bind(understood.view, understood.skus, understood.drafts, understood.kind.layout)
    decided = [
        as_told(bound, draft.told_pictures, understood.view.page)
        for bound, draft in zip(decided, understood.drafts, strict=True)
    ]
    skus = tuple(
        msgspec.structs.replace(sku, bindings=d.bindings, candidates=d.candidates, ambiguous=d.ambiguous)
        for sku, d in zip(understood.skus, decided, strict=True)
    )
    return replace(understood, skus=skus, roles=tuple(picture_roles(understood.view, skus, understood.kind.page_type)))


def _check(understood: Understood) -> Understood:
    """Rules, coverage, the page's confidence and why a person is needed."""
    view, kind, skus, config = understood.view, understood.kind, understood.skus, understood.view.config
    findings = understood.findings + check(
        Checked(view.page, kind.page_type, skus, understood.roles, understood.tallies, config.rules)
    )
    findings += check_schema(skus, config.schema_rules)
    coverage = cover_page(view, kind, understood.extraction.used, understood.tallies, skus, understood.roles)
    failed = any(finding.severity == "error" for finding in findings)
    factor = config.rules.error_factor if failed else 1.0
    if understood.right is not None:
        confidence = round(understood.right * factor, 4)
    else:
        confidence = page_confidence(kind.confidence, skus, coverage.share, factor)
    twice = frozenset(n for n, draft in enumerate(understood.drafts) if draft.seen_twice)
    blockers = (*understood.blockers, *find_blockers(config, kind, skus, findings, confidence, coverage, twice))
    if understood.answers is not None:
        blockers = (*understood.answers.blockers, *blockers)
    return replace(understood, findings=findings, coverage=coverage, confidence=confidence, blockers=blockers)


def _with_alternatives(understood: Understood) -> Understood:
    """And what proposals that were not taken tell of besides, as it would be had they been taken."""
    if understood.choice is None:
        return understood
    found = alternatives.best_of(understood.skus, understood.choice, lambda proposal: _taken(understood, proposal))
    return replace(understood, alternatives=found)


def _taken(understood: Understood, proposal: Proposal) -> tuple[PageType, tuple[Sku, ...]]:
    """The page's type by its products alone: what the rules took the page for was not followed."""
    kind = kind_of(replace(proposal, proposer=""), understood.kind, understood.view)
    taken = Understood(understood.view, kind=kind, extraction=proposal.extraction, drafts=proposal.extraction.drafts)
    for stage in (_complete, _judge, _ground, _bind):
        taken = stage(taken)
    return kind, taken.skus


STAGES: tuple[Callable[[Understood], Understood], ...] = (
    _guard, _read, _complete, _judge, _ground, _bind, _check
)  # fmt: skip


def _result(understood: Understood) -> PageResult:
    return PageResult(
        number=understood.view.page.number,
        page_type=understood.kind.page_type,
        type_confidence=understood.kind.confidence,
        layout_type=understood.kind.layout,
        confidence=understood.confidence,
        extractor=understood.extraction.extractor,
        skus=understood.skus or tuple(map(_unjudged, understood.drafts)),
        roles=understood.roles,
        blockers=understood.blockers,
        tallies=understood.tallies,
        merges=understood.extraction.merges,
        coverage=understood.coverage.share,
        ledger=understood.coverage.ledger,
        fallback_reason=understood.extraction.fallback_reason,
        classification=understood.kind.detail,
        findings=understood.findings,
        analyst=understood.answers.analyst if understood.answers else ANALYST,
        asked=understood.answers.asked if understood.answers else (),
        alternatives=understood.alternatives,
    )


def _unjudged(draft: Draft) -> Sku:
    """What is kept of a product when the page ends before it was judged."""
    validity, _ = judge_validity(draft.attributes)
    return Sku(draft.box, draft.attributes, draft.custom, validity, table=draft.table, row=draft.row)


def page_confidence(type_confidence: float, skus: tuple[Sku, ...], coverage: float, factor: float) -> float:
    """Where nothing fitted says it: smallest of type confidence, mean SKU confidence and coverage share,
    times 0.7 on an error rule (X-CONF)."""
    parts = [type_confidence, coverage]
    if skus:
        parts.append(sum(sku.confidence for sku in skus) / len(skus))
    return round(min(parts) * factor, 4)
