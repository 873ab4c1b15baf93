"""The scheduler's loop asks the database for due tasks once a minute, and again where it could not."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from catalogsku.core import clock, periodic

BEGAN = datetime(2026, 3, 1, 12, 0, 10, tzinfo=UTC)


class Clock(datetime):
    """Ten seconds later each time it is asked."""

    asked = 0

    @classmethod
    def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
        cls.asked += 1
        return BEGAN + timedelta(seconds=10 * (cls.asked - 1))


def looked_at(monkeypatch: pytest.MonkeyPatch, rounds: int, failing: set[int]) -> list[int]:
    """Seconds after the start of the minute at which tasks were looked for; those numbered in ``failing`` raise."""
    looks: list[int] = []

    def look(now: datetime) -> list[str]:
        looks.append(round((now - BEGAN.replace(second=0)).total_seconds()))
        if len(looks) in failing:
            raise ConnectionError
        return []

    Clock.asked = 0
    monkeypatch.setattr(clock, "now", Clock.now)
    monkeypatch.setattr(periodic, "run_sweeps", lambda now_s: [])
    monkeypatch.setattr(periodic, "close_old_connections", lambda: None)
    monkeypatch.setattr(periodic, "run_cron_tasks", look)
    left = iter([False] * rounds + [True])
    periodic.loop(lambda seconds: next(left))
    return looks


def test_due_tasks_are_looked_for_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looked_at(monkeypatch, 12, set()) == [10, 60, 120]


def test_a_look_that_failed_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looked_at(monkeypatch, 6, {1, 2}) == [10, 20, 30, 60]
