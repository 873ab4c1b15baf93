"""What every live websocket does: admitted, told the whole and then each change as leaf values in the language of its
reader, kept awake by a beat, and closed when the reader may listen no more (design: live events)."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Sequence
from functools import cached_property, partial
from typing import ClassVar
from urllib.parse import parse_qs

from asgiref.sync import sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import close_old_connections
from django.utils import translation

from catalogsku.accounts.grants import Grant
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.accounts.selectors import signed_in
from catalogsku.core.errors import NotFound
from catalogsku.core.handing_over import is_web_there
from catalogsku.core.places import Place
from catalogsku.core.shared_text import LINE, Line, SharedText
from ingestion.admission import ADMITTED, LOGIN_NEEDED, NO_ACCESS, Ticket, admission, has_ended
from ingestion.hub import Batch, Source, hub
from ingestion.lines import SOCKETS, take_socket
from ingestion.notices.selectors import SILENT, NoticeEvents

log = logging.getLogger(__name__)

BEAT_S = 2.0  # by which a screen knows that the server is there (static/js/reach.js)
BEATS_AT_ONCE = 100  # sockets; then whatever else the process has to do has its turn
INTERNAL_ERROR = 1011
NO_ROOM = 4429
MAX_WAITING = 64
SYNC_EVERY_S = 1.0
_NOTICES = NoticeEvents()


class LiveSocket(AsyncWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    """Sends `sync`, `rows` and `beat`. What is missing and what is another merchant's look the same."""

    channel_layer_alias = "none"  # the hub hears the hints, once for all sockets of the process
    action: ClassVar[Action]
    ticket: Ticket | None = None
    place: Place | None = None
    user: User
    line: Line
    seq = 0
    is_over = has_missed = False

    # --- what a kind of socket says of itself ----------------------------------------------------

    def find(self, user: User) -> int | None:
        """What the socket shows, kept in it; the document's key where it shows one. In a thread; raises NotFound."""
        raise NotImplementedError

    def sources(self) -> Sequence[Source]:
        """What of it is listened to; after ``find``."""
        raise NotImplementedError

    def about(self, source: Source, batch: Batch) -> Hashable:
        """What this reader gets to see of changes, by what ``self.user`` may at this moment."""
        return None

    def about_whole(self, source: Source) -> Hashable:
        """The same of all of it."""
        return None

    def concerns(self, source: Source, batch: Batch) -> bool:
        return True

    def loops(self) -> Sequence[Callable[[], Awaitable[None]]]:
        """What runs as long as the socket is open."""
        return (self._answer_syncs,)

    # --- opened and closed -----------------------------------------------------------------------

    async def connect(self) -> None:
        await self.accept()  # only an accepted socket can say by its code why it closes
        code = await sync_to_async(self._authorise)()
        if code:
            await self.close(code)
            return
        assert self.ticket is not None
        self.line = self.scope.get(LINE) or AsgiLine(self.send)
        self.asked = asyncio.Event()
        self.listening = [(source, partial(self._changed, source)) for source in self.sources()]
        self.tasks = [asyncio.ensure_future(run()) for run in self.loops()]
        admission.admit(self.ticket, self.end)
        beats.join(self)
        try:
            await self._begin()
        except Exception:  # the database is away: the browser comes again
            log.exception("live socket not begun")
            await self.end(INTERNAL_ERROR)
        if self.is_over:  # maybe meanwhile, with something listened to since
            self._stop()

    async def _begin(self) -> None:
        for source, listener in self.listening:
            await hub.watch(source, listener)
        await hub.watch(_NOTICES, self._noticed)
        await self._send_whole()
        await self._ring()

    async def disconnect(self, code: int) -> None:
        if self.place is not None:
            SOCKETS.leave(self.place)
        if self.ticket is not None:
            self._stop()

    async def end(self, code: int) -> None:
        """The person may listen no more: nothing goes out from here on, whatever the browser does with the code."""
        self._stop()
        await self.close(code)

    def _stop(self) -> None:
        assert self.ticket is not None
        assert self.place is not None
        self.is_over = True
        SOCKETS.leave(self.place)
        admission.leave(self.ticket)
        beats.leave(self)
        if isinstance(self.line, AsgiLine):
            self.line.close()
        for source, listener in self.listening:
            hub.unwatch(source, listener)
        hub.unwatch(_NOTICES, self._noticed)
        for task in self.tasks:
            task.cancel()

    # --- heard and said --------------------------------------------------------------------------

    async def _changed(self, source: Source, batch: Batch) -> None:
        """From the hub: something of that source has changed."""
        assert self.ticket is not None
        finding = await admission.look(self.ticket)
        if finding.code:
            await self.end(finding.code)
            return
        self.user = finding.user or self.user
        if not self.concerns(source, batch):
            return
        if self.line.is_behind:
            self.has_missed = True
        else:
            self.tell(await batch.text(self.language, self.about(source, batch)))

    async def _ring(self) -> None:
        """What was told of after the page was written and before this listened, or while this was behind."""
        message = await hub.whole(_NOTICES, settings.LANGUAGE_CODE, self.user.pk)
        if message.text != SILENT or self.has_missed:
            self.tell(message)

    async def _noticed(self, batch: Batch) -> None:
        """From the hub: somebody's notices have changed; how many of this person's own are unread."""
        assert self.ticket is not None
        language = settings.LANGUAGE_CODE
        if self.user.pk not in (await batch.message(language))["people"]:
            return
        if (await admission.look(self.ticket)).code:
            return
        if self.line.is_behind:
            self.has_missed = True
        else:
            self.tell(await batch.text(language, self.user.pk))

    async def _send_whole(self) -> None:
        for source, _ in self.listening:
            self.tell(await hub.whole(source, self.language, self.about_whole(source)))

    def tell(self, message: SharedText) -> None:
        """What many sockets share, and in front of it what is this one's own. To who is behind too: it has to be
        short, or to come seldom."""
        if not self.is_over:
            self.seq += 1
            self.line.write(b'{"seq":%d,' % self.seq, message.tail)

    def beat(self, message: SharedText) -> None:
        """Once a beat; who fell behind and has caught up is told the whole."""
        if not self.line.is_behind:
            self.tell(message)
            if self.has_missed:
                self.asked.set()

    async def _answer_syncs(self) -> None:
        """However often it is asked for: one whole region a second."""
        while True:
            await self.asked.wait()
            self.asked.clear()
            if self.line.is_behind:
                self.has_missed = True
                continue
            try:
                await self._send_whole()
                if self.has_missed:
                    await self._ring()
                    self.has_missed = False
            except Exception:  # the database is away: the browser comes again
                log.exception("whole region not read")
                await self.close(INTERNAL_ERROR)
                return
            await asyncio.sleep(SYNC_EVERY_S)

    def _authorise(self) -> int:
        """ADMITTED, or the code to close with. In a thread, with the database."""
        close_old_connections()
        try:
            key = str(self.scope["session"].session_key)
            user = signed_in({key}).get(key)
            if user is None:
                return LOGIN_NEEDED
            if not may(user, self.action):
                return NO_ACCESS
            self.user, subject = user, self.find(user)
            self.place = take_socket(user)
            if self.place is None:
                return NO_ROOM
            self.ticket = Ticket(Grant(session_key=key), self.action, subject)
        except NotFound:
            return NO_ACCESS
        finally:
            close_old_connections()
        return ADMITTED

    @cached_property
    def language(self) -> str:
        """That of the page which opened the socket, else of the browser, else of the person."""
        of_page = parse_qs(self.scope["query_string"].decode("latin-1")).get("language", [""])[0]
        wanted = of_page or self.scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME) or self.user.language
        try:
            return translation.get_supported_language_variant(wanted.lower())
        except LookupError:
            return settings.LANGUAGE_CODE


class AsgiLine:
    """The line of a socket whose server offers none: texts go out by ASGI, in their order."""

    def __init__(self, send: Callable[..., Awaitable[None]]) -> None:
        self._send = send
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._task = asyncio.ensure_future(self._send_all())

    @property
    def is_behind(self) -> bool:
        return self._waiting.qsize() > MAX_WAITING

    def write(self, own: bytes, shared: bytes) -> None:
        self._waiting.put_nowait((own + shared).decode())

    def close(self) -> None:
        self._task.cancel()

    async def _send_all(self) -> None:
        while True:
            await self._send(text_data=await self._waiting.get())


class Beats:
    """One beat for all sockets of the process, as long as there are any."""

    def __init__(self) -> None:
        self._sockets: set[LiveSocket] = set()
        self._task: asyncio.Task[None] | None = None

    def join(self, socket: LiveSocket) -> None:
        self._sockets.add(socket)
        if has_ended(self._task):
            self._task = asyncio.create_task(self._go_on())

    def leave(self, socket: LiveSocket) -> None:
        self._sockets.discard(socket)

    async def _go_on(self) -> None:
        while self._sockets:
            await asyncio.sleep(BEAT_S)
            if not is_web_there():  # pages ask for themselves then
                continue
            message = SharedText(b'{"type":"beat"}')
            for number, socket in enumerate(list(self._sockets), start=1):
                socket.beat(message)
                if not number % BEATS_AT_ONCE:
                    await asyncio.sleep(0)


beats = Beats()
