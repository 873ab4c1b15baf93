"""The first looks at a file, both in the sandbox: is it safe to work on, and what is roughly on its pages."""

import logging
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from catalogsku.core import crash_points, storage, work
from catalogsku.core.presence import current_worker
from catalogsku.core.sandbox import Outcome as Ended
from catalogsku.core.structs import ready
from ingestion.lifecycle import JobStage
from ingestion.models import Job
from ingestion.services import dispatch, steps
from ingestion.verdicts import UNCHECKED, Outcome, file_limits, judge
from processing.engine.evaluation.sample import choose_sample
from processing.engine.inspection import NUMBERS, TASK, Findings, read_findings
from processing.engine.reading.prescan import PrescanPage
from processing.services import editions, frozen, sandboxes
from processing.services.reading import kept_columns, kept_pages, password_of

log = logging.getLogger(__name__)

LOST_PAGES_MAX = 20  # each may take its 30 s
OF_ALL_PAGES = ("wall_limit", "cpu_limit")  # limits that the pages before have used up too


def inspect_job(job_id: int) -> None:
    """Give the file its verdict (TA-T23): refused with a code, asked for its password, or accepted with notes."""
    for claim in work.claim(dispatch.active_jobs().filter(pk=job_id), JobStage.INSPECT, current_worker()):
        crash_points.reached("inspect.claimed")
        with steps.job_held(claim):
            _inspect(claim)
        crash_points.reached("inspect.recorded")
    dispatch.dispatch_job(job_id)


def _inspect(claim: work.Claim) -> None:
    job = Job.objects.get(pk=claim.id)
    with sandboxes.work_folder() as out, storage.local_copy(job.source_key) as source:
        request = {"path": str(source), "password": password_of(job)}
        outcome = sandboxes.sandbox().run(TASK, request, NUMBERS, out, [source], sandboxes.INSPECTION)
        findings = read_findings(outcome.finished)
    if outcome.reason in sandboxes.NOT_THE_DOCUMENT:
        work.release(Job, [claim], delay_s=2)
    else:
        _record_verdict(claim, findings)


def _record_verdict(claim: work.Claim, findings: Findings | None) -> None:
    crash_points.reached("inspect.before_record")
    verdict = judge(findings, file_limits())
    if findings is not None and verdict.outcome is Outcome.ACCEPT:
        steps.record_acceptance(claim, findings.page_count(), verdict.notes)
    else:
        log.info("file refused", extra={"job_id": claim.id, "code": verdict.code})
        steps.record_refusal(claim, verdict.code, verdict.notes)


def prescan_job(job_id: int) -> None:
    """Look at every page once, cheaply, and make the job's pages from that."""
    for claim in work.claim(dispatch.active_jobs().filter(pk=job_id), JobStage.PRESCAN, current_worker()):
        crash_points.reached("prescan.claimed")
        with steps.job_held(claim):
            _prescan(claim)
        crash_points.reached("prescan.recorded")
    dispatch.dispatch_job(job_id)


def _prescan(claim: work.Claim) -> None:
    job = Job.objects.select_related("profile").get(pk=claim.id)
    prescans = prescan_file(job)
    if not prescans:
        log.info("file refused", extra={"job_id": claim.id, "code": UNCHECKED.code})
        steps.record_refusal(claim, UNCHECKED.code, job.notes)
        return
    filled = [entry["number"] for entry in prescans if not entry["blank"]]
    editions.recognise(job, prescans)
    read = {number: kept_columns(content) for number, content in kept_pages(job, filled).items()}
    crash_points.reached("prescan.before_record")
    # Pages that were read without being judged tell the evaluation nothing: those that were stand for them.
    judged = [number for number in filled if number not in read or read[number]["assessment"]]
    steps.record_prescan(claim, prescans, choose_sample(judged or filled), read)


def prescan_file(job: Job) -> list[dict[str, Any]]:
    """Prescans of all pages; none where more than LOST_PAGES_MAX pages end their child.

    A page that ends its child is marked and left out of the next attempt; its reading, alone and under limits, decides
    about it. Raises InterruptedError where the sandbox itself was lost.
    """
    numbers = list(range(1, (job.total_pages or 0) + 1))
    found: dict[int, dict[str, Any]] = {}
    lost = 0
    with storage.local_copy(job.source_key) as source:
        while numbers:
            outcome, given = _prescan_once(job, source, numbers)
            if outcome.reason in sandboxes.NOT_THE_DOCUMENT:
                raise InterruptedError(outcome.reason)
            found |= given
            missing = [number for number in numbers if number not in found]
            if missing:
                lost += not (given and outcome.reason in OF_ALL_PAGES)
                found[missing[0]] = _unknown_page(missing[0])
            if lost > LOST_PAGES_MAX:
                return []
            numbers = missing[1:]
    return [found[number] for number in sorted(found)]


def _prescan_once(job: Job, source: Path, numbers: list[int]) -> tuple[Ended, dict[int, dict[str, Any]]]:
    with sandboxes.work_folder() as out:
        request = {"path": str(source), "password": password_of(job), "pages": numbers, "out": str(out),
                   "settings": frozen.jsonable(frozen.prescan_settings(job))}  # fmt: skip
        outcome = sandboxes.sandbox().run(
            "processing.engine.reading.children:prescan_file", request, numbers, out, [source], sandboxes.PRESCAN
        )
        return outcome, _checked(outcome.finished)


def _checked(finished: Mapping[int, bytes]) -> dict[int, dict[str, Any]]:
    """What a child handed out may be a lie: a page that is no prescan, or one of another page, was never handed out."""
    found = {}
    for number, payload in finished.items():
        with suppress(msgspec.DecodeError):
            page = msgspec.json.decode(payload, type=ready(PrescanPage))
            if page.number == number:
                found[number] = msgspec.to_builtins(page)
    return found


def _unknown_page(number: int) -> dict[str, Any]:
    """In the size of A4, in points, so that it has a place in the viewer."""
    return msgspec.to_builtins(PrescanPage(number, 595.0, 842.0, readable=False))  # type: ignore[no-any-return]
