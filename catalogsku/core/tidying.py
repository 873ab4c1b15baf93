"""What the core itself leaves behind: old runs of periodic tasks, and old parts of logs."""

import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import F, OuterRef, QuerySet, Subquery

from catalogsku.core import clock
from catalogsku.core.models import PeriodicRun

RUNS_KEPT = timedelta(days=90)
_AT_ONCE = 5000


def delete_rows(rows: QuerySet[Any]) -> int:
    """All of them, some thousands in a transaction, so that nobody waits for millions; how many."""
    gone = 0
    while keys := list(rows.order_by().values_list("pk", flat=True)[:_AT_ONCE]):
        gone += rows.model._base_manager.filter(pk__in=keys).delete()[0]
    return gone


def clear_runs() -> int:
    """But for the newest of each task, which says how it stands."""
    newest = PeriodicRun.objects.filter(name=OuterRef("name")).order_by("-period").values("pk")[:1]
    old = PeriodicRun.objects.filter(started_at__lt=clock.now() - RUNS_KEPT)
    return delete_rows(old.annotate(newest=Subquery(newest)).exclude(pk=F("newest")))


def clear_log_parts() -> int:
    """Of the logs under VAR_DIR, which are cut at 10 MB: nobody writes to a part that was cut off."""
    gone, before_s = 0, time.time() - settings.LOGS_KEPT_DAYS * 86_400
    for part in Path(settings.VAR_DIR, "log").glob("*.log.*"):
        with suppress(FileNotFoundError):
            if part.stat().st_mtime < before_s:
                part.unlink()
                gone += 1
    return gone
