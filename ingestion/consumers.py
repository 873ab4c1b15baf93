"""/ws/jobs/{id}/: the progress of one document, as leaf values in the reader's language (design: live events)."""

import asyncio
import time
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
from ingestion.hub import Batch, hub
from ingestion.models import Job

BEAT_S = 5.0
LOGIN_NEEDED, NO_ACCESS = 4401, 4403
MAX_WAITING = 64
CHECK_EVERY_S = 1.0


class JobConsumer(AsyncJsonWebsocketConsumer):
    """Sends `sync`, `rows` and `beat`; takes `{"type": "sync"}`. A missing job and another merchant's look the same."""

    job: Job | None = None
    seq = 0
    checked_at_s = 0.0

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
        await hub.watch(self.job.pk, self.job_changed)
        await self._send_whole()

    async def disconnect(self, code: int) -> None:
        if self.job is None:
            return
        hub.unwatch(self.job.pk, self.job_changed)
        for task in getattr(self, "tasks", []):
            task.cancel()
        try:
            await self.channel_layer.group_discard(topic_group(self.job.pk), self.channel_name)
        except Exception:  # Redis is away: the layer forgets the socket with its process
            return

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        if text_data is not None:  # nothing that a client sends in bytes means anything here
            await super().receive(text_data=text_data)

    async def receive_json(self, content: Any, **kwargs: Any) -> None:
        if isinstance(content, dict) and content.get("type") == "sync" and self.job is not None:
            await self._send_whole()

    @classmethod
    async def decode_json(cls, text_data: str) -> Any:
        try:
            return await super().decode_json(text_data)
        except ValueError:
            return None

    async def topic_changed(self, event: dict[str, Any]) -> None:
        """A hint from the channel layer."""
        hub.wake(int(event["job_id"]))

    async def job_changed(self, batch: Batch) -> None:
        """From the hub: pages, or the job itself, have changed."""
        if code := await self._checked():
            await self.close(code)
        elif self.outgoing.qsize() > MAX_WAITING:
            while not self.outgoing.empty():
                self.outgoing.get_nowait()
            await self._send_whole()
        else:
            self.outgoing.put_nowait(await batch.message(self.language))

    async def _checked(self) -> int:
        """As _authorise, at most once a second: a burst of changes costs one look."""
        if time.monotonic() - self.checked_at_s > CHECK_EVERY_S:
            self.checked_at_s = time.monotonic()
            return await sync_to_async(self._authorise)()
        return 0

    async def _join_group(self) -> None:
        try:
            await self.channel_layer.group_add(topic_group(self.job.pk), self.channel_name)  # type: ignore[union-attr]
        except Exception:  # without Redis the hub reads by itself every two seconds
            return

    async def _send_whole(self) -> None:
        assert self.job is not None
        self.outgoing.put_nowait(await sync_to_async(self._whole)())

    async def _send_all(self) -> None:
        while True:
            message = await self.outgoing.get()
            self.seq += 1
            await self.send_json({**message, "seq": self.seq, "at": timezone.now().isoformat()})

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            if code := await sync_to_async(self._authorise)():
                await self.close(code)
                return
            self.outgoing.put_nowait({"type": "beat"})

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

    def _whole(self) -> dict[str, Any]:
        assert self.job is not None
        with translation.override(self.language):
            return selectors.sync(Job.objects.get(pk=self.job.pk))

    @property
    def language(self) -> str:
        cookies = self.scope.get("cookies", {})
        return translation.get_supported_language_variant(cookies.get("django_language") or self.user.language)


class _Request:
    """What django.contrib.auth.get_user needs of a request."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.META: dict[str, str] = {}
