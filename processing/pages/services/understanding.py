"""Understanding pages with the rule analyst: sandboxed children turn ParsedPages into results, recorded here."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import msgspec

from catalogsku.core import crash_points, live, work
from catalogsku.core.presence import current_worker
from catalogsku.core.structs import ready
from ingestion.lifecycle import PageStage
from ingestion.models import Job, Page
from ingestion.services import dispatch
from ingestion.services.giving_up import give_up_document
from ingestion.services.pages import page_is_wanted, pages_held, record_failure, record_together
from ingestion.services.settle import touch_progress
from ingestion.stages import LOOK_BACK_PAGES
from processing.engine.result import PageResult
from processing.llm.available import ready_providers
from processing.pages.models import PageContent, TraceReason
from processing.pages.services import analyst, consulting, offering, tracing
from processing.pages.services.reading import kept_pages
from processing.pages.services.recording import evaluation_scores
from processing.pages.services.understood import Understood, record_understood
from processing.sandboxed import frozen, sandboxes
from processing.sandboxed.metered import OVER_BUDGET, Metered

log = logging.getLogger(__name__)


def understand_pages(page_ids: Sequence[int]) -> None:
    """Claim, understand and record pages of one job."""
    claims = work.claim(dispatch.active_pages().filter(pk__in=page_ids), PageStage.UNDERSTAND_RULES, current_worker())
    if claims:
        with pages_held(claims):
            crash_points.reached("understand.claimed")
            _understand_claimed(claims)


def _understand_claimed(claims: Sequence[work.Claim]) -> None:
    held = {claim.id: claim for claim in claims}
    pages = list(Page.objects.filter(pk__in=list(held)).values_list("pk", "number", "job_id"))
    job = Job.objects.select_related("profile", "schema", "routing").get(pk=pages[0][2])
    live.hint(job.pk)
    by_number = {number: held[pk] for pk, number, _ in pages}
    first, last = min(by_number), max(by_number)
    contents = kept_pages(job, range(max(1, first - LOOK_BACK_PAGES), last + 1))
    for number in [n for n in by_number if n not in contents]:  # its content was cleaned away: it is read again
        _read_again(by_number.pop(number))
    if by_number:
        _understand(job, by_number, contents)
    crash_points.reached("understand.recorded")
    touch_progress(job.pk)
    if ready_providers():  # else no page waits to be priced; the sweep finds those that did as the last key went
        offering.price_job(job.pk)
    dispatch.dispatch_job(job.pk)


def _read_again(claim: work.Claim) -> None:
    Page.objects.filter(pk=claim.id, claim_token=claim.token).update(**work.CLEARED, stage=PageStage.READ)


def _understand(job: Job, by_number: dict[int, work.Claim], contents: dict[int, PageContent]) -> None:
    evidence = consulting.evidence_of(job, contents)
    metered = Metered(job, Page, list(by_number.values()))
    results, outcome = analyst.understand(
        sorted(by_number), evidence.pages, evidence.facts, evidence.config, metered=metered
    )
    understood = []
    for number, claim in sorted(by_number.items()):
        if number in results:
            try:
                result = msgspec.json.decode(results[number], type=ready(PageResult))
                _log_failed_stage(claim, result)
                understood.append(Understood(claim, number, result, results[number], contents[number]))
            except msgspec.DecodeError as error:
                wrong = {"code": "understanding_invalid", "params": {}, "detail": str(error)[:300]}
                _fail(job, claim, evidence.bundle(number, error=wrong))
        elif number == outcome.culprit and outcome.reason not in sandboxes.NOT_THE_DOCUMENT:
            _fail(job, claim, evidence.bundle(number, error=sandboxes.error_of(outcome)))
        else:
            work.release(Page, [claim])
    to_ask, understood = _split(job, understood)
    if to_ask:
        record_together(to_ask, partial(_hand_over, job))
    if understood:
        record_understood(job, understood, evidence)
    if outcome.reason == OVER_BUDGET:
        give_up_document(job)


def _split(job: Job, entries: Sequence[Understood]) -> tuple[list[Understood], list[Understood]]:
    """Pages that models would be asked about, and those that are done. Where every provider refuses, all are done, and
    why is said of those that would have been asked about."""
    may_ask, why = offering.asking_of(job) if entries else offering.Asking(may=False)
    if not (may_ask or why):
        return [], list(entries)
    routes, scores = frozen.routes(job), evaluation_scores(job)
    pages = Page.objects.in_bulk([entry.claim.id for entry in entries])
    to_ask = [
        e for e in entries if consulting.wants_models(job, pages[e.claim.id], e.result, routes, scores.get(e.number))
    ]
    if why:
        return [], [_unasked(e, why) if e in to_ask else e for e in entries]
    return to_ask, [e for e in entries if e not in to_ask]


def _unasked(entry: Understood, why: str) -> Understood:
    result = consulting.unasked(entry.result, why)
    return replace(entry, result=result, raw=msgspec.json.encode(result))


def _hand_over(job: Job, entries: Sequence[Understood]) -> None:
    costs = dict(zip((e.claim.id for e in entries), offering.estimates(job, entries), strict=True))
    with work.recording_all(Page, [entry.claim for entry in entries]) as pages:
        wanted = [e for e in entries if page_is_wanted(pages.get(e.claim.id))]
        consulting.hand_to_models([(pages[e.claim.id], e.raw, costs[e.claim.id]) for e in wanted])


def _log_failed_stage(claim: work.Claim, result: PageResult) -> None:
    """The page goes to a person with what earlier stages found; the fault is the program's and must be seen."""
    for blocker in result.blockers:
        if blocker.code == "stage_failed":
            log.error("stage failed", extra={"page_id": claim.id, **blocker.params})


def _fail(job: Job, claim: work.Claim, bundle: tracing.Bundle) -> None:
    """The same ParsedPage fails the same way again: the second time is final."""
    error = bundle.error or {}
    log.warning("page not understood", extra={"page_id": claim.id, "code": error["code"]})
    with sandboxes.work_folder() as folder:
        key = tracing.keep_file(job, bundle, folder)
    with work.recording(Page, claim) as page:
        if page_is_wanted(page):
            again = page.last_error is not None and page.last_error.get("code") == error["code"]
            record_failure(page, error, permanent=again)
            tracing.record_traces(job, [(page.pk, TraceReason.FAILURE, key)])
