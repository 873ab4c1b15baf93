"""A receiver of webhooks on loopback, in all the moods that one has; what reached it stands in `requests`.

with Receiver() as receiver:
    receiver.moods.append(Receives.BROKEN)   # for the next request; `otherwise` for all others
"""

import contextlib
import json
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class Receives(Enum):
    """How the receiver treats a request."""

    OK = auto()
    BROKEN = auto()  # 500
    REFUSING = auto()  # 422
    GONE = auto()  # 410
    BUSY = auto()  # 429 with Retry-After
    HANGING = auto()  # never answers
    DRIPPING = auto()  # the head of an answer, and then a byte now and then
    REDIRECTING = auto()
    CLOSING = auto()  # closes the connection instead of an answer
    HUGE = auto()  # 200 with an answer without end
    LEAVING = auto()  # 200, and closes the connection a moment later without having said so


STATUS = {Receives.BROKEN: 500, Receives.REFUSING: 422, Receives.GONE: 410, Receives.BUSY: 429,
          Receives.REDIRECTING: 302}  # fmt: skip


@dataclass
class Received:
    headers: dict[str, str]
    body: bytes = field(repr=False)
    path: str = ""

    @property
    def event(self) -> Any:
        return json.loads(self.body)

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


class Receiver:
    def __init__(self) -> None:
        self.moods: deque[Receives] = deque()
        self.otherwise = Receives.OK
        self.retry_after = "120"
        self.requests: list[Received] = []
        self.ended = threading.Event()
        self._http = _Listener(("127.0.0.1", 0), self)
        self.url = f"http://127.0.0.1:{self._http.server_port}/hooks?shop=1"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Afterwards the address refuses connections."""
        self.ended.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def told(self) -> list[tuple[str, Any]]:
        """(event, number of its page or status of its document), in the order in which they came."""
        events = [one.event for one in self.requests]
        return [(one["type"], one["data"].get("page_number") or one["data"].get("status")) for one in events]


class _Listener(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], owner: Receiver) -> None:
        self.owner = owner
        super().__init__(address, _Conversation)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class _Conversation(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Listener

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: the requests are written down."""

    def do_POST(self) -> None:
        owner = self.server.owner
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        owner.requests.append(Received({k.lower(): v for k, v in self.headers.items()}, body, self.path))
        mood = owner.moods.popleft() if owner.moods else owner.otherwise
        if mood is Receives.HANGING:
            owner.ended.wait(30)
        if mood in (Receives.HANGING, Receives.CLOSING):
            return self._drop()
        content = b"x" * 8_000_000 if mood is Receives.HUGE else f'{{"mood": "{mood.name}"}}'.encode()
        self.send_response(STATUS.get(mood, 200))
        self.send_header("Content-Length", str(len(content)))
        if mood is Receives.REDIRECTING:
            self.send_header("Location", "/elsewhere")
        if mood is Receives.BUSY:
            self.send_header("Retry-After", owner.retry_after)
        self.end_headers()
        if mood is Receives.DRIPPING:
            self._drip(content)
        self.wfile.write(content)
        if mood is Receives.LEAVING:
            time.sleep(0.02)
            self._drop()

    def _drip(self, content: bytes) -> None:
        for byte in content:
            if self.server.owner.ended.wait(0.05):
                return
            self.wfile.write(bytes([byte]))

    def _drop(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
