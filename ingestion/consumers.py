"""/ws/jobs/{id}/: the progress of one document, as leaf values in the reader's language (design: live events)."""

import asyncio
import logging
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone, translation

from catalogsku.accounts.permissions import Action, may
from catalogsku.accounts.selectors import signed_in
from catalogsku.core.errors import NotFound
from ingestion import selectors
from ingestion.admission import ADMITTED, LOGIN_NEEDED, NO_ACCESS, Ticket, admission
from ingestion.hub import Batch, hub
from ingestion.models import Job

log = logging.getLogger(__name__)

BEAT_S = 5.0
INTERNAL_ERROR = 1011
MAX_WAITING = 64
SYNC_EVERY_S = 1.0


class JobConsumer(AsyncJsonWebsocketConsumer):
    """Sends `sync`, `rows` and `beat`; takes `{"type": "sync"}`. A missing job and another merchant's look the same."""

    channel_layer_alias = "none"  # the hub hears the hints, once for all sockets of the process
    job: Job | None = None
    ticket: Ticket | None = None
    seq = 0

    async def connect(self) -> None:
        await self.accept()  # only an accepted socket can say by its code why it closes
        code = await sync_to_async(self._authorise)()
        if code:
            await self.close(code)
            return
        assert self.job is not None
        self.ticket = Ticket(str(self.scope["session"].session_key), self.job.pk)
        self.outgoing: asyncio.Queue[str] = asyncio.Queue()
        self.asked = asyncio.Event()
        self.tasks = [asyncio.create_task(run()) for run in (self._send_all, self._beat, self._answer_syncs)]
        admission.admit(self.ticket, self._end)
        await hub.watch(self.job.pk, self.job_changed)
        await self._send_whole()

    async def disconnect(self, code: int) -> None:
        if self.job is None or self.ticket is None:
            return
        self._stop()

    async def _end(self, code: int) -> None:
        """The person may listen no more: nothing goes out from here on, whatever the browser does with the code."""
        self._stop()
        await self.close(code)

    def _stop(self) -> None:
        assert self.job is not None and self.ticket is not None
        admission.leave(self.ticket)
        hub.unwatch(self.job.pk, self.job_changed)
        for task in self.tasks:
            task.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        if text_data is not None:  # nothing that a client sends in bytes means anything here
            await super().receive(text_data=text_data)

    async def receive_json(self, content: Any, **kwargs: Any) -> None:
        if isinstance(content, dict) and content.get("type") == "sync" and self.ticket is not None:
            self.asked.set()

    @classmethod
    async def decode_json(cls, text_data: str) -> Any:
        try:
            return await super().decode_json(text_data)
        except (ValueError, RecursionError):
            return None

    async def job_changed(self, batch: Batch) -> None:
        """From the hub: pages, or the job itself, have changed."""
        assert self.ticket is not None
        if code := await admission.code(self.ticket):
            await self._end(code)
        elif self.outgoing.qsize() > MAX_WAITING:
            while not self.outgoing.empty():
                self.outgoing.get_nowait()
            await self._send_whole()
        else:
            self.outgoing.put_nowait(await batch.text(self.language))

    async def _send_whole(self) -> None:
        assert self.job is not None
        self.outgoing.put_nowait(await hub.whole(self.job.pk, self.language))

    async def _send_all(self) -> None:
        """Each text is JSON that many sockets share: what is this one's own is put in front of it."""
        while True:
            text = await self.outgoing.get()
            self.seq += 1
            await self.send(text_data=f'{{"seq":{self.seq},"at":"{timezone.now().isoformat()}",{text[1:]}')

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            self.outgoing.put_nowait('{"type":"beat"}')

    async def _answer_syncs(self) -> None:
        """However often it is asked for: one whole region a second."""
        while True:
            await self.asked.wait()
            self.asked.clear()
            try:
                await self._send_whole()
            except Exception:  # the database is away: the browser comes again
                log.exception("whole region not read")
                await self.close(INTERNAL_ERROR)
                return
            await asyncio.sleep(SYNC_EVERY_S)

    # --- in a thread, with the database --------------------------------------------------------

    def _authorise(self) -> int:
        """ADMITTED, or the code to close with."""
        close_old_connections()
        try:
            key = str(self.scope["session"].session_key)
            user = signed_in({key}).get(key)
            if user is None:
                return LOGIN_NEEDED
            if not may(user, Action.SEE_JOBS):
                return NO_ACCESS
            self.user = user
            self.job = selectors.get_job(user, UUID(str(self.scope["url_route"]["kwargs"]["job"])))
        except NotFound:
            return NO_ACCESS
        finally:
            close_old_connections()
        return ADMITTED

    @property
    def language(self) -> str:
        asked = self.scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME) or self.user.language
        try:
            return translation.get_supported_language_variant(asked)
        except LookupError:
            return settings.LANGUAGE_CODE
