"""One bounded HTTP conversation with an import target or a receiver of webhooks; it knows whether anything of a request
left.

Redirects are not followed, proxies of the environment are not used, certificates are checked against the system's.
"""

import contextlib
import http.client
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Self
from urllib.parse import urlsplit

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from catalogsku.core import clock
from catalogsku.core.addresses import addresses_of

MOST_ANSWER_BYTES = 4 * 1024 * 1024
_PART_BYTES = 256 * 1024
CONNECT_S = 5.0
_TROUBLE = (OSError, HTTPError, http.client.HTTPException, ValueError)


class NotSent(Exception):
    """Nothing of the request has left this machine."""


class Lost(Exception):
    """Some of the request left, and no whole answer came."""


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]  # names in lower case
    body: bytes


class Line:
    """A connection to the host of ``url``, opened with the first request and kept while the other side keeps it.

    ``private``: the host may have an address of a private network (``catalogsku.core.addresses``).
    ``beginning_bytes``: of a longer answer no more is read than that.
    """

    def __init__(self, url: str, *, private: bool, beginning_bytes: int | None = None) -> None:
        parts = urlsplit(url)
        self._beginning_bytes = beginning_bytes
        self._host, self._tls, self._private = parts.hostname or "", parts.scheme == "https", private
        self._port = parts.port or (443 if self._tls else 80)
        self._host_header = parts.netloc.rpartition("@")[2]
        self._open: HTTPConnection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    @property
    def is_open(self) -> bool:
        """Whether the next request goes over a connection that has been used, which the other side may have closed."""
        return self._open is not None

    def ask(self, method: str, path: str, headers: dict[str, str], body: bytes | None, until_s: float) -> Reply:
        """``until_s`` on the monotonic clock bounds all of it. Raises NotSent or Lost."""
        connection = self._open or self._connect(until_s)
        self._open = connection
        left_s = until_s - time.monotonic()
        if left_s <= 0:
            raise NotSent("no time left")
        watchdog = threading.Timer(left_s, _hang_up, [connection.sock])
        watchdog.daemon = True
        watchdog.start()
        try:
            return self._exchange(connection, method, path, headers, body, left_s)
        except _TROUBLE as error:
            self.close()
            said = "no whole answer in time" if time.monotonic() >= until_s else f"{type(error).__name__}: {error}"
            raise Lost(said) from error
        finally:
            watchdog.cancel()

    def _exchange(
        self,
        connection: HTTPConnection,
        method: str,
        path: str,
        headers: dict[str, str],
        body: bytes | None,
        left_s: float,
    ) -> Reply:
        connection.timeout = left_s
        sent = {"Host": self._host_header, "Accept-Encoding": "identity", "User-Agent": "CatalogSKU", **headers}
        connection.request(method, path, body, sent, preload_content=False, decode_content=False)
        response = connection.getresponse()
        content = b""
        most_bytes = self._beginning_bytes or MOST_ANSWER_BYTES
        while part := response.read(min(_PART_BYTES, most_bytes + 1)):  # the one after the last tells a cut from an end
            content += part
            if len(content) > most_bytes:
                if self._beginning_bytes is None:
                    raise ValueError(f"an answer of more than {MOST_ANSWER_BYTES} bytes")
                content = content[:most_bytes]
                self.close()
                break
        if connection.sock is None:  # the other side keeps no connection
            self.close()
        return Reply(response.status, {name.lower(): value for name, value in response.headers.items()}, content)

    def _connect(self, until_s: float) -> HTTPConnection:
        problem = "the name has no address"
        try:
            addresses = addresses_of(self._host, self._port, private=self._private)
        except OSError as error:
            raise NotSent(str(error)) from error
        for address in addresses:
            left_s = min(CONNECT_S, until_s - time.monotonic())
            if left_s <= 0:
                raise NotSent("no time left")
            connection = self._to(address, left_s)
            try:
                connection.connect()
            except _TROUBLE as error:
                connection.close()
                problem = f"{type(error).__name__}: {error}"
                continue
            return connection
        raise NotSent(problem)

    def _to(self, address: str, timeout_s: float) -> HTTPConnection:
        if not self._tls:
            return HTTPConnection(address, self._port, timeout=timeout_s)
        named = {"server_hostname": self._host, "assert_hostname": self._host}
        return HTTPSConnection(address, self._port, timeout=timeout_s, cert_reqs="CERT_REQUIRED", **named)  # type: ignore[arg-type]


def _hang_up(sock: socket.socket | None) -> None:
    """Ends whatever another thread waits for at this socket; the plain call, also where TLS lies above it."""
    if sock is not None:
        with contextlib.suppress(OSError):
            socket.socket.shutdown(sock, socket.SHUT_RDWR)


def retry_after_s(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Of a Retry-After in either of its forms (RFC 9110 10.2.3); None where there is none that can be read."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdecimal():
        return float(value[:9])
    try:
        at = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - (now or clock.now())).total_seconds())
