"""/ws/work/: people at work. Commands with their answers, the tasks on the screen, and the ping whose answer renews the
locks of the tab (docs/protocols.md P4, P5)."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar
from urllib.parse import parse_qs
from uuid import UUID

import msgspec
from asgiref.sync import sync_to_async
from django.db import connection
from django.utils import translation

from annotation.tasks.lifecycle import Purpose
from annotation.tasks.services import locks
from annotation.workbench.commands import run_command
from annotation.workbench.events import SHOWN_MAX, DraftEvents, Reader, TaskEvents
from annotation.workbench.services import presence
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.accounts.selectors import signed_in
from catalogsku.core import json_bounds
from catalogsku.core.errors import NotFound
from catalogsku.core.shared_text import SharedText
from catalogsku.core.structs import ready
from ingestion.admission import LOGIN_NEEDED, NO_ACCESS
from ingestion.hub import Batch, Source, hub
from ingestion.live_socket import INTERNAL_ERROR, LiveSocket

log = logging.getLogger(__name__)

PING_S = 10.0
TOO_BIG = 1009
T = TypeVar("T")


class Told(msgspec.Struct, frozen=True):
    """What is no command. ``tasks``: on the screen; ``alone``: the workbench; ``at``: the task that it shows."""

    type: str = ""
    tasks: list[UUID] = []
    alone: bool = False
    at: UUID | None = None
    locks: dict[UUID, int] = {}


class WorkConsumer(LiveSocket):
    """Takes `show` (answered by a sync), `pong`, `sync`, and commands; sends `answer`, `ping` and `lost` besides."""

    action = Action.SEE_TASKS
    session: UUID
    shown: frozenset[UUID] | None = None
    alone = False
    keys: frozenset[int] = frozenset()
    golden: frozenset[int] = frozenset()

    # --- what it shows ---------------------------------------------------------------------------

    def find(self, user: User) -> None:
        named = parse_qs(self.scope["query_string"].decode("latin1")).get("session", [""])[0]
        try:
            self.session = UUID(named)
        except ValueError:
            raise NotFound("bad_session") from None

    def sources(self) -> Sequence[Source]:
        return [TaskEvents()]

    def about(self, source: Source, batch: Batch) -> Hashable:
        """Lists of the same merchants are told the same, but of golden pages only whose they are."""
        if self.alone or not self.golden.isdisjoint(batch.ids):
            return Reader.of(self.user, self.shown or (), alone=self.alone)
        return Reader.like(self.user)

    def about_whole(self, source: Source) -> Hashable:
        return Reader.of(self.user, self.shown or (), alone=self.alone)

    def concerns(self, source: Source, batch: Batch) -> bool:
        if self.shown is None:
            return False
        if isinstance(source, DraftEvents):
            return may(self.user, Action.SUPERVISE)
        return not self.alone or not self.keys.isdisjoint(batch.ids)

    def loops(self) -> Sequence[Callable[[], Awaitable[None]]]:
        return (*super().loops(), self._ping)

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_S)
            self._say("ping")

    async def _send_whole(self) -> None:
        if self.shown is not None:
            await super()._send_whole()

    # --- what it is told -------------------------------------------------------------------------

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.ticket is None or text_data is None or self.is_over:
            return
        try:
            json_bounds.check(text_data.encode(), json_bounds.WORK)
        except json_bounds.TooMuch:
            await self.end(TOO_BIG)
            return
        try:
            message = msgspec.json.decode(text_data, type=ready(Told))
        except (msgspec.DecodeError, RecursionError):
            message = Told()  # the answer to a command says what is wrong with it
        try:
            await self._hear(message, text_data)
        except Exception:  # the database is away: the browser takes the other way, and comes again
            log.exception("not answered")
            await self.end(INTERNAL_ERROR)

    async def _hear(self, message: Told, text: str) -> None:
        if message.type == "sync":
            self.asked.set()
        elif message.type == "show":
            await self._show(message)
        elif message.type == "pong":
            lost = await self._as_person(lambda user: self._renew(user, message))
            if lost:
                self._say("lost", tasks=lost)
        else:
            answer = await self._as_person(lambda user: run_command(user, text)[1])
            if answer is not None:
                self._say("answer", answer=answer)

    def _say(self, kind: str, **fields: Any) -> None:
        self.tell(SharedText(msgspec.json.encode({"type": kind, **fields})))

    async def _show(self, message: Told) -> None:
        self.shown, self.alone = frozenset(message.tasks[:SHOWN_MAX]), message.alone
        self.keys, self.golden = await self._as_person(self._keys) or (frozenset(), frozenset())
        if self.alone and may(self.user, Action.SUPERVISE):
            for key in self.keys:
                await self._listen(DraftEvents(key))
        await self._send_whole()

    def _keys(self, user: User) -> tuple[frozenset[int], frozenset[int]]:
        rows = Reader.of(user).tasks().filter(uuid__in=self.shown or ()).values_list("pk", "purpose")
        return frozenset(pk for pk, _ in rows), frozenset(pk for pk, purpose in rows if purpose == Purpose.HONEYPOT)

    async def _listen(self, source: Source) -> None:
        if all(known != source for known, _ in self.listening):
            self.listening.append((source, partial(self._changed, source)))
            await hub.watch(*self.listening[-1])

    def _renew(self, user: User, message: Told) -> list[str]:
        if message.at is not None:
            with suppress(NotFound):
                presence.be_present(user, message.at, self.session)
        return [str(uuid) for uuid in locks.renew_locks(user, self.session, message.locks)]

    async def _as_person(self, do: Callable[[User], T]) -> T | None:
        """In a thread of its own, in the reader's language; None where the person may no more, and all is over."""
        code, outcome = await sync_to_async(self._do, thread_sensitive=False)(do)
        if code:
            await self.end(code)
        return outcome

    def _do(self, do: Callable[[User], T]) -> tuple[int, T | None]:
        """Each time with the rights of this moment, and a connection to the database, as a request has them."""
        try:
            key = str(self.scope["session"].session_key)
            user = signed_in({key}).get(key)
            if user is None:
                return LOGIN_NEEDED, None
            if not may(user, self.action):
                return NO_ACCESS, None
            self.user = user
            with translation.override(self.language):
                return 0, do(user)
        finally:
            connection.close()

    # --- and when it is over ---------------------------------------------------------------------

    async def disconnect(self, code: int) -> None:
        """The locks of the tab have their grace; whoever comes back in it says so with the first pong."""
        await super().disconnect(code)
        if self.ticket is not None:
            await sync_to_async(self._leave, thread_sensitive=False)()

    def _leave(self) -> None:
        try:
            locks.close_session(self.user, self.session)
            presence.go_away(self.user, self.session)
        finally:
            connection.close()
