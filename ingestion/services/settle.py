"""settle_job: the job's status follows its pages, or the rows of its kind, computed under a lock on the job's row;
nothing else moves it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from catalogsku.core import clock, crash_points, live, metrics
from catalogsku.core.moves import move
from catalogsku.core.prepared import Prepared
from ingestion.kinds import CATALOGUE
from ingestion.lifecycle import (
    JOB,
    PAGES_WITH_MACHINES,
    PAGES_WITH_PEOPLE,
    SETTLED,
    ImportState,
    JobStage,
    JobStatus,
    ModelsState,
    PageStage,
    PageStatus,
    Route,
    SkipReason,
)
from ingestion.models import Job, Page
from ingestion.services.skip_checks import doubt_skips
from ingestion.settling import Census, job_status, tally

SETTLED_AT_ONCE = 500
_MACHINES_ARE_DONE = (JobStatus.PARTIAL_IMPORTED, JobStatus.PARTIAL_FAILED, JobStatus.FULL_IMPORTED)


@dataclass(frozen=True)
class Settling:
    """How the jobs of a kind follow from the rows below them.

    ``census``: of these rows as committed now, whatever ``status`` reads of them; one query. ``status``: one of
    SETTLED, from job and census alone. ``completion``: columns of a job that has ended. ``unsettled``: ids of jobs
    whose status is not what the rows say, so many at most of a query. ``looks_again``: asked where machines are done,
    with the job's row locked; true where it gave people more to look at, so that the census is taken anew.
    """

    census: Callable[[int], Any]
    status: Callable[[Job, Any], JobStatus]
    completion: Callable[[Job, Any], dict[str, Any]]
    unsettled: Callable[[int], Sequence[int]]
    looks_again: Callable[[Job, Any], bool] = lambda job, census: False


@transaction.atomic
def settle_job(job_id: int) -> str | None:
    """Set the job's status from the rows below it; the new one, or None where nothing changed or it is not settled so.

    The census is taken after the lock: of two last pages the second one sees the first (PL-C2).
    """
    job = Job.objects.select_for_update(no_key=True).filter(pk=job_id, status__in=SETTLED).first()
    if job is None:
        return None
    of_kind = SETTLING[job.kind]
    census = of_kind.census(job_id)
    target = of_kind.status(job, census)
    is_open = job.status != JobStatus.FULL_IMPORTED  # what has ended stays so, until somebody takes it up again
    if is_open and target in _MACHINES_ARE_DONE and of_kind.looks_again(job, census):
        census = of_kind.census(job_id)
        target = of_kind.status(job, census)
    if target == job.status:
        return None
    changes: dict[str, Any] = {"finished_at": None, "completion": None, "completion_source": ""}
    if target in (JobStatus.FULL_IMPORTED, JobStatus.PARTIAL_FAILED):
        changes = of_kind.completion(job, census)
    moved = move(JOB, Job.objects.filter(pk=job_id), to=target, trigger="settled", changes=changes)
    if target in (JobStatus.FULL_IMPORTED, JobStatus.PARTIAL_FAILED):
        Job.objects.filter(pk=job_id).update(finished_at=Now(), password=None)
        metrics.observe_after_commit(metrics.DOCUMENT_SECONDS, age_s(job.created_at), route=job.route)
    crash_points.reached("settle_job.before_commit")
    return target if moved else None


def age_s(moment: datetime) -> float:
    return (clock.now() - moment).total_seconds()


def status_of(job: Job) -> JobStatus:
    """What settle_job would make of it now."""
    of_kind = SETTLING[job.kind]
    return of_kind.status(job, of_kind.census(job.pk))


def unsettled_jobs() -> list[int]:
    """Jobs whose status is not what the rows below them say: the sweep's find after a lost message."""
    return sorted({job_id for of_kind in SETTLING.values() for job_id in of_kind.unsettled(SETTLED_AT_ONCE)})


# --- a catalogue follows its pages ----------------------------------------------------------------


def _census(job_id: int) -> Census:
    return Page.census(job_id)


def _status(job: Job, census: Census) -> JobStatus:
    return job_status(census, job.route, held=job.import_hold, asks=job.models_state == ModelsState.ASKING)


def _doubts_skips(job: Job, census: Census) -> bool:
    """Where machines skipped any page by themselves."""
    passed_over = any(skip_reason == SkipReason.NO_PRODUCT for _, _, skip_reason in census)
    return passed_over and doubt_skips(job) > 0


def _completion(job: Job, census: Census) -> dict[str, Any]:
    """Completion source and snapshot (TA-P0-1): who finished it, and the pages' last count."""
    pages = tally(census)
    by_people = Page.objects.filter(job=job, status=PageStatus.HUMAN_COMPLETED).exists()
    if not pages.done and not pages.wrong:
        source = "no_products"
    elif job.route == Route.HUMAN_ALL:
        source = "human_all"
    else:
        source = "mixed" if by_people else "machine"
    counts = {"/".join(filter(None, key)): number for key, number in sorted(census.items())}
    return {"completion_source": source, "completion": {"pages": counts, "skus": _skus(job)}}


def _skus(job: Job) -> int:
    return sum(Page.objects.filter(job=job).values_list("sku_count", flat=True))


def _unsettled(most: int) -> list[int]:
    """So many of those that are open; of the many that have ended only those are looked at, as many, that machines or
    people have taken up again."""
    return [job_id for jobs in _UNSETTLED for job_id in jobs.column(most)]


def _open_unsettled() -> QuerySet[Job]:
    pages = Page.objects.filter(job=OuterRef("pk"))
    machines, people, wrong = _machines(pages), _people(pages), Exists(_wrong(pages))
    asks = Q(models_state=ModelsState.ASKING)
    if_decided = (
        (Q(status=JobStatus.PROCESSING) & ~machines)
        | Q(status=JobStatus.AWAITING_GO)
        | (Q(status=JobStatus.DEGRADED_HUMAN) & ~machines & ~people)
        | (Q(status=JobStatus.PARTIAL_IMPORTED) & (machines | ~people))
        | (Q(status=JobStatus.PARTIAL_FAILED) & (machines | people | ~wrong))
    )
    return _settled_jobs().filter((asks & ~Q(status=JobStatus.AWAITING_GO)) | (~asks & if_decided))


def _settled_jobs() -> QuerySet[Job]:
    return Job.objects.filter(kind=CATALOGUE.key, status__in=SETTLED, stage=JobStage.NONE)


def _machines(pages: QuerySet[Page]) -> Q:
    """Two questions, because each has an index of its own: one for both would look at every page of the job."""
    unsettled = Q(Exists(_importing(pages, ImportState.NONE)))
    importing = Q(Exists(_importing(pages, ImportState.PENDING)), import_hold=False)
    return Q(Exists(pages.filter(status__in=PAGES_WITH_MACHINES))) | unsettled | importing


def _people(pages: QuerySet[Page]) -> Q:
    """Held imports wait for a person too."""
    held = Q(Exists(_importing(pages, ImportState.PENDING)), import_hold=True)
    return Q(Exists(pages.filter(status__in=PAGES_WITH_PEOPLE))) | held


def _importing(pages: QuerySet[Page], state: ImportState) -> QuerySet[Page]:
    return pages.filter(status__in=[PageStatus.AI_COMPLETED, PageStatus.HUMAN_COMPLETED], import_state=state)


def _wrong(pages: QuerySet[Page]) -> QuerySet[Page]:
    return pages.filter(
        Q(status=PageStatus.DEAD_LETTER)
        | Q(import_state__in=[ImportState.FAILED, ImportState.STALE])
        | Q(status__in=[PageStatus.BLANK, PageStatus.SKIPPED], skip_reason=SkipReason.SLA)
    )


def _taken_up_again() -> Q:
    """Begins with the pages, each time by one of their partial indexes: those pages are few, ended jobs are many."""
    waiting = Page.objects.exclude(stage=PageStage.NONE).filter(worker__isnull=True)
    in_hand = Page.objects.filter(worker__isnull=False)
    unsettled = Page.objects.filter(
        status=PageStatus.AI_COMPLETED, import_state__in=[ImportState.NONE, ImportState.PENDING]
    )
    review = Page.objects.filter(needs_review=True, status=PageStatus.HUMAN_QUEUED)
    return (
        Q(pk__in=waiting.values("job"))
        | Q(pk__in=in_hand.values("job"))
        | Q(pk__in=unsettled.values("job"))
        | Q(pk__in=review.values("job"))
    )


def _ended_unsettled() -> QuerySet[Job]:
    return _settled_jobs().filter(_taken_up_again(), status=JobStatus.FULL_IMPORTED)


def _ids(jobs: Callable[[], QuerySet[Job]]) -> QuerySet[Job, int]:
    return jobs().order_by("pk").values_list("pk", flat=True)


_UNSETTLED = tuple(Prepared(partial(_ids, jobs)) for jobs in (_open_unsettled, _ended_unsettled))
# By kind; an app that brings one enters how it is settled as it is ready.
SETTLING = {CATALOGUE.key: Settling(_census, _status, _completion, _unsettled, _doubts_skips)}


def touch_progress(job_id: int, stage: str = "", page_s: float = 0.0) -> None:
    """Note that pages of the job have got on (TA-BEAT), and tell the watchers.

    ``page_s``: seconds of a core that each took in ``stage``. By the clock chunks would be cut finer just where the
    machine has too much to do already.
    """
    pace = {"paces": RawSQL("paces || jsonb_build_object(%s::text, %s::float8)", (stage, page_s))} if stage else {}
    Job.objects.filter(pk=job_id).update(progressed_at=Now(), **pace)
    live.hint_after_commit(job_id)
