"""What the machine found out about a whole document is recorded here: verdict, prescan, route. Each takes the claim
under which it was found, and drops the result where that claim no longer holds."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models.functions import Now

from catalogsku.core import bulk, messages, metrics, work
from catalogsku.core.moves import move
from ingestion.kinds import KINDS
from ingestion.lifecycle import JOB, PAGE, JobStage, JobStatus, PageStage, PageStatus, Route
from ingestion.models import Job, Page, PrescanPart
from ingestion.notices.services.telling import tell_stopped
from ingestion.services.pages import INTERNAL_ERROR, MACHINE_TROUBLE_S, internal_error

log = logging.getLogger(__name__)

PRINTS = ("fingerprint", "likeness")  # columns of their own
PROGRAM_FAILED = "program_failed"  # why an operator has a document whose first stages cannot be ended


def record_refusal(
    claim: work.Claim, code: str, notes: Sequence[str] = (), params: Mapping[str, Any] | None = None
) -> None:
    """The file is refused with a code; nothing of it is opened again unless a person gives the password.

    ``params``: what the sentence of the code says with it.
    """
    with work.recording(Job, claim) as job:
        if job is None or job.status != JobStatus.UPLOADED:
            return
        Job.objects.filter(pk=job.pk).update(**work.RECORDED, stage=JobStage.NONE, finished_at=Now(), checked_at=Now())
        move(
            JOB,
            Job.objects.filter(pk=job.pk),
            to=JobStatus.REJECTED,
            trigger="refused",
            reason={"code": code, **({"params": dict(params)} if params else {})},
            changes={
                "failure_code": code,
                "notes": list(notes),
                "password": None,
                "last_error": {"code": code, "params": dict(params)} if params else None,
            },
        )
        PrescanPart.objects.filter(job=job).delete()


@dataclass(frozen=True)
class Copy:
    """Of a file, without scripts, actions and attachments; stored under ``key``."""

    key: str
    sha256: str


def record_acceptance(claim: work.Claim, total_pages: int, notes: Sequence[str], copy: Copy | None = None) -> None:
    """The file may be opened, or the copy that was made of it; its pages are counted next."""
    with work.recording(Job, claim) as job:
        if job is None or job.status != JobStatus.UPLOADED:
            return
        made = {"source_key": copy.key, "copy_sha256": copy.sha256} if copy else {}
        columns = {"stage": JobStage.PRESCAN, "total_pages": total_pages, "notes": list(notes), **made}
        Job.objects.filter(pk=job.pk).update(**work.RECORDED, **Job.visible_change(), **columns)
        messages.send_after_commit("dispatch_job", job.pk)


def record_prescan_part(claim: work.Claim, prescans: Mapping[int, dict[str, Any]]) -> None:
    """One turn did not do for all pages: keep what it found, and let others have theirs."""
    with work.recording(Job, claim) as job:
        if job is None or job.status != JobStatus.UPLOADED:
            return
        if prescans:
            PrescanPart.objects.create(job=job, pages=list(prescans.values()))
        Job.objects.filter(pk=job.pk).update(
            **{**work.CLEARED, "failures": 0, "losses": 0} if prescans else work.CLEARED, progressed_at=Now()
        )


def record_prescan(
    claim: work.Claim,
    prescans: Sequence[dict[str, Any]],
    sample: Sequence[int],
    read_already: Mapping[int, dict[str, Any]],
    *,
    rejects_blank: bool = True,
) -> None:
    """Make the job's pages from their prescans (one dict a page, ``number`` and ``blank`` among the keys), and have the
    document evaluated; where its kind is not, the pages go to the machines at once.

    ``sample``: the pages that are read first and scored. ``read_already``: columns of the pages that the
    merchant has had read before, by number; they go straight to being understood. ``rejects_blank``: a document of
    blank pages goes to people (TA-BR25), else it is evaluated as any other.
    """
    with work.recording(Job, claim) as job:
        if job is None or job.status != JobStatus.UPLOADED:
            return
        sampled = set(sample)
        pages = [_new_page(job, prescan, sampled, read_already.get(prescan["number"])) for prescan in prescans]
        bulk.insert_rows(Page, bulk.columns_of(pages))
        PrescanPart.objects.filter(job=job).delete()
        is_evaluated = JobStage.EVALUATE in KINDS[job.kind].stages
        goes_on = not rejects_blank or any(not prescan["blank"] for prescan in prescans)
        follows = JobStage.EVALUATE if is_evaluated else JobStage.EXTRACT
        has_it = follows in KINDS[job.kind].stages and (goes_on or not is_evaluated)
        stage = follows if has_it else JobStage.NONE
        Job.objects.filter(pk=job.pk).update(
            **work.RECORDED, stage=stage, total_pages=len(prescans), checked_at=Now(), reused_pages=len(read_already)
        )
        if not is_evaluated:
            move(JOB, Job.objects.filter(pk=job.pk), to=JobStatus.PROCESSING, trigger="accepted")
            move(PAGE, Page.objects.filter(job=job), to=PageStatus.AI_QUEUED, trigger="routed")
        elif goes_on:
            move(JOB, Job.objects.filter(pk=job.pk), to=JobStatus.EVALUATING, trigger="accepted")
        else:
            _give_to_people(job, "prescan_reject", "all_blank")


def _new_page(job: Job, prescan: dict[str, Any], sampled: set[int], read: dict[str, Any] | None) -> Page:
    number, blank = prescan["number"], prescan["blank"]
    stage = PageStage.NONE if blank else PageStage.UNDERSTAND_RULES if read else PageStage.READ
    size = {"width_pt": prescan["width_pt"], "height_pt": prescan["height_pt"]}
    return Page(
        job=job,
        number=number,
        status=PAGE.check_path(PageStatus.PENDING, PageStatus.BLANK) if blank else PageStatus.PENDING,
        stage=stage,
        sampled=number in sampled,
        prescan={key: value for key, value in prescan.items() if key not in PRINTS},
        **{key: prescan.get(key, "") for key in PRINTS},
        **{**size, **(read or {})},
    )


def record_route(
    claim: work.Claim, route: str, c_doc: float, degrade_reason: str | None, reason: dict[str, Any]
) -> None:
    """The document's way is decided: its pages go to the machines, or (HUMAN_ALL) to people with the machine's help."""
    with work.recording(Job, claim) as job:
        if job is None or job.status != JobStatus.EVALUATING:
            return
        Job.objects.filter(pk=job.pk).update(
            **work.RECORDED, stage=JobStage.NONE, evaluated_at=Now(), progressed_at=Now()
        )
        rows = Job.objects.filter(pk=job.pk)
        changes = {"route": route, "c_doc": c_doc, "degrade_reason": degrade_reason, "route_reason": reason}
        move(JOB, rows, to=JobStatus.EVALUATED, trigger="evaluated", reason=reason, changes=changes)
        people_only = route == Route.HUMAN_ALL
        pages = Page.objects.filter(job=job)
        unreadable = pages.filter(status=PageStatus.PENDING, stage=PageStage.NONE)
        move(PAGE, pages if people_only else unreadable, to=PageStatus.HUMAN_QUEUED, trigger="routed")
        if not people_only:
            move(PAGE, pages, to=PageStatus.AI_QUEUED, trigger="routed")
        to = JobStatus.DEGRADED_HUMAN if people_only else JobStatus.PROCESSING
        move(JOB, rows, to=to, trigger="routed", reason=reason)
        messages.send_after_commit("open_tasks", job.pk)
        metrics.after_commit(metrics.ROUTES, route=route, degrade_reason=degrade_reason or "")


def record_job_failure(claim: work.Claim, error: dict[str, Any], *, permanent: bool) -> None:
    """A job's own stage raised: it is tried again later; at the end an operator has it, or people take it over."""
    with work.recording(Job, claim) as job:
        if job is None:
            return
        if work.put_back_after_failure(job, error) and not permanent:
            return
        give_up_stage(job)


@contextmanager
def job_held(claim: work.Claim) -> Iterator[None]:
    """The same as pages_held, for a stage of the job itself."""
    with work.holding([claim]):
        try:
            yield
        except (OSError, DatabaseError) as error:
            log.error("work interrupted", extra={"error": repr(error), "job_id": claim.id})
            work.release(Job, [claim], delay_s=MACHINE_TROUBLE_S)
        except Exception as error:
            log.exception("work failed")
            record_job_failure(claim, internal_error(error), permanent=False)
        except BaseException:  # a shutdown or a time limit
            work.release(Job, [claim])
            raise


@transaction.atomic
def give_up_jobs(job_ids: Sequence[int]) -> None:
    """Jobs whose stage cost its worker too often."""
    for job in Job.objects.select_for_update(no_key=True).filter(pk__in=job_ids):
        give_up_stage(job)


def give_up_stage(job: Job) -> None:
    """End a stage that cannot be finished; the job's row is locked by the caller.

    A file that costs its worker again and again is refused. Where the program itself failed, nothing says that the file
    is at fault (it is opened in sandboxed children only): an operator has it, and it goes on from where it stands.
    """
    rows = Job.objects.filter(pk=job.pk)
    is_ours = (job.last_error or {}).get("code") == INTERNAL_ERROR
    if is_ours and job.stage in (JobStage.INSPECT, JobStage.PRESCAN):
        rows.update(held_reason=PROGRAM_FAILED, **Job.visible_change())
        tell_stopped(job)
        log.error("document held for an operator", extra={"job_id": job.pk, "error": job.last_error})
    elif job.stage in (JobStage.INSPECT, JobStage.PRESCAN):
        changes = {"failure_code": "damaged", "stage": JobStage.NONE, "password": None}
        move(JOB, rows, to=JobStatus.REJECTED, trigger="refused", reason=job.last_error, changes=changes)
        rows.update(finished_at=Now())
    elif job.stage == JobStage.EVALUATE:
        rows.update(stage=JobStage.NONE)
        code = (job.last_error or {}).get("code", "worker_lost")
        metrics.after_commit(metrics.EVAL_FAILED, model="rules", error_code=code)
        move(JOB, rows, to=JobStatus.EVAL_FAILED, trigger="evaluation_failed", reason=job.last_error)
        _give_to_people(job, "eval_failed", "routed")
    elif job.stage in (JobStage.EXTRACT, JobStage.ASK):
        rows.update(stage=JobStage.NONE, **Job.visible_change())
        log.error("nothing extracted", extra={"job_id": job.pk, "stage": job.stage, "error": job.last_error})
        messages.send_after_commit("settle_job", job.pk)


def _give_to_people(job: Job, degrade_reason: str, trigger: str) -> None:
    """HUMAN_ALL with its reason: a blank document asks for one look at page 1, any other for all of its pages."""
    rows, pages = Job.objects.filter(pk=job.pk), Page.objects.filter(job=job)
    job_trigger = "all_blank" if trigger == "all_blank" else "evaluation_failed"
    if trigger == "all_blank":
        pages = pages.filter(number=1)
    blockers = [{"code": degrade_reason, "params": {}}]
    move(PAGE, pages, to=PageStatus.HUMAN_QUEUED, trigger=trigger, changes={"blockers": blockers, "needs_review": True})
    changes = {
        "route": Route.HUMAN_ALL,
        "degrade_reason": degrade_reason,
        "c_doc": 0.0,
        "route_reason": {"codes": [degrade_reason]},
    }
    move(JOB, rows, to=JobStatus.DEGRADED_HUMAN, trigger=job_trigger, changes=changes)
