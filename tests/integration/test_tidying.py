"""What sign-ins and periodic work leave behind is cleared at night, and what still counts is kept."""

import os
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

from catalogsku.accounts.models import ApiWindow, FailedTries, KnownPlace
from catalogsku.core import tidying
from catalogsku.core.models import PeriodicRun
from tests.support.people import People

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-CRON")]


def leave_behind(people: People, days: float) -> None:
    """A row of each kind, so old."""
    at, user = timezone.now() - timedelta(days=days), people.uploader
    of_axes = {"username": f"of {days}", "ip_address": "10.0.0.1"}
    for model, more in ((AccessAttempt, {"failures_since_start": 1}), (AccessLog, {}), (AccessFailureLog, {})):
        row = model.objects.create(**of_axes, user_agent=str(days), **more)
        model.objects.filter(pk=row.pk).update(attempt_time=at)
    Session.objects.create(session_key=f"of-{days}", session_data="", expire_date=at + timedelta(hours=12))
    FailedTries.objects.create(key=f"of {days}", level=1, at=at, refused=False)
    KnownPlace.objects.create(user=user, address=f"10.0.0.{int(days) % 250}", seen_at=at)
    PeriodicRun.objects.create(name="access", period=at, started_at=at)


KINDS = (Session, AccessAttempt, AccessLog, AccessFailureLog, FailedTries, KnownPlace, PeriodicRun)


def test_what_is_old_goes_and_the_rest_stays(people: People, settings: Any, tmp_path: Any, capsys: Any) -> None:
    settings.VAR_DIR = tmp_path
    logs = tmp_path / "log"
    logs.mkdir()
    for name, days in (("web.log", 200), ("web.log.1", 200), ("cpu.log.1", 1)):
        (logs / name).write_text("x")
        os.utime(logs / name, (time.time() - days * 86400,) * 2)
    for days in (200, 100, 0):
        leave_behind(people, days)
    ApiWindow.objects.create(user=people.uploader, began_at=timezone.now() - timedelta(days=2), requests=1)

    call_command("periodic", "run", "access")
    call_command("sweep", "log_parts")

    said = capsys.readouterr().out
    for kind in KINDS:
        assert kind.objects.count() == (2 if kind is PeriodicRun else 1), kind
    assert not ApiWindow.objects.exists()
    assert sorted(path.name for path in logs.iterdir()) == ["cpu.log.1", "web.log"]
    for counted in (
        "'sessions': 2",
        "'attempts': 2",
        "'sign_ins': 2",
        "'failures': 2",
        "'tries': 2",
        "'places': 2",
        "'windows': 1",
        "'runs': 2",
    ):
        assert counted in said


def test_the_newest_run_of_each_task_is_kept_however_old(people: People) -> None:
    for name, days in (("seldom", 300), ("seldom", 200), ("often", 100), ("often", 0)):
        at = timezone.now() - timedelta(days=days)
        PeriodicRun.objects.create(name=name, period=at, started_at=at)
    assert tidying.clear_runs() == 2
    assert list(PeriodicRun.objects.order_by("name").values_list("name", flat=True)) == ["often", "seldom"]


def test_many_rows_go_in_steps(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "_AT_ONCE", 3)
    old: Callable[[int], Session] = lambda n: Session(session_key=f"k{n}", expire_date="2001-01-01T00:00Z")  # noqa: E731
    Session.objects.bulk_create(map(old, range(10)))
    assert tidying.delete_rows(Session.objects.filter(expire_date__lt=timezone.now())) == 10
