"""The pool that does the sums behind passwords: bounded, and fair to the addresses that ask."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from catalogsku.accounts import hashing
from catalogsku.accounts.hashing import FairPool, PooledHasher
from catalogsku.accounts.hurried import Hurried
from catalogsku.core.cores import usable_cores

pytestmark = pytest.mark.req("TA-AUTH")
LEAST_PRIORITY = 19  # what the kernel makes of anything beyond it


class Slow:
    """A sum that begins when it is let, and is noted down."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.asked = 0
        self.begun, self.may_end = threading.Semaphore(0), threading.Semaphore(0)

    def named(self, name: str) -> str:
        self.begun.release()
        assert self.may_end.acquire(timeout=10)
        self.done.append(name)
        return name


def ask(crowd: ThreadPoolExecutor, pool: FairPool, slow: Slow, address: str, name: str) -> "object":
    """Returns once it is at work, where a thread was free, or waits, in this order."""
    is_first, slow.asked = slow.asked < pool._threads, slow.asked + 1
    before = len(pool._waiting.get(address, ()))
    future = crowd.submit(pool.run, lambda: slow.named(name), address, 10)
    if is_first:
        assert slow.begun.acquire(timeout=10)
    else:
        while not future.done() and len(pool._waiting.get(address, ())) == before:
            time.sleep(0.001)
    return future


def test_each_address_has_its_turn_however_long_the_queue_of_another_is() -> None:
    pool, slow = FairPool(1, 20), Slow()
    with ThreadPoolExecutor(20) as crowd:
        for n in range(6):
            ask(crowd, pool, slow, "crowd", f"crowd {n}")
        ask(crowd, pool, slow, "alone", "alone")
        for _ in range(7):
            slow.may_end.release()
    assert slow.done.index("alone") <= 2


def test_where_too_many_wait_the_longest_crowd_is_sent_away() -> None:
    pool, slow = FairPool(1, 4), Slow()
    with ThreadPoolExecutor(20) as crowd:
        asked = [ask(crowd, pool, slow, "crowd", f"crowd {n}") for n in range(5)]  # one in work, four wait
        with pytest.raises(Hurried) as refused:
            pool.run(lambda: "late", "crowd")
        assert refused.value.code == "sign_ins_busy" and refused.value.retry_after_s >= 1
        alone = ask(crowd, pool, slow, "alone", "alone")
        with pytest.raises(Hurried):
            asked[-1].result(5)  # type: ignore[attr-defined]
        for _ in range(5):
            slow.may_end.release()
        assert alone.result(5) == "alone"  # type: ignore[attr-defined]


def test_those_sent_away_are_told_to_come_one_after_the_other_and_none_for_ever() -> None:
    """Told the same moment all come back as one crowd, and the same few are sent away each time."""
    pool, slow = FairPool(1, 4), Slow()
    with ThreadPoolExecutor(5) as crowd:
        for n in range(5):
            ask(crowd, pool, slow, "crowd", f"crowd {n}")
        told = []
        for _ in range(200):
            with pytest.raises(Hurried) as refused:
                pool.run(lambda: "late", "crowd")
            told.append(refused.value.retry_after_s)
        for _ in range(5):
            slow.may_end.release()
    a_second = round(1 / hashing.SUM_S)
    assert told[0] >= 4 * hashing.SUM_S and told == sorted(told) and told[-1] == hashing.COME_AGAIN_S_MAX
    assert max(told.count(moment) for moment in set(told) - {told[0], told[-1]}) <= a_second + 1


def test_nobody_waits_for_long() -> None:
    pool, slow = FairPool(1, 4), Slow()
    with ThreadPoolExecutor(2) as crowd:
        ask(crowd, pool, slow, "", "first")
        with pytest.raises(Hurried):
            pool.run(lambda: "second", "", 0.05)
        slow.may_end.release()
    assert slow.done == ["first"]


@pytest.mark.parametrize(("unit", "nice"), [("web", hashing.NICE), ("", 0)])
def test_the_sums_of_the_web_stand_back_behind_all_other_threads_and_are_few(
    monkeypatch: pytest.MonkeyPatch, unit: str, nice: int
) -> None:
    """A command has no other threads, and would wait behind whatever else the machine does."""
    assert max(1, usable_cores() // 2) >= hashing.THREADS
    monkeypatch.setenv("CATALOGSKU_UNIT", unit)
    pool = FairPool(1, 4)
    told = pool.run(lambda: str(os.getpriority(os.PRIO_PROCESS, threading.get_native_id())), "")
    assert int(told) == min(LEAST_PRIORITY, os.getpriority(os.PRIO_PROCESS, 0) + nice)


def test_a_failing_sum_fails_for_who_asked_alone() -> None:
    pool = FairPool(1, 4)
    with pytest.raises(ZeroDivisionError):
        pool.run(lambda: str(1 // 0), "")
    assert pool.run(lambda: "next", "") == "next"


def test_what_is_stored_is_what_django_stores() -> None:
    ours, plain = PooledHasher(), PBKDF2PasswordHasher()
    assert ours.encode("x", "salt", 10) == plain.encode("x", "salt", 10)
    assert ours.verify("x", plain.encode("x", "salt", 10)) and not ours.verify("y", plain.encode("x", "salt", 10))


def test_the_way_in_has_places_for_all_who_wait_and_one_who_is_told_to_come_again() -> None:
    """Else the others would wait before the door, unbounded and in no turn by address."""
    from catalogsku.accounts import guessing
    from catalogsku.web import KEPT_OPEN

    (room,) = [room for room, _, paths in KEPT_OPEN if b"/api/v1/auth/login" in paths]
    assert room > hashing.WAITING_MAX + 4 + guessing.SLOWED_AT_ONCE
