"""Messages about whole documents: what is ready is sent, the job's state follows its pages."""

import dramatiq

from catalogsku.core.periodic import cron, sweep
from ingestion.services import disk, dispatch, receiving, settle
from ingestion.services.sweep import sweep as sweep_jobs


@dramatiq.actor(queue_name="quick", max_retries=3, min_backoff=500, time_limit=30_000)
def dispatch_job(job_id: int) -> None:
    dispatch.dispatch_job(job_id)


@dramatiq.actor(queue_name="quick", max_retries=3, min_backoff=500, time_limit=30_000)
def settle_job(job_id: int) -> None:
    settle.settle_job(job_id)


@sweep("jobs", every_s=5)
def sweep_every_5_s() -> dict[str, int]:
    return sweep_jobs()


@cron("clean_uploads", "17 * * * *")
def clean_uploads_every_hour() -> dict[str, int]:
    return receiving.clean_uploads()


@sweep("disk", every_s=60)
def watch_disk_every_minute() -> dict[str, int]:
    return disk.watch_disk()
