"""Sending waiting work to the units: a window of each active job, shared fairly between merchants.

The message is a hint; `dispatched_at` keeps it from being sent twice within 20 s, the claim makes doubles harmless.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import BooleanField, Count, Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, Now
from structlog.contextvars import bound_contextvars

from catalogsku.core import crash_points, messages, work
from catalogsku.core.prepared import Prepared, parameter
from ingestion.lifecycle import WORKABLE, JobStage, JobStatus, PageStage
from ingestion.models import Job, Page

LOOK_BACK_PAGES = 10
RECOGNISED_IN_A_CHUNK = 2
# A message costs the same for one page as for thirty (a forked child alone some 40 ms, until it has opened the document
# and its fonts): pages go together until they take two seconds of a core, so that SKUs still appear every second.
CHUNK_S, CHUNK_PAGES_MAX = 2.0, 32
ROUNDS = 2  # chunks a thread that are under way: one is worked on, one waits
DISPATCH_LOCK = 0x5C2
LATER_S = 0.25  # a look ordered for about the moment at which pages are due comes so much later, and finds them all
ENOUGH_PAGES = 1024  # more than 64 threads take in whole chunks


@dataclass(frozen=True)
class StageWork:
    """Who does a stage: the actor, its unit, and how many neighbouring pages go into one message at least.

    ``finest``: what is left of a job is not cut finer than this, as long as every thread has as many chunks.
    """

    actor: str
    unit: str
    chunk: int = 1
    finest: int = 1

    def chunk_at(self, page_s: float | None) -> int:
        """Pages a message where one takes a core that long; None: not known."""
        if page_s is None:
            return self.chunk
        return max(self.chunk, min(int(CHUNK_S / max(page_s, 0.001)), CHUNK_PAGES_MAX))


JOB_STAGES = {
    JobStage.INSPECT: StageWork("inspect_job", "cpu"),
    JobStage.PRESCAN: StageWork("prescan_job", "cpu"),
    JobStage.EVALUATE: StageWork("evaluate_job", "llm"),
}
# Understanding first: what has been read becomes visible before more is read.
PAGE_STAGES = {
    PageStage.UNDERSTAND: StageWork("consult_models", "llm"),
    # Thirty-two pages are half a second: less costs more to send, to record and to deliver than it saves in waiting.
    PageStage.UNDERSTAND_RULES: StageWork("understand_pages", "cpu", CHUNK_PAGES_MAX, finest=CHUNK_PAGES_MAX),
    PageStage.READ: StageWork("read_pages", "cpu", 8),
}


# When this process has ordered another look at a job: a hundred pages that a full gate sent back need one.
_looks: dict[int, float] = {}


def dispatch_again(job_id: int, wait_s: float) -> None:
    """Have the job dispatched once pages that were put off so long are due; the sweep alone comes up to 5 s later."""
    due_s = time.monotonic() + wait_s
    if abs(due_s - _looks.get(job_id, 0.0)) > LATER_S:
        _looks[job_id] = due_s
        messages.send("dispatch_job", job_id, delay_ms=round((wait_s + LATER_S) * 1000))


def active_pages() -> QuerySet[Page]:
    """Pages that machines may claim now: of workable jobs that nobody holds; while evaluating they are only read."""
    return Page.objects.filter(job__status__in=WORKABLE, job__held_reason="").exclude(
        Q(job__status=JobStatus.EVALUATING) & ~Q(stage=PageStage.READ)
    )


def active_jobs() -> QuerySet[Job]:
    """Jobs whose own stages machines may claim; a job is evaluated once its sampled pages have been read."""
    unread = Page.objects.filter(job=OuterRef("pk"), sampled=True, stage=PageStage.READ)
    return Job.objects.filter(held_reason="").filter(
        Q(stage__in=[JobStage.INSPECT, JobStage.PRESCAN], status=JobStatus.UPLOADED)
        | (Q(stage=JobStage.EVALUATE, status=JobStatus.EVALUATING) & ~Exists(unread))
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


def dispatch_job(job_id: int) -> int:
    """Send what of the job is ready, as far as its window allows; the number of pages and job stages sent."""
    with bound_contextvars(job_id=job_id), transaction.atomic():  # it goes with the messages, into their log lines
        loads = _look(job_id)
        sent = _dispatch_own_stage(job_id) if any(load.own for load in loads) else 0
        for load in loads:
            if load.waits:
                sent += _dispatch_pages(job_id, load, PAGE_STAGES[load.stage])
        crash_points.reached("dispatch.before_commit")
    return sent


def _dispatch_own_stage(job_id: int) -> int:
    job = (
        work.waiting(active_jobs().filter(pk=job_id))
        .select_for_update(of=("self",), no_key=True, skip_locked=True)
        .first()
    )
    if job is None:
        return 0
    Job.objects.filter(pk=job.pk).update(dispatched_at=Now())
    messages.send_after_commit(JOB_STAGES[JobStage(job.stage)].actor, job.pk)
    return 1


def _dispatch_pages(job_id: int, load: "Load", doing: StageWork) -> int:
    samples = load.own and load.stage == PageStage.READ  # the evaluation waits for them, and for nothing else
    chunk, ahead = doing.chunk_at(load.page_s), ROUNDS
    if samples:  # the others just keep the threads at work meanwhile: whatever comes in waits behind them
        chunk, ahead = max(doing.chunk, chunk // 2), 1
    room, size = load.room(chunk, ROUNDS), load.chunk_size(chunk, doing.finest)
    if room <= 0 or (room < size and load.of_job >= load.threads * size):  # each thread has one
        return 0
    ready = pages_to_send(job_id, load.stage, room + 1, samples_first=samples)
    sample = [page for page in ready[:room] if samples and page.sampled]
    others, room = ready[len(sample) :], max(load.room(chunk, ahead) - len(sample), 0)
    if len(others) > room or load.more_follow:  # whole chunks only; the rest with what comes
        others = others[: min(room, len(others)) // size * size]
    elif len(others) > size:  # what is left, a like number of like chunks for each thread
        threads = max(load.threads, 1)
        size = ceil(len(others) / (ceil(len(others) / size / threads) * threads))
    sent = sample + others
    if sent:
        Page.objects.filter(pk__in=[page.pk for page in sent]).update(dispatched_at=Now())
    each = min(size, max(ceil(len(sample) / max(load.threads, 1)), doing.chunk // 2))
    for ids in chunk_pages(sample, each) + chunk_pages(others, size):
        messages.send_after_commit(doing.actor, ids)
    return len(sent)


class Ready(NamedTuple):
    """A page that waits and may be sent."""

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


def pages_to_send(job_id: int, stage: PageStage, most: int, *, samples_first: bool = False) -> list[Ready]:
    """Locked until the transaction ends; not those that another one has locked."""
    return [Ready(*row) for row in _READY[stage, samples_first].rows(most, job=job_id)]


_READY = {
    (stage, samples): Prepared(partial(_ready, stage, samples_first=samples))
    for stage in PAGE_STAGES
    for samples in (False, True)
}


class Load(NamedTuple):
    """How much of a page stage is under way when a job is looked at."""

    stage: PageStage
    own: bool  # the job itself waits for a machine
    waits: bool  # pages of the job wait in the stage, and have not been sent lately
    of_job: int  # its pages that are claimed or were sent lately
    of_merchant: int  # the same of all jobs of its merchant
    merchants: int  # that have pages to work on
    jobs: int  # of the merchant that have pages to work on
    threads: int  # live ones that do this work
    left: int  # pages of the job that machines have not done with and may take now, as far as it matters
    more_follow: bool  # pages that are being read will soon be ready for this stage too
    page_s: float | None  # seconds of a core that a page of the job has last taken in this stage; None: not known yet

    def room(self, chunk: int, rounds: int) -> int:
        """How many more pages may be sent: the job's part of its merchant's share, and of that what is free.

        A job with nothing on its way gets its part at once, whatever the others have: it must not wait for a large
        one of the same merchant to end (TA-G1).
        """
        own = self.part(chunk, rounds) if self.threads else 0
        free = max(self.share(chunk, rounds) - self.of_merchant, 0)
        return min(own - self.of_job, free) if self.of_job else own

    def share(self, chunk: int, rounds: int) -> int:
        """The merchant's; at least a chunk: nobody gets nothing where many wait."""
        return max(rounds * self.threads * chunk // max(self.merchants, 1), chunk)

    def part(self, chunk: int, rounds: int) -> int:
        """The job's of its merchant's share, which its jobs have in equal parts."""
        return max(self.share(chunk, rounds) // max(self.jobs, 1), 1)

    def chunk_size(self, chunk: int, finest: int) -> int:
        """What is left is cut so that every thread gets as many chunks, at least two: none stands idle at the end."""
        threads = max(self.threads, 1)
        chunks_each = max(2, ceil(self.left / (threads * chunk)))
        even = max(ceil(self.left / (threads * chunks_each)), min(finest, ceil(self.left / threads)))
        return max(1, min(chunk, self.part(chunk, ROUNDS), even))


# Each part by its own small index: claimed pages, waiting pages of a stage and job, pages sent, jobs at work.
_LOOK = """
WITH mine AS (SELECT id, merchant_id, stage, paces FROM ingestion_job WHERE id = %(job)s),
active AS (SELECT id, merchant_id FROM ingestion_job WHERE status = ANY(%(busy)s) OR id = %(job)s),
claimed AS (
    SELECT p.stage, p.job_id, a.merchant_id FROM ingestion_page p JOIN active a ON a.id = p.job_id
    WHERE p.worker IS NOT NULL
), busy AS (
    SELECT a.id, a.merchant_id FROM active a WHERE a.id IN (SELECT job_id FROM claimed) OR EXISTS (
        SELECT FROM unnest(%(stages)s::text[]) AS s (stage), LATERAL (
            SELECT FROM ingestion_page p WHERE p.stage = s.stage AND p.job_id = a.id
                AND p.stage <> 'NONE' AND p.worker IS NULL ORDER BY p.number LIMIT 1) AS first)
), sent AS MATERIALIZED (
    SELECT stage, job_id FROM ingestion_page WHERE worker IS NULL AND stage = ANY(%(stages)s)
        AND dispatched_at >= statement_timestamp() - make_interval(secs => %(lost_s)s)
), under_way AS (
    SELECT c.stage, c.job_id FROM claimed c JOIN mine USING (merchant_id)
    UNION ALL
    SELECT s.stage, s.job_id FROM sent s JOIN active a ON a.id = s.job_id JOIN mine USING (merchant_id)
), not_done AS MATERIALIZED (
    SELECT (SELECT count(*) FROM claimed c WHERE c.job_id = mine.id) + (
        SELECT count(*) FROM unnest(%(stages)s::text[]) AS s (stage), LATERAL (
            SELECT FROM ingestion_page p WHERE p.stage = s.stage AND p.job_id = mine.id
                AND p.stage <> 'NONE' AND p.worker IS NULL ORDER BY p.number LIMIT %(enough)s) AS few) AS pages
    FROM mine
)
SELECT s.stage, mine.stage <> 'NONE',
    EXISTS (SELECT FROM ingestion_page p
        WHERE p.job_id = mine.id AND p.stage = s.stage AND p.stage <> 'NONE' AND p.worker IS NULL
            AND coalesce(p.dispatched_at < statement_timestamp() - make_interval(secs => %(lost_s)s), true)),
    (SELECT count(*) FROM under_way u WHERE u.stage = s.stage AND u.job_id = mine.id),
    (SELECT count(*) FROM under_way u WHERE u.stage = s.stage),
    (SELECT count(DISTINCT merchant_id) FROM busy), (SELECT count(*) FROM busy JOIN mine USING (merchant_id)),
    (SELECT coalesce(sum(threads), 0) FROM core_worker
        WHERE unit = s.unit AND seen_at > statement_timestamp() - make_interval(secs => %(dead_s)s)),
    (SELECT pages FROM not_done),
    s.stage <> %(read)s AND EXISTS (SELECT FROM under_way u WHERE u.stage = %(read)s AND u.job_id = mine.id),
    (mine.paces ->> s.stage)::float8
FROM mine, unnest(%(stages)s::text[], %(units)s::text[]) WITH ORDINALITY AS s (stage, unit, place) ORDER BY s.place"""


def _look(job_id: int) -> list[Load]:
    """In one query, and one after the other: several dispatchers would each see a part of what is ready, and cut it
    into chunks that are no neighbours."""
    parameters: dict[str, Any] = {
        "job": job_id,
        "busy": [str(status) for status in WORKABLE - {JobStatus.FULL_IMPORTED}],  # of those there are many
        "stages": [str(stage) for stage in PAGE_STAGES],
        "units": [doing.unit for doing in PAGE_STAGES.values()],
        "read": str(PageStage.READ),
        "lost_s": work.LOST_MESSAGE_S,
        "dead_s": work.DEAD_WORKER_S,
        "enough": ENOUGH_PAGES,
    }
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [DISPATCH_LOCK, job_id])
        cursor.execute(_LOOK, parameters)
        return [Load(PageStage(stage), *facts) for stage, *facts in cursor.fetchall()]


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


def jobs_with_work() -> list[int]:
    """Jobs with something ready, in the order in which they are served: new ones first, then by merchant and job with
    the fewest pages in hand, oldest on a tie."""
    in_hand = dict(_IN_HAND.rows())
    jobs = _WITH_WORK.rows()
    of_merchant: dict[int, int] = {}
    for job_id, merchant_id, _ in jobs:
        of_merchant[merchant_id] = of_merchant.get(merchant_id, 0) + in_hand.get(job_id, 0)
    new = (JobStatus.UPLOADED, JobStatus.EVALUATING)
    jobs.sort(key=lambda job: (job[2] not in new, of_merchant[job[1]], in_hand.get(job[0], 0), job[0]))
    return [job_id for job_id, _, _ in jobs]


def _with_work() -> QuerySet[Job]:
    own = Q(pk__in=work.waiting(active_jobs()).values("pk"))
    pages = Exists(work.waiting(active_pages()).filter(job=OuterRef("pk")))
    return Job.objects.filter(own | pages)


_WITH_WORK = Prepared(lambda: _with_work().values_list("pk", "merchant_id", "status"))
_IN_HAND = Prepared(
    lambda: work.in_hand(Page.objects.filter(worker__isnull=False)).values_list("job").annotate(pages=Count("pk"))
)
