"""Counts what the web process answers: requests by route and status, live connections and how they ended."""

from collections.abc import Awaitable, Callable
from typing import Any

from django.http import HttpRequest
from django_prometheus.middleware import PrometheusAfterMiddleware

from catalogsku.core.metrics import SOCKETS, SOCKETS_CLOSED


class CountRequests(PrometheusAfterMiddleware):  # type: ignore[misc]
    """Counts under the name of the route, outside of whatever may refuse a request, so that refusals count too.

    What a stranger chooses is no label: addresses and made-up methods have no end, and each would stay for good.
    """

    async_capable = False  # a step of its own into a thread and back would cost more than the counting

    def label_metric(self, metric: Any, request: HttpRequest, response: Any = None, **labels: str) -> Any:
        """Theirs, with `view` as in `route_of` and `method` one of those that there are."""
        bounded = {"view": route_of(request), "method": self._method(request)}
        return super().label_metric(metric, request, response, **{n: bounded.get(n, v) for n, v in labels.items()})


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
