"""The web process: Daphne with bounds on what requests may hold, and with uploads that lose nothing when they are cut.

Daphne takes a request's body onto disk and then, whole, into memory before the application sees any of it. So here a
body has a largest size, few large ones are in work at once while others wait on disk, and of an upload's part that was
cut off what arrived is handed on as if the sender had ended there: the offset that the database commits says so.
"""

import re
from collections.abc import Callable
from typing import Any

from daphne.cli import CommandLineInterface
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.server import Server
from django.db import connections

from catalogsku.core.gate import Gate

MIB = 1 << 20
BODY_BYTES_MAX = 8 * MIB + (64 << 10)  # an upload's part, and room for what frames a form
LARGE_BYTES = 64 << 10
LARGE_AT_ONCE = 8
IN_WORK_AT_ONCE = 64  # each takes a thread and a connection to the database
# Each request has a thread of its own, and threads end: connections stay, in a pool with some more for the sockets'
# work. A try to connect is given up soon and made again for who asks next, so that a database that is back is found at
# once; while it is away, nobody is kept for long.
POOL = {
    "name": "web",
    "min_size": 2,
    "max_size": IN_WORK_AT_ONCE + 16,
    "timeout": 3.0,
    "reconnect_timeout": 1.0,
    "max_idle": 120.0,
}
MESSAGE_BYTES = 64 << 10
UPLOAD_PART = re.compile(rb"(?:/api/v1)?/uploads/[0-9a-f-]{36}/$")
_REFUSAL = b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class BoundedRequest(WebRequest):
    """One HTTP request; ``process`` is called when its body is there, ``connectionLost`` when its sender is gone."""

    received_bytes = 0
    length_bytes: int | None = None
    is_complete = is_refused = is_cut = False

    def gotLength(self, length: int | None) -> None:
        super().gotLength(length)
        self.length_bytes = length
        if (length or 0) > BODY_BYTES_MAX:
            self._refuse()

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
        elif not self.is_refused:
            self._enter(self._start)

    def _enter(self, start: Callable[[], None]) -> None:
        gates: list[Gate] = [self.server.every_gate]
        if self.received_bytes >= LARGE_BYTES:
            gates.insert(0, self.server.large_gate)
        first, *rest = gates
        first.enter((lambda: rest[0].enter(start)) if rest else start)

    def _leave(self) -> None:
        self.server.every_gate.leave()
        if self.received_bytes >= LARGE_BYTES:
            self.server.large_gate.leave()

    def _start(self) -> None:
        """Hand the request to the application; the gate is open again when that has ended."""
        if self.channel is not None:  # the sender may have gone while this waited
            super().process()
        running = self.server.connections.get(self, {}).get("application_instance")
        if running is None:
            self._leave()
        else:
            running.add_done_callback(lambda _: self._leave())

    def connectionLost(self, reason: Any) -> None:
        if self._is_cut_part():
            self.is_cut = self.is_complete = True
            self._enter(lambda: self._take_what_arrived(reason))
        else:
            super().connectionLost(reason)

    def _is_cut_part(self) -> bool:
        """Its length was told and is not reached; what a chunked body would still have held nobody knows."""
        channel = self.channel
        return (
            not (self.is_complete or self.is_refused)
            and 0 < self.received_bytes < (self.length_bytes or 0)
            and channel._command == b"PATCH"
            and UPLOAD_PART.fullmatch(channel._path) is not None
            and not self.requestHeaders.hasHeader(b"Upgrade")
        )

    def _take_what_arrived(self, reason: Any) -> None:
        self.requestReceived(self.channel._command, self.channel._path, self.channel._version)
        super().connectionLost(reason)

    def send_disconnect(self) -> None:
        """A part that was cut is recorded to its end, though nobody waits for the answer."""
        if not self.is_cut:
            super().send_disconnect()


class BoundedFactory(HTTPFactory):
    def buildProtocol(self, addr: Any) -> Any:
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = BoundedRequest
        return protocol


class BoundedServer(Server):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, request_buffer_size=MESSAGE_BYTES, **options)
        database = connections.settings["default"]
        database |= {"CONN_MAX_AGE": 0, "OPTIONS": {**database["OPTIONS"], "pool": POOL}}
        self.large_gate, self.every_gate = Gate(LARGE_AT_ONCE), Gate(IN_WORK_AT_ONCE)

    @property
    def http_factory(self) -> BoundedFactory:
        return self._factory

    @http_factory.setter
    def http_factory(self, made: HTTPFactory) -> None:
        """``run`` makes its own factory."""
        self._factory = BoundedFactory(self)


class WebProcess(CommandLineInterface):
    server_class = BoundedServer


if __name__ == "__main__":
    WebProcess.entrypoint()
