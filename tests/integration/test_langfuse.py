"""Calls are shown in Langfuse over real HTTP, redacted; when it is away nothing is felt."""

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from processing.llm import observed

pytestmark = pytest.mark.req("LA-TRACE")


class _Sink(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        packed = self.headers.get("Content-Encoding") == "gzip"
        self.server.bodies.append(gzip.decompress(body) if packed else body)  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def sink(settings: Any) -> Iterator[list[bytes]]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Sink)
    server.bodies = []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    settings.LANGFUSE_PUBLIC_KEY, settings.LANGFUSE_SECRET_KEY = "pk-lf-1", "sk-lf-1"
    settings.LANGFUSE_BASE_URL = f"http://127.0.0.1:{server.server_port}"
    observed._client.cache_clear()
    yield server.bodies  # type: ignore[attr-defined]
    observed._client.cache_clear()
    server.shutdown()
    server.server_close()


def test_a_call_is_shown_with_its_usage_and_without_secrets(sink: list[bytes]) -> None:
    with observed.generation("read_page", model="m-1", input={"user": "call 13812345678 for AX-100"}) as tell:
        tell(output='{"page_type": "A"}', usage_details={"input": 12, "output": 3})
    made = observed._client()
    assert made is not None
    made.flush()
    sent = b"".join(sink)
    assert all(part in sent for part in (b"read_page", b"m-1", b"AX-100", b"page_type"))
    assert b"13812345678" not in sent and b"[phone]" in sent


def test_one_that_is_away_changes_nothing(settings: Any) -> None:
    settings.LANGFUSE_PUBLIC_KEY, settings.LANGFUSE_SECRET_KEY = "pk-lf-1", "sk-lf-1"
    settings.LANGFUSE_BASE_URL = "http://127.0.0.1:9"
    observed._client.cache_clear()
    try:
        with observed.generation("read_page", model="m-1") as tell:
            tell(output="x")
        with pytest.raises(ValueError, match="of the call itself"), observed.generation("again") as tell:
            raise ValueError("of the call itself")
    finally:
        observed._client.cache_clear()


def test_without_keys_the_kit_is_not_even_made() -> None:
    observed._client.cache_clear()
    with observed.generation("read_page") as tell:
        tell(output="x")
    assert observed._client() is None
