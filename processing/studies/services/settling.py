"""A study follows its records: it needs people while one of them is open, and has ended with the last one."""

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, Q

from catalogsku.core.moves import move
from ingestion.lifecycle import PAGES_WITH_MACHINES, SETTLED, JobStage, JobStatus, ModelsState
from ingestion.models import Job, Page
from processing.studies.kind import STUDY
from processing.studies.lifecycle import RECORD, RECORD_ENDED, RecordStatus
from processing.studies.models import Record

# (what the row is, its status) to the number of such rows.
Census = dict[tuple[str, str], int]

_CENSUS = """
SELECT 'record', status, count(*) FROM processing_record WHERE job_id = %(job)s AND NOT superseded GROUP BY 2
UNION ALL
SELECT 'page', status, count(*) FROM ingestion_page WHERE job_id = %(job)s GROUP BY 2"""


def census(job_id: int) -> Census:
    with connection.cursor() as cursor:
        cursor.execute(_CENSUS, {"job": job_id})
        return {(row, status): count for row, status, count in cursor.fetchall()}


def status(job: Job, census: Census) -> JobStatus:
    """Machines first: the document is theirs until all is read and something was offered."""
    with_machines = any(row == "page" and status in PAGES_WITH_MACHINES for row, status in census)
    if job.stage != JobStage.NONE or with_machines:
        return JobStatus.PROCESSING
    if job.models_state == ModelsState.ASKING:
        return JobStatus.AWAITING_GO
    is_open = any(row == "record" and status not in RECORD_ENDED for row, status in census)
    return JobStatus.PARTIAL_IMPORTED if is_open else JobStatus.FULL_IMPORTED


def completion(job: Job, census: Census) -> dict[str, Any]:
    counts = {status: count for (row, status), count in sorted(census.items()) if row == "record"}
    return {"completion_source": "people", "completion": {"records": counts}}


def looks_again(job: Job, census: Census) -> bool:
    """Where nothing could be found people begin with nothing."""
    if ("record", RecordStatus.WAITING) not in census:
        return False
    waiting = Record.objects.filter(job=job, superseded=False)
    return bool(move(RECORD, waiting, to=RecordStatus.REVIEW, trigger="given_up", reason=job.last_error))


def unsettled(most: int) -> Sequence[int]:
    """Of those that have ended only the few are looked at that have an open record."""
    pages = Page.objects.filter(job=OuterRef("pk"), status__in=PAGES_WITH_MACHINES)
    opened = Record.objects.filter(superseded=False).exclude(status__in=RECORD_ENDED)
    machines, people = Exists(pages), Exists(opened.filter(job=OuterRef("pk")))
    jobs = Job.objects.filter(kind=STUDY.key, status__in=SETTLED, stage=JobStage.NONE).order_by("pk")
    asks = Q(models_state=ModelsState.ASKING)
    open_jobs = jobs.filter(
        (Q(status=JobStatus.PROCESSING) & ~machines)
        | (Q(status=JobStatus.AWAITING_GO) & ~asks)
        | (Q(status=JobStatus.PARTIAL_IMPORTED) & (machines | ~people | asks))
    )
    ended = jobs.filter(status=JobStatus.FULL_IMPORTED, pk__in=opened.values("job"))
    return [*open_jobs.values_list("pk", flat=True)[:most], *ended.values_list("pk", flat=True)[:most]]
