"""The hub of live events in one web process: reads each watched job's committed changes once, for all its sockets.

Woken by hints (at most six times a second) and by itself every two seconds, so that a lost hint or a Redis that is
down costs two seconds and nothing else. Reads by snapshot: no commit is missed, repeats are
dropped by version.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.db import close_old_connections, connection, transaction
from django.utils import translation

from catalogsku.core.live import topic_group
from ingestion import selectors
from ingestion.models import Job

log = logging.getLogger(__name__)

SLOWEST_S, FASTEST_S = 2.0, 0.15


class Batch:
    """What changed in one reading; its message is made once a language, for all sockets that read it."""

    def __init__(self, job_id: int, page_ids: list[int]) -> None:
        self._job_id, self._page_ids = job_id, page_ids
        self._texts: dict[str, asyncio.Task[str]] = {}

    async def message(self, language: str) -> dict[str, Any]:
        """The message as its receivers read it."""
        found: dict[str, Any] = msgspec.json.decode(await self.text(language))
        return found

    async def text(self, language: str) -> str:
        """The message as JSON, encoded once for all of them."""
        if language not in self._texts:
            self._texts[language] = asyncio.create_task(sync_to_async(self._render)(language))
        return await asyncio.shield(self._texts[language])

    def _render(self, language: str) -> str:
        return _rendered(language, lambda: selectors.changes(self._job_id, self._page_ids))


def _rendered(language: str, read: Callable[[], dict[str, Any]]) -> str:
    """In a thread, with the database."""
    close_old_connections()
    try:
        with translation.override(language):
            return msgspec.json.encode(read()).decode()
    finally:
        close_old_connections()


Listener = Callable[[Batch], Awaitable[None]]


class Topic:
    """One watched job: where its reading stands, which versions were passed on, who listens."""

    def __init__(self, job_id: int) -> None:
        self.job_id = job_id
        self.cursor: int | None = None
        self.seen: dict[int, int] = {}
        self.listeners: set[Listener] = set()
        self.behind: set[Listener] = set()
        self.woken, self.begun = asyncio.Event(), asyncio.Event()
        self.ended = False
        self.task: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Reads until nobody listens any more."""
        hints = asyncio.create_task(self._hear_hints())
        try:
            await self._read_on()
        finally:
            self.ended = (
                True  # in the step that found nobody listening: who comes while this is cleared away starts anew
            )
            hints.cancel()
            await asyncio.wait([hints], timeout=SLOWEST_S)

    async def _hear_hints(self) -> None:
        """One subscription for all sockets: a hint to each of 200 would take longer than what it announces."""
        while True:
            layer = get_channel_layer()
            try:
                channel = await layer.new_channel()
                await layer.group_add(topic_group(self.job_id), channel)
                try:
                    while await layer.receive(channel):
                        self.woken.set()
                finally:
                    await layer.group_discard(topic_group(self.job_id), channel)
            except Exception as error:  # Redis is away: the hub reads by itself meanwhile
                log.warning("live hints not heard", extra={"job_id": self.job_id, "error": repr(error)})
            await asyncio.sleep(SLOWEST_S)

    async def _read_on(self) -> None:
        while self.listeners:
            began = time.monotonic()
            hinted = self.woken.is_set()
            self.woken.clear()
            try:
                await self._pass_on(await sync_to_async(self._read)())
            except Exception:
                log.exception("live events not read", extra={"job_id": self.job_id})
                self.cursor = self.cursor or 0  # what was committed before the first reading is passed on then
            self.begun.set()
            with contextlib.suppress(TimeoutError):  # hints that follow a hint at once are not sent: look again soon
                await asyncio.wait_for(self.woken.wait(), FASTEST_S if hinted else SLOWEST_S)
            await asyncio.sleep(max(0.0, FASTEST_S - (time.monotonic() - began)))

    def _read(self) -> list[int]:
        """Ids of what changed since the last reading (0: the job itself); the first reading only sets the cursor."""
        close_old_connections()
        first = self.cursor is None
        with transaction.atomic(), connection.cursor() as db:
            db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            self.cursor, found = selectors.changed_pages(self.job_id, self.cursor or 0)
        fresh = [pk for pk, version in found if self.seen.get(pk, 0) < version]
        self.seen.update(found)
        close_old_connections()
        return [] if first else fresh

    async def _pass_on(self, ids: list[int]) -> None:
        """To every listener what is new; to one that failed to take something, everything at the next reading."""
        behind, self.behind = self.behind & self.listeners, set()
        if not ids and not behind:
            return
        fresh, whole = (Batch(self.job_id, [pk for pk in found if pk]) for found in (ids, list(self.seen)))
        listeners = [listener for listener in self.listeners if ids or listener in behind]
        outcomes = await asyncio.gather(
            *(listener(whole if listener in behind else fresh) for listener in listeners), return_exceptions=True
        )
        for listener, outcome in zip(listeners, outcomes, strict=True):
            if isinstance(outcome, Exception):
                log.warning("live event not passed on", extra={"job_id": self.job_id, "error": repr(outcome)})
                self.behind.add(listener)


class Wholes:
    """Whole regions for sockets that open together, as after a restart of the web process: they share one reading.

    One that has begun does not count for a socket that comes later: it may lack what that socket was not yet told.
    """

    def __init__(self) -> None:
        self._next: dict[tuple[int, str], asyncio.Task[str]] = {}
        self._running: dict[tuple[int, str], asyncio.Task[str]] = {}

    async def text(self, job_id: int, language: str) -> str:
        key = (job_id, language)
        task = self._next.get(key)
        if task is None or task.get_loop() is not asyncio.get_running_loop():
            task = self._next[key] = asyncio.create_task(self._read(key, self._running.get(key)))
        return await asyncio.shield(task)  # a socket that goes does not take the reading away from the others

    async def _read(self, key: tuple[int, str], earlier: "asyncio.Task[str] | None") -> str:
        if earlier is not None and earlier.get_loop() is asyncio.get_running_loop():
            await asyncio.wait([earlier])
        self._running[key] = self._next.pop(key)
        try:
            return await sync_to_async(_whole)(*key)
        finally:
            del self._running[key]


def _whole(job_id: int, language: str) -> str:
    return _rendered(language, lambda: selectors.sync(Job.objects.get(pk=job_id)))


class Hub:
    def __init__(self) -> None:
        self.topics: dict[int, Topic] = {}
        self._wholes = Wholes()

    async def whole(self, job_id: int, language: str) -> str:
        """The whole region as JSON, read after this was asked for."""
        return await self._wholes.text(job_id, language)

    async def watch(self, job_id: int, listener: Listener) -> None:
        """Returns once the topic's reading has begun: what is read afterwards as a whole misses no change."""
        topic = self.topics.get(job_id)
        if topic is None or topic.ended:
            topic = self.topics[job_id] = Topic(job_id)
        topic.listeners.add(listener)
        if topic.task is None:
            topic.task = asyncio.create_task(topic.run())
            topic.task.add_done_callback(lambda _task: self._forget(topic))
        await topic.begun.wait()

    def unwatch(self, job_id: int, listener: Listener) -> None:
        topic = self.topics.get(job_id)
        if topic is not None:
            topic.listeners.discard(listener)
            topic.woken.set()

    def _forget(self, topic: Topic) -> None:
        if self.topics.get(topic.job_id) is topic:
            del self.topics[topic.job_id]


hub = Hub()
