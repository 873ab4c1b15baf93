"""What another profile or routing table would have done with the documents of the last 30 days, from what is stored.

Nothing is read again and no model is asked. What cannot be said without that is counted, and said by its code.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypedDict

import msgspec
from django.db.models import QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Now

from catalogsku.core.structs import ready
from catalogsku.profiles.figures import LIMITS
from catalogsku.profiles.models import RoutingTable, ThresholdProfile
from ingestion.lifecycle import PageStage, PageStatus, Route, SkipReason
from ingestion.models import Job, Page
from processing.engine.evaluation.evaluate import Evaluation as Judgement
from processing.engine.evaluation.evaluate import evaluate
from processing.engine.evaluation.scores import BY_RULES, PageScore
from processing.engine.page import Features
from processing.engine.result import Blocker
from processing.engine.understanding.config import AnalystConfig
from processing.llm.routing import Routes
from processing.pages.models import Evaluation
from processing.pages.services.consulting import is_worth_asking
from processing.pages.services.evaluating import prescan_facts
from processing.quality.services.histories import History, Worked
from processing.sandboxed import frozen

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _WithDecisions(TypedDict):
        decided: str  # what people said of the page, as JSON

    _Decided = WithAnnotations[Page, _WithDecisions]

DAYS, MOST_DOCUMENTS, MOST_PAGES, MOST_S = 30, 300, 8_000, 4.0
# What the route or the profile adds to what was found on a page; all of it follows from stored figures.
COMPUTED = frozenset({"page_score_low", "route_human_all", "low_confidence", "page_type_uncertain"})
# Statuses in which a page's reasons are still what machines found.
UNTOUCHED = (PageStatus.AI_COMPLETED, PageStatus.SKIPPED, PageStatus.HUMAN_QUEUED)
WITH_PEOPLE = (PageStatus.HUMAN_PROCESSING, PageStatus.HUMAN_COMPLETED)
# Figures of which the pages would have to be read or understood again.
UNKNOWABLE = (
    ("prescan_rules", "min_text_chars_for_blank"),
    ("classification", "no_product_skip_confidence"),
    ("classification", "product_score"),
    ("classification", "skips_checked"),
    ("classification", "skip_doubtful_below"),
    *(("limits", key) for key in LIMITS),
)


@dataclass(frozen=True)
class Side:
    """``routing``: None for the one that each document has."""

    profile: ThresholdProfile | None
    routing: RoutingTable | None

    def profile_of(self, job: Job) -> ThresholdProfile:
        return self.profile or job.profile

    def routes_of(self, job: Job) -> Routes:
        return frozen.routes_of(self.routing or job.routing)


@dataclass
class Effect:
    """Over ``documents`` with ``pages`` whose result is stored. ``routes``: documents by (route now, route then) where
    these differ. ``people`` and ``models``: pages that would go there and do not now ("more"), or the other way round
    ("fewer"). ``worked_on``: pages that people have worked on, of which is not known whether they still would.
    ``answered``: pages that models have answered, of which the rules' own result is not kept. ``left_out``: documents
    beyond the bounds. ``notes``: codes of changes that cannot be told from what is stored.

    With a history: ``wrong_skus`` that would go out more (below 0: fewer), ``people_s`` that people would work more;
    of pages that nobody has looked at as on the mean."""

    documents: int = 0
    pages: int = 0
    routes: Counter[tuple[str, str]] = field(default_factory=Counter)
    people: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    worked_on: int = 0
    answered: int = 0
    left_out: int = 0
    notes: list[str] = field(default_factory=list)
    wrong_skus: float = 0.0
    people_s: float = 0.0

    @property
    def is_nothing(self) -> bool:
        return not (self.routes or self.people or self.models)


def effect_of_profile(new: ThresholdProfile, history: History | None = None) -> Effect:
    """Beside the active version of its key; without one there is nothing to say."""
    old = ThresholdProfile.objects.filter(key=new.key, active=True).first()
    if old is None:
        return Effect(notes=["new_key"])
    effect = _effect(Side(old, None), Side(new, None), _jobs().filter(profile__key=new.key), history)
    effect.notes += [
        key for column, key in UNKNOWABLE if getattr(old, column).get(key) != getattr(new, column).get(key)
    ]
    if old.validity_mode == "lenient" and new.validity_mode == "strict":
        effect.notes.append("partial_skus")
    return effect


def effect_of_routing(new: RoutingTable) -> Effect:
    old = RoutingTable.objects.get(key=new.key, active=True)
    return _effect(Side(None, old), Side(None, new), _jobs())


def _jobs() -> "QuerySet[Job]":
    rows = Job.objects.filter(evaluated_at__gte=Now() - timedelta(days=DAYS)).select_related("profile", "routing")
    return rows.order_by("-evaluated_at")


def _effect(old: Side, new: Side, jobs: "QuerySet[Job]", history: History | None = None) -> Effect:
    effect, until = Effect(), time.monotonic() + MOST_S
    recent = list(jobs[:MOST_DOCUMENTS])
    left_out = jobs.count() - len(recent)
    evaluations = Evaluation.objects.in_bulk([job.route_reason.get("evaluation") or 0 for job in recent])
    for n, job in enumerate(recent):
        if effect.pages >= MOST_PAGES or time.monotonic() > until:
            left_out += len(recent) - n
            break
        evaluation = evaluations.get(job.route_reason.get("evaluation") or 0)
        if evaluation is not None and evaluation.merchant_id == job.merchant_id:
            _add(effect, job, evaluation, old, new, history)
    effect.left_out = left_out
    return effect


def _add(
    effect: Effect, job: Job, evaluation: Evaluation, old: Side, new: Side, history: History | None = None
) -> None:
    if "pages" not in evaluation.report:
        return
    scores = msgspec.convert(evaluation.report["pages"], ready(tuple[PageScore, ...]))
    facts = prescan_facts(job)
    was, would = (evaluate(scores, facts, frozen.evaluation_config(side.profile_of(job))) for side in (old, new))
    effect.documents += 1
    if was.route != would.route:
        effect.routes[was.route, would.route] += 1
    sides = [(old.profile_of(job), was, old.routes_of(job)), (new.profile_of(job), would, new.routes_of(job))]
    for page in _pages(job):
        effect.pages += 1
        worked = history.pages.get(page.pk) if history else None
        if worked is not None and worked.with_person:
            _count_worked(effect, worked, any(_computed(page, *sides[1][:2])), sides[1][0])
            continue
        reasons = [_reasons(page, profile, judged) for profile, judged, _ in sides]
        if page.status in WITH_PEOPLE:
            effect.worked_on += not any(blocker.code in COMPUTED for blocker in reasons[1])
            continue
        now, then = (bool(blockers) for blockers in reasons)
        _count(effect.people, now, then)
        if history is not None and now != then:
            wrong = worked.wrong if worked is not None else history.wrong_at(page.confidence or 0.0)
            effect.wrong_skus += -wrong if then else wrong
            effect.people_s += history.pace_s if then else -history.pace_s
        if _is_answered(page):
            effect.answered += 1
            continue
        features = msgspec.convert(page.features, ready(Features))
        would_ask = [
            is_worth_asking(blockers, page, features, side[2]) for blockers, side in zip(reasons, sides, strict=True)
        ]
        _count(effect.models, *would_ask)


def _count_worked(effect: Effect, worked: Worked, still: bool, profile: ThresholdProfile) -> None:
    """``still``: whether the new profile or route would give it to a person, whatever else was found on it."""
    found = worked.found - COMPUTED - ({"specification_missing"} if profile.validity_mode == "lenient" else set())
    if not found and not still:
        effect.people["fewer"] += 1
        effect.people_s -= worked.seconds
        effect.wrong_skus += worked.wrong


def _count(counter: Counter[str], now: bool, then: bool) -> None:
    if now != then:
        counter["more" if then else "fewer"] += 1


def _pages(job: Job) -> Iterator["_Decided"]:
    """With a result of machines, or of people after it."""
    columns = (
        "number",
        "status",
        "features",
        "confidence",
        "type_confidence",
        "page_type",
        "blockers",
        "sku_count",
        "analyst",
    )
    rows = Page.objects.filter(
        job=job, status__in=(*UNTOUCHED, *WITH_PEOPLE), stage=PageStage.NONE, confidence__isnull=False
    )
    rows = rows.filter(skip_reason__in=["", SkipReason.NO_PRODUCT])
    return rows.only(*columns).annotate(decided=KT("validation__decided")).iterator()


def _is_answered(page: Page) -> bool:
    return bool(page.analyst) and not page.analyst.startswith(BY_RULES)


def _reasons(page: "_Decided", profile: ThresholdProfile, judged: Judgement) -> list[Blocker]:
    """Why a person would look at the page: what was found on it, and what follows from profile and route."""
    blockers = [_blocker(blocker) for blocker in page.blockers if blocker["code"] not in COMPUTED]
    if profile.validity_mode == "lenient":
        blockers = [blocker for blocker in blockers if blocker.code != "specification_missing"]
    return [*blockers, *(Blocker(code) for code in _computed(page, profile, judged))]


def _blocker(stored: Mapping[str, Any]) -> Blocker:
    return Blocker(stored["code"], sku=stored.get("sku"))


def _computed(page: "_Decided", profile: ThresholdProfile, judged: Judgement) -> Sequence[str]:
    """As find_blockers and page_blockers do it."""
    least = float(frozen.in_force(profile).classification["page_type_min_confidence"])
    passes, score = float(profile.threshold_pv), judged.page_scores.get(page.number)
    confidence = page.confidence or 0.0
    is_hybrid = judged.route == Route.HYBRID and page.sku_count > 0
    is_doubtful = page.sku_count > 0 and confidence < AnalystConfig().review_below
    return [
        code
        for code, holds in (
            ("page_type_uncertain", not _has_type(page) and (page.type_confidence or 0.0) < least),
            ("page_score_low", is_hybrid and score is not None and score < passes),
            ("low_confidence", is_doubtful or (is_hybrid and confidence < passes)),
            ("route_human_all", judged.route == Route.HUMAN_ALL),
        )
        if holds
    ]


def _has_type(page: "_Decided") -> bool:
    """A person said what the page is."""
    return "page_type" in (page.decided or "")
