"""What time it is, of the database: all machines agree on it, however their own clocks go.

Conditions inside a statement ask the database itself (``Now()``). This is for what is worked out beside it: whether a
periodic task is due, a signature's time, until when a token holds.
"""

import time
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.utils import timezone

LOOKED_AT_EVERY_S = 60.0
# No comparison is finer on a busy machine, and a row that was just written must not lie in the future.
AGREES_S = 0.5
# Who is wrong by more is told (`doctor`, metrics).
TOLERATED_S = 5.0

# The database's time, and when it was so by a clock of this process that nobody sets.
_said: tuple[datetime, float] | None = None


def now() -> datetime:
    """In UTC. This machine's, where that agrees with the database's, and before the first connection; else what the
    database said, plus what has passed since. Asks nobody, so it may be called anywhere."""
    machine = datetime.now(UTC)
    return machine if abs(ahead_s(machine)) < AGREES_S else _database(machine)


def today() -> date:
    """In the installation's time zone (TIME_ZONE)."""
    return timezone.localdate(now())


def ahead_s(machine: datetime | None = None) -> float:
    """Seconds by which this machine's clock is ahead of the database's, less than 0 where it is behind; 0 before they
    were compared."""
    machine = machine or datetime.now(UTC)
    return (machine - _database(machine)).total_seconds()


def _database(machine: datetime) -> datetime:
    if _said is None:
        return machine
    database, at_s = _said
    return database + timedelta(seconds=_steady_s() - at_s)


def compare(connection: Any, **signal: Any) -> None:
    """For `connection_created`: asks the database, unless that was done within LOOKED_AT_EVERY_S."""
    global _said
    if _said is not None and _steady_s() - _said[1] < LOOKED_AT_EVERY_S:
        return
    before_s = _steady_s()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (database,) = cursor.fetchone()
    _said = (database.astimezone(UTC), (before_s + _steady_s()) / 2)


def forget() -> None:
    """Until the next comparison it is this machine's clock again: where somebody has set both clocks."""
    global _said
    _said = None


def _steady_s() -> float:
    """Goes on while the machine sleeps, unlike the monotonic clock."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)
