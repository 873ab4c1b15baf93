"""The sums behind stored passwords, which cost a third of a second of a core each, on purpose: done by a small pool of
threads, for which a bounded number of requests wait; in the web process they stand back behind all others.

Whoever hashes anything anywhere comes through here, as Django asks the hasher for every password that is set or
compared. Those who wait are taken turn by turn from the addresses they come from, so that a crowd behind one address
is served and yet keeps nobody else out; where too many wait, the longest crowd is the one that is sent away. Each of
those is told another moment to come again, one sum apart, so that no crowd comes back as one and is sent away anew.
"""

import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import ContextVar

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from catalogsku.accounts.hurried import Hurried
from catalogsku.core.cores import usable_cores

THREADS = min(4, max(1, usable_cores() // 2))
NICE = 10
WAITING_MAX = 12
WAIT_S_MAX = 9.0  # below what PostgreSQL lets a transaction stand still: a form of the admin waits inside one
SUM_S = 0.5  # before the first was measured
SHARE_OF_NEWEST = 0.2  # of the running mean
COME_AGAIN_S_MAX = 30  # whatever is asked of the house, somebody honest is not told to stay away for longer

# The network address of whoever asks; nothing in commands and workers.
asking_from: ContextVar[str] = ContextVar("asking_from", default="")

Sum = tuple[Callable[[], str], Future[str]]


class FairPool:
    """``run`` does a sum in one of its threads and waits for it. Raises Hurried where too many wait, or too long."""

    def __init__(self, threads: int, waiting_max: int) -> None:
        self._threads, self._waiting_max = threads, waiting_max
        self._waiting: dict[str, deque[Sum]] = {}  # by address; the first is the next to be served
        self._changed = threading.Condition()
        self._started = False
        self._sum_s = SUM_S
        self._told_until_s = 0.0  # the moment that the last one sent away was told, by the monotonic clock

    def run(self, do: Callable[[], str], address: str, wait_s: float = WAIT_S_MAX) -> str:
        outcome: Future[str] = Future()
        with self._changed:
            self._start()
            self._make_room(address)
            self._waiting.setdefault(address, deque()).append((do, outcome))
            self._changed.notify()
        try:
            return outcome.result(wait_s)
        except TimeoutError:
            if outcome.cancel():
                with self._changed:
                    raise self._sent_away() from None
            return outcome.result()  # it is being done just now

    def _make_room(self, address: str) -> None:
        """The newest of the longest crowd goes, which may be this one."""
        if sum(map(len, self._waiting.values())) < self._waiting_max:
            return
        longest = max(self._waiting, key=lambda place: len(self._waiting[place]))
        if len(self._waiting[longest]) <= len(self._waiting.get(address, ())) + 1:
            raise self._sent_away()
        _, newest = self._waiting[longest].pop()
        newest.set_exception(self._sent_away())

    def _sent_away(self) -> Hurried:
        """To come again when those who wait are through, and those who were sent away before have come."""
        now_s, each_s = time.monotonic(), self._sum_s / self._threads
        through_s = now_s + each_s * sum(map(len, self._waiting.values()))
        self._told_until_s = min(max(self._told_until_s, through_s) + each_s, now_s + COME_AGAIN_S_MAX)
        return Hurried("sign_ins_busy", math.ceil(self._told_until_s - now_s))

    def _start(self) -> None:
        if not self._started:  # never before a fork: threads do not survive one
            self._started = True
            for number in range(self._threads):
                threading.Thread(target=self._serve, name=f"password sums {number}", daemon=True).start()

    def _serve(self) -> None:
        if os.environ.get("CATALOGSKU_UNIT") == "web":  # a command's own thread only waits for the sum
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, min(19, os.getpriority(os.PRIO_PROCESS, thread) + NICE))
        while True:
            with self._changed:
                while not self._waiting:
                    self._changed.wait()
                do, outcome = self._next()
            if outcome.set_running_or_notify_cancel():
                began_s = time.monotonic()
                try:
                    outcome.set_result(do())
                except BaseException as error:
                    outcome.set_exception(error)
                self._sum_s += SHARE_OF_NEWEST * (time.monotonic() - began_s - self._sum_s)

    def _next(self) -> Sum:
        """Of the address that has waited longest for a turn; it goes to the end of the round."""
        address = next(iter(self._waiting))
        crowd = self._waiting.pop(address)
        following = crowd.popleft()
        if crowd:
            self._waiting[address] = crowd
        return following


pool = FairPool(THREADS, WAITING_MAX)


class PooledHasher(PBKDF2PasswordHasher):
    """As Django's own, also in what it stores."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        return pool.run(lambda: super(PooledHasher, self).encode(password, salt, iterations), asking_from.get())
