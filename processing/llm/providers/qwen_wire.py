"""The connections to DashScope. Imports the vendor's HTTP library: only from where the SDK is imported too."""

import io
import time
from collections.abc import Iterator
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError, ProtocolError, TimeoutError

from processing.llm.providers.port import Transient

MAX_CONNECTIONS = 32
PIECE_BYTES = 65536


class OneAttempt(HTTPAdapter):
    """Sends once, and reads the body within the timeout as a whole; requests counts from piece to piece.

    The SDK sends again what ended in a requests.ConnectionError, though the first one may have been worked on and is
    then paid twice. So what the wire does leaves here as Transient.
    """

    def __init__(self) -> None:
        super().__init__(pool_maxsize=MAX_CONNECTIONS)

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
