"""Messages about whole documents: what is ready is sent, the job's state follows its pages."""

from pathlib import Path

import dramatiq
from django.conf import settings

from catalogsku.core import host_cache, storage
from catalogsku.core.periodic import cron, sweep
from ingestion.backups.services import scheduling
from ingestion.keeping.services import archiving, deleting, expiring
from ingestion.notices import mailing
from ingestion.notices.services import tidying
from ingestion.services import disk, dispatch, receiving, settle
from ingestion.services.sweep import sweep as sweep_jobs

CLOSING_S = 20.0  # a turn, of ten minutes
EMPTYING_S = 10.0  # the same, for each of two
BACKUP_WITHIN_MS = 6 * 3_600_000


@dramatiq.actor(queue_name="quick", max_retries=3, min_backoff=500, time_limit=30_000)
def dispatch_job(job_id: int) -> None:
    dispatch.dispatch_job(job_id)


@dramatiq.actor(queue_name="quick", max_retries=3, min_backoff=500, time_limit=30_000)
def settle_job(job_id: int) -> None:
    settle.settle_job(job_id)


@dramatiq.actor(queue_name="out", max_retries=3, min_backoff=500, time_limit=120_000)
def mail_notices(person_id: int) -> None:
    mailing.mail_notices(person_id)


@sweep("notices", every_s=30)
def mail_notices_every_30_s() -> int:
    return mailing.send_due()


@cron("notices", "27 2 * * *")
def clear_old_notices_every_night() -> dict[str, int]:
    return tidying.clear_old_notices()


@sweep("jobs", every_s=5)
def sweep_every_5_s() -> dict[str, int]:
    return sweep_jobs()


@cron("clean_uploads", "17 * * * *")
def clean_uploads_every_hour() -> dict[str, int]:
    return receiving.clean_uploads()


@cron("private_files", "*/10 * * * *")
def close_files_to_others() -> dict[str, int]:
    """What an earlier version, or a copy from elsewhere, left open; nothing where all is closed."""
    return storage.close_storage(CLOSING_S)


@dramatiq.actor(queue_name="out", max_retries=3, min_backoff=5_000, time_limit=900_000)
def carry_out_deletion(deletion_id: int) -> None:
    deleting.carry_out(deletion_id)


@sweep("deletions", every_s=60)
def sweep_deletions() -> dict[str, int]:
    return {"sent": deleting.send_silent(), "expired": deleting.expire_documents()}


@cron("deletions", "33 3 * * *")
def look_for_what_was_deleted_every_night() -> dict[str, int]:
    return deleting.look_again()


@cron("keeping", "*/10 * * * *")
def empty_documents_whose_days_are_over() -> dict[str, int]:
    return {**expiring.empty_documents(EMPTYING_S), "logs": archiving.archive_logs(EMPTYING_S)}


@sweep("storage_cache", every_s=600)
def tidy_up_the_storage_cache() -> dict[str, int]:
    """Of this machine."""
    return host_cache.tidy_up(storage.has_file) if settings.IN_OBJECT_STORE else {}


@sweep("disk", every_s=60)
def watch_disk_every_minute() -> dict[str, int]:
    return disk.watch_disk()


@dramatiq.actor(queue_name="out", max_retries=0, min_backoff=500, time_limit=BACKUP_WITHIN_MS)
def make_backup() -> None:
    scheduling.make_and_note(Path(settings.BACKUP_TO), settings.BACKUP_KEEP)


@cron("backup", "37 * * * *")
def make_backup_where_one_is_due() -> dict[str, int]:
    return scheduling.send_if_due()
