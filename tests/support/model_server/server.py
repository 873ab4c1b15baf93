"""The server: threads of the standard library, a port of the system's choice, and the moods of the wire itself."""

import contextlib
import json
import re
import select
import socket
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType
from typing import Any, Self

from tests.support.model_server import gemini_batches, gemini_wire, openai_batches, openai_wire, qwen_wire
from tests.support.model_server.batches import Batches, Routed
from tests.support.model_server.exchange import Answerer, Call, ModelRequest, Mood, Reply

DROPS = 20  # pieces of a slow body
HTML = b"<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>"


class ModelServer:
    """Answers by ``answer`` (may be replaced at any time) on 127.0.0.1; use as a context manager.

    ``batches``: those that were sent, and how they end. ``latency_s``: waits so long before each answer.
    ``patience_s``: how long Mood.TIMEOUT waits for the client to give up. ``slow_s``: over how long
    Mood.SLOW spreads a body. An exception in the answerer becomes status 500 and is
    raised again when the context closes.
    """

    def __init__(
        self, answer: Answerer, *, latency_s: float = 0.0, patience_s: float = 30.0, slow_s: float = 2.0
    ) -> None:
        self.answer = answer
        self.latency_s, self.patience_s, self.slow_s = latency_s, patience_s, slow_s
        self.batches = Batches()
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._calls: list[Call] = []
        self._strays: list[str] = []
        self._errors: list[Exception] = []
        self._http = _Listener(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), name="model-server", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self.stop()
        if error is None and self._errors:
            raise self._errors[0]

    def stop(self) -> None:
        """Afterwards the address refuses connections."""
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self.hang_up()
        self._thread.join()

    def hang_up(self) -> None:
        """Closes the connections that clients keep for later requests, as a load balancer does with idle ones."""
        self._http.hang_up()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def gemini_url(self) -> str:
        """For GEMINI_BASE_URL."""
        return self.url

    @property
    def qwen_url(self) -> str:
        """For DASHSCOPE_BASE_URL."""
        return f"{self.url}/api/v1"

    @property
    def openai_url(self) -> str:
        """For OPENAI_BASE_URL."""
        return f"{self.url}/v1"

    @property
    def urls(self) -> dict[str, str]:
        """By provider, as MODEL_PROVIDERS names them."""
        return {"gemini": self.gemini_url, "qwen": self.qwen_url, "openai": self.openai_url}

    @property
    def calls(self) -> list[Call]:
        """What was asked so far, oldest first."""
        with self._lock:
            return list(self._calls)

    @property
    def strays(self) -> list[str]:
        """ "METHOD path" of requests that belong to none of the APIs; they got 404."""
        with self._lock:
            return list(self._strays)

    def note_stray(self, line: str) -> None:
        with self._lock:
            self._strays.append(line)

    def reply_to(self, request: ModelRequest) -> Reply:
        """Asks the answerer and writes the call down; a request without a key is refused by each service."""
        at_s = time.monotonic()
        try:
            reply = self.answer(request) if request.api_key else Reply(mood=Mood.UNAUTHORISED)
        except Exception as error:
            reply = Reply(mood=Mood.SERVER_ERROR)
            with self._lock:
                self._errors.append(error)
        call = Call(
            at_s,
            request.provider,
            request.model,
            request.operation,
            reply.mood,
            len(request.images),
            len(request.body),
            request,
        )
        with self._lock:
            self._calls.append(call)
        return reply


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, owner: ModelServer) -> None:
        self.owner = owner
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Conversation)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class _Conversation(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Listener

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: the calls are written down."""

    def do_GET(self) -> None:
        if not self._routed(b""):
            self._refuse_stray()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.partition("?")[0]
        for wire in (gemini_wire, qwen_wire, openai_wire):
            if match := re.fullmatch(wire.PATH, path):
                return self._answer(wire, match, body)
        if not self._routed(body):
            self._refuse_stray()

    def do_DELETE(self) -> None:
        self.do_GET()

    def _routed(self, body: bytes) -> bool:
        """Whether it is a request about batches."""
        path = self.path.partition("?")[0]
        headers = {name.lower(): value for name, value in self.headers.items()}
        for wire in (gemini_batches, openai_batches):
            routed: Routed | None = wire.route(self.server.owner, self.command, path, self.path, headers, body)
            if routed is not None:
                if routed.is_lost:
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                else:
                    self._send(routed.status, routed.body)
                return True
        return False

    def _refuse_stray(self) -> None:
        self.server.owner.note_stray(f"{self.command} {self.path}")
        self._send(404, b'{"code": "NotFound", "message": "no such path"}')

    def _answer(self, wire: ModuleType, match: re.Match[str], body: bytes) -> None:
        owner = self.server.owner
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            request = wire.request_of(match, headers, body)
        except (KeyError, TypeError, ValueError) as error:
            return self._send(400, json.dumps({"code": "InvalidParameter", "message": repr(error)}).encode())
        reply = owner.reply_to(request)
        if owner.stopping.wait(owner.latency_s):
            self.close_connection = True
            return
        special = _SPECIAL.get(reply.mood)
        if special is not None:
            return special(self, wire, reply)
        self._send(wire.response_of(reply)[0], _body_of(wire, reply), retry_after_s=_retry_after(reply))

    def _send(
        self,
        status: int,
        body: bytes,
        content_type: str = "application/json; charset=utf-8",
        *,
        retry_after_s: float | None = None,
    ) -> None:
        self._send_headers(status, len(body), content_type, retry_after_s=retry_after_s)
        self.wfile.write(body)

    def _send_headers(
        self, status: int, length: int, content_type: str = "application/json", *, retry_after_s: float | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(length))
        if 300 <= status < 400:
            self.send_header("Location", "/elsewhere")
        if retry_after_s is not None:
            self.send_header("Retry-After", f"{retry_after_s:g}")
        self.end_headers()

    # --- moods that happen on the wire ---

    def _wait_for_the_client_to_leave(self, wire: ModuleType, reply: Reply) -> None:
        self.close_connection = True
        owner = self.server.owner
        until_s = time.monotonic() + owner.patience_s
        while time.monotonic() < until_s and not owner.stopping.is_set():
            readable, _, _ = select.select([self.connection], [], [], 0.05)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                return

    def _drip(self, wire: ModuleType, reply: Reply) -> None:
        body = _body_of(wire, reply)
        self._send_headers(200, len(body))
        step = -(-len(body) // DROPS)
        for start in range(0, len(body), step):
            if self.server.owner.stopping.wait(self.server.owner.slow_s / DROPS):
                self.close_connection = True
                return
            self.wfile.write(body[start : start + step])

    def _cut(self, wire: ModuleType, reply: Reply) -> None:
        body = _body_of(wire, reply)
        self._send_headers(200, len(body))
        self.wfile.write(body[: len(body) // 2])
        self._hang_up(wire, reply)

    def _hang_up(self, wire: ModuleType, reply: Reply) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _send_html(self, wire: ModuleType, reply: Reply) -> None:
        self._send(reply.status or 502, HTML, "text/html")

    def _send_broken_json(self, wire: ModuleType, reply: Reply) -> None:
        body = _body_of(wire, reply)
        self._send(200, body[: len(body) // 2])


def _body_of(wire: ModuleType, reply: Reply) -> bytes:
    return json.dumps(wire.response_of(reply)[1], ensure_ascii=False).encode() if reply.body is None else reply.body


def _retry_after(reply: Reply) -> float | None:
    return reply.retry_after_s if reply.mood is Mood.RATE_LIMITED else None


_SPECIAL: dict[Mood, Callable[[_Conversation, ModuleType, Reply], None]] = {
    Mood.TIMEOUT: _Conversation._wait_for_the_client_to_leave,
    Mood.SLOW: _Conversation._drip,
    Mood.CUT: _Conversation._cut,
    Mood.DROPPED: _Conversation._hang_up,
    Mood.BAD_GATEWAY: _Conversation._send_html,
    Mood.BAD_JSON_BODY: _Conversation._send_broken_json,
}
