"""/ws/jobs/{id}/: the progress of one document, as leaf values in the reader's language (design: live events)."""

import asyncio
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.contrib.auth import get_user
from django.db import close_old_connections
from django.utils import timezone, translation

from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.errors import NotFound
from catalogsku.core.live import topic_group
from ingestion import selectors
from ingestion.hub import hub
from ingestion.models import Job

BEAT_S = 5.0
LOGIN_NEEDED, NO_ACCESS = 4401, 4403
MAX_WAITING = 64


class JobConsumer(AsyncJsonWebsocketConsumer):
    """Sends `sync`, `rows` and `beat`; takes `{"type": "sync"}`. A missing job and another merchant's look the same."""

    job: Job | None = None
    seq = 0

    async def connect(self) -> None:
        await self.accept()  # only an accepted socket can say by its code why it closes
        code = await sync_to_async(self._authorise)()
        if code:
            await self.close(code)
            return
        assert self.job is not None
        self.outgoing: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.tasks = [asyncio.create_task(self._send_all()), asyncio.create_task(self._beat())]
        await self._join_group()
        hub.watch(self.job.pk, self.page_changed)
        await self._sync()

    async def disconnect(self, code: int) -> None:
        if self.job is None:
            return
        hub.unwatch(self.job.pk, self.page_changed)
        for task in getattr(self, "tasks", []):
            task.cancel()
        try:
            await self.channel_layer.group_discard(topic_group(self.job.pk), self.channel_name)
        except Exception:  # Redis is away: the layer forgets the socket with its process
            return

    async def receive_json(self, content: Any, **kwargs: Any) -> None:
        if isinstance(content, dict) and content.get("type") == "sync" and self.job is not None:
            await self._sync()

    @classmethod
    async def decode_json(cls, text_data: str) -> Any:
        try:
            return await super().decode_json(text_data)
        except ValueError:
            return None

    async def topic_changed(self, event: dict[str, Any]) -> None:
        """A hint from the channel layer."""
        hub.wake(int(event["job_id"]))

    async def page_changed(self, ids: list[int]) -> None:
        """From the hub: these pages, or only the job itself, have changed."""
        if self.outgoing.qsize() > MAX_WAITING:
            while not self.outgoing.empty():
                self.outgoing.get_nowait()
            await self._sync()
            return
        message = await sync_to_async(self._rows)(ids)
        await self._queue(message)

    async def _join_group(self) -> None:
        try:
            await self.channel_layer.group_add(topic_group(self.job.pk), self.channel_name)  # type: ignore[union-attr]
        except Exception:  # without Redis the hub reads by itself every two seconds
            return

    async def _sync(self) -> None:
        await self._queue(await sync_to_async(self._whole)())

    async def _queue(self, message: dict[str, Any] | int) -> None:
        if isinstance(message, int):
            await self.close(message)
        else:
            self.outgoing.put_nowait(message)

    async def _send_all(self) -> None:
        while True:
            message = await self.outgoing.get()
            self.seq += 1
            await self.send_json({**message, "seq": self.seq, "at": timezone.now().isoformat()})

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            code = await sync_to_async(self._authorise)()
            await self._queue(code or {"type": "beat"})

    # --- in a thread, with the database --------------------------------------------------------

    def _authorise(self) -> int:
        """0, or the code to close with. Reads the session and the user anew: sign-out and disabling end the socket."""
        close_old_connections()
        session = self.scope["session"].__class__(self.scope["session"].session_key)
        user = get_user(_Request(session))  # type: ignore[arg-type]
        if not isinstance(user, User) or not user.is_active:
            return LOGIN_NEEDED
        self.user = user
        try:
            if not may(user, Action.SEE_JOBS):
                return NO_ACCESS
            self.job = selectors.get_job(user, UUID(str(self.scope["url_route"]["kwargs"]["job"])))
        except NotFound:
            return NO_ACCESS
        finally:
            close_old_connections()
        return 0

    def _rows(self, ids: list[int]) -> dict[str, Any] | int:
        """Changed pages and the figures, with the permission checked at every send."""
        if code := self._authorise():
            return code
        assert self.job is not None
        with translation.override(self.language):
            return {"type": "rows", "rows": selectors.page_rows(self.job, ids), "figures": selectors.figures(self.job)}

    def _whole(self) -> dict[str, Any] | int:
        if code := self._authorise():
            return code
        assert self.job is not None
        with translation.override(self.language):
            return selectors.sync(self.job)

    @property
    def language(self) -> str:
        cookies = self.scope.get("cookies", {})
        return translation.get_supported_language_variant(cookies.get("django_language") or self.user.language)


class _Request:
    """What django.contrib.auth.get_user needs of a request."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.META: dict[str, str] = {}
