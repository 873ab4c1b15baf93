"""Whose turn it is: a thread that is free takes a piece of work of the document that is served next.

Merchants share a unit by weighted fair queueing (Demers, Keshav, Shenker 1989): first who holds the fewest of its
threads, then who has used the least machine time lately, each by its weight. A merchant's documents are on levels of
what each has had, as processes of a multi-level feedback queue (Corbató 1962): one that has had little goes before one
that has had much, the one that waits longest first; waiting brings it up again. So a small document is not behind a
long one, of others or of its own merchant, and nobody starves.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from math import ceil
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import BooleanField, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, Greatest, Now

from catalogsku.core import crash_points, work
from catalogsku.core.prepared import Prepared, parameter
from ingestion.lifecycle import JobStatus, PageStage
from ingestion.models import Job, MachineUse, Page
from ingestion.queueing import in_order, waiting_jobs
from ingestion.services.dispatch import active_jobs, ready_pages
from ingestion.stages import JOB_STAGES, PAGE_STAGES, UNITS, StageWork

RECOGNISED_IN_A_CHUNK = 2
TURNS_LOCK = 0x5C2
LAST_ROUNDS = 2
ENOUGH_PAGES = 1024  # more than 64 threads take in whole chunks
GETTING_ON_S = 10.0
WITH_MACHINES = (JobStatus.UPLOADED, JobStatus.EVALUATING, JobStatus.EVALUATED, JobStatus.PROCESSING)


@dataclass(frozen=True)
class Turn:
    """``subject``: the job of a stage of its own, else ids of neighbouring pages; marked as sent, not yet claimed.

    ``is_last``: nothing else of the unit waited just then, so that no other thread need look.
    """

    stage: str
    job_id: int
    subject: int | list[int]
    is_last: bool = field(default=False, compare=False)


def next_turn(unit: str) -> Turn | None:
    """Take the next piece of work of the unit; None where nothing waits that may be done now.

    One chooser at a time: two would each take pages between the other's, and both of the same merchant.
    """
    with transaction.atomic():
        most = max(_threads_once_alone(unit) - 1, 1)
        order = in_order(unit)
        for waiting in order:
            if waiting.held >= most and _others_get_on(waiting.merchant_id):
                continue
            turn = (_own_turn(waiting.job_id, unit) if waiting.own else None) or _pages_turn(waiting.job_id, unit)
            if turn is not None:
                crash_points.reached("dispatch.before_commit")
                return replace(turn, is_last=turn.is_last and len(order) == 1)
    return None


_ALONE = f"""
SELECT pg_advisory_xact_lock({TURNS_LOCK}, %s), (SELECT coalesce(sum(threads), 0) FROM core_worker
    WHERE unit = %s AND seen_at > statement_timestamp() - make_interval(secs => {work.DEAD_WORKER_S}))"""


def _threads_once_alone(unit: str) -> int:
    """Threads of the unit's live workers, when no other thread is choosing for it."""
    with connection.cursor() as cursor:
        cursor.execute(_ALONE, [UNITS.index(unit), unit])
        return int(cursor.fetchone()[1])


def _others_get_on(merchant_id: int) -> bool:
    """Whether machines have just done something for another merchant's document: its next step is about to come, and a
    thread is kept for it rather than given to who has all others (they may be gone for long)."""
    just = Now() - timedelta(seconds=GETTING_ON_S)
    since = Greatest("progressed_at", "evaluated_at", "checked_at", "created_at")
    jobs = Job.objects.filter(status__in=WITH_MACHINES, held_reason="").exclude(merchant=merchant_id)
    return jobs.annotate(since=since).filter(since__gt=just).exists()


def units_with_work() -> list[str]:
    return [unit for unit in UNITS if waiting_jobs(unit)]


def _own_turn(job_id: int, unit: str) -> Turn | None:
    """The job's own stage, where that is what waits."""
    stages = [stage for stage, doing in JOB_STAGES.items() if doing.unit == unit]
    ready = work.waiting(active_jobs().filter(pk=job_id, stage__in=stages))
    job = ready.select_for_update(of=("self",), no_key=True, skip_locked=True).only("pk", "stage").first()
    if job is None:
        return None
    Job.objects.filter(pk=job.pk).update(dispatched_at=Now())
    return Turn(job.stage, job.pk, job.pk)


def _pages_turn(job_id: int, unit: str) -> Turn | None:
    """Neighbouring pages of the first stage of which there are enough to be worth a turn."""
    load = _look(job_id, unit)
    for stage, doing in PAGE_STAGES.items():
        ids = _chunk(job_id, stage, doing, load) if doing.unit == unit else []
        if ids:
            Page.objects.filter(pk__in=ids).update(dispatched_at=Now())
            left = sum(load.waiting.get(stage, 0) for stage, doing in PAGE_STAGES.items() if doing.unit == unit)
            return Turn(stage, job_id, ids, is_last=left <= len(ids))
    return None


class Load(NamedTuple):
    """What decides how much of a job is one turn."""

    evaluating: bool  # its sample is wanted first
    reading: bool  # pages that are being read will soon be ready to be understood
    threads: int  # live ones of the unit
    busy: int  # of all threads those that have pages of the job
    claimed: dict[str, int]  # stage to the pages in hand
    waiting: dict[str, int]  # stage to the pages that wait, as far as it matters
    paces: dict[str, float]  # stage to the seconds of a core that a page has last taken in it

    def size(self, stage: str, chunk: int, finest: int) -> int:
        """What is left is cut so that every thread gets as many chunks, at least two: none stands idle at the end."""
        threads = max(self.threads, 1)
        left = sum(self.claimed.values()) + sum(self.waiting.values())
        chunks_each = max(2, ceil(left / (threads * chunk)))
        even = max(ceil(left / (threads * chunks_each)), min(finest, ceil(left / threads)))
        size, waiting = max(1, min(chunk, even)), self.waiting.get(stage, 0)
        of_stage = waiting + self.claimed.get(stage, 0)
        more_follow = self.reading and stage != PageStage.READ
        more_ahead = stage == PageStage.READ and left - of_stage >= size  # pages to understand fill up the end
        if more_follow or more_ahead or of_stage > LAST_ROUNDS * threads * size:
            return size
        free = max(threads - self.busy, 1)
        return max(1, min(_alike(of_stage, size, threads), _alike(waiting, size, free)))


def _alike(pages: int, size: int, threads: int) -> int:
    """The size of like chunks, not above ``size``, as many for each thread."""
    return ceil(pages / (ceil(pages / size / threads) * threads)) if pages else size


_LOOK = """
SELECT j.status = %(evaluating)s AND j.stage <> 'NONE',
    EXISTS (SELECT FROM ingestion_page p WHERE p.job_id = j.id AND p.stage = %(read)s AND (p.worker IS NOT NULL
        OR p.dispatched_at >= statement_timestamp() - make_interval(secs => %(lost_s)s))),
    (SELECT coalesce(sum(threads), 0) FROM core_worker
        WHERE unit = %(unit)s AND seen_at > statement_timestamp() - make_interval(secs => %(dead_s)s)),
    (SELECT count(DISTINCT (p.worker, p.claimed_at)) FROM ingestion_page p
        WHERE p.worker IS NOT NULL AND p.job_id = j.id),
    (SELECT jsonb_object_agg(c.stage, c.pages) FROM (SELECT p.stage, count(*) AS pages FROM ingestion_page p
        WHERE p.worker IS NOT NULL AND p.job_id = j.id GROUP BY 1) AS c),
    (SELECT jsonb_object_agg(s.stage, w.pages) FROM unnest(%(stages)s::text[]) AS s (stage), LATERAL (
        SELECT count(*) AS pages FROM (SELECT FROM ingestion_page p WHERE p.stage = s.stage AND p.job_id = j.id
            AND p.stage <> 'NONE' AND p.worker IS NULL ORDER BY p.number LIMIT %(enough)s) AS few) AS w),
    j.paces
FROM ingestion_job j WHERE j.id = %(job)s"""


def _look(job_id: int, unit: str) -> Load:
    parameters: dict[str, Any] = {
        "job": job_id,
        "unit": unit,
        "stages": [str(stage) for stage in PAGE_STAGES],
        "read": str(PageStage.READ),
        "evaluating": str(JobStatus.EVALUATING),
        "lost_s": work.LOST_MESSAGE_S,
        "dead_s": work.DEAD_WORKER_S,
        "enough": ENOUGH_PAGES,
    }
    with connection.cursor() as cursor:
        cursor.execute(_LOOK, parameters)
        *counts, claimed, waiting, paces = cursor.fetchone()
    return Load(*counts, *(json.loads(text or "{}") for text in (claimed, waiting, paces)))


def _chunk(job_id: int, stage: PageStage, doing: StageWork, load: Load) -> list[int]:
    """Ids of the neighbours that are the next turn of the stage; none where it is better to wait for more."""
    if not load.waiting.get(stage):
        return []
    samples = load.evaluating and stage == PageStage.READ  # the evaluation waits for them, and for nothing else
    chunk = doing.chunk_at(load.paces.get(stage))
    if samples:
        chunk = max(doing.chunk, chunk // 2)
    size, threads = load.size(stage, chunk, doing.finest), max(load.threads, 1)
    ready = pages_to_take(job_id, stage, chunk * threads if samples else size, samples_first=samples)
    sample = [page for page in ready if samples and page.sampled]
    if sample:
        return chunk_pages(sample, min(size, max(ceil(len(sample) / threads), doing.chunk // 2)))[0]
    if stage != PageStage.READ and load.reading and len(ready) < size:
        return []  # whole chunks only; the rest with what comes
    return chunk_pages(ready, size)[0] if ready else []


class Ready(NamedTuple):
    """A page that waits and may be taken."""

    pk: int
    number: int
    sampled: bool
    losses: int
    failures: int
    needs_ocr: bool


def _ready(stage: str, *, samples_first: bool) -> QuerySet[Page, Any]:
    return (
        ready_pages(stage)
        .filter(job_id=parameter("job"))
        .order_by(*(["-sampled"] if samples_first else []), "number")
        .select_for_update(of=("self",), no_key=True, skip_locked=True)
        .annotate(needs_ocr=Coalesce(Cast(KT("prescan__needs_ocr"), BooleanField()), False))
        .values_list("pk", "number", "sampled", "losses", "failures", "needs_ocr")
    )


def pages_to_take(job_id: int, stage: PageStage, most: int, *, samples_first: bool = False) -> list[Ready]:
    """Locked until the transaction ends; not those that another one has locked."""
    return [Ready(*row) for row in _READY[stage, samples_first].rows(most, job=job_id)]


_READY = {
    (stage, samples): Prepared(partial(_ready, stage, samples_first=samples))
    for stage in PAGE_STAGES
    for samples in (False, True)
}


def chunk_pages(pages: Sequence[Ready], size: int) -> list[list[int]]:
    """Page ids in runs of neighbours worth at most ``size``; pages to recognise weigh half of it, suspects go alone."""
    chunks: list[list[int]] = []
    weight = size
    for page in sorted(pages, key=lambda p: (is_suspect(p), p.number)):
        alone = is_suspect(page)
        recognised = max(size // RECOGNISED_IN_A_CHUNK, 1) if page.needs_ocr else 1
        own = size if alone else recognised
        if not chunks or weight + own > size:
            chunks.append([])
            weight = 0
        chunks[-1].append(page.pk)
        weight += own
    return chunks


def is_suspect(page: Ready) -> bool:
    """A page that has failed, or lost its worker three times: it goes last and alone."""
    return page.failures > 0 or page.losses >= work.ALONE_AFTER_LOSSES


def kept_waiting(unit: str, holder_id: int) -> int | None:
    """The merchant that has no thread of the unit, work that can be done now, and had less machine time than
    ``holder_id``, who has some; None where there is none. The first in order is who would be served."""
    used = dict(MachineUse.objects.filter(merchant=holder_id).values_list("merchant", "used_s"))
    for waiting in in_order(unit):
        if waiting.held or waiting.merchant_id == holder_id:
            return None
        if _has_ready(waiting.job_id, unit):
            return waiting.merchant_id if waiting.used_s / waiting.weight <= used.get(holder_id, 0.0) else None
    return None


def _has_ready(job_id: int, unit: str) -> bool:
    own = [stage for stage, doing in JOB_STAGES.items() if doing.unit == unit]
    if work.waiting(active_jobs().filter(pk=job_id, stage__in=own)).exists():
        return True
    stages = [stage for stage, doing in PAGE_STAGES.items() if doing.unit == unit]
    return any(ready_pages(stage).filter(job=job_id).exists() for stage in stages)
