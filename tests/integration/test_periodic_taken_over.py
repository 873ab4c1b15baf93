"""Periodic work of a host that died is begun anew by another one within its period; of one that lives it is not."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from catalogsku.core import periodic
from catalogsku.core.models import PeriodicRun
from catalogsku.core.periodic import CRON_TASKS, MOST_LOSSES, CronTask, cron_tasks, run_cron_tasks

PROJECT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.req("TA-CRON"), pytest.mark.usefixtures("committed"), pytest.mark.timeout(180)]


def silent_for(seconds: float) -> None:
    """Whoever runs something has not been heard of for so long."""
    PeriodicRun.objects.filter(finished_at=None).update(seen_at=timezone.now() - timedelta(seconds=seconds))


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One task, and what it did."""
    did = list[str]()
    for name in list(cron_tasks()):
        monkeypatch.delitem(CRON_TASKS, name)
    monkeypatch.setitem(CRON_TASKS, "nightly", CronTask("nightly", "0 3 * * *", lambda: did.append("ran") or {"n": 1}))  # type: ignore[func-returns-value]
    return did


def test_a_run_whose_host_died_is_begun_anew_and_so_often_only(alone: list[str]) -> None:
    now = timezone.now()
    period = periodic.last_period("0 3 * * *", now)
    PeriodicRun.objects.create(name="nightly", period=period)
    assert run_cron_tasks(now) == [] and alone == [], "it was heard of just now"
    silent_for(31)
    assert run_cron_tasks(now) == ["nightly"] and alone == ["ran"]
    run = PeriodicRun.objects.get()
    assert (run.losses, run.outcome, run.error) == (1, {"n": 1}, "") and run.finished_at
    silent_for(31)
    assert run_cron_tasks(now) == [], "it has ended"

    PeriodicRun.objects.update(finished_at=None, losses=MOST_LOSSES)
    silent_for(31)
    assert run_cron_tasks(now) == []
    assert PeriodicRun.objects.get().error == f"whoever ran it died, {MOST_LOSSES + 1} times"


def test_one_of_several_takes_it(alone: list[str]) -> None:
    now = timezone.now()
    PeriodicRun.objects.create(name="nightly", period=periodic.last_period("0 3 * * *", now))
    silent_for(31)
    together = threading.Barrier(4)

    def scheduler() -> None:
        together.wait()
        run_cron_tasks(now)
        connection.close()

    threads = [threading.Thread(target=scheduler) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert alone == ["ran"] and PeriodicRun.objects.get().losses == 1


def test_who_runs_for_long_is_heard_of(alone: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(periodic, "BEAT_S", 0.05)
    heard = list[bool]()

    def long() -> None:
        silent_for(31)
        time.sleep(0.5)
        heard.append(PeriodicRun.objects.get().seen_at > timezone.now() - timedelta(seconds=5))

    monkeypatch.setitem(CRON_TASKS, "nightly", CronTask("nightly", "0 3 * * *", long))
    run_cron_tasks(timezone.now())
    assert heard == [True]


def test_who_comes_back_after_it_was_taken_over_writes_nothing(
    alone: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stands_still() -> dict[str, str]:
        PeriodicRun.objects.update(losses=1, finished_at=timezone.now(), outcome={"by": "another"})
        return {"by": "this one"}

    monkeypatch.setitem(CRON_TASKS, "nightly", CronTask("nightly", "0 3 * * *", stands_still))
    run_cron_tasks(timezone.now())
    assert PeriodicRun.objects.get().outcome == {"by": "another"}


@contextmanager
def scheduler(environment: dict[str, str], log: Path, **more: str) -> Iterator["subprocess.Popen[bytes]"]:
    with log.open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "scheduler"],
            cwd=PROJECT,
            env={**environment, "CATALOGSKU_UNIT": "scheduler", **more},
            stdout=said,
            stderr=said,
        )
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def until(condition: Any, within_s: float, log: Path) -> None:
    ends_s = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < ends_s, log.read_text()[-3000:]
        time.sleep(0.1)


@pytest.mark.slow
def test_of_two_schedulers_one_is_killed_and_the_other_does_its_work(
    process_environment: dict[str, str], tmp_path: Path
) -> None:
    """Every task is due at their first look; the first is killed with the first of them in hand."""
    armed, one, two = tmp_path / "crash", tmp_path / "one.log", tmp_path / "two.log"
    armed.mkdir()
    (armed / "periodic.claimed").write_text("KILL")
    environment = {**process_environment, "VAR_DIR": str(tmp_path), "STORAGE_URL": f"file://{tmp_path}/storage"}
    with scheduler(environment, one, CRASH_FOLDER=str(armed)) as first:
        until(lambda: first.poll() is not None, 60, one)
        assert first.returncode == -signal.SIGKILL and not os.listdir(armed)
        (left,) = PeriodicRun.objects.all()
        assert left.finished_at is None
        silent_for(31)  # half a minute later
        with scheduler(environment, two) as second:
            until(lambda: PeriodicRun.objects.filter(pk=left.pk, finished_at__isnull=False).exists(), 90, two)
            assert second.poll() is None
    taken = PeriodicRun.objects.get(pk=left.pk)
    assert (taken.name, taken.losses, taken.error) == (left.name, 1, "")
