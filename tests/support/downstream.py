"""A product API on loopback, as a downstream would be, in all the moods that one has; what it took stands in `taken`.

with Downstream() as downstream:
    HttpTarget(downstream.url, Traits(), private=True).put(...)
    downstream.moods.append(Mood.LOSSY)   # for the next request; `otherwise` for all others
"""

import contextlib
import json
import re
import socket
import ssl
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, unquote, urlsplit

PATH = "/api/products"


class Mood(Enum):
    """How the server treats a request."""

    OK = auto()
    LATER = auto()  # 202: taken, without a word on the outcome
    NO_CONTENT = auto()  # 204
    SLOW = auto()  # answers in drops, over `slow_s`
    DOWN = auto()  # 503, nothing taken
    BROKEN = auto()  # 500 after it has taken the product
    LOSSY = auto()  # takes the product, and drops the connection instead of an answer
    UNHEARD = auto()  # drops the connection before it has taken anything
    DUPLICATING = auto()  # the network brings the request twice
    PARTIAL = auto()  # of some products takes the first, refuses the second, says nothing of the others
    RATE_LIMITED = auto()  # 429 with Retry-After
    INCONSISTENT = auto()  # when asked, says that it holds nothing
    REFUSING = auto()  # 422
    CONFLICT = auto()  # 409, and which generation it holds
    GARBAGE = auto()  # 200 with a page of HTML
    REDIRECT = auto()
    HUGE = auto()  # an answer without end
    TIMED_OUT = auto()  # 408


STATUS = {
    Mood.DOWN: 503, Mood.BROKEN: 500, Mood.RATE_LIMITED: 429, Mood.REFUSING: 422, Mood.CONFLICT: 409,
    Mood.REDIRECT: 302, Mood.TIMED_OUT: 408,
}  # fmt: skip
TAKES = (Mood.OK, Mood.LATER, Mood.NO_CONTENT, Mood.SLOW, Mood.BROKEN, Mood.LOSSY, Mood.DUPLICATING, Mood.INCONSISTENT,
         Mood.GARBAGE, Mood.HUGE)  # fmt: skip


@dataclass(frozen=True)
class Taken:
    """One product that was written down; what an upserting server ignores as old or known is not."""

    merchant: int
    sku: str
    generation: int
    body: dict[str, Any]

    @property
    def product(self) -> Any:
        return self.body.get("product")


@dataclass
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes = field(repr=False)


class Downstream:
    """``inserts``: writes every product it is sent, again and again. ``names``: its own words for our fields."""

    def __init__(
        self,
        *,
        inserts: bool = False,
        port: int = 0,
        names: dict[str, str] | None = None,
        tls: ssl.SSLContext | None = None,
        token: str = "",
        slow_s: float = 1.0,
    ) -> None:
        self.inserts, self.token, self.slow_s = inserts, token, slow_s
        # What it wants and can: ids of this form, many products in a request; to list a document, to be asked for one.
        self.id_form, self.takes_many, self.lists_jobs, self.answers_skus = ".*", True, True, True
        self.takes_once = False
        self.forbids = ""  # a SKU that it answers 403 to
        self.names = names or {}
        self.moods: deque[Mood] = deque()
        self.otherwise = Mood.OK
        self.retry_after = "7"
        self.requests: list[Request] = []
        self.taken: list[Taken] = []
        self._lock = threading.Lock()
        self._http = _Listener(("127.0.0.1", port), self)
        if tls is not None:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self._http.server_port}{PATH}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Afterwards the address refuses connections."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        return self._http.server_port

    def held(self) -> dict[tuple[int, str], Taken]:
        """By merchant and SKU, the newest of what it was sent, deletions among it."""
        newest: dict[tuple[int, str], Taken] = {}
        for one in self.taken:
            known = newest.get((one.merchant, one.sku))
            if known is None or one.generation >= known.generation:
                newest[one.merchant, one.sku] = one
        return newest

    def visible(self) -> dict[tuple[int, str], Any]:
        """What its customers see: products by merchant and SKU, without the deleted ones."""
        return {key: one.product for key, one in self.held().items() if not one.body.get("deleted")}

    def forget(self, sku: str) -> None:
        self.taken = [one for one in self.taken if one.sku != sku]

    def posts(self) -> list[Request]:
        return [request for request in self.requests if request.method == "POST"]

    # --- what requests do ---

    def mood(self, request: Request) -> Mood:
        with self._lock:
            self.requests.append(request)
            return self.moods.popleft() if self.moods else self.otherwise

    def name(self, ours: str) -> str:
        return self.names.get(ours, ours)

    def take(self, items: list[dict[str, Any]]) -> None:
        with self._lock:
            for item in items:
                one = Taken(
                    int(item[self.name("merchant_id")]), item[self.name("sku_id")], item[self.name("generation")], item
                )
                known = self.held().get((one.merchant, one.sku))
                if self.inserts or known is None or known.generation < one.generation:
                    self.taken.append(one)

    def generation_of(self, item: dict[str, Any]) -> int:
        known = self.held().get((int(item[self.name("merchant_id")]), item[self.name("sku_id")]))
        return known.generation if known else 0

    def shown(self, one: Taken) -> dict[str, Any]:
        wanted = ("sku_id", "generation", "content_hash", "deleted")
        return {self.name(w): one.body[self.name(w)] for w in wanted if self.name(w) in one.body}


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], owner: Downstream) -> None:
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
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        owner, request = self.server.owner, self._request(body)
        mood = owner.mood(request)
        if not self._is_known(request):
            return self._send(401, {"error": "no valid token"})
        content = json.loads(body)
        many = set(content) == {"items"}
        items = content["items"] if many else [content]
        if mood is Mood.UNHEARD:
            return self._drop()
        if any(item[owner.name("sku_id")] == owner.forbids for item in items):
            return self._send(403, {"error": "not this one"})
        if many and not owner.takes_many:
            return self._send(400, {"error": "one product, please"})
        if not all(re.fullmatch(owner.id_form, item[owner.name("sku_id")]) for item in items):
            return self._send(422, {"error": "an id of another form, please"})
        if owner.takes_once and any(owner.generation_of(item) for item in items):
            return self._send(422, {"error": "known already"})
        if mood is Mood.PARTIAL:
            owner.take(items[:1])
            answers = [{**self._item(items[0]), "status": 200}]
            answers += [{**self._item(item), "status": 422, "error": "no category"} for item in items[1:2]]
            return self._send(207, {"items": answers})
        if mood in TAKES:
            owner.take(items)
        if mood is Mood.DUPLICATING:
            owner.take(items)
        self._answer(mood, items, many)

    def do_GET(self) -> None:
        owner, request = self.server.owner, self._request(b"")
        mood = owner.mood(request)
        parts = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        merchant, held = int(asked[owner.name("merchant_id")]), owner.held()
        if not self._is_known(request):
            return self._send(401, {"error": "no valid token"})
        if mood in (Mood.DOWN, Mood.GARBAGE, Mood.UNHEARD):
            return self._answer(mood, [], False) if mood is not Mood.UNHEARD else self._drop()
        if parts.path == PATH:
            if not owner.lists_jobs:
                return self._send(400, {"error": "which SKU?"})
            job, all_of_it = asked[owner.name("job_id")], owner.taken if owner.inserts else list(held.values())
            mine = [one for one in all_of_it if one.merchant == merchant and one.body.get(owner.name("job_id")) == job]
            return self._send(200, {"items": [owner.shown(one) for one in mine]})
        if not owner.answers_skus:
            return self._send(405, {"error": "only POST"})
        one = held.get((merchant, unquote(parts.path.removeprefix(f"{PATH}/"))))
        if one is None or mood is Mood.INCONSISTENT:
            return self._send(404, {"error": "unknown"})
        self._send(200, owner.shown(one))

    def _request(self, body: bytes) -> Request:
        return Request(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body)

    def _is_known(self, request: Request) -> bool:
        wanted = self.server.owner.token
        return not wanted or request.headers.get("authorization") == f"Bearer {wanted}"

    def _item(self, item: dict[str, Any]) -> dict[str, Any]:
        name = self.server.owner.name("sku_id")
        return {name: item[name]}

    def _answer(self, mood: Mood, items: list[dict[str, Any]], many: bool) -> None:
        owner = self.server.owner
        if mood is Mood.LOSSY:
            return self._drop()
        if mood is Mood.GARBAGE:
            return self._send(200, b"<html>Welcome to the guest network</html>")
        if mood is Mood.HUGE:
            return self._send(200, b"[" + b"1," * 4_000_000 + b"1]")
        if mood is Mood.NO_CONTENT:
            return self._send(204, b"")
        if mood is Mood.LATER:
            return self._send(202, {"queued": True})
        if mood in STATUS:
            said: dict[str, Any] = {"error": f"{mood.name.lower()}: category is missing"}
            if mood is Mood.CONFLICT and items:
                said[owner.name("generation")] = owner.generation_of(items[0])
            return self._send(STATUS[mood], said)
        answer = {"items": [{**self._item(item), "status": 200} for item in items]} if many else {"ok": True}
        self._send(200, answer, drops=mood is Mood.SLOW)

    def _send(self, status: int, body: dict[str, Any] | bytes, *, drops: bool = False) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if status == 302:
            self.send_header("Location", f"{PATH}/elsewhere")
        if status == 429:
            self.send_header("Retry-After", self.server.owner.retry_after)
        self.end_headers()
        if drops:
            for byte in content:
                time.sleep(self.server.owner.slow_s / len(content))
                self.wfile.write(bytes([byte]))
        else:
            self.wfile.write(content)

    def _drop(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
