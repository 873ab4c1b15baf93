"""The first looks at a file, both in the sandbox: is it safe to work on, and what is roughly on its pages."""

import logging
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from catalogsku.core import crash_points, metrics, storage, work
from catalogsku.core.presence import current_worker
from catalogsku.core.sandbox import Outcome as Ended
from catalogsku.core.structs import ready
from ingestion.lifecycle import JobStage
from ingestion.models import Job, PrescanPart
from ingestion.services import copies, dispatch, giving_up, steps
from ingestion.verdicts import (
    COPY_FAILED,
    CURED_BY_COPY,
    READ_FROM_COPY,
    UNCHECKED,
    Outcome,
    Verdict,
    file_limits,
    judge,
)
from processing.engine.evaluation.sample import choose_sample
from processing.engine.inspection import NUMBERS, TASK, Findings, read_findings
from processing.engine.reading.prescan import PrescanPage
from processing.pages.services import copying
from processing.pages.services.reading import kept_columns, password_of, whole_pages
from processing.pages.signals import document_prescanned
from processing.sandboxed import frozen, sandboxes
from processing.sandboxed.metered import OVER_BUDGET, TURN_S, Metered

log = logging.getLogger(__name__)

LOST_PAGES_MAX = 20  # each may take its 30 s


def inspect_job(job_id: int) -> None:
    """Give the file its verdict (TA-T23): refused with a code, asked for its password, or accepted with notes."""
    for claim in work.claim(dispatch.active_jobs().filter(pk=job_id), JobStage.INSPECT, current_worker()):
        crash_points.reached("inspect.claimed")
        with steps.job_held(claim):
            _inspect(claim)
        crash_points.reached("inspect.recorded")
    dispatch.dispatch_job(job_id)


class _PutOff(Exception):
    """A child ended before it was done, for ``reason``, which is not the file's fault or its budget."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _inspect(claim: work.Claim) -> None:
    job = Job.objects.get(pk=claim.id)
    check = _Check(job, Metered(job, Job, [claim]))
    with sandboxes.work_folder() as folder, storage.local_copy(job.source_key) as source:
        try:
            seen = check.look(source, folder)
        except _PutOff as put_off:
            if put_off.reason == OVER_BUDGET:
                _refuse_over_budget(claim, job)
            else:
                work.release(Job, [claim], delay_s=0 if put_off.reason in sandboxes.NO_FAULT else 2)
        else:
            _record_verdict(claim, job, seen)


@dataclass(frozen=True)
class _Seen:
    """``copy``: the file that was looked at in the place of the original."""

    findings: Findings | None
    verdict: Verdict
    copy: Path | None = None


@dataclass(frozen=True)
class _Check:
    """Each step is a child on the document's account. Raises _PutOff."""

    job: Job
    metered: Metered

    def look(self, source: Path, folder: Path) -> _Seen:
        """At the file; where it has scripts or attachments and that is wanted, at a copy without them."""
        seen = self._inspected(source, folder / "original")
        if seen.verdict.code not in CURED_BY_COPY or not copies.is_wanted(self.job):
            return seen
        outcome, copy = copying.make_copy(self.job, self.metered, source, folder / "copied")
        _check_end(outcome)
        inspected = self._inspected(copy, folder / "copy") if copy else None
        if copy is None or inspected is None or inspected.verdict.code in CURED_BY_COPY:
            return _Seen(None, Verdict(COPY_FAILED.outcome, COPY_FAILED.code))
        return _Seen(inspected.findings, inspected.verdict, copy)

    def _inspected(self, source: Path, out: Path) -> _Seen:
        request, limits = {"path": str(source), "password": password_of(self.job)}, sandboxes.INSPECTION
        outcome = self.metered.run(TASK, request, NUMBERS, out, [source], limits, turn_s=limits.wall_s)
        _check_end(outcome)
        findings = read_findings(outcome.finished)
        return _Seen(findings, judge(findings, file_limits()))


def _check_end(outcome: Ended) -> None:
    if outcome.reason == OVER_BUDGET or outcome.reason in sandboxes.NOT_THE_DOCUMENT:
        raise _PutOff(outcome.reason)


def _refuse_over_budget(claim: work.Claim, job: Job) -> None:
    log.info("file refused", extra={"job_id": claim.id, "code": OVER_BUDGET})
    metrics.OVER_BUDGET.labels("check").inc()
    steps.record_refusal(claim, OVER_BUDGET, job.notes, giving_up.figures(job))


def _record_verdict(claim: work.Claim, job: Job, seen: _Seen) -> None:
    crash_points.reached("inspect.before_record")
    verdict = seen.verdict
    if seen.findings is not None and verdict.outcome is Outcome.ACCEPT:
        copy = copying.keep_copy(job, seen.copy) if seen.copy else None
        notes = (READ_FROM_COPY.code, *verdict.notes) if copy else verdict.notes
        steps.record_acceptance(claim, seen.findings.page_count(), notes, copy)
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
    known = {page["number"]: page for part in PrescanPart.objects.filter(job=job) for page in part.pages}
    turn = prescan_in_one_turn(job, claim, known)
    if turn.over_budget:
        _refuse_over_budget(claim, job)
        return
    if turn.pages_left:
        steps.record_prescan_part(claim, turn.prescanned)
        return
    prescans = turn.prescans(known)
    if not prescans:
        log.info("file refused", extra={"job_id": claim.id, "code": UNCHECKED.code})
        steps.record_refusal(claim, UNCHECKED.code, job.notes)
        return
    filled = [entry["number"] for entry in prescans if not entry["blank"]]
    document_prescanned.send(sender=Job, job=job, prescans=prescans)
    read = {number: kept_columns(content) for number, content in whole_pages(job, filled).items()}
    crash_points.reached("prescan.before_record")
    # Pages that were read without being judged tell the evaluation nothing: those that were stand for them.
    judged = [number for number in filled if number not in read or read[number]["assessment"]]
    # Of every kind: what is read is kept for the next document on this file, and that may be evaluated.
    sample = choose_sample(judged or filled)
    rejects_blank = bool(frozen.in_force(job.profile).prescan_rules["all_blank_reject"])
    steps.record_prescan(claim, prescans, sample, read, rejects_blank=rejects_blank)


@dataclass
class PrescanTurn:
    """What one turn found, by page number, and whether pages are left for another one."""

    prescanned: dict[int, dict[str, Any]] = field(default_factory=dict)
    pages_left: bool = False
    over_budget: bool = False

    def prescans(self, known: Mapping[int, dict[str, Any]]) -> list[dict[str, Any]]:
        """Those of all pages, in their order; none where more than LOST_PAGES_MAX pages have ended their child."""
        pages = {**known, **self.prescanned}
        return [] if _are_too_many_lost(pages) else [pages[number] for number in sorted(pages)]


def prescan_in_one_turn(job: Job, claim: work.Claim, known: Mapping[int, dict[str, Any]]) -> PrescanTurn:
    """Look at pages that are not ``known`` yet, for as long as a turn lasts.

    A page that ends its child is marked; its reading, alone and under limits, decides about it. Raises InterruptedError
    where the sandbox itself was lost.
    """
    turn, over_at_s = PrescanTurn(), time.monotonic() + TURN_S
    numbers = [number for number in range(1, (job.total_pages or 0) + 1) if number not in known]
    with storage.local_copy(job.source_key) as source:
        while numbers:
            outcome, prescanned = _prescan_once(job, claim, source, numbers)
            turn.prescanned |= prescanned
            missing = [number for number in numbers if number not in prescanned]
            if outcome.reason == OVER_BUDGET:
                turn.over_budget = True
                return turn
            if outcome.reason in sandboxes.NOT_THE_DOCUMENT and outcome.reason not in sandboxes.NO_FAULT:
                raise InterruptedError(outcome.reason)
            if missing and outcome.reason not in sandboxes.NO_FAULT:
                turn.prescanned[missing[0]] = _unknown_page(missing[0])
                missing = missing[1:]
            numbers = [] if _are_too_many_lost({**known, **turn.prescanned}) else missing
            if outcome.reason in sandboxes.NO_FAULT or time.monotonic() > over_at_s:
                break
    turn.pages_left = bool(numbers)
    return turn


def _are_too_many_lost(pages: Mapping[int, dict[str, Any]]) -> bool:
    return sum(not page["readable"] for page in pages.values()) > LOST_PAGES_MAX


def _prescan_once(
    job: Job, claim: work.Claim, source: Path, numbers: list[int]
) -> tuple[Ended, dict[int, dict[str, Any]]]:
    with sandboxes.work_folder() as out:
        request = {
            "path": str(source),
            "password": password_of(job),
            "pages": numbers,
            "out": str(out),
            "settings": frozen.jsonable(frozen.prescan_settings(job)),
        }
        outcome = Metered(job, Job, [claim]).run(
            "processing.engine.reading.children:prescan_file", request, numbers, out, [source], sandboxes.PRESCAN
        )
        return outcome, _checked(outcome.finished)


def _checked(finished: Mapping[int, bytes]) -> dict[int, dict[str, Any]]:
    """What a child handed out may be a lie: a page that is no prescan, or one of another page, was never handed out."""
    prescans = {}
    for number, payload in finished.items():
        with suppress(msgspec.DecodeError):
            page = msgspec.json.decode(payload, type=ready(PrescanPage))
            if page.number == number:
                prescans[number] = msgspec.to_builtins(page)
    return prescans


def _unknown_page(number: int) -> dict[str, Any]:
    """In the size of A4, in points, so that it has a place in the viewer."""
    return msgspec.to_builtins(PrescanPage(number, 595.0, 842.0, readable=False))  # type: ignore[no-any-return]
