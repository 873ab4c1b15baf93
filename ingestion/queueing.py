"""Who waits for a unit of machines, in which order, and who has its threads; read alone, by workers and by pages.

The order is that of `services/turns.py`, where it is explained.
"""

from collections.abc import Collection
from dataclasses import dataclass
from math import log
from typing import Any, NamedTuple

from django.db import connection

from catalogsku.core import work
from ingestion.lifecycle import WORKABLE, JobStage, JobStatus, PageStage
from ingestion.models import Job
from ingestion.stages import JOB_STAGES, PAGE_STAGES

HALF_LIFE_S = 600.0
# A document below this has had a fair look; above it, each level is four times as long as the one before.
FIRST_LEVEL_S, LEVEL_FACTOR = 4.0, 4.0
UP_AGAIN_S = 60.0


class Waiting(NamedTuple):
    """A job with something that a unit may do, and what decides when."""

    job_id: int
    merchant_id: int
    weight: float
    held: int  # threads of the unit that its merchant has
    used_s: float  # machine time of its merchant, decayed
    spent_s: float  # machine time of the job
    waited_s: float  # since it last got on
    own: bool  # a stage of the job itself waits, with or without pages

    @property
    def level(self) -> int:
        if self.spent_s < FIRST_LEVEL_S:
            return 0
        level = 1 + int(log(self.spent_s / FIRST_LEVEL_S, LEVEL_FACTOR))
        return max(level - int(self.waited_s / UP_AGAIN_S), 0)

    @property
    def order(self) -> tuple[float, float, int, int]:
        return (self.held / self.weight, self.used_s / self.weight, self.level, self.job_id)


def in_order(unit: str) -> list[Waiting]:
    """Jobs for which something of the unit waits, in the order in which they are served."""
    return sorted(waiting_jobs(unit), key=lambda waiting: waiting.order)


# Jobs by a loose scan of the index of waiting pages, one look a job and stage; threads by the few claimed rows.
_JOBS = """
WITH RECURSIVE ready (stage, job_id) AS (
    SELECT s.stage, (SELECT min(p.job_id) FROM ingestion_page p
        WHERE p.stage = s.stage AND p.stage <> 'NONE' AND p.worker IS NULL)
    FROM unnest(%(page_stages)s::text[]) AS s (stage)
    UNION ALL
    SELECT r.stage, (SELECT min(p.job_id) FROM ingestion_page p
        WHERE p.stage = r.stage AND p.stage <> 'NONE' AND p.worker IS NULL AND p.job_id > r.job_id)
    FROM ready r WHERE r.job_id IS NOT NULL
), waiting (id, own) AS (
    SELECT j.id, false FROM ready r JOIN ingestion_job j ON j.id = r.job_id
        WHERE j.status = ANY(%(workable)s) AND j.held_reason = '' AND (j.status <> %(evaluating)s OR r.stage = %(read)s)
    UNION
    SELECT id, true FROM ingestion_job j
        WHERE j.stage = ANY(%(job_stages)s) AND j.stage <> 'NONE' AND j.worker IS NULL AND j.held_reason = ''
        AND j.status = ANY(%(own)s) AND coalesce(j.not_before <= statement_timestamp(), true)
), turns (merchant_id) AS (
    SELECT j.merchant_id FROM (
        SELECT DISTINCT p.job_id, p.worker, p.claimed_at FROM ingestion_page p
            WHERE p.worker IS NOT NULL AND p.stage = ANY(%(page_stages)s)
        UNION ALL
        SELECT DISTINCT p.job_id, 0, p.dispatched_at FROM ingestion_page p
            WHERE p.worker IS NULL AND p.stage = ANY(%(page_stages)s)
            AND p.dispatched_at >= statement_timestamp() - make_interval(secs => %(lost_s)s)
    ) AS chunk JOIN ingestion_job j ON j.id = chunk.job_id
    UNION ALL
    SELECT j.merchant_id FROM ingestion_job j WHERE j.worker IS NOT NULL AND j.stage = ANY(%(job_stages)s)
    UNION ALL
    SELECT j.merchant_id FROM ingestion_job j
        WHERE j.worker IS NULL AND j.stage = ANY(%(job_stages)s) AND j.stage <> 'NONE'
        AND j.dispatched_at >= statement_timestamp() - make_interval(secs => %(lost_s)s)
), held AS (SELECT merchant_id, count(*) AS threads FROM turns GROUP BY 1)
SELECT j.id, j.merchant_id, coalesce(q.weight, 1.0), coalesce(held.threads, 0),
    coalesce(u.used_s * power(0.5, greatest(extract(epoch FROM statement_timestamp() - u.at), 0)::float8
        / %(half_life_s)s), 0.0),
    j.machine_s,
    extract(epoch FROM statement_timestamp() - greatest(j.progressed_at, j.checked_at, j.created_at))::float8,
    waiting.own
FROM (SELECT id, bool_or(own) AS own FROM waiting GROUP BY 1) AS waiting JOIN ingestion_job j USING (id)
    LEFT JOIN held USING (merchant_id)
    LEFT JOIN ingestion_quota q USING (merchant_id)
    LEFT JOIN ingestion_machineuse u USING (merchant_id)"""


def waiting_jobs(unit: str) -> list[Waiting]:
    """In no order. Of some nothing may be due just now (pages put off, or pages before them not read yet)."""
    parameters: dict[str, Any] = {
        "page_stages": [str(stage) for stage, doing in PAGE_STAGES.items() if doing.unit == unit],
        "job_stages": [str(stage) for stage, doing in JOB_STAGES.items() if doing.unit == unit],
        "workable": [str(status) for status in WORKABLE],
        "own": [str(JobStatus.UPLOADED), str(JobStatus.EVALUATING), str(JobStatus.PROCESSING)],
        "evaluating": str(JobStatus.EVALUATING),
        "read": str(PageStage.READ),
        "lost_s": work.LOST_MESSAGE_S,
        "half_life_s": HALF_LIFE_S,
    }
    with connection.cursor() as cursor:
        cursor.execute(_JOBS, parameters)
        return [Waiting(*row) for row in cursor.fetchall()]


@dataclass(frozen=True)
class Place:
    """Where a document stands in the queue of the machines: so many go before it."""

    before: int


def place_of(job: Job) -> Place | None:
    """None where machines have nothing to do for it but what they are doing."""
    own = JOB_STAGES.get(JobStage(job.stage)) if job.stage in JOB_STAGES else None
    ahead = [waiting.job_id for waiting in in_order(own.unit if own else "cpu")]
    return Place(ahead.index(job.pk)) if job.pk in ahead else None


@dataclass(frozen=True)
class HeldTurn:
    """A thread's work just now: whose, and for how long."""

    merchant: str
    document: str
    job: str
    stage: str
    pages: int
    seconds: float


_HELD = """
SELECT m.name, j.source_name, j.uuid::text, h.stage, h.pages,
    greatest(extract(epoch FROM statement_timestamp() - h.claimed_at), 0)::float8
FROM (
    SELECT job_id, stage, claimed_at, count(*) AS pages FROM ingestion_page WHERE worker IS NOT NULL
        GROUP BY job_id, stage, worker, claimed_at
    UNION ALL
    SELECT id, stage, claimed_at, 0 FROM ingestion_job WHERE worker IS NOT NULL
) AS h JOIN ingestion_job j ON j.id = h.job_id JOIN accounts_merchant m ON m.id = j.merchant_id
WHERE %(merchants)s::bigint[] IS NULL OR m.id = ANY(%(merchants)s)
ORDER BY 6 DESC"""


def held_turns(merchants: Collection[int] | None = None) -> list[HeldTurn]:
    """Longest first; of these merchants, or of all."""
    with connection.cursor() as cursor:
        cursor.execute(_HELD, {"merchants": None if merchants is None else list(merchants)})
        return [HeldTurn(*row) for row in cursor.fetchall()]
