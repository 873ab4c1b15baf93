"""Understanding pages with the rule analyst: sandboxed children turn ParsedPages into results, recorded here."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from catalogsku.core import crash_points, live, work
from catalogsku.core.presence import current_worker
from ingestion.lifecycle import PageStage
from ingestion.models import Job, Page
from ingestion.services import dispatch
from ingestion.services.dispatch import LOOK_BACK_PAGES
from ingestion.services.pages import page_is_wanted, pages_held, record_failure
from ingestion.services.settle import touch_progress
from processing.engine.result import PageResult
from processing.models import PageContent
from processing.services import frozen, sandboxes
from processing.services.evaluating import evaluation_of
from processing.services.reading import kept_pages
from processing.services.recording import record_result

log = logging.getLogger(__name__)


def understand_pages(page_ids: Sequence[int]) -> None:
    """Claim, understand and record pages of one job."""
    claims = work.claim(dispatch.active_pages().filter(pk__in=page_ids), PageStage.UNDERSTAND_RULES, current_worker())
    if claims:
        with pages_held(claims):
            _understand_claimed(claims)


def _understand_claimed(claims: Sequence[work.Claim]) -> None:
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
    touch_progress(job.pk)
    dispatch.dispatch_job(job.pk)


def _read_again(claim: work.Claim) -> None:
    Page.objects.filter(pk=claim.id, claim_token=claim.token).update(**work.CLEARED, stage=PageStage.READ)


def _understand(job: Job, by_number: dict[int, work.Claim], contents: dict[int, PageContent]) -> None:
    numbers = sorted(by_number)
    evaluation = evaluation_of(job)
    with sandboxes.work_folder() as folder:
        given, out = folder / "in", folder / "out"
        given.mkdir()
        files = _write_pages(given, contents)
        request = {
            "pages": [
                {
                    "number": n,
                    "file": files[n],
                    "earlier": [files[m] for m in range(n - LOOK_BACK_PAGES, n) if m in files],
                }
                for n in numbers
            ],
            "facts": evaluation.facts if evaluation else {},
            "config": frozen.jsonable(frozen.analyst_config(job)),
        }
        outcome = sandboxes.sandbox().run(
            "processing.engine.understanding.children:understand_pages",
            request, numbers, out, [given], sandboxes.UNDERSTANDING,
        )  # fmt: skip
        results = {number: path.read_bytes() for number, path in outcome.finished.items()}
    for number in numbers:
        if number in results:
            _record(job, by_number[number], results[number], contents[number])
        elif number == outcome.culprit and outcome.reason not in sandboxes.NOT_THE_DOCUMENT:
            _fail(by_number[number], sandboxes.error_of(outcome))
        else:
            work.release(Page, [by_number[number]])


def _write_pages(folder: Path, contents: dict[int, PageContent]) -> dict[int, str]:
    files = {}
    for number, content in contents.items():
        path = folder / f"{number}.page"
        path.write_bytes(bytes(content.data))
        files[number] = str(path)
    return files


def _record(job: Job, claim: work.Claim, payload: bytes, content: PageContent) -> None:
    try:
        result = msgspec.json.decode(payload, type=PageResult)
    except msgspec.DecodeError as error:
        _fail(claim, {"code": "understanding_invalid", "params": {}, "detail": str(error)[:300]})
        return
    with work.recording(Page, claim) as page:
        if page_is_wanted(page):
            record_result(job, page, result, content)
            crash_points.reached("understanding.before_commit")


def _fail(claim: work.Claim, error: dict[str, Any]) -> None:
    """The same ParsedPage fails the same way again: the second time is final."""
    log.warning("page not understood", extra={"page_id": claim.id, "code": error["code"]})
    with work.recording(Page, claim) as page:
        if page_is_wanted(page):
            again = page.last_error is not None and page.last_error.get("code") == error["code"]
            record_failure(page, error, permanent=again)
