"""A browser's websocket on a job page without a browser: it keeps what the server has sent it."""

import base64
import json
import os
import socket
import struct
import threading
from typing import Any
from urllib.parse import urlsplit

from tests.support.stack import Person

_TEXT, _CLOSE = 1, 8


class LiveSocket:
    """Connected and signed in as ``person``. ``versions``: page id to version, as last told. ``is_open`` until cut."""

    def __init__(self, person: Person, job: str) -> None:
        self.versions: dict[int, int] = {}
        self.synced = threading.Event()
        self.is_open = True
        self._stream = _handshake(person, f"/ws/jobs/{job}/")
        threading.Thread(target=self._read, daemon=True).start()

    def close(self) -> None:
        self.is_open = False
        self._stream.close()

    def _read(self) -> None:
        try:
            while True:
                kind, payload = self._frame()
                if kind == _CLOSE:
                    return
                if kind == _TEXT:
                    self._take(json.loads(payload))
        except (OSError, EOFError, ValueError):
            return
        finally:
            self.is_open = False

    def _take(self, message: dict[str, Any]) -> None:
        for row in message.get("rows", []):
            self.versions[int(row["id"])] = int(row["v"])
        if message["type"] == "sync":
            self.synced.set()

    def _frame(self) -> tuple[int, bytes]:
        first, second = self._exactly(2)
        size = second & 0x7F
        if size == 126:
            (size,) = struct.unpack(">H", self._exactly(2))
        elif size == 127:
            (size,) = struct.unpack(">Q", self._exactly(8))
        return first & 0x0F, self._exactly(size)

    def _exactly(self, count: int) -> bytes:
        got = b""
        while len(got) < count:
            more = self._stream.recv(count - len(got))
            if not more:
                raise EOFError
            got += more
        return got


def _handshake(person: Person, path: str) -> socket.socket:
    """Raises OSError where nobody answers, or answers anything but a websocket."""
    where = urlsplit(person.address)
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in person.cookies)
    stream = socket.create_connection((where.hostname or "", where.port or 80), timeout=20)
    lines = [
        f"GET {path} HTTP/1.1", f"Host: {where.netloc}", "Upgrade: websocket", "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}", "Sec-WebSocket-Version: 13",
        f"Origin: {person.address}", f"Cookie: {cookies}", "", "",
    ]  # fmt: skip
    stream.sendall("\r\n".join(lines).encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        byte = stream.recv(1)
        if not byte:
            break
        answer += byte
    if b" 101 " not in answer[:20]:
        stream.close()
        raise ConnectionError(f"no websocket: {answer[:60]!r}")
    stream.settimeout(None)
    return stream
