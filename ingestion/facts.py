"""Figures of documents, their pages and uploads, read at each scrape; every one begins with an index of the few rows
that are open, so that what is finished costs nothing."""

from typing import Any

from django.db import connection
from django.db.models import Count, QuerySet

from catalogsku.core.facts import Figures, fact
from ingestion import queueing, selectors
from ingestion.backups.selectors import last_backup
from ingestion.lifecycle import CLOSED, JobStage, JobStatus, PageStage
from ingestion.models import Job, Page, Upload

OPEN_STATUSES = tuple(status for status in JobStatus if status not in CLOSED)
# Of workers: what waits for a person's word in PRICE needs none, nor what waits for the answers of a batch.
IDLE = (PageStage.NONE, PageStage.PRICE, PageStage.BATCH)
PAGE_STAGES = tuple(stage for stage in PageStage if stage not in IDLE)
JOB_STAGES = tuple(stage for stage in JobStage if stage != JobStage.NONE)
WITH_MACHINES = (JobStatus.UPLOADED, JobStatus.EVALUATING, JobStatus.EVALUATED, JobStatus.PROCESSING)


@fact("pages_waiting", "Pages that wait for a worker, by what it will do.", "stage")
def pages_waiting() -> Figures:
    return _by_stage(Page.objects.filter(worker__isnull=True), PAGE_STAGES)


@fact("pages_in_hand", "Pages that a worker has claimed, by what it does.", "stage")
def pages_in_hand() -> Figures:
    return _by_stage(Page.objects.filter(worker__isnull=False), PAGE_STAGES)


@fact("documents_waiting", "Documents whose own stage waits for a worker.", "stage")
def documents_waiting() -> Figures:
    return _by_stage(Job.objects.filter(worker__isnull=True), JOB_STAGES)


def _by_stage(rows: "QuerySet[Job] | QuerySet[Page]", stages: tuple[str, ...]) -> Figures:
    counts = dict(rows.exclude(stage="NONE").order_by().values_list("stage").annotate(n=Count("pk")))
    return {(str(stage),): float(counts.get(stage, 0)) for stage in stages}


@fact("pages_stopped", "Pages given up after five attempts: the dead letters.")
def pages_stopped() -> Figures:
    return {(): float(selectors.stopped_pages().count())}


@fact("documents", "Documents that are not finished, by status.", "status")
def documents() -> Figures:
    rows = Job.objects.exclude(status__in=[JobStatus.FULL_IMPORTED, JobStatus.CANCELLED, JobStatus.REJECTED])
    counts = dict(rows.order_by().values_list("status").annotate(n=Count("pk")))
    return {(str(status),): float(counts.get(status, 0)) for status in OPEN_STATUSES}


@fact("documents_held", "Documents that wait for an operator.")
def documents_held() -> Figures:
    return {(): float(selectors.held_jobs().count())}


@fact("uploads_open", "Uploads that are not whole yet.")
def uploads_open() -> Figures:
    return {(): float(Upload.objects.filter(job__isnull=True).count())}


@fact("page_in_hand_oldest_seconds", "For how long the page claimed first has been in hand.")
def page_in_hand_oldest() -> Figures:
    return _seconds(
        "SELECT max(extract(epoch FROM now() - claimed_at))::float8 FROM ingestion_page WHERE worker IS NOT NULL", []
    )


@fact("turn_held_oldest_seconds", "For how long the thread has been at work that was given its turn first.")
def turn_held_oldest() -> Figures:
    return {(): max((turn.seconds for turn in queueing.held_turns()), default=0.0)}


@fact("document_with_machines_oldest_seconds", "Age of the oldest document that machines have not done with.")
def document_with_machines_oldest() -> Figures:
    """Without those that wait for a batch: they may, for a day."""
    return _seconds(
        "SELECT max(extract(epoch FROM now() - coalesce(resumed_at, created_at)))::float8 FROM ingestion_job"
        " WHERE NOT (status IN ('FULL_IMPORTED', 'CANCELLED', 'REJECTED')) AND status = ANY(%s)"
        " AND NOT EXISTS (SELECT FROM ingestion_page p WHERE p.job_id = ingestion_job.id AND p.stage = %s"
        " AND p.worker IS NULL AND p.stage <> 'NONE')",
        [list(WITH_MACHINES), str(PageStage.BATCH)],
    )


@fact("work_waiting_oldest_seconds", "The longest time that a document with waiting work has seen no progress.")
def work_waiting_oldest() -> Figures:
    return _seconds(
        "SELECT max(extract(epoch FROM now() - greatest(progressed_at, evaluated_at, checked_at, resumed_at,"
        " created_at)))::float8 FROM ingestion_job job"
        " WHERE NOT (status IN ('FULL_IMPORTED', 'CANCELLED', 'REJECTED')) AND held_reason = ''"
        " AND (stage <> 'NONE' OR EXISTS (SELECT FROM ingestion_page page WHERE page.job_id = job.id"
        " AND page.stage = ANY(%s) AND page.stage <> 'NONE' AND page.worker IS NULL))",
        [list(PAGE_STAGES)],
    )


@fact("document_awaiting_go_oldest_seconds", "For how long the oldest document has asked whether models are asked.")
def document_awaiting_go_oldest() -> Figures:
    return _seconds(
        "SELECT max(extract(epoch FROM now() - models_priced_at))::float8 FROM ingestion_job"
        " WHERE NOT (status IN ('FULL_IMPORTED', 'CANCELLED', 'REJECTED')) AND status = %s",
        [str(JobStatus.AWAITING_GO)],
    )


def _seconds(query: str, parameters: list[Any]) -> Figures:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return {(): max(cursor.fetchone()[0] or 0.0, 0.0)}


@fact("backup_last_timestamp_seconds", "The point of the newest backup that was made, in Unix time.")
def backup_last() -> Figures:
    taken_at = last_backup().taken_at
    return {(): taken_at.timestamp()} if taken_at else {}


@fact("backup_overdue", "1 where the last try failed, or no backup is as new as the setting wants it.")
def backup_overdue() -> Figures:
    return {(): float(last_backup().is_overdue)}
