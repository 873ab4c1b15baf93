"""What is done again and again so that lost messages and dead workers cost time and nothing else."""

import logging
import time
from datetime import timedelta
from functools import cache
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Greatest, Now

from catalogsku.core import work
from catalogsku.core.metrics import CLAIMS_FREED
from catalogsku.core.models import Worker
from catalogsku.core.moves import move
from catalogsku.core.prepared import Prepared, parameter
from ingestion.lifecycle import JOB, ORPHANABLE, JobStage, JobStatus, PageStage
from ingestion.models import Job, Page
from ingestion.notices.services.telling import tell_stopped
from ingestion.services import dispatch, turns
from ingestion.services.jobs import resume_status
from ingestion.services.pages import bury_lost
from ingestion.services.settle import settle_job, unsettled_jobs
from ingestion.services.steps import give_up_jobs
from ingestion.stages import JOB_STAGES, PAGE_STAGES

log = logging.getLogger(__name__)

NO_WORKER_S = 90
NO_PROGRESS_S = 15 * 60
RESUMES_A_DAY = 3
FORGET_WORKER_S = 600


def free_dead_claims(worker_ids: list[int] | None = None) -> int:
    """Reap pages and jobs of dead workers (or of these); those lost too often are given up. The number freed."""
    pages, jobs = work.reap(Page, worker_ids), work.reap(Job, worker_ids)
    bury_lost(pages.buried)
    give_up_jobs(jobs.buried)
    CLAIMS_FREED.inc(len(pages.freed) + len(jobs.freed))
    if worker_ids is None:
        Worker.objects.filter(seen_at__lt=Now() - timedelta(seconds=FORGET_WORKER_S)).delete()
    return len(pages.freed) + len(jobs.freed)


def free_process(machine: str, pids: list[int]) -> int:
    """The supervisor saw these processes of this machine die: free what they had at once, forget their rows."""
    dead = list(Worker.objects.filter(machine=machine, pid__in=pids).values_list("pk", flat=True))
    if not dead:
        return 0
    units = set(Worker.objects.filter(pk__in=dead).values_list("unit", flat=True))
    freed = free_dead_claims(dead)
    _forget_messages(units)
    Worker.objects.filter(pk__in=dead).delete()
    ring_units()
    return freed


def ring_units() -> int:
    """Wake the units for which something waits: a lost message, or pages that are due by now. How many there are."""
    units = turns.units_with_work()
    for unit in units:
        dispatch.ring(unit)
    return len(units)


def _forget_messages(units: set[str]) -> None:
    """What the dead had taken from their queue and not begun is sent again at once: pages that wait to be read keep
    those behind them waiting. Messages that still lie in the queue are doubled, which the claim makes harmless."""
    lately = Now() - timedelta(seconds=work.LOST_MESSAGE_S)
    for model, stages in ((Page, PAGE_STAGES), (Job, JOB_STAGES)):
        of_units = [stage for stage, doing in stages.items() if doing.unit in units]
        sent = model._default_manager.filter(stage__in=of_units, worker__isnull=True, dispatched_at__gte=lately)
        with transaction.atomic():
            ids = list(
                sent.order_by("pk").select_for_update(no_key=True, skip_locked=True).values_list("pk", flat=True)
            )
            model._default_manager.filter(pk__in=ids).update(dispatched_at=None)


def sweep() -> dict[str, int]:
    """One round: reap, dispatch, settle, orphan and resume. Safe on any number of instances at once."""
    freed = free_dead_claims()
    rung = ring_units()
    settled = sum(settle_job(job_id) is not None for job_id in unsettled_jobs())
    return {"freed": freed, "rung": rung, "settled": settled, **watch_progress(may_orphan=_has_watched())}


@cache
def _watching_since_s() -> float:
    """When this process first looked, not when this was loaded: units are forked from a process that did that."""
    return time.monotonic()


def _has_watched() -> bool:
    """After a night in which everything was off, workers get their time to start and to go on (TA-BEAT)."""
    return time.monotonic() - _watching_since_s() > NO_WORKER_S


def watch_progress(*, may_orphan: bool = True) -> dict[str, int]:
    """Orphan jobs whose work waits without worker or progress; resume them once workers live (TA-D6, TA-BEAT)."""
    alive = work.live_threads("cpu") > 0
    patience_s, why = (NO_PROGRESS_S, "no_progress") if alive else (NO_WORKER_S, "no_worker")
    with transaction.atomic():
        late = _LATE.column(500, patience=timedelta(seconds=patience_s)) if may_orphan else []
        orphaned = len(_orphan(late, why))
    resumed = _resume_orphans() if alive else 0
    return {"orphaned": orphaned, "resumed": resumed}


def _late() -> QuerySet[Job, int]:
    idle = (PageStage.NONE, PageStage.BATCH)  # a batch takes a day, and is watched by who sent it
    ready = Page.objects.filter(job=OuterRef("pk"), worker__isnull=True).exclude(stage__in=idle)
    in_hand = Page.objects.filter(worker__isnull=False).values("job")
    waiting = Exists(ready) | Q(pk__in=in_hand) | ~Q(stage=JobStage.NONE)
    since = Greatest("progressed_at", "checked_at", "created_at", "resumed_at")
    quiet = Job.objects.filter(waiting, held_reason="", status__in=ORPHANABLE).annotate(since=since)
    return quiet.filter(since__lt=Now() - parameter("patience")).values_list("pk", flat=True)


_LATE = Prepared(_late)


def _orphan(ids: list[int], why: str) -> list[Any]:
    return (
        move(JOB, Job.objects.filter(pk__in=ids), to=JobStatus.ORPHANED, trigger="orphaned", reason={"code": why})
        if ids
        else []
    )


def _resume_orphans() -> int:
    resumed = 0
    for job_id in Job.objects.filter(status=JobStatus.ORPHANED, held_reason="").values_list("pk", flat=True)[:500]:
        with transaction.atomic():
            resumed += _resume(job_id)
    return resumed


def _resume(job_id: int) -> int:
    """The third resume in 24 h without progress between, with workers alive, holds the job for an operator."""
    job = Job.objects.select_for_update(no_key=True).filter(pk=job_id, status=JobStatus.ORPHANED).first()
    if job is None:
        return 0
    now = Job.objects.filter(pk=job_id).values_list(Now(), flat=True).get()
    day_ago, progressed = (
        (now - timedelta(days=1)).isoformat(),
        job.progressed_at.isoformat() if job.progressed_at else "",
    )
    recent = [at for at in job.resumes if at > day_ago and at > progressed]
    if len(recent) >= RESUMES_A_DAY - 1:
        error = Page.objects.filter(job=job_id, last_error__isnull=False).values_list("last_error", flat=True).first()
        code = str((error or {}).get("code", "no_progress"))[:200]
        Job.objects.filter(pk=job_id).update(held_reason=code, **Job.visible_change())
        tell_stopped(job)
        log.warning("document held for an operator", extra={"job_id": job_id, "code": code})
        return 0
    Job.objects.filter(pk=job_id).update(resumes=[*recent, now.isoformat()], resumed_at=Now())
    resume_status(job_id)
    return 1
