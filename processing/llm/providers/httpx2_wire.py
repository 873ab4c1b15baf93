"""The connections of the SDKs that stand on httpx2, and what went wrong on them. Imports that library: only from where
such an SDK is imported too."""

import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import httpcore2
import httpx2

from catalogsku.core.addresses import addresses_of, is_inside
from processing.llm.providers.port import ModelError, Transient, Unusable


class Pinned(httpcore2.SyncBackend):
    """Dials the addresses that were judged; the certificate is still asked for the name."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        try:
            addresses = addresses_of(host, port, private=False)
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        problem: Exception = httpcore2.ConnectError("the name has no address")
        for address in addresses:
            try:
                return super().connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                problem = error
        raise problem


class BoundedClient(httpx2.Client):
    """Reads a body within the read timeout as a whole; httpx2 counts from piece to piece.

    Redirects are not followed: the API key would go along. Proxies are the environment's, and look names up themselves;
    none stands between us and a host inside our own network. ``private``: the host of ``base_url`` may have an address
    of one.
    """

    def __init__(self, base_url: str, *, private: bool) -> None:
        super().__init__()
        if not private:  # the client takes a backend only with a transport, and then no proxies
            self._transport._pool._network_backend = Pinned()  # type: ignore[attr-defined]
        elif is_inside(urlsplit(base_url).hostname or ""):
            self._mounts.clear()

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        limit_s = request.extensions["timeout"]["read"]
        until_s = time.monotonic() + limit_s
        response = super().send(request, stream=True, **options)
        pieces = []
        try:
            for piece in response.iter_raw():
                pieces.append(piece)
                if time.monotonic() > until_s:
                    raise httpx2.ReadTimeout(f"body not complete after {limit_s} s", request=request)
        finally:
            response.close()
        return httpx2.Response(
            response.status_code, headers=response.headers, content=b"".join(pieces), request=request
        )


def failure_of(error: BaseException | None, detail: str) -> ModelError | None:
    """What the wire did, in the port's words; None for what it cannot bring about. ``detail``: the error's detail."""
    match error:
        case httpx2.UnsupportedProtocol() | httpx2.InvalidURL():
            return Unusable("bad_url", detail)
        case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.PoolTimeout() | httpx2.ProxyError():
            return Transient("connection", detail)
        case httpx2.TimeoutException():
            return Transient("timeout", detail)
        case httpx2.TransportError():
            return Transient("connection_lost", detail)
    return None
