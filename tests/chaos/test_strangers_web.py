"""Strangers at the web process, bounded in time: idle streams, outsized bodies, and how the others fare meanwhile."""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from catalogsku.accounts.models import Merchant, Role, User
from catalogsku.accounts.tokens import issue_token
from ingestion.models import Job
from tests.support.people import People
from tests.support.rows import make_job, make_page
from tests.support.web_process import Answer, WebProcess, running_web

__all__ = ["running_web"]
pytestmark = [
    pytest.mark.chaos,
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.timeout(120),
    pytest.mark.req("TA-API", "TA-AUTH"),
]

SOON_S = 2.0  # the others' bar
MIB = 1 << 20
GROWN_MIB_MAX, RETURNS_WITHIN_S = 50, 5
STREAMS, PEOPLE, MERCHANTS = 200, 25, 5
AT_ONCE, POSTS, KEYS = 8, 104, 250_000
PASSWORD = "known-to-this-test"


class Others:
    """Somebody who only works: asks for health, the way in and a page, one after the other, until told to stop."""

    def __init__(self, web: WebProcess, token: str) -> None:
        self.took_s: dict[str, list[float]] = {}
        self._web, self._headers = web, {"Authorization": f"Bearer {token}"}
        self._is_over, self._thread = threading.Event(), threading.Thread(target=self._go_round)

    def __enter__(self) -> "Others":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _go_round(self) -> None:
        while not self._is_over.wait(0.1):
            for path in ("/healthz", "/login/", "/api/v1/jobs"):
                self.took_s.setdefault(path, []).append(self._took_s(path))

    def _took_s(self, path: str) -> float:
        try:
            found = self._web.ask("GET", path, timeout_s=12, **self._headers)
        except OSError:
            return 12.0
        return found.took_s if found.status == 200 else 12.0

    def said(self) -> str:
        return ", ".join(
            f"{path}: {len(all_s)} asked, worst {max(all_s) * 1000:.0f} ms" for path, all_s in self.took_s.items()
        )

    def were_answered_soon(self) -> bool:
        return all(max(all_s) < SOON_S for all_s in self.took_s.values()) and len(self.took_s) == 3


@pytest.fixture
def web(committed: None, people: People, running_web: WebProcess) -> Iterator[WebProcess]:
    yield running_web
    running_web.close_streams()


@pytest.fixture
def others(web: WebProcess, people: People) -> Others:
    people.uploader.set_password(PASSWORD)
    people.uploader.save()
    return Others(web, issue_token(people.uploader).text)


def crowd() -> list[tuple[User, Job]]:
    """People of several merchants, each with a document on which machines are at work."""
    found = []
    for number in range(MERCHANTS):
        merchant = Merchant.objects.create(name=f"crowd {number}")
        job = make_job(merchant)
        make_page(job, 1)
        for one in range(PEOPLE // MERCHANTS):
            user = User.objects.create(username=f"crowd-{number}-{one}", role=Role.UPLOADER, language="en")
            user.merchants.set([merchant])
            found.append((user, job))
    return found


def test_two_hundred_idle_streams_slow_nobody_down(web: WebProcess, others: Others) -> None:
    listeners = crowd()
    with others, ThreadPoolExecutor(8) as pool:
        opened = list(
            pool.map(
                lambda n: web.open_stream(
                    f"/api/v1/jobs/{listeners[n % PEOPLE][1].uuid}/events", issue_token(listeners[n % PEOPLE][0]).text
                ),
                range(STREAMS),
            )
        )
        time.sleep(3)
        given = json.dumps({"username": "uploader", "password": PASSWORD}).encode()
        signed_in = web.ask("POST", "/api/v1/auth/login", given, Content_Type="application/json")
    statuses = [one.status for one in opened]
    _say(
        f"streams: {statuses.count(200)} open, {statuses.count(429)} refused; {others.said()};"
        f" sign-in {signed_in.took_s * 1000:.0f} ms"
    )
    assert set(statuses) == {200, 429}
    assert statuses.count(200) == 128, "as many as there are places"
    assert (signed_in.status, signed_in.took_s < SOON_S) == (200, True)
    assert others.were_answered_soon(), others.took_s


@pytest.mark.parametrize("shape", ["keys", "lists", "deep", "text"])
def test_outsized_bodies_leave_nothing_behind(web: WebProcess, others: Others, shape: str) -> None:
    """Against the process after a first few: what the allocator keeps for the next ones is kept once."""
    body = BODIES[shape]()

    def send(_: int) -> Answer:
        return web.ask("POST", "/api/v1/auth/login", body, Content_Type="application/json")

    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(send, range(2 * AT_ONCE)))
        before = web.resident_bytes
        with others:
            answers += pool.map(send, range(POSTS))
    grown = min(_grown_mib(web, before) for _ in range(RETURNS_WITHIN_S))
    _say(f"{POSTS} bodies of {len(body) / MIB:.1f} MiB of {shape}: grown by {grown:.0f} MiB; {others.said()}")
    assert {one.status for one in answers} == {413}
    assert max(len(one.body) for one in answers) < 1000
    assert grown < GROWN_MIB_MAX
    assert others.were_answered_soon(), others.took_s


def _grown_mib(web: WebProcess, before: int) -> float:
    time.sleep(1)
    return (web.resident_bytes - before) / MIB


BODIES: dict[str, Callable[[], bytes]] = {
    "keys": lambda: json.dumps({f"k{n:06d}": 1 for n in range(KEYS)}).encode(),
    "lists": lambda: b'{"username": [' + b"[]," * 700_000 + b"1]}",
    "deep": lambda: b'{"username": ' + b"[" * 1_100_000 + b"]" * 1_100_000 + b"}",
    "text": lambda: b'{"username": "' + b"\\u4e00" * 350_000 + b'"}',
}


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
