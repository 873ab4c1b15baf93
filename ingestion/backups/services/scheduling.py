"""Backups that come with time (BACKUP_TO, BACKUP_EVERY_HOURS), and what is remembered of each."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models.functions import Now

from catalogsku.core import clock, messages
from catalogsku.core.models import PeriodicRun
from ingestion.backups.manifest import BackupRefused
from ingestion.backups.selectors import NAME, last_backup
from ingestion.backups.services.making import make_backup, told

# It is looked whether one is due once an hour: a little early is as good as an hour late.
EARLY = timedelta(minutes=30)


def make_and_note(target: Path, keep: int | None, say: Callable[[str], object] = lambda line: None) -> dict[str, Any]:
    """A backup, and that it was made or why not. Raises what ``make_backup`` raises."""
    run = PeriodicRun.objects.create(name=NAME, period=clock.now())
    mine = PeriodicRun.objects.filter(pk=run.pk)
    try:
        outcome = told(make_backup(target, keep, say))
    except BackupRefused as refused:
        if refused.code == "under_way":  # the other one will say
            mine.delete()
        else:
            mine.update(finished_at=Now(), error=str(refused))
        raise
    except Exception as failure:
        mine.update(finished_at=Now(), error=repr(failure))
        raise
    mine.update(finished_at=Now(), outcome=outcome)
    return outcome


def send_if_due() -> dict[str, int]:
    """One that takes hours holds up no scheduler: a worker of ``out`` makes it."""
    if not settings.BACKUP_TO or not settings.BACKUP_EVERY_HOURS:
        return {"due": 0}
    age = last_backup().age
    if age is not None and age < timedelta(hours=settings.BACKUP_EVERY_HOURS) - EARLY:
        return {"due": 0}
    return {"due": 1, "sent": int(messages.send("make_backup"))}
