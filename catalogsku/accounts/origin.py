"""The door of the websockets: browsers send cookies along from any site, so the site must be ours to the port."""

from collections.abc import Awaitable, Callable
from typing import Any

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

Scope = dict[str, Any]
Application = Callable[[Scope, Any, Any], Awaitable[None]]


class SameOrigin:
    """Refuses (403) every handshake whose Origin is not scheme, host and port of the request itself.

    As strict as Django's CSRF check: one Origin header, a host of ALLOWED_HOSTS, or one of CSRF_TRUSTED_ORIGINS.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        inner = self.application if is_same_origin(scope) else WebsocketDenier()
        await inner(scope, receive, send)


def is_same_origin(scope: Scope) -> bool:
    origin, host = _only(scope, b"origin"), _only(scope, b"host")
    if not origin or not host or not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return False
    secure = _is_secure(scope)
    if settings.SECURE_SSL_REDIRECT and not secure:
        return False
    return origin == f"{'https' if secure else 'http'}://{host}" or origin in settings.CSRF_TRUSTED_ORIGINS


def _is_secure(scope: Scope) -> bool:
    if settings.SECURE_PROXY_SSL_HEADER:
        name, secure_value = settings.SECURE_PROXY_SSL_HEADER
        scheme = _only(scope, name.removeprefix("HTTP_").replace("_", "-").lower().encode())
        return scheme.split(",", 1)[0].strip() == secure_value
    return scope.get("scheme") == "wss"


def _only(scope: Scope, name: bytes) -> str:
    """The header's value; nothing where it is missing or there twice."""
    values = [value.decode("latin1") for key, value in scope.get("headers", ()) if key.lower() == name]
    return values[0] if len(values) == 1 else ""
