"""When the last backup was made, as the database remembers it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from catalogsku.core import clock
from catalogsku.core.models import PeriodicRun

# Of runs that are written down beside those of periodic tasks, whoever asked for them.
NAME = "backups"


@dataclass(frozen=True)
class LastBackup:
    """``taken_at``: the point of the newest that was made; ``error``: why the last try failed, if a later one did."""

    taken_at: datetime | None
    error: str

    @property
    def age(self) -> timedelta | None:
        return clock.now() - self.taken_at if self.taken_at else None

    @property
    def is_overdue(self) -> bool:
        """The last try failed, or none is as new as the setting wants it: twice as old is too old."""
        wanted = timedelta(hours=2 * settings.BACKUP_EVERY_HOURS)
        return bool(self.error) or bool(wanted and (self.age is None or self.age > wanted))


def last_backup() -> LastBackup:
    runs = PeriodicRun.objects.filter(name=NAME, finished_at__isnull=False).order_by("-period")
    both = runs[:1].union(runs.filter(error="")[:1], all=True)
    found = sorted(both, key=lambda run: run.period)
    outcome = next((run.outcome or {} for run in found if not run.error), {})
    taken_at = datetime.fromisoformat(outcome["taken_at"]) if outcome else None
    return LastBackup(taken_at, found[-1].error if found else "")
