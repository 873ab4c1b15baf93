"""The hub of live events in one web process: reads what changed in each watched source once, for all its sockets.

Woken by hints and by itself every two seconds, so that a lost hint or a Redis that is down costs two seconds and
nothing else. A round reads, makes each message once and passes it on; the next one begins after three times as long as
it took, so that a crowd or a busy machine is told less often. Reads by snapshot: no commit is missed, repeats are
dropped by version.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Hashable
from typing import Any, Protocol

import msgspec
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.db import close_old_connections, connection, transaction
from django.utils import translation

from catalogsku.core.live import Topic as HintTopic
from catalogsku.core.live import topic_group
from catalogsku.core.shared_text import SharedText

log = logging.getLogger(__name__)

SLOWEST_S, FASTEST_S = 2.0, 0.05
ROUNDS_APART = 3  # a round may take this share of the time, and leaves the rest to requests
PASSED_ON_AT_ONCE = 100  # sockets; then whatever else the process has to do has its turn


class Source(Protocol):
    """What can be watched; equal sources are read once for all who watch them. Called in threads, with the database.

    ``about``: what a reader gets to see beside the language, as the source understands it.
    """

    @property
    def topic(self) -> HintTopic:
        """Where its hints come."""

    def changed(self, cursor: int | None) -> tuple[int, list[tuple[int, int]]]:
        """(next cursor, [(id, version)] changed since); None begins. Alone in a REPEATABLE READ transaction."""

    def changes(self, ids: Collection[int], about: Any) -> dict[str, Any]:
        """These rows as a message, in the active language."""

    def whole(self, about: Any) -> dict[str, Any]:
        """The whole region as a message, in the active language."""

    def __hash__(self) -> int: ...


class Batch:
    """What changed in one reading; its message is made once for all sockets that read it in the same way."""

    def __init__(self, source: Source, ids: Collection[int]) -> None:
        self._source, self.ids = source, ids
        self._texts: dict[tuple[str, Hashable], asyncio.Task[SharedText]] = {}
        self._messages: dict[tuple[str, Hashable], dict[str, Any]] = {}

    async def message(self, language: str, about: Hashable = None) -> dict[str, Any]:
        """The message as its receivers read it, for all of them: not to be changed."""
        key = (language, about)
        if key not in self._messages:
            self._messages[key] = msgspec.json.decode((await self.text(language, about)).text)
        return self._messages[key]

    async def text(self, language: str, about: Hashable = None) -> SharedText:
        """The message as JSON, encoded once for all of them."""
        key = (language, about)
        task = self._texts.get(key)
        if task is None:
            task = self._texts[key] = asyncio.create_task(sync_to_async(self._render)(language, about))
        return task.result() if task.done() else await asyncio.shield(task)

    def _render(self, language: str, about: Hashable) -> SharedText:
        return _rendered(language, lambda: self._source.changes(self.ids, about))


def _rendered(language: str, read: Callable[[], dict[str, Any]]) -> SharedText:
    """In a thread, with the database."""
    close_old_connections()
    try:
        with translation.override(language):
            return SharedText(msgspec.json.encode(read()))
    finally:
        close_old_connections()


Listener = Callable[[Batch], Awaitable[None]]


class Topic:
    """One watched source: where its reading stands, which versions were passed on last, who listens."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.cursor: int | None = None
        self.seen: dict[int, int] = {}
        self.listeners: set[Listener] = set()
        self.missed: dict[Listener, frozenset[int]] = {}
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
                await layer.group_add(topic_group(self.source.topic), channel)
                try:
                    while await layer.receive(channel):
                        self.woken.set()
                finally:
                    await layer.group_discard(topic_group(self.source.topic), channel)
            except Exception as error:  # Redis is away: the hub reads by itself meanwhile
                log.warning("live hints not heard", extra={"topic": self.source.topic, "error": repr(error)})
            await asyncio.sleep(SLOWEST_S)

    async def _read_on(self) -> None:
        while self.listeners:
            began_s = time.monotonic()
            self.woken.clear()
            try:
                await self._pass_on(await sync_to_async(self._read)())
            except Exception:
                log.exception("live events not read", extra={"topic": self.source.topic})
                self.cursor = self.cursor or 0  # what was committed before the first reading is passed on then
            self.begun.set()
            apart_s = max(FASTEST_S, ROUNDS_APART * (time.monotonic() - began_s))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.woken.wait(), SLOWEST_S)
            await asyncio.sleep(max(0.0, apart_s - (time.monotonic() - began_s)))

    def _read(self) -> list[int]:
        """Ids of what changed since the last reading; the first reading only sets the cursor."""
        close_old_connections()
        first = self.cursor is None
        with transaction.atomic(), connection.cursor() as db:
            db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            self.cursor, changed = self.source.changed(self.cursor)
        fresh = [pk for pk, version in changed if self.seen.get(pk, 0) < version]
        self.seen = dict(changed)  # what is not among them comes again only with a new version
        close_old_connections()
        return [] if first else fresh

    async def _pass_on(self, ids: list[int]) -> None:
        """To every listener what is new; to one that failed to take something, that too at the next reading.

        One after the other: most only write a few bytes, and a task for each of 2000 would cost more than that.
        """
        missed, self.missed = self.missed, {}
        fresh = frozenset(ids)
        wanted = {listener: fresh | missed.get(listener, frozenset()) for listener in self.listeners}
        batches = {some: Batch(self.source, some) for some in wanted.values() if some}
        for number, (listener, some) in enumerate(wanted.items(), start=1):
            if not some:
                continue
            try:
                await listener(batches[some])
            except Exception as error:
                log.warning("live event not passed on", extra={"topic": self.source.topic, "error": repr(error)})
                self.missed[listener] = some
            if not number % PASSED_ON_AT_ONCE:
                await asyncio.sleep(0)


WholeKey = tuple[Source, str, Hashable]


class Wholes:
    """Whole regions for sockets that open together, as after a restart of the web process: they share one reading.

    One that has begun does not count for a socket that comes later: it may lack what that socket was not yet told.
    """

    def __init__(self) -> None:
        self._next: dict[WholeKey, asyncio.Task[SharedText]] = {}
        self._running: dict[WholeKey, asyncio.Task[SharedText]] = {}

    async def text(self, key: WholeKey) -> SharedText:
        task = self._next.get(key)
        if task is None or task.get_loop() is not asyncio.get_running_loop():
            task = self._next[key] = asyncio.create_task(self._read(key, self._running.get(key)))
        return await asyncio.shield(task)  # a socket that goes does not take the reading away from the others

    async def _read(self, key: WholeKey, earlier: "asyncio.Task[SharedText] | None") -> SharedText:
        if earlier is not None and earlier.get_loop() is asyncio.get_running_loop():
            await asyncio.wait([earlier])
        self._running[key] = self._next.pop(key)
        try:
            return await sync_to_async(_whole)(*key)
        finally:
            del self._running[key]


def _whole(source: Source, language: str, about: Hashable) -> SharedText:
    return _rendered(language, lambda: source.whole(about))


class Hub:
    def __init__(self) -> None:
        self.topics: dict[Source, Topic] = {}
        self._wholes = Wholes()

    async def whole(self, source: Source, language: str, about: Hashable = None) -> SharedText:
        """The whole region as JSON, read after this was asked for."""
        return await self._wholes.text((source, language, about))

    async def watch(self, source: Source, listener: Listener) -> None:
        """Returns once the source's reading has begun: what is read afterwards as a whole misses no change."""
        topic = self.topics.get(source)
        if topic is None or topic.ended:
            topic = self.topics[source] = Topic(source)
        topic.listeners.add(listener)
        if topic.task is None:
            topic.task = asyncio.create_task(topic.run())
            topic.task.add_done_callback(lambda _task: self._forget(topic))
        await topic.begun.wait()

    def unwatch(self, source: Source, listener: Listener) -> None:
        topic = self.topics.get(source)
        if topic is not None:
            topic.listeners.discard(listener)
            topic.woken.set()

    def _forget(self, topic: Topic) -> None:
        if self.topics.get(topic.source) is topic:
            del self.topics[topic.source]


hub = Hub()
