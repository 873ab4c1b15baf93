"""Two hundred sockets on one document: what the hub does once for all of them."""

import asyncio
import json
import time
from itertools import pairwise
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction

from catalogsku.core import live
from catalogsku.core.shared_text import LINE
from ingestion import hub as hub_module
from ingestion import job_page, live_socket
from ingestion.events import JobEvents
from ingestion.hub import Batch, Hub, Topic
from ingestion.models import Job, Page
from tests.support import sockets
from tests.support.people import People
from tests.support.promises import within
from tests.support.rows import make_job, make_pages

SOCKETS = 200


@pytest.fixture
async def job(committed: None, people: People) -> Job:
    made: Job = await sync_to_async(make_job)(people.merchant)
    await sync_to_async(make_pages)(made, range(1, 6))
    return made


def counted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[float]:
    """When the selector of that name was asked."""
    original, asked = getattr(job_page, name), []

    def ask(*arguments: Any) -> Any:
        asked.append(time.monotonic())
        return original(*arguments)

    monkeypatch.setattr(job_page, name, ask)
    return asked


@pytest.mark.req("TA-PROG")
async def test_sockets_that_open_together_share_one_reading_of_the_whole_region(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = counted(monkeypatch, "sync")
    hub = Hub()
    first = asyncio.create_task(hub.whole(JobEvents(job.pk), "en"))
    await asyncio.sleep(0)
    texts = await asyncio.gather(*(hub.whole(JobEvents(job.pk), "en") for _ in range(SOCKETS)), first)
    assert len(asked) <= 2, "one that was under way, and one for all who came meanwhile"
    assert {len(json.loads(text.text)["rows"]) for text in texts} == {5}


@pytest.mark.req("X-SEQ")
async def test_a_reading_that_has_begun_is_not_given_to_whom_came_later(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was committed after it had read would be missing, and nobody would tell that socket."""
    original = hub_module._whole

    def slow(*key: Any) -> str:
        text = original(*key)
        time.sleep(0.3)
        return text

    monkeypatch.setattr(hub_module, "_whole", slow)
    hub = Hub()
    early = asyncio.create_task(hub.whole(JobEvents(job.pk), "en"))
    await asyncio.sleep(0.15)
    await asyncio.to_thread(_touch, job.pk)
    late = json.loads((await hub.whole(JobEvents(job.pk), "en")).text)
    assert max(row["v"] for row in late["rows"]) == 2
    assert json.loads((await early).text)["type"] == "sync"


@pytest.mark.req("TA-PROG", "LX-NOTIFY")
async def test_a_hint_wakes_the_hub_once_for_all_sockets(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """By way of Redis: the commit is passed on long before the hub would look by itself."""
    monkeypatch.setattr(hub_module, "SLOWEST_S", 20.0)
    asked = counted(monkeypatch, "changes")
    hub, heard = Hub(), []

    class Socket:
        async def __call__(self, batch: Batch) -> None:
            heard.append(await batch.text("en"))

    sockets = [Socket() for _ in range(SOCKETS)]
    for socket in sockets:
        await hub.watch(JobEvents(job.pk), socket)
    await asyncio.sleep(1.0)  # the subscription is made beside the first reading
    began = time.monotonic()
    await asyncio.to_thread(_touch, job.pk, True)
    while len(heard) < SOCKETS and time.monotonic() - began < 10:
        await asyncio.sleep(0.01)
    assert len(heard) == SOCKETS and len(set(map(id, heard))) == 1, "the same bytes"
    assert len(asked) == 1, "one message for all"
    for socket in sockets:
        hub.unwatch(JobEvents(job.pk), socket)
    await asyncio.wait_for(hub.topics[JobEvents(job.pk)].task, 25)  # type: ignore[arg-type]


@pytest.mark.req("TA-PROG")
@pytest.mark.parametrize(("round_s", "apart_s"), [(0.0, 0.05), (0.2, 0.6)])
async def test_the_longer_a_round_takes_the_later_comes_the_next(
    job: Job, monkeypatch: pytest.MonkeyPatch, round_s: float, apart_s: float
) -> None:
    """However many hints come: a crowd that is told leaves two thirds of the time to others."""
    began: list[float] = []
    original = Topic._read

    def read(topic: Topic) -> list[int]:
        began.append(time.monotonic())
        time.sleep(round_s)
        return original(topic)

    async def heard(batch: Batch) -> None:
        pass

    monkeypatch.setattr(Topic, "_read", read)
    monkeypatch.setattr(hub_module, "SLOWEST_S", 20.0)
    hub = Hub()
    await hub.watch(JobEvents(job.pk), heard)
    until = time.monotonic() + 2.5
    while time.monotonic() < until:
        hub.topics[JobEvents(job.pk)].woken.set()
        await asyncio.sleep(0.01)
    hub.unwatch(JobEvents(job.pk), heard)
    await asyncio.wait_for(hub.topics[JobEvents(job.pk)].task, 5)  # type: ignore[arg-type]
    pauses = [later - earlier for earlier, later in pairwise(began)]
    assert len(pauses) >= 2
    assert min(pauses) > apart_s * 0.6, pauses  # what a thread's start takes differs
    assert round_s or max(pauses[1:]) < within(0.6), "quick rounds follow each other soon"


@pytest.mark.req("X-SEQ")
async def test_who_is_behind_is_told_the_whole_once_it_has_caught_up(
    job: Job, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing piles up for a browser that takes nothing, however much changes and however often it asks."""
    monkeypatch.setattr(live_socket, "BEAT_S", 0.2)
    monkeypatch.setattr(live_socket, "SYNC_EVERY_S", 0.1)
    line = Line()
    opened = await sync_to_async(sockets.socket)(f"/ws/jobs/{job.uuid}/", people.uploader)
    opened.scope[LINE] = line
    assert (await opened.connect())[0]
    await line.hears("sync")
    line.is_behind = True
    told = len(line.told)
    for _ in range(3):
        await asyncio.to_thread(_touch, job.pk, True)
        await opened.send_to(text_data='{"type": "sync"}')
        await asyncio.sleep(0.3)
    assert len(line.told) == told
    line.is_behind = False
    whole = await line.hears("sync", after=told)
    assert max(row["v"] for row in whole["rows"]) == 4
    await line.hears("notices", after=told)
    await asyncio.to_thread(_touch, job.pk, True)
    assert (await line.hears("rows", after=told))["rows"][0]["v"] == 5
    assert [message["seq"] for message in line.told] == list(range(1, len(line.told) + 1))
    assert all(message["at"] for message in line.told)
    await opened.disconnect()


class Line:
    """As a server writes to one socket; ``told``: what it was to write."""

    def __init__(self) -> None:
        self.is_behind = False
        self.told: list[dict[str, Any]] = []

    def write(self, own: bytes, shared: bytes) -> None:
        self.told.append(json.loads(own + shared))

    async def hears(self, kind: str, after: int = 0, within_s: float = 5) -> dict[str, Any]:
        until = time.monotonic() + within_s
        while True:
            for message in self.told[after:]:
                if message["type"] == kind:
                    return message
            assert time.monotonic() < until, f"no {kind} among {self.told[after:]}"
            await asyncio.sleep(0.02)


def _touch(job_id: int, hint: bool = False) -> None:
    """In a thread of its own, as another process would."""
    from django.db import connection

    try:
        with transaction.atomic():
            Page.objects.filter(job=job_id, number=1).update(**Page.visible_change())
            if hint:
                live._leaves_at_s.clear()
                live.hint_after_commit(job_id)
    finally:
        connection.close()
