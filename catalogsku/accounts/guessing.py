"""How often something was guessed wrong, of which each guess may cost half a second of a core: a vessel for each place
or person that every try fills by one and time drains again, over all processes.

A network address that fills it is first served slowly and then told to come again in some seconds. It is never shut:
each drop that drains lets one more try through, and whoever has signed in from there in the last month is not held up
at all, so that a guesser in a shared office does not keep the others out.
"""

import threading
import time
from dataclasses import dataclass
from math import ceil

from django.db import connection
from django.db.models import F
from django.db.models.functions import Greatest, Now

from catalogsku.accounts.hurried import Hurried
from catalogsku.accounts.models import FailedTries, KnownPlace, User

KNOWN_FOR_DAYS = 30
SLOW_FROM, SLOWER_BY_S, SLOWEST_S = 10, 0.1, 1.0
SLOWED_AT_ONCE = 4  # each holds a request's place while it waits
_places = threading.BoundedSemaphore(SLOWED_AT_ONCE)


@dataclass(frozen=True)
class Vessel:
    """``room``: tries in a row; ``drains_s``: after how long one of them is forgotten."""

    room: int
    drains_s: int


ADDRESS = Vessel(room=30, drains_s=10)
OWN_PASSWORD = Vessel(room=5, drains_s=180)

# One statement for all processes; a refused try fills nothing, else whoever goes on trying would shut it for ever.
_DRAINED = "greatest(0, t.level - greatest(0, extract(epoch FROM statement_timestamp() - t.at)) / %(drains_s)s)"
_FILL = f"""
    INSERT INTO accounts_failedtries AS t (key, level, at, refused) VALUES (%(key)s, 1, statement_timestamp(), false)
    ON CONFLICT (key) DO UPDATE SET at = statement_timestamp(), refused = {_DRAINED} + 1 > %(room)s,
        level = {_DRAINED} + CASE WHEN {_DRAINED} + 1 > %(room)s THEN 0 ELSE 1 END
    RETURNING level, refused"""


def try_from(address: str, username: str) -> bool:
    """Before a password is looked at; whether it was counted, and so is to be taken back. Raises Hurried(slow_down)."""
    level, refused = _fill(f"address {address}", ADDRESS)
    if level <= SLOW_FROM or _is_known(address, username):
        return not refused
    if refused:
        raise Hurried("slow_down", _left_s(level, ADDRESS))
    if not _places.acquire(blocking=False):
        take_back(address)
        raise Hurried("slow_down", 1)
    try:
        time.sleep(min(SLOWEST_S, (level - SLOW_FROM) * SLOWER_BY_S))
    finally:
        _places.release()
    return True


def take_back(address: str) -> None:
    """The try was right, or the password was not looked at after all."""
    FailedTries.objects.filter(key=f"address {address}").update(level=Greatest(F("level") - 1, 0.0))


def remember(address: str, user: User) -> None:
    KnownPlace.objects.update_or_create(user=user, address=address, defaults={"seen_at": Now()})


def prove_password(user: User, password: str) -> bool:
    """Whether it is the person's own, asked where a session or token is there already. Raises Hurried(password_tries)
    after five wrong ones, wherever they came from."""
    key = f"password of {user.pk}"
    level, refused = _fill(key, OWN_PASSWORD)
    if refused:
        left_s = _left_s(level, OWN_PASSWORD)
        raise Hurried("password_tries", left_s, minutes=ceil(left_s / 60))
    if not user.check_password(password):
        return False
    FailedTries.objects.filter(key=key).delete()
    return True


def _fill(key: str, vessel: Vessel) -> tuple[float, bool]:
    with connection.cursor() as cursor:
        cursor.execute(_FILL, {"key": key, "room": vessel.room, "drains_s": vessel.drains_s})
        level, refused = cursor.fetchone()
    return level, refused


def _left_s(level: float, vessel: Vessel) -> int:
    return ceil((level + 1 - vessel.room) * vessel.drains_s)


def _is_known(address: str, username: str) -> bool:
    return KnownPlace.objects.filter(user__username=username, address=address).exists()
