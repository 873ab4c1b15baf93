"""What the database (and this machine) knows at the moment of a scrape: figures of facts, and the core's own of them.

Apps declare theirs in a module `facts` with ``@fact``. Each is one query that an index answers, however many pages are
stored; what would need a count of everything ever done is counted as it happens instead (catalogsku.core.metrics).
"""

import json
import logging
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Aggregate, Count, Q, Sum
from django.db.models.functions import Now
from django.utils.module_loading import autodiscover_modules
from prometheus_client.core import GaugeMetricFamily

from catalogsku.core import metrics
from catalogsku.core.models import Worker
from catalogsku.core.periodic import cron_tasks
from catalogsku.core.work import DEAD_WORKER_S

log = logging.getLogger(__name__)

KEPT_S = 2.0
REDIS_WITHIN_S = 0.5
UNITS = ("cpu", "llm", "out", "quick")

# Values by label values; a figure without labels has the key ().
Figures = Mapping[tuple[str, ...], float]


@dataclass(frozen=True)
class Fact:
    """``read`` raises DatabaseError (or whatever it asks raises) where the figure is not to be had."""

    name: str
    help: str
    labels: tuple[str, ...]
    read: Callable[[], Figures]

    def family(self, figures: Figures) -> GaugeMetricFamily:
        family = GaugeMetricFamily(metrics.PREFIX + self.name, self.help, labels=self.labels)
        for values, figure in figures.items():
            family.add_metric(values, figure)
        return family


_facts: dict[str, Fact] = {}


def fact(name: str, help_text: str, *labels: str) -> Callable[[Callable[[], Figures]], Callable[[], Figures]]:
    def register(function: Callable[[], Figures]) -> Callable[[], Figures]:
        _facts[name] = Fact(name, help_text, labels, function)
        return function

    return register


@lru_cache(maxsize=1)
def all_facts() -> tuple[Fact, ...]:
    """Those of every app, in the order of their names."""
    autodiscover_modules("facts")
    return tuple(_facts[name] for name in sorted(_facts))


def figures_of(name: str) -> Figures:
    """Of one fact, read now; nothing where no app declares it."""
    return next((entry.read() for entry in all_facts() if entry.name == name), {})


@dataclass
class _Kept:
    """The last reading; scrapes that come together share it."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    read_at_s: float = float("-inf")
    families: list[GaugeMetricFamily] = field(default_factory=list)


_kept = _Kept()


def collect(now_s: float | None = None) -> list[GaugeMetricFamily]:
    """All figures, not older than two seconds; without a database only what can be known without one."""
    now_s = time.monotonic() if now_s is None else now_s
    with _kept.lock:
        if now_s - _kept.read_at_s > KEPT_S:
            _kept.families, _kept.read_at_s = list(_read_all()), now_s
        return _kept.families


def _read_all() -> Iterator[GaugeMetricFamily]:
    readable = True
    for entry in all_facts():
        try:
            figures: Figures = entry.read()
        except DatabaseError as error:
            if readable:
                log.warning("facts not read", extra={"fact": entry.name, "error": repr(error)})
            readable, figures = False, {}
        yield entry.family(figures)
    state = GaugeMetricFamily(metrics.PREFIX + "facts_readable", "1 where the database answered this scrape.")
    state.add_metric((), float(readable))
    yield state


# --- the core's own ------------------------------------------------------------------------------


@fact("workers", "Live worker processes.", "unit")
def workers() -> Figures:
    return _live_workers(Count("pk"))


@fact("worker_threads", "Threads of the live worker processes.", "unit")
def worker_threads() -> Figures:
    return _live_workers(Sum("threads"))


@fact("clock_ahead_seconds", "By how much the clock of a host with workers is ahead of the database's.", "host")
def clock_ahead() -> Figures:
    rows = Worker.objects.filter(_alive()).order_by("host", "seen_at").values_list("host", "clock_ahead_s")
    return {(host,): ahead_s for host, ahead_s in rows}


def _live_workers(figure: Aggregate) -> Figures:
    by_unit = dict(Worker.objects.filter(_alive()).order_by().values_list("unit").annotate(figure=figure))
    return {(unit,): float(by_unit.get(unit, 0)) for unit in sorted({*UNITS, *by_unit})}


def _alive() -> Q:
    return Q(seen_at__gt=Now() - timedelta(seconds=DEAD_WORKER_S))


@dataclass(frozen=True)
class LastRun:
    """The newest run of a periodic task; ``failed`` also where it has not ended after an hour."""

    task: str
    started_at_s: float
    finished: bool
    failed: bool
    error: str
    outcome: dict[str, Any] | None

    @property
    def state(self) -> str:
        return "failed" if self.failed else "done" if self.finished else "running"


def last_runs() -> list[LastRun]:
    """Of each declared periodic task that has ever run; one look into the index a task."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT run.name, extract(epoch FROM run.started_at)::float8, run.finished_at IS NOT NULL,"
            " run.error <> '' OR (run.finished_at IS NULL AND run.started_at < now() - interval '1 hour'),"
            " run.error, run.outcome"
            " FROM unnest(%s::text[]) AS task(name) CROSS JOIN LATERAL"
            " (SELECT * FROM core_periodicrun r WHERE r.name = task.name ORDER BY r.period DESC LIMIT 1) run"
            " ORDER BY run.name",
            [sorted(cron_tasks())],
        )
        return [
            LastRun(name, at_s, finished, failed, error, _object(outcome))
            for name, at_s, finished, failed, error, outcome in cursor.fetchall()
        ]


def _object(value: Any) -> dict[str, Any] | None:
    decoded: dict[str, Any] | None = json.loads(value) if isinstance(value, str) else value
    return decoded


@fact("periodic_last_run_timestamp_seconds", "When the newest run of a periodic task began, in Unix time.", "task")
def periodic_last_run() -> Figures:
    return {(run.task,): run.started_at_s for run in last_runs()}


@fact("periodic_failed", "1 where the newest run of a periodic task raised or did not end.", "task")
def periodic_failed() -> Figures:
    return {(run.task,): float(run.failed) for run in last_runs()}


@fact("database_connections_ratio", "Connections in use of those that PostgreSQL allows.")
def database_connections() -> Figures:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*)::float8 / current_setting('max_connections')::int FROM pg_stat_activity")
        return {(): float(cursor.fetchone()[0])}


@fact("disk_usage_ratio", "Share of the disk in use under a folder of this machine.", "place")
def disk_usage() -> Figures:
    return {(place,): used for place, used in disk_ratios().items()}


def disk_ratios() -> dict[str, float]:
    """By place: storage (files of documents) and var (databases, scratch, logs)."""
    ratios = {}
    for place, folder in (("storage", Path(settings.MEDIA_ROOT)), ("var", Path(settings.VAR_DIR))):
        there = next((path for path in (folder, *folder.parents) if path.exists()), Path("/"))
        usage = shutil.disk_usage(there)
        ratios[place] = usage.used / usage.total
    return ratios


@fact("redis_up", "1 where Redis answers within half a second.")
def redis_up() -> Figures:
    return {(): float(queue_lengths() is not None)}


@fact("messages_waiting", "Messages in Redis that no worker has finished, by queue.", "queue")
def messages_waiting() -> Figures:
    return {(unit,): float(length) for unit, length in (queue_lengths() or {}).items()}


def queue_lengths() -> dict[str, int] | None:
    """Messages by queue, delayed ones among them; None where Redis does not answer."""
    options: Any = settings.DRAMATIQ_BROKER["OPTIONS"]
    try:
        with _redis().pipeline(transaction=False) as pipe:
            for unit in UNITS:
                pipe.hlen(f"{options['namespace']}:{unit}.msgs")
                pipe.hlen(f"{options['namespace']}:{unit}.DQ.msgs")
            lengths = [int(length) for length in pipe.execute()]
    except (redis.RedisError, OSError):
        return None
    return {unit: lengths[2 * n] + lengths[2 * n + 1] for n, unit in enumerate(UNITS)}


@lru_cache(maxsize=1)
def _redis() -> "redis.Redis":
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=REDIS_WITHIN_S, socket_connect_timeout=REDIS_WITHIN_S
    )
