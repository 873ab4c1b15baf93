"""A machine whose clock is wrong: what is worked out beside the database goes by the database's clock all the same."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from unittest import mock

import pytest
from django.conf import settings
from django.db import connection

from catalogsku.accounts.tokens import VALID_FOR, issue_token, user_of
from catalogsku.core import clock, presence
from catalogsku.core.embedded import Running
from catalogsku.core.facts import figures_of
from catalogsku.core.models import Worker
from processing.management.commands import doctor
from tests.chaos.ground import compile_clock
from tests.support.people import People

HOUR = timedelta(hours=1)
ASKING = """
import django; django.setup()
from django.db import connection
from catalogsku.core import clock
machine = clock.now()
connection.ensure_connection()
print(machine.timestamp(), clock.now().timestamp(), clock.ahead_s())
"""


@contextmanager
def set_wrong(by: timedelta) -> Iterator[type[datetime]]:
    """This machine's clock is ahead by so much, for those who ask it."""

    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Wrong":
            return cls.fromtimestamp((datetime.now(UTC) + by).timestamp(), tz)

    clock.forget()
    with mock.patch.object(clock, "datetime", Wrong):
        yield Wrong
    clock.forget()


@pytest.mark.skipif(shutil.which("cc") is None, reason="the wrong clock is a library that is compiled")
@pytest.mark.parametrize("hours", [-1, 1, 24 * 400])
def test_a_process_with_a_wrong_clock_takes_the_databases(services: Running, tmp_path: Path, hours: int) -> None:
    assert compile_clock(tmp_path / "clock.so")
    (tmp_path / "offset").write_bytes((hours * 3600).to_bytes(8, sys.byteorder, signed=True))
    wrong = {"LD_PRELOAD": str(tmp_path / "clock.so"), "CHAOS_CLOCK": str(tmp_path / "offset")}
    done = subprocess.run(
        [sys.executable, "-c", ASKING], cwd=settings.BASE_DIR, env=os.environ | wrong, capture_output=True, text=True
    )
    machine_s, now_s, ahead_s = map(float, done.stdout.split())
    true_s = datetime.now(UTC).timestamp()
    assert machine_s == pytest.approx(true_s + hours * 3600, abs=60), "before it has connected it has only its own"
    assert now_s == pytest.approx(true_s, abs=60)
    assert ahead_s == pytest.approx(hours * 3600, abs=5)


@pytest.mark.django_db
def test_clocks_are_compared_anew_after_a_minute_and_not_before() -> None:
    with set_wrong(HOUR):
        assert clock.ahead_s() == 0
        clock.compare(connection)
        assert clock.ahead_s() == pytest.approx(3600, abs=5)
        with mock.patch.object(connection, "cursor", side_effect=AssertionError("asked again")):
            clock.compare(connection)
        passed_s = clock._steady_s() + clock.LOOKED_AT_EVERY_S + 1
        with mock.patch.object(clock, "_steady_s", lambda: passed_s):
            assert (clock.now() - datetime.now(UTC)).total_seconds() == pytest.approx(61, abs=5), "it goes on"
            clock.compare(connection)
            assert (clock.now() - datetime.now(UTC)).total_seconds() == pytest.approx(0, abs=5)


@pytest.mark.django_db
@pytest.mark.parametrize("late_s", [0.0, 0.3, -0.3])
def test_a_clock_that_is_right_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch, late_s: float) -> None:
    """However long the answer took: a row that the database has just written is not in the future."""
    said = datetime.now(UTC) - timedelta(seconds=late_s)
    monkeypatch.setattr(clock, "_said", (said, clock._steady_s()))
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (written,) = cursor.fetchone()
    assert written <= clock.now()
    assert clock.ahead_s() == pytest.approx(late_s, abs=0.1)


@pytest.mark.django_db
def test_today_is_the_databases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "_said", (datetime(2026, 2, 28, 16, 30, tzinfo=UTC), clock._steady_s()))
    assert clock.today().isoformat() == "2026-03-01"  # half past midnight in Shanghai


@pytest.mark.django_db
@pytest.mark.parametrize("by", [-HOUR, HOUR, timedelta(days=2)])
def test_a_token_holds_on_a_machine_with_another_clock(people: People, by: timedelta) -> None:
    """Made by one that is right; and one made there holds here, and ends with its time."""
    token = issue_token(people.lead)
    with set_wrong(by) as wrong:
        clock.compare(connection)
        with mock.patch("jwt.api_jwt.datetime", wrong):  # as the library would judge it
            assert user_of(token.text) == people.lead
        made_there = issue_token(people.lead)
    assert user_of(made_there.text) == people.lead
    now = clock.now()
    with mock.patch.object(clock, "now", return_value=now + VALID_FOR + timedelta(seconds=30)):
        assert user_of(made_there.text) is None


@pytest.mark.django_db
def test_operators_see_whose_clock_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = presence.current_worker()
    Worker.objects.filter(pk=worker.pk).update(host="far-away")
    with set_wrong(-HOUR):
        clock.compare(connection)
        presence.beat()
        assert figures_of("clock_ahead_seconds")[("far-away",)] == pytest.approx(-3600, abs=5)
        told = {finding.text: finding.level for finding in doctor.check_clocks()}
    behind = [text for text, level in told.items() if level == "warning"]
    assert [text.partition(":")[0] for text in behind] == ["this machine", "far-away"]
    assert all("behind the database's" in text for text in behind)
    presence.beat()
    assert {finding.level for finding in doctor.check_clocks()} == {"ok"}


def test_nothing_asks_the_machine_for_the_time_beside_the_database(request: pytest.FixtureRequest) -> None:
    """Whoever needs the machine's says so here: times of files, of other servers, and of what one process measures."""
    its_own = {
        "catalogsku/core/clock.py", "catalogsku/core/host_cache.py", "catalogsku/core/tidying.py",
        "ingestion/services/parts.py", "processing/sandboxed/sandboxes.py",
        "processing/management/commands/evaluate.py",
    }  # fmt: skip
    asked = ("timezone.now(", "datetime.now(", "time.time()", "timezone.localdate()", "auto_now_add")
    asking = {
        str(file.relative_to(settings.BASE_DIR))
        for app in ("catalogsku", "ingestion", "processing", "annotation")
        for file in (settings.BASE_DIR / app).rglob("*.py")
        if "migrations" not in file.parts and any(call in file.read_text() for call in asked)
    }
    assert asking == its_own
