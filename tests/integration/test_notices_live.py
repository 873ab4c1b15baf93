"""Notices that several processes tell and hear of at once: rows are committed, and a socket hears them."""

import asyncio
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import transaction

from ingestion.models import Job, Notice
from ingestion.notices.kinds import Kind
from ingestion.notices.services import reading, telling
from tests.support.people import People
from tests.support.rows import in_threads, make_job
from tests.support.sockets import opened_socket

pytestmark = pytest.mark.req("X-NOTICE")


def test_two_moves_at_once_make_one_notice(committed: None, people: People) -> None:
    job = make_job(people.merchant, uploader=people.uploader)

    def once() -> None:
        with transaction.atomic():
            telling.tell_escalated([job.pk])
            telling.tell(Kind.NEEDS_YOU, job)

    in_threads([once] * 6)
    told = Notice.objects.order_by("kind").values_list("kind", "person__username")
    assert list(told) == [(Kind.ESCALATED, "lead"), (Kind.NEEDS_YOU, "annotator")]


async def heard(socket: WebsocketCommunicator, within_s: float = 10) -> dict[str, Any]:
    """The next word about notices; whatever else comes is passed over."""
    async with asyncio.timeout(within_s):
        while True:
            message: dict[str, Any] = json.loads(await socket.receive_from(within_s))
            if message["type"] == "notices":
                return message


def told_of(job: Job) -> None:
    with transaction.atomic():
        telling.tell(Kind.NEEDS_YOU, job)


async def test_a_socket_of_another_screen_hears_how_many_are_unread(committed: None, people: People) -> None:
    first, second = [await sync_to_async(make_job)(people.merchant) for _ in range(2)]
    mine = await opened_socket(f"/ws/jobs/{second.uuid}/", people.annotator)
    leads = await opened_socket(f"/ws/jobs/{second.uuid}/", people.lead)
    await sync_to_async(told_of)(first)
    assert (await heard(mine))["unread"] == "1"
    await sync_to_async(told_of)(second)
    assert (await heard(mine))["unread"] == "2"
    await sync_to_async(reading.read_all)(people.annotator)
    assert (await heard(mine))["unread"] == ""
    await sync_to_async(transaction.atomic(telling.tell_escalated))([first.pk])
    assert (await heard(leads))["unread"] == "1", "and nothing of what others were told before"
    for socket in (mine, leads):
        await socket.disconnect()
