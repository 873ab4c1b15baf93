"""Understanding pages with the rule analyst: sandboxed children turn ParsedPages into results, recorded here."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from catalogsku.core import crash_points, live, work
from catalogsku.core.presence import current_worker
from ingestion.lifecycle import PageStage
from ingestion.models import Job, Page
from ingestion.services import dispatch
from ingestion.services.dispatch import LOOK_BACK_PAGES
from ingestion.services.pages import page_is_wanted, pages_held, record_failure, record_together
from ingestion.services.settle import touch_progress
from processing.engine.result import PageResult
from processing.models import PageContent, TraceReason
from processing.services import analyst, frozen, sandboxes, tracing
from processing.services.evaluating import evaluation_of
from processing.services.reading import kept_pages
from processing.services.recording import record_results

log = logging.getLogger(__name__)


Trace = tuple[TraceReason, str]


@dataclass(frozen=True)
class Given:
    """What the pages of a chunk are understood from; ``pages`` by number, the ten before the first among them."""

    pages: dict[int, bytes]
    facts: dict[str, Any]
    config: dict[str, Any]

    def bundle(self, number: int, *, result: bytes = b"", error: dict[str, Any] | None = None) -> tracing.Bundle:
        pages = {n: self.pages[n] for n in range(number - LOOK_BACK_PAGES, number + 1) if n in self.pages}
        return tracing.Bundle(number, pages, self.facts, self.config, result, error)


@dataclass(frozen=True)
class Understood:
    """``raw``: the result as the child handed it out."""

    claim: work.Claim
    number: int
    result: PageResult
    raw: bytes
    content: PageContent


def understand_pages(page_ids: Sequence[int]) -> None:
    """Claim, understand and record pages of one job."""
    claims = work.claim(dispatch.active_pages().filter(pk__in=page_ids), PageStage.UNDERSTAND_RULES, current_worker())
    if claims:
        with pages_held(claims):
            crash_points.reached("understand.claimed")
            _understand_claimed(claims)


def _understand_claimed(claims: Sequence[work.Claim]) -> None:
    began_s = time.monotonic()
    pages = {page.pk: page for page in Page.objects.filter(pk__in=[c.id for c in claims])}
    job = Job.objects.select_related("profile", "schema").get(pk=next(iter(pages.values())).job_id)
    live.hint(job.pk)
    by_number = {pages[held.id].number: held for held in claims}
    first, last = min(by_number), max(by_number)
    contents = kept_pages(job, range(max(1, first - LOOK_BACK_PAGES), last + 1))
    for number in [n for n in by_number if n not in contents]:  # its content was cleaned away: it is read again
        _read_again(by_number.pop(number))
    if by_number:
        _understand(job, by_number, contents)
    crash_points.reached("understand.recorded")
    touch_progress(job.pk)
    dispatch.dispatch_job(job.pk, (time.monotonic() - began_s) / len(claims))


def _read_again(claim: work.Claim) -> None:
    Page.objects.filter(pk=claim.id, claim_token=claim.token).update(**work.CLEARED, stage=PageStage.READ)


def _understand(job: Job, by_number: dict[int, work.Claim], contents: dict[int, PageContent]) -> None:
    evaluation = evaluation_of(job)
    given = Given(
        {number: bytes(content.data) for number, content in contents.items()},
        evaluation.facts if evaluation else {},
        frozen.jsonable(frozen.analyst_config(job)),
    )
    results, outcome = analyst.understand(sorted(by_number), given.pages, given.facts, given.config)
    found = []
    for number, claim in sorted(by_number.items()):
        if number in results:
            try:
                result = msgspec.json.decode(results[number], type=PageResult)
                _log_failed_stage(claim, result)
                found.append(Understood(claim, number, result, results[number], contents[number]))
            except msgspec.DecodeError as error:
                wrong = {"code": "understanding_invalid", "params": {}, "detail": str(error)[:300]}
                _fail(job, claim, given.bundle(number, error=wrong))
        elif number == outcome.culprit and outcome.reason not in sandboxes.NOT_THE_DOCUMENT:
            _fail(job, claim, given.bundle(number, error=sandboxes.error_of(outcome)))
        else:
            work.release(Page, [claim])
    if found:
        traces = _kept_traces(job, found, given)
        record_together(found, lambda entries: _record(job, entries, traces))


def _log_failed_stage(claim: work.Claim, result: PageResult) -> None:
    """The page goes to a person with what earlier stages found; the fault is the program's and must be seen."""
    for blocker in result.blockers:
        if blocker.code == "stage_failed":
            log.error("stage failed", extra={"page_id": claim.id, **blocker.params})


def _kept_traces(job: Job, found: Sequence[Understood], given: Given) -> dict[int, Trace]:
    """The files of those traces that are kept, by page number; their rows follow with the results."""
    kept: dict[int, Trace] = {}
    with sandboxes.work_folder() as folder:
        for entry in found:
            if reason := tracing.reason_to_keep(job, entry.number, entry.result):
                bundle = given.bundle(entry.number, result=entry.raw)
                kept[entry.number] = (reason, tracing.keep_file(job, bundle, folder))
    return kept


def _record(job: Job, found: Sequence[Understood], traces: dict[int, Trace]) -> None:
    crash_points.reached("understand.before_record")
    with work.recording_all(Page, [entry.claim for entry in found]) as pages:
        wanted = [e for e in found if page_is_wanted(pages.get(e.claim.id))]
        if wanted:
            record_results(job, [(pages[e.claim.id], e.result, e.content) for e in wanted])
            tracing.record_traces(job, [(e.claim.id, *traces[e.number]) for e in wanted if e.number in traces])
        crash_points.reached("understand.before_commit")


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
