"""Which work is ready for which unit, and waking the unit's threads when some is.

A message says only that there may be something to do: a thread that gets one takes a turn (`turns`), and what that is
is decided then. So nothing that waits in a queue stands in anybody's way, and messages may be lost or doubled.
"""

import time

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from catalogsku.core import messages, work
from ingestion.lifecycle import WORKABLE, JobStage, JobStatus, PageStage
from ingestion.models import Job, Page
from ingestion.stages import JOB_STAGES, LOOK_BACK_PAGES, PAGE_STAGES

LATER_S = 0.25  # a look ordered for about the moment at which pages are due comes so much later, and finds them all


def turn_actor(unit: str) -> str:
    """The actor whose message lets a thread of the unit take a turn."""
    return f"take_{unit}_turn"


def active_pages() -> QuerySet[Page]:
    """Pages that machines may claim now: of workable jobs that nobody holds; while evaluating they are only read."""
    return Page.objects.filter(job__status__in=WORKABLE, job__held_reason="").exclude(
        Q(job__status=JobStatus.EVALUATING) & ~Q(stage=PageStage.READ)
    )


def active_jobs() -> QuerySet[Job]:
    """Jobs whose own stages machines may claim; a job is evaluated once its sampled pages have been read, its
    fields are extracted once no page waits, and models are asked about it then."""
    pages = Page.objects.filter(job=OuterRef("pk"))
    unread = pages.filter(sampled=True, stage=PageStage.READ)
    # Two questions, because each has an index of its own.
    waits, in_hand = (
        Exists(pages.filter(worker__isnull=True).exclude(stage=PageStage.NONE)),
        pages.filter(worker__isnull=False),
    )
    return Job.objects.filter(held_reason="").filter(
        Q(stage__in=[JobStage.INSPECT, JobStage.PRESCAN], status=JobStatus.UPLOADED)
        | (Q(stage=JobStage.EVALUATE, status=JobStatus.EVALUATING) & ~Exists(unread))
        | (Q(stage=JobStage.EXTRACT, status=JobStatus.PROCESSING) & ~waits & ~Exists(in_hand))
        | Q(stage=JobStage.ASK, status=JobStatus.PROCESSING)
    )


def ready_pages(stage: str) -> QuerySet[Page]:
    """Waiting pages of a stage; to be understood, the ten pages before it must not wait to be read."""
    ready = work.waiting(active_pages().filter(stage=stage))
    if stage == PageStage.READ:
        return ready
    unread_before = Page.objects.filter(
        job=OuterRef("job"),
        stage=PageStage.READ,
        number__gte=OuterRef("number") - LOOK_BACK_PAGES,
        number__lt=OuterRef("number"),
    )
    return ready.filter(~Exists(unread_before))


_WAITING_STAGES = """
SELECT stage FROM ingestion_job WHERE id = %(job)s AND stage <> 'NONE' AND worker IS NULL
UNION ALL
SELECT s.stage FROM unnest(%(stages)s::text[]) AS s (stage) WHERE EXISTS (SELECT FROM ingestion_page p
    WHERE p.job_id = %(job)s AND p.stage = s.stage AND p.stage <> 'NONE' AND p.worker IS NULL)"""


def dispatch_job(job_id: int) -> list[str]:
    """Wake the units for which something of the job waits; their names. A hint: what is ready each thread looks up."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING_STAGES, {"job": job_id, "stages": [str(stage) for stage in PAGE_STAGES]})
        stages = {stage for (stage,) in cursor.fetchall()}
    doing = [*JOB_STAGES.items(), *PAGE_STAGES.items()]
    units = sorted({of.unit for stage, of in doing if stage in stages})
    for unit in units:
        ring(unit)
    return units


def ring(unit: str) -> None:
    """Have a thread of the unit look for its turn; one message that waits is enough, for who takes it rings again."""
    messages.send_unless_waiting(turn_actor(unit))


# When this process has ordered another look at a job: a hundred pages that a full gate sent back need one.
_looks: dict[int, float] = {}


def dispatch_again(job_id: int, wait_s: float) -> None:
    """Have the job dispatched once pages that were put off so long are due; the sweep alone comes up to 5 s later."""
    due_s = time.monotonic() + wait_s
    if abs(due_s - _looks.get(job_id, 0.0)) > LATER_S:
        _looks[job_id] = due_s
        messages.send("dispatch_job", job_id, delay_ms=round((wait_s + LATER_S) * 1000))
