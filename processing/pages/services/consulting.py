"""Pages that models are asked about: claimed one by one, asked question by question, recorded as the rules' own are.

A page comes here with the rule analyst's result, which stays its answer where no model gives one.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec
from django.db.models import Q

from catalogsku.core import crash_points, live, work
from catalogsku.core.box import Box
from catalogsku.core.errors import PermanentFailure
from catalogsku.core.presence import current_worker
from catalogsku.core.structs import ready
from catalogsku.core.text import has_han
from ingestion.lifecycle import PageStage, Route, Urgency
from ingestion.models import Job, Page
from ingestion.services import dispatch
from ingestion.services.pages import page_is_wanted, pages_held, record_batched, record_for_models
from ingestion.services.settle import touch_progress
from ingestion.stages import LOOK_BACK_PAGES
from processing.engine.guard.inspect import inspect
from processing.engine.page import Features, ParsedPage, unpack_page
from processing.engine.result import Asked, Blocker, DocumentFacts, PageResult
from processing.engine.understanding.config import AnalystConfig
from processing.llm import calls
from processing.llm.available import available_models, why_none
from processing.llm.chain import model_chain
from processing.llm.consult import Busy, Consultation, PagePack, nothing_read
from processing.llm.plan import CallPlan
from processing.llm.port import About, NotAnswered, Operation
from processing.llm.prospects import Prospect
from processing.llm.providers.port import Image
from processing.llm.routing import RULES, SKIP, Routes, complexity_of, select_model
from processing.llm.services import told_prices
from processing.pages.models import PageContent, RuleResult
from processing.pages.selectors import evaluation_of
from processing.pages.services import drawing
from processing.pages.services.examples import examples_for
from processing.pages.services.reading import kept_pages
from processing.pages.services.recording import page_blockers
from processing.pages.services.understood import Evidence, Understood, record_understood
from processing.sandboxed import frozen

log = logging.getLogger(__name__)

LOOKED_AT_PAGES = 20  # LA-SEM
FAILURES_TO_CHANGE = 5


def unasked(rules: PageResult, code: str) -> PageResult:
    """The rules' result of a page that nobody could be asked about; why is kept beside it."""
    questions = (Asked(Operation.READ_PAGE, code=code),)
    return msgspec.structs.replace(rules, fallback_reason=code, asked=questions)


def routes_for(job: Job, page: Page) -> Routes:
    """The job's table; a HYBRID page that nobody has scored with the document is asked about cheaply (TA-P1-5)."""
    routes = frozen.routes(job)
    return msgspec.structs.replace(routes, low_cost=job.route == Route.HYBRID and not page.sampled)


# No answer of a model mends these.
_OUR_FAULTS = frozenset({"stage_failed", "context_missing"})


def wants_models(job: Job, page: Page, rules: PageResult, routes: Routes, score: float | None = None) -> bool:
    """Whether models are asked about the page: if a person would have to look at it, and only then; all of a document
    that goes to people whole, whose answers are proposals there. ``score``: the page's own from the evaluation.

    What the rules are sure of costs nothing, and so does what the table leaves to them.
    """
    blockers = page_blockers(job.profile, job.route, rules, score)
    return is_worth_asking(blockers, rules, msgspec.convert(page.features, ready(Features)), routes)


def is_worth_asking(blockers: Sequence[Blocker], rules: PageResult | Page, features: Features, routes: Routes) -> bool:
    """``blockers``: why a person would have to look at the page; ``rules``: their result, or the page that has it."""
    if not blockers or any(blocker.code in _OUR_FAULTS for blocker in blockers):
        return False
    if (rules.confidence or 0.0) >= routes.rules_from:
        return False
    complexity = complexity_of(features, routes.points)
    route = select_model(routes, Operation.READ_PAGE, rules.page_type, complexity, ()).route
    return route not in (RULES, SKIP)


def hand_to_models(pages: Sequence[tuple[Page, bytes, Prospect]]) -> None:
    """Keep the rules' results, with what models are expected to cost by what they have cost of late, and let the pages
    wait until these may be asked. The caller holds the pages' rows."""
    ratios = {model: told_prices.ratio_of(model) for model in {prospect.model for *_, prospect in pages}}
    rows = [
        RuleResult(page=page, data=raw, estimated_micro=round(prospect.micro * ratios[prospect.model]))
        for page, raw, prospect in pages
    ]
    told_prices.keep((page, prospect) for page, _raw, prospect in pages)
    updated = ["data", "estimated_micro"]
    RuleResult.objects.bulk_create(rows, update_conflicts=True, unique_fields=["page"], update_fields=updated)
    record_for_models([page.pk for page, *_ in pages])


def consult_models(page_ids: Sequence[int]) -> None:
    """Claim, ask about and record pages of one job."""
    claims = work.claim(dispatch.active_pages().filter(pk__in=page_ids), PageStage.UNDERSTAND, current_worker())
    for claim in claims:
        with pages_held([claim]):
            crash_points.reached("consult.claimed")
            _consult(claim)


def _consult(claim: work.Claim) -> None:
    page = Page.objects.select_related("job__profile", "job__schema", "job__routing").get(pk=claim.id)
    job = page.job
    live.hint(job.pk)
    contents = kept_pages(job, range(max(1, page.number - LOOK_BACK_PAGES), page.number + 1))
    stored = RuleResult.objects.filter(page=page).first()
    if stored is None or page.number not in contents:  # cleaned away: it is read and understood again
        stage = PageStage.READ if page.number not in contents else PageStage.UNDERSTAND_RULES
        Page.objects.filter(pk=page.pk, claim_token=claim.token).update(**work.CLEARED, stage=stage)
        return
    evidence = evidence_of(job, contents)
    models = available_models()
    page_pack = pack_of(page, evidence, msgspec.json.decode(stored.data, type=ready(PageResult)))
    plan = CallPlan(calls.for_page(page.pk))
    ask = model_chain(
        plan, frozen.wordings(job), page_pack.routes, models, failing_models(job, [m.name for m in models])
    )
    try:
        consulted = Consultation(page_pack, ask, plan).run()
    except Busy as busy:
        log.info("model busy", extra={"page_id": page.pk, "code": busy.code, "retry_after_s": busy.retry_after_s})
        if busy.waits_for is not None:
            _wait_for_batch(claim, busy.waits_for)
            return
        work.release(Page, [claim], delay_s=busy.retry_after_s)
        dispatch.dispatch_again(job.pk, busy.retry_after_s)
        return
    answers = frozen.jsonable(consulted.answers) if consulted.answers is not None else None
    result = consulted.result
    if not models and result.asked and (why := why_none()):  # since it was handed over
        result = unasked(page_pack.rules, why)
    understood = Understood(claim, page.number, result, msgspec.json.encode(result), contents[page.number], answers)
    record_understood(job, [understood], evidence)
    crash_points.reached("consult.recorded")
    touch_progress(job.pk)
    dispatch.dispatch_job(job.pk)


def _wait_for_batch(claim: work.Claim, call_id: int) -> None:
    with work.recording(Page, claim) as page:
        if page_is_wanted(page):
            RuleResult.objects.filter(page=page).update(waits_for=call_id)
            record_batched([page.pk])
            live.hint_after_commit(page.job_id)


def evidence_of(job: Job, contents: Mapping[int, PageContent]) -> Evidence:
    evaluation = evaluation_of(job)
    return Evidence(
        {number: bytes(content.data) for number, content in contents.items()},
        evaluation.facts if evaluation else {},
        frozen.jsonable(frozen.analyst_config(job)),
        frozenset(Page.objects.filter(job=job, number__in=contents, personal_data={}).values_list("number", flat=True)),
    )


def pack_of(page: Page, evidence: Evidence, rules: PageResult) -> PagePack:
    """What models are shown of a page."""
    job = page.job
    parsed = {number: unpack_page(data) for number, data in evidence.pages.items()}
    own = parsed.pop(page.number)
    routes = routes_for(job, page)
    about = About(
        merchant_id=job.merchant_id,
        job_id=job.pk,
        page_id=page.pk,
        category=job.category,
        language=language_of(own),
        page_type=rules.page_type,
        complexity=complexity_of(own.features, routes.points),
        bucket=job.bucket,
        profile=str(job.profile),
        batched=job.urgency == Urgency.BATCH,
    )
    facts, config = msgspec.convert(evidence.facts, ready(DocumentFacts)), frozen.analyst_config(job)

    look = Look(
        lambda: drawing.page_pictures(job, own),
        lambda boxes: drawing.read_again(job, own, boxes),
    )
    page_pack = pack(own, list(parsed.values()), facts, config, rules, about, routes, look)
    return replace(page_pack, examples=examples_for(job, rules.page_type))


@dataclass(frozen=True)
class Look:
    """How a page is looked at anew: drawn for models, and parts of it read again. Both raise PermanentFailure."""

    pictures: Callable[[], tuple[Image, ...]]
    read_again: Callable[[Sequence[Box]], Sequence[str]]


def pack(
    page: ParsedPage,
    earlier: Sequence[ParsedPage],
    facts: DocumentFacts,
    config: AnalystConfig,
    rules: PageResult,
    about: About,
    routes: Routes,
    look: Look,
) -> PagePack:
    """A page that cannot be drawn is shown to nobody: the rules' result stands. What cannot be read again proves
    nothing."""

    def images() -> tuple[Image, ...]:
        try:
            return look.pictures()
        except PermanentFailure as failure:
            raise NotAnswered(failure.code, str(failure)) from failure

    def read_again(boxes: Sequence[Box]) -> Sequence[str]:
        try:
            return look.read_again(boxes)
        except PermanentFailure:
            return nothing_read(boxes)

    return PagePack(
        page, earlier, facts, config, rules, about, routes, images, read_again, injection=inspect(page).score
    )


def language_of(page: ParsedPage) -> str:
    """The language of the prompt: Chinese where anything on the page is."""
    return "zh" if has_han(page.text) else "en"


def failing_models(job: Job, names: Sequence[str]) -> list[str]:
    """Of ``names`` those whose products were nameless (INV-06) on too many of the last pages that each has extracted
    in this job: the others go first, and the rules where there is none (LA-SEM)."""
    done = Page.objects.filter(job=job, stage=PageStage.NONE, finished_at__isnull=False).order_by("-finished_at", "pk")
    failing = []
    for name in names:
        own = done.filter(Q(analyst=name) | Q(analyst__startswith=f"{name}+"))
        last = own.values_list("blockers", flat=True)[:LOOKED_AT_PAGES]
        bad = sum(any(blocker["code"] == "identity_missing" for blocker in blockers) for blockers in last)
        if bad >= FAILURES_TO_CHANGE:
            failing.append(name)
    return failing
