"""The web process alone, as the supervisor starts it, on the session's test database; and what is asked of it over
plain connections, as a stranger's program would."""

import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from catalogsku.core import handing_over

PROJECT = Path(__file__).resolve().parents[2]
STARTS_WITHIN_S = 60


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes
    took_s: float

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Stream:
    """A connection on which an answer goes on; ``head`` is what came first."""

    connection: socket.socket
    head: bytes = b""

    @property
    def status(self) -> int:
        return int(self.head.split(b" ", 2)[1]) if self.head else 0

    def has_ended(self, within_s: float) -> bool:
        """Whether the other side ends the answer; what comes until then is added to ``head``."""
        until_s = time.monotonic() + within_s
        while (left_s := until_s - time.monotonic()) > 0:
            self.connection.settimeout(left_s)
            try:
                part = self.connection.recv(65536)
            except TimeoutError:
                return False
            self.head += part
            if not part or b"\r\n0\r\n\r\n" in self.head:
                return True
        return False

    def close(self) -> None:
        self.connection.close()


@dataclass
class WebProcess:
    """Use as a context manager. ``environment``: of the fixture ``process_environment``."""

    environment: Mapping[str, str]
    port: int = 0
    streams: list[Stream] = field(default_factory=list)

    def __enter__(self) -> "WebProcess":
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        program = [sys.executable, "-m", "catalogsku.web", "-b", "127.0.0.1", "-p", str(self.port), "-v", "0"]
        self._log = (Path(self.environment["VAR_DIR"]) / "web.log").open("wb")
        self._process = subprocess.Popen(
            [*program, "catalogsku.asgi:application"],
            cwd=PROJECT,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
        )
        until_s = time.monotonic() + STARTS_WITHIN_S
        while not self._serves():
            assert self._process.poll() is None and time.monotonic() < until_s, self.last_words()
            time.sleep(0.1)
        return self

    def __exit__(self, *_: object) -> None:
        self.close_streams()
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()

    def ask(
        self, method: str, path: str, body: bytes | None = None, *, timeout_s: float = 30, **headers: str
    ) -> Answer:
        """Raises OSError where no answer comes in time."""
        began_s = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)
        with contextlib.closing(connection):
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            found = connection.getresponse()
            return Answer(found.status, dict(found.headers), found.read(), time.monotonic() - began_s)

    def open_stream(self, path: str, token: str, within_s: float = 10) -> Stream:
        """Waits for the head of the answer."""
        stream = self.send(f"GET {path} HTTP/1.1\r\nAuthorization: Bearer {token}\r\n")
        stream.connection.settimeout(within_s)
        with contextlib.suppress(TimeoutError):
            while b"\r\n\r\n" not in stream.head and (part := stream.connection.recv(65536)):
                stream.head += part
        return stream

    def send(self, head: str) -> Stream:
        """A request of which nothing is read yet."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        connection.sendall(f"{head}Host: 127.0.0.1:{self.port}\r\n\r\n".encode())
        stream = Stream(connection)
        self.streams.append(stream)
        return stream

    def close_streams(self) -> None:
        while self.streams:
            self.streams.pop().close()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def resident_bytes(self) -> int:
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def last_words(self) -> str:
        return (Path(self.environment["VAR_DIR"]) / "web.log").read_text(errors="replace")[-3000:]

    def _serves(self) -> bool:
        try:
            return self.ask("GET", "/healthz", timeout_s=5).status == 200
        except OSError:
            return False


@dataclass
class LiveProcess:
    """The process with the websockets, beside a WebProcess of the same environment. Use as a context manager."""

    environment: Mapping[str, str]

    def __enter__(self) -> "LiveProcess":
        self._log = (Path(self.environment["VAR_DIR"]) / "live.log").open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "catalogsku.live"],
            cwd=PROJECT,
            env={**self.environment, "CATALOGSKU_UNIT": "live"},
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
        )
        until_s = time.monotonic() + STARTS_WITHIN_S
        while not handing_over.door().exists():
            assert self.process.poll() is None and time.monotonic() < until_s, "it did not open its door"
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._log.close()
        handing_over.door().unlink(missing_ok=True)


@pytest.fixture(scope="module")
def running_web(process_environment: dict[str, str]) -> Iterator[WebProcess]:
    """One for all tests of a module. Modules import this fixture."""
    with WebProcess(process_environment) as running:
        yield running
