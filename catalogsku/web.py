"""The web process: Daphne with bounds on what requests may hold, and with uploads that lose nothing when they are cut.

Daphne takes a request's body onto disk and then, whole, into memory before the application sees any of it. So here a
body has a largest size, and few large ones are in work at once while others wait on disk. An upload's part is not
taken into memory at all (catalogsku.core.arriving), and of one that was cut off what arrived is handed on as if the
sender had ended there: the offset that the database commits says so.
"""

import asyncio
import ctypes
import re
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from typing import Any

from autobahn.websocket.types import ConnectionDeny
from daphne.access import AccessLogGenerator
from daphne.cli import CommandLineInterface
from daphne.http_protocol import HEADER_NAME_RE, INVALID_HEADER_VALUE_BYTES, HTTPFactory, WebRequest
from daphne.server import Server
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from django.db import connections
from twisted.internet import reactor
from twisted.internet.error import ConnectionDone
from twisted.internet.task import LoopingCall
from twisted.python.failure import Failure

from catalogsku.core.arriving import ARRIVED, ArrivingPart
from catalogsku.core.gate import Gate
from catalogsku.core.handing_over import SIGN_EVERY_S, give_sign, hand_over
from catalogsku.core.json_bounds import WORK
from catalogsku.core.nowhere import NOT_FOUND
from catalogsku.core.redact import redact
from catalogsku.core.shared_text import LINE, opening

MIB = 1 << 20
BODY_BYTES_MAX = 8 * MIB + (64 << 10)  # an upload's part, and room for what frames a form
LARGE_BYTES = 64 << 10
LARGE_AT_ONCE = 8
GIVEN_BACK_AFTER_S = 1.0
IN_WORK_AT_ONCE = 64  # each takes a thread and a connection to the database
# What answers whatever else is in use has places of its own: is this process alive, can the product be used, the page
# of the way in, and the way in itself, at which passwords take their time. The first that fits by its path's beginning.
READS = (b"GET", b"HEAD")
KEPT_OPEN: tuple[tuple[int, tuple[bytes, ...], tuple[bytes, ...]], ...] = (
    (2, READS, (b"/healthz",)),
    (4, READS, (b"/readyz", b"/api/v1/health", b"/metrics", b"/api/v1/metrics")),
    (8, READS, (b"/login/", b"/static/")),
    # More than wait for the sums of passwords (accounts/hashing.py): who would be one too many is told so at once.
    (24, (b"POST",), (b"/login/", b"/logout/", b"/api/v1/auth/login")),
)
# Of an answer that is not taken nothing more is made. Who takes none of it for SLOW_AFTER_S is no request in work any
# more, and one of so many who are slow; who takes none of it for CUT_AFTER_S is cut.
SLOW_READERS, SLOW_AFTER_S, CUT_AFTER_S = 32, 2.0, 30.0
# Each request has a thread of its own, and threads end: connections stay, in a pool with some more for the sockets'
# work. A try to connect is given up soon and made again for who asks next, so that a database that is back is found at
# once; while it is away, nobody is kept for long.
POOL = {
    "name": "web",
    "min_size": 2,
    "max_size": IN_WORK_AT_ONCE + sum(room for room, *_ in KEPT_OPEN) + SLOW_READERS + 16,
    "timeout": 3.0,
    "reconnect_timeout": 1.0,
    "max_idle": 120.0,
}
MESSAGE_BYTES = 64 << 10
SOCKET_MESSAGE_BYTES = WORK.bytes
WAITING_BYTES, WAITING_MESSAGES = 2 * SOCKET_MESSAGE_BYTES, 512  # of one socket, while one of its messages is answered
UNSENT_BYTES = 64 << 10  # of one socket, beyond what the kernel holds: who has that before them is behind
TOO_MUCH = 1008
EVENTS = b"text/event-stream"
UPLOAD_PART = re.compile(rb"(?:/api/v1)?/uploads/[0-9a-f-]{36}/$")
_REFUSAL = b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


# Daphne and autobahn have no types: who takes up a class of theirs is told to ignore it.
class BoundedRequest(WebRequest):  # type: ignore[misc]
    """One HTTP request; ``process`` is called when its body is there, ``connectionLost`` when its sender is gone,
    ``pauseProducing`` and ``resumeProducing`` by how the other side takes the answer."""

    received_bytes = 0
    length_bytes: int | None = None
    is_complete = is_refused = is_cut = is_in_work = False
    arrived: ArrivingPart | None = None
    content: Any = None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.may_go = asyncio.Event()

    def gotLength(self, length: int | None) -> None:
        super().gotLength(length)
        self.length_bytes = length
        if (length or 0) > BODY_BYTES_MAX:
            self._refuse()
        elif self._is_part() and self._says_who_it_is():
            self.content.close()
            upload = self.channel._path.rstrip(b"/").rpartition(b"/")[2].decode()
            offset = (self.requestHeaders.getRawHeaders(b"Upload-Offset") or [b""])[0]
            self.content = ArrivingPart(upload, int(offset) if offset.isdigit() and len(offset) < 16 else -1)

    def _says_who_it_is(self) -> bool:
        """Nobody else's bytes come near the storage."""
        return any(map(self.requestHeaders.hasHeader, (b"Cookie", b"Authorization")))

    def _is_part(self) -> bool:
        return (
            self.channel._command == b"PATCH"
            and UPLOAD_PART.fullmatch(self.channel._path) is not None
            and not self.requestHeaders.hasHeader(b"Upgrade")
        )

    def handleContentChunk(self, data: bytes) -> None:
        self.received_bytes += len(data)
        if self.received_bytes > BODY_BYTES_MAX and not self.is_refused:
            self._refuse()
        if not self.is_refused:
            super().handleContentChunk(data)

    def _refuse(self) -> None:
        self.is_refused = True
        self.channel.transport.write(_REFUSAL)
        self.channel.loseConnection()

    def process(self) -> None:
        self.is_complete = True
        if self.is_cut:
            self._start()
        elif not self.is_refused and not self._is_handed_over():
            self._enter(self._start)

    def _is_handed_over(self) -> bool:
        """Whether it asks for a websocket, and the process that holds them has taken the connection. What is none, as
        RFC 9110 has it, is refused by Daphne in this process."""
        wanted = self.requestHeaders.getRawHeaders(b"Upgrade", [b""])[0].lower()
        if not self.server.hands_over or wanted != b"websocket" or self.received_bytes or not self.uri.isascii():
            return False
        headers = [(name, b",".join(values)) for name, values in self.requestHeaders.getAllRawHeaders()]
        if not all(HEADER_NAME_RE.fullmatch(n) and INVALID_HEADER_VALUE_BYTES.isdisjoint(v) for n, v in headers):
            return False
        lines = [b"%b %b HTTP/1.1" % (self.method, self.uri), *map(b": ".join, headers), b"", b""]
        transport = self.channel.transport
        if not hand_over(transport.socket, b"\r\n".join(lines)):
            return False
        transport._shouldShutdown = False  # only this process's hold on it ends
        ended = Failure(ConnectionDone())  # type: ignore[no-untyped-call]
        reactor.callLater(0, transport.connectionLost, ended)  # type: ignore[arg-type]
        return True

    def _enter(self, start: Callable[[], None]) -> None:
        self.gates = [self.server.every_gate if self.is_cut else self.server.gate_of(self.method, self.path)]
        if self.received_bytes >= LARGE_BYTES:
            self.gates.insert(0, self.server.large_gate)
        first, *rest = self.gates
        first.enter((lambda: rest[0].enter(start)) if rest else start)

    def _leave(self, *_: Any) -> None:
        if self.is_in_work:
            self.is_in_work = False
            for gate in reversed(self.gates):
                gate.leave()

    def _start(self) -> None:
        """Hand the request to the application; the gate is open again when that has ended."""
        self.is_in_work = True
        if isinstance(self.content, ArrivingPart):  # the application gets it as it lies there, with an empty body
            self.arrived, self.content = self.content, BytesIO()
        if self.channel is not None:  # the sender may have gone while this waited
            super().process()
        running = self.server.connections.get(self, {}).get("application_instance")
        if running is None:
            self._leave()
            self._drop_part()
        else:
            running.add_done_callback(self._end)

    def _drop_part(self) -> None:
        if self.arrived is not None:
            self.arrived.close()

    def _end(self, _: Any) -> None:
        self._leave()
        self._drop_part()
        if self.received_bytes >= LARGE_BYTES:
            self.server.give_memory_back()
        self.server.slow_readers.pop(self, None)

    def handle_reply(self, message: dict[str, Any]) -> None:
        """A stream of events lives for hours; who opens one has asked for a place among the streams."""
        super().handle_reply(message)
        if message["type"] == "http.response.start" and self.channel is not None:
            self.may_go.set()
            self.registerProducer(self, True)
            if (b"Content-Type", EVENTS) in message.get("headers", ()):
                self._leave()

    def finish(self) -> None:
        if self.producer is not None:
            self.unregisterProducer()
        super().finish()

    def pauseProducing(self) -> None:
        self.may_go.clear()

    def resumeProducing(self) -> None:
        self.may_go.set()

    stopProducing = resumeProducing

    async def keep_step(self) -> None:
        """Returns when the other side has taken most of what was sent."""
        if not await self._may_go_within(SLOW_AFTER_S):
            self._leave()
            self.server.slow_readers[self] = None
            if len(self.server.slow_readers) > SLOW_READERS:
                next(iter(self.server.slow_readers)).drop()
            if not await self._may_go_within(CUT_AFTER_S):
                self.drop()

    async def _may_go_within(self, limit_s: float) -> bool:
        try:
            await asyncio.wait_for(self.may_go.wait(), limit_s)
        except TimeoutError:
            return False
        return True

    def drop(self) -> None:
        if self.channel is not None:
            self.channel.transport.abortConnection()

    def connectionLost(self, reason: Any) -> None:
        if self._is_cut_part():
            self.is_cut = self.is_complete = True
            self._enter(lambda: self._take_what_arrived(reason))
        else:
            super().connectionLost(reason)

    def _is_cut_part(self) -> bool:
        """Its length was told and is not reached; what a chunked body would still have held nobody knows."""
        is_open = not (self.is_complete or self.is_refused)
        return is_open and 0 < self.received_bytes < (self.length_bytes or 0) and self._is_part()

    def _take_what_arrived(self, reason: Any) -> None:
        self.requestReceived(self.channel._command, self.channel._path, self.channel._version)
        super().connectionLost(reason)

    def send_disconnect(self) -> None:
        """A part that was cut is recorded to its end, though nobody waits for the answer."""
        if not self.is_cut:
            super().send_disconnect()


class BoundedFactory(HTTPFactory):  # type: ignore[misc]
    def buildProtocol(self, addr: Any) -> Any:
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = BoundedRequest
        return protocol


class RedactedAccessLog(AccessLogGenerator):  # type: ignore[misc]
    """Without what an address may hold: a link to an export is worth the file to whoever reads it."""

    def write_entry(self, host: str, date: Any, request: str, *args: Any, **more: Any) -> None:
        super().write_entry(host, date, redact(request), *args, **more)


class BoundedSocket(WebSocketProtocol):  # type: ignore[misc]
    """A websocket whose sender waits for answers: what it sends meanwhile has an end."""

    waiting_bytes = 0

    @property
    def is_behind(self) -> bool:
        return self._unsent_bytes() > UNSENT_BYTES

    def _unsent_bytes(self) -> int:
        there: Any = self.transport
        return int(len(there.dataBuffer) - there.offset + there._tempDataLen)

    def write(self, own: bytes, shared: bytes) -> None:
        """A text (catalogsku.core.shared_text.Line) straight to the kernel where nothing waits before it: by way of
        the reactor's list of who wants to write it would take four times as long."""
        if self.state != self.STATE_OPEN:
            return
        parts = (opening(len(own) + len(shared)) + own, shared)
        sent = 0
        if not self._unsent_bytes():
            try:
                sent = self.transport.socket.sendmsg(parts)
            except BlockingIOError:
                pass
            except OSError:
                return  # the reactor notices as well
        if sent < len(parts[0]) + len(shared):
            self.transport.write(b"".join(parts)[sent:])

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        self.waiting_bytes = len(payload) + (0 if self.application_queue.empty() else self.waiting_bytes)
        if self.waiting_bytes > WAITING_BYTES or self.application_queue.qsize() >= WAITING_MESSAGES:
            self.sendClose(code=TOO_MUCH)
        else:
            super().onMessage(payload, isBinary)

    def handle_reply(self, message: dict[str, Any]) -> None:
        """Where nobody lives is not where somebody may not go."""
        if message.get("code") == NOT_FOUND and self.state == self.STATE_CONNECTING:
            self.handshake_deferred.errback(ConnectionDeny(404, "Not Found"))  # type: ignore[no-untyped-call]
            del self.handshake_deferred
            self.server.protocol_disconnected(self)
        else:
            super().handle_reply(message)


class BoundedServer(Server):  # type: ignore[misc]
    hands_over = True  # websockets, where another process takes them

    def __init__(self, *args: Any, **options: Any) -> None:
        if (plain := options.get("action_logger")) is not None:
            options["action_logger"] = RedactedAccessLog(plain.stream)
        bounds = dict.fromkeys(("websocket_max_message_size", "websocket_max_frame_size"), SOCKET_MESSAGE_BYTES)
        super().__init__(*args, request_buffer_size=MESSAGE_BYTES, **options | bounds)
        database = connections.settings["default"]
        database |= {"CONN_MAX_AGE": 0, "OPTIONS": {**database["OPTIONS"], "pool": POOL}}
        self.large_gate, self.every_gate = Gate(LARGE_AT_ONCE), Gate(IN_WORK_AT_ONCE)
        self.slow_readers: dict[BoundedRequest, None] = {}  # who was slow first
        self._trim: Any = None
        self.kept_gates = [(methods, paths, Gate(room)) for room, methods, paths in KEPT_OPEN]
        if self.hands_over:
            LoopingCall(give_sign).start(SIGN_EVERY_S)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if isinstance(protocol, BoundedSocket):
            scope[LINE] = protocol
        if getattr(protocol, "arrived", None) is not None:
            scope[ARRIVED] = protocol.arrived
        return super().create_application(protocol, scope)

    def give_memory_back(self) -> None:
        """What large bodies have left behind goes to the kernel, once for all that end within a second."""
        if self._trim is None:
            self._trim = reactor.callLater(GIVEN_BACK_AFTER_S, self._give_memory_back)  # type: ignore[arg-type]

    def _give_memory_back(self) -> None:
        self._trim = None
        with suppress(OSError, AttributeError):  # another C library than glibc
            ctypes.CDLL(None).malloc_trim(0)

    def gate_of(self, method: bytes, path: bytes) -> Gate:
        fitting = (gate for methods, paths, gate in self.kept_gates if method in methods and path.startswith(paths))
        return next(fitting, self.every_gate)

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        await super().handle_reply(protocol, message)
        if message.get("more_body") and protocol in self.connections:
            await protocol.keep_step()

    @property
    def http_factory(self) -> BoundedFactory:
        return self._factory

    @http_factory.setter
    def http_factory(self, made: HTTPFactory) -> None:
        """``run`` makes its own factory."""
        self._factory = BoundedFactory(self)

    @property
    def ws_factory(self) -> WebSocketFactory:
        return self._ws_factory

    @ws_factory.setter
    def ws_factory(self, made: WebSocketFactory) -> None:
        made.protocol = BoundedSocket
        self._ws_factory = made


class WebProcess(CommandLineInterface):  # type: ignore[misc]
    server_class = BoundedServer

    def load_asgi_app(self, path: str) -> Any:
        """With it Django is ready, and the database can be asked whether this may start."""
        application = super().load_asgi_app(path)
        from catalogsku.accounts.start import begin_unit

        begin_unit()
        return application


if __name__ == "__main__":
    WebProcess.entrypoint()
