"""Work that comes with time: sweeps in a loop, and cron tasks that run once a period on any number of hosts."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from cronsim import CronSim
from django.db import close_old_connections, connection, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from catalogsku.core import clock, crash_points
from catalogsku.core.messages import load_actors
from catalogsku.core.metrics import SWEEP_ROUNDS, SWEEP_SECONDS
from catalogsku.core.models import PeriodicRun

log = logging.getLogger(__name__)

# As of workers (catalogsku.core.work): who has not been heard of for so long is dead. A task that its host did not
# outlive so often is not tried again in this period.
BEAT_S, DEAD_S, MOST_LOSSES = 5.0, 30, 3


@dataclass
class Sweep:
    """Runs every ``every_s`` seconds on each scheduler; must be safe when several run at once. What a machine has to do
    for its own folders is one of these."""

    name: str
    every_s: float
    run: Callable[[], Any]
    due_at: float = 0.0


@dataclass(frozen=True)
class CronTask:
    """Runs once for each time its expression (UTC) names; a missed one is caught up, once. Where the host dies with it,
    another one begins it anew within the period."""

    name: str
    cron: str
    run: Callable[[], dict[str, Any] | None]


SWEEPS: dict[str, Sweep] = {}
CRON_TASKS: dict[str, CronTask] = {}


def sweeps() -> dict[str, Sweep]:
    """All that the apps declare, by name."""
    load_actors()
    return SWEEPS


def cron_tasks() -> dict[str, CronTask]:
    """All that the apps declare, by name."""
    load_actors()
    return CRON_TASKS


def sweep(name: str, every_s: float) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    def register(function: Callable[[], Any]) -> Callable[[], Any]:
        SWEEPS[name] = Sweep(name, every_s, function)
        return function

    return register


def cron(name: str, expression: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    def register(function: Callable[[], Any]) -> Callable[[], Any]:
        CRON_TASKS[name] = CronTask(name, expression, function)
        return function

    return register


def run_sweeps(now_s: float) -> list[str]:
    """Run the sweeps that are due on the monotonic clock ``now_s``; one that fails leaves the others alone."""
    ran = []
    for entry in sweeps().values():
        if entry.due_at <= now_s:
            entry.due_at = now_s + entry.every_s
            ran.append(entry.name)
            _run_sweep(entry)
    return ran


def _run_sweep(entry: Sweep) -> None:
    outcome = "done"
    with SWEEP_SECONDS.labels(entry.name).time():
        try:
            entry.run()
        except Exception:
            outcome = "raised"
            log.exception("sweep failed", extra={"sweep": entry.name})
            close_old_connections()
    SWEEP_ROUNDS.labels(entry.name, outcome).inc()


def last_period(expression: str, now: datetime) -> datetime:
    """The latest time at or before ``now`` that the expression names."""
    return next(CronSim(expression, now + timedelta(minutes=1), reverse=True))


def run_cron_tasks(now: datetime) -> list[str]:
    """Run each task whose latest period nobody has claimed yet, or whose claimant is dead."""
    ran = []
    for task in cron_tasks().values():
        run, mine = _claim(task.name, last_period(task.cron, now.astimezone(UTC)))
        if mine:
            crash_points.reached("periodic.claimed")
            ran.append(task.name)
            run_task(task, run)
    return ran


def run_task(task: CronTask, run: PeriodicRun) -> None:
    """Run it and write down what came of it, unless it was taken over meanwhile."""
    with _beating(run):
        try:
            outcome, error = task.run(), ""
        except Exception as failure:
            log.exception("periodic task failed", extra={"task": task.name})
            outcome, error = None, repr(failure)
    _mine(run).update(finished_at=Now(), outcome=outcome, error=error)


def _mine(run: PeriodicRun) -> QuerySet[PeriodicRun]:
    return PeriodicRun.objects.filter(pk=run.pk, losses=run.losses, finished_at=None)


@contextmanager
def _beating(run: PeriodicRun) -> Iterator[None]:
    """Say meanwhile that this process lives; a task may take an hour."""
    done = threading.Event()
    beats = threading.Thread(target=_beat, args=(run, done), name="periodic-beat", daemon=True)
    beats.start()
    try:
        yield
    finally:
        done.set()
        beats.join()


def _beat(run: PeriodicRun, done: threading.Event) -> None:
    try:
        while not done.wait(BEAT_S):
            try:
                _mine(run).update(seen_at=Now())
            except Exception as error:  # the database is away: the next beat tells
                log.warning("periodic run not seen", extra={"task": run.name, "error": repr(error)})
                close_old_connections()
    finally:
        connection.close()


def run_by_hand(task: CronTask) -> None:
    """Run it now, whenever its own time is; written down like any other run."""
    run_task(task, PeriodicRun.objects.create(name=task.name, period=clock.now()))


def _claim(name: str, period: datetime) -> tuple[PeriodicRun, bool]:
    with transaction.atomic():
        run, mine = PeriodicRun.objects.get_or_create(name=name, period=period)
        return (run, True) if mine else _take_over(run)


def _take_over(run: PeriodicRun) -> tuple[PeriodicRun, bool]:
    """Of several that see it dead one gets it: the others' condition holds no more once that one has committed."""
    if run.finished_at is not None:
        return run, False
    dead = _mine(run).filter(seen_at__lt=Now() - timedelta(seconds=DEAD_S))
    if run.losses >= MOST_LOSSES:
        dead.update(finished_at=Now(), error=f"whoever ran it died, {run.losses + 1} times")
        return run, False
    mine = bool(dead.update(losses=F("losses") + 1, seen_at=Now(), started_at=Now()))
    if mine:
        log.warning("periodic task taken over", extra={"task": run.name, "losses": run.losses + 1})
        run.refresh_from_db()
    return run, mine


def loop(stopped: Callable[[float], bool]) -> None:
    """Until ``stopped(seconds)``, which waits that long, says so."""
    looked_at = None
    while not stopped(0.5):
        close_old_connections()
        run_sweeps(time.monotonic())
        now = clock.now()
        minute = now.replace(second=0, microsecond=0)
        if minute == looked_at:  # expressions name minutes: within one nothing new falls due
            continue
        try:
            run_cron_tasks(now)
            looked_at = minute
        except Exception:
            log.exception("scheduler cannot reach the database")
