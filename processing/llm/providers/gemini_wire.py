"""The connections to Gemini. Imports the vendor's HTTP library: only from where the SDK is imported too."""

import time
from typing import Any

import httpx2


class BoundedClient(httpx2.Client):
    """Reads a body within the read timeout as a whole; httpx2 counts from piece to piece.

    Redirects are not followed: the API key would go along. Proxies are the environment's.
    """

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
