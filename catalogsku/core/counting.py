"""Counts what the web process answers: requests by route and status, live connections and how they ended."""

import time
from collections.abc import Awaitable, Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from catalogsku.core.metrics import REQUEST_SECONDS, REQUESTS, SOCKETS, SOCKETS_CLOSED

Answer = Callable[[HttpRequest], HttpResponseBase]
METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"})


def count_requests(get_response: Answer) -> Answer:
    """Django middleware. An address is counted under the name of its route: a label for each address has no end."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        began_s = time.monotonic()
        response = get_response(request)
        _count(request, response, time.monotonic() - began_s)
        return response

    return answer


def _count(request: HttpRequest, response: HttpResponseBase, took_s: float) -> None:
    route = route_of(request)
    method = request.method if request.method in METHODS else "other"
    REQUESTS.labels(route, method, str(response.status_code)).inc()
    REQUEST_SECONDS.labels(route).observe(took_s)


def route_of(request: HttpRequest) -> str:
    """The route's name; `admin` for all of the admin site, `none` where no route matched."""
    match = request.resolver_match
    if match is None:
        return "none"
    return match.namespaces[0] if match.namespaces else match.url_name or "unnamed"


class CountSockets:
    """ASGI application around the websocket routes."""

    def __init__(self, application: Callable[..., Awaitable[Any]]) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Callable[..., Any], send: Callable[..., Any]) -> Any:
        opened, code = False, 0

        async def sending(message: dict[str, Any]) -> None:
            nonlocal opened, code
            if message["type"] == "websocket.accept" and not opened:
                opened = True
                SOCKETS.inc()
            elif message["type"] == "websocket.close":
                code = message.get("code") or 1000
            await send(message)

        async def receiving() -> Any:
            nonlocal code
            message = await receive()
            if message["type"] == "websocket.disconnect":
                code = code or message.get("code") or 1006
            return message

        try:
            return await self._application(scope, receiving, sending)
        finally:
            if opened:
                SOCKETS.dec()
            SOCKETS_CLOSED.labels(_known(code) if opened else "refused").inc()


def _known(code: int) -> str:
    """Codes are the client's to choose: what is none of the protocol's or ours counts as one."""
    return str(code) if 1000 <= code <= 1015 or code in (4401, 4403, 4429) else "other"
