"""The hub of live events in one web process: reads each watched job's committed changes once, for all its sockets.

Woken by hints (at most four times a second) and by itself every two seconds, so that a lost hint or a Redis that is
down costs two seconds and nothing else. Reads by snapshot: no commit is missed, repeats are
dropped by version.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import sync_to_async
from django.db import close_old_connections, connection, transaction
from django.utils import translation

from ingestion import selectors

log = logging.getLogger(__name__)

SLOWEST_S, FASTEST_S = 2.0, 0.25


class Batch:
    """What changed in one reading; its message is made once a language, for all sockets that read it."""

    def __init__(self, job_id: int, page_ids: list[int]) -> None:
        self._job_id, self._page_ids = job_id, page_ids
        self._messages: dict[str, asyncio.Task[dict[str, Any]]] = {}

    async def message(self, language: str) -> dict[str, Any]:
        if language not in self._messages:
            self._messages[language] = asyncio.create_task(sync_to_async(self._render)(language))
        return await self._messages[language]

    def _render(self, language: str) -> dict[str, Any]:
        close_old_connections()
        try:
            with translation.override(language):
                return selectors.changes(self._job_id, self._page_ids)
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
        self.task: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Reads until nobody listens any more."""
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


class Hub:
    def __init__(self) -> None:
        self.topics: dict[int, Topic] = {}

    async def watch(self, job_id: int, listener: Listener) -> None:
        """Returns once the topic's reading has begun: what is read afterwards as a whole misses no change."""
        topic = self.topics.get(job_id)
        if topic is None or topic.task is None or topic.task.done():
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

    def wake(self, job_id: int) -> None:
        topic = self.topics.get(job_id)
        if topic is not None:
            topic.woken.set()

    def _forget(self, topic: Topic) -> None:
        if self.topics.get(topic.job_id) is topic:
            del self.topics[topic.job_id]


hub = Hub()
