"""The first looks at a file, both in the sandbox: is it safe to work on, and what is roughly on its pages."""

import logging
from typing import Any

import msgspec
from django.conf import settings

from catalogsku.core import storage, work
from catalogsku.core.presence import current_worker
from ingestion.lifecycle import JobStage
from ingestion.models import Job
from ingestion.services import dispatch, steps
from ingestion.verdicts import FileLimits, Outcome, judge
from processing.engine.evaluation.sample import choose_sample
from processing.engine.inspection import NUMBERS, TASK, Findings, read_findings
from processing.services import frozen, sandboxes
from processing.services.reading import kept_pages, password_of

log = logging.getLogger(__name__)


def inspect_job(job_id: int) -> None:
    """Give the file its verdict (TA-T23): refused with a code, asked for its password, or accepted with notes."""
    for claim in work.claim(dispatch.active_jobs().filter(pk=job_id), JobStage.INSPECT, current_worker()):
        with steps.job_held(claim):
            _inspect(claim)
    dispatch.dispatch_job(job_id)


def _inspect(claim: work.Claim) -> None:
    job = Job.objects.get(pk=claim.id)
    with sandboxes.work_folder() as out, storage.local_copy(job.source_key) as source:
        request = {"path": str(source), "password": password_of(job)}
        outcome = sandboxes.sandbox().run(TASK, request, NUMBERS, out, [source], sandboxes.INSPECTION)
        findings = read_findings({number: path.read_bytes() for number, path in outcome.finished.items()})
    if outcome.reason in sandboxes.NOT_THE_DOCUMENT:
        work.release(Job, [claim], delay_s=2)
    else:
        _record_verdict(claim, findings)


def _record_verdict(claim: work.Claim, findings: Findings | None) -> None:
    verdict = judge(findings, FileLimits(bytes_max=settings.UPLOAD_MAX_BYTES))
    if findings is not None and verdict.outcome is Outcome.ACCEPT:
        steps.record_acceptance(claim, findings.page_count(), verdict.notes)
    else:
        log.info("file refused", extra={"job_id": claim.id, "code": verdict.code})
        steps.record_refusal(claim, verdict.code, verdict.notes)


def prescan_job(job_id: int) -> None:
    """Look at every page once, cheaply, and make the job's pages from that."""
    for claim in work.claim(dispatch.active_jobs().filter(pk=job_id), JobStage.PRESCAN, current_worker()):
        with steps.job_held(claim):
            _prescan(claim)
    dispatch.dispatch_job(job_id)


def _prescan(claim: work.Claim) -> None:
    job = Job.objects.select_related("profile").get(pk=claim.id)
    prescans = prescan_file(job)
    if not prescans:
        steps.record_job_failure(claim, {"code": "prescan_failed", "params": {}}, permanent=True)
        return
    filled = [entry["number"] for entry in prescans if not entry["blank"]]
    kept = kept_pages(job, filled)
    steps.record_prescan(claim, prescans, choose_sample(filled), sorted(kept))


def prescan_file(job: Job) -> list[dict[str, Any]]:
    """Prescans of all pages. A page that ends its child is marked and left out of the next attempt; its reading, alone
    and under limits, decides about it."""
    numbers = list(range(1, (job.total_pages or 0) + 1))
    found: dict[int, dict[str, Any]] = {}
    with storage.local_copy(job.source_key) as source:
        while numbers:
            with sandboxes.work_folder() as out:
                request = {"path": str(source), "password": password_of(job), "pages": numbers, "out": str(out),
                           "settings": frozen.jsonable(frozen.prescan_settings(job))}  # fmt: skip
                outcome = sandboxes.sandbox().run(
                    "processing.engine.reading.children:prescan_file",
                    request,
                    numbers,
                    out,
                    [source],
                    sandboxes.PRESCAN,
                )
                for number, path in outcome.finished.items():
                    found[number] = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
            if outcome.culprit is not None and outcome.culprit not in found:
                found[outcome.culprit] = _unknown_page(outcome.culprit)
            elif not outcome.finished:
                return []
            numbers = [number for number in numbers if number not in found]
    return [found[number] for number in sorted(found)]


def _unknown_page(number: int) -> dict[str, Any]:
    return {"number": number, "width_pt": 595.0, "height_pt": 842.0, "chars": 0, "images": 0, "image_ratio": 0.0,
            "drawings": 0, "table_hint": False, "needs_ocr": False, "blank": False, "han_ratio": 0.0,
            "readable": False}  # fmt: skip
