"""The connections to DashScope. Imports the vendor's HTTP library: only from where the SDK is imported too."""

import io
import socket
import time
from collections.abc import Iterator
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPSConnection
from urllib3.connectionpool import HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError, ProtocolError, TimeoutError

from catalogsku.core.addresses import addresses_of
from processing.llm.providers.port import Transient

MAX_CONNECTIONS = 32
PIECE_BYTES = 65536


class Pinned(HTTPSConnection):
    """Dials the addresses that were judged; the certificate is still asked for the name."""

    def _new_conn(self) -> socket.socket:
        name = self._dns_host
        try:
            addresses = addresses_of(name, self.port, private=False)
        except OSError as error:
            raise NewConnectionError(self, str(error)) from error
        problem: HTTPError = NewConnectionError(self, "the name has no address")
        try:
            for address in addresses:
                self._dns_host = address
                try:
                    return super()._new_conn()
                except (ConnectTimeoutError, NewConnectionError) as error:
                    problem = error
        finally:
            self._dns_host = name
        raise problem


class PinnedPool(HTTPSConnectionPool):
    ConnectionCls = Pinned


class OneAttempt(HTTPAdapter):
    """Sends once, and reads the body within the timeout as a whole; requests counts from piece to piece.

    The SDK sends again what ended in a requests.ConnectionError, though the first one may have been worked on and is
    then paid twice. So what the wire does leaves here as Transient. Proxies are the environment's, and look names up
    themselves. ``private``: the host may have an address of a private network.
    """

    def __init__(self, *, private: bool) -> None:
        super().__init__(pool_maxsize=MAX_CONNECTIONS)
        if not private:
            self.poolmanager.pool_classes_by_scheme = {"https": PinnedPool}

    def send(self, request: Any, stream: bool = False, timeout: Any = None, *rest: Any, **more: Any) -> Any:
        until_s = time.monotonic() + timeout
        try:
            response = super().send(request, True, timeout, *rest, **more)
            response.raw = io.BytesIO(b"".join(_pieces(response, until_s)))
        except (requests.ReadTimeout, TimeoutError) as error:
            raise Transient("timeout", type(error).__name__) from None
        except requests.ConnectionError as error:  # of connecting in time, too
            lost = bool(error.args) and isinstance(error.args[0], ProtocolError)
            raise Transient("connection_lost" if lost else "connection", type(error).__name__) from None
        except HTTPError as error:
            raise Transient("connection_lost", type(error).__name__) from None
        return response


def _pieces(response: requests.Response, until_s: float) -> Iterator[bytes]:
    """Read to its end, a body gives its connection back to the pool by itself."""
    while piece := response.raw.read1(PIECE_BYTES, decode_content=True):
        yield piece
        if time.monotonic() > until_s:
            response.raw.close()
            raise TimeoutError("body not complete in time")
