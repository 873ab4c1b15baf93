"""Two hundred sockets on one document: what the hub does once for all of them."""

import asyncio
import json
import time
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction

from catalogsku.core import live
from ingestion import hub as hub_module
from ingestion import job_page
from ingestion.events import JobEvents
from ingestion.hub import Batch, Hub
from ingestion.models import Job, Page
from tests.support.people import People
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
    assert {len(json.loads(text)["rows"]) for text in texts} == {5}


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
    late = json.loads(await hub.whole(JobEvents(job.pk), "en"))
    assert max(row["v"] for row in late["rows"]) == 2
    assert json.loads(await early)["type"] == "sync"


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
    assert len(heard) == SOCKETS and len(set(heard)) == 1
    assert len(asked) == 1, "one message for all"
    for socket in sockets:
        hub.unwatch(JobEvents(job.pk), socket)
    await asyncio.wait_for(hub.topics[JobEvents(job.pk)].task, 25)  # type: ignore[arg-type]


def _touch(job_id: int, hint: bool = False) -> None:
    """In a thread of its own, as another process would."""
    from django.db import connection

    try:
        with transaction.atomic():
            Page.objects.filter(job=job_id, number=1).update(**Page.visible_change())
            if hint:
                live._last_sent.clear()
                live.hint_after_commit(job_id)
    finally:
        connection.close()
