"""Where no websocket lives."""

from typing import Any

NOT_FOUND = 4404  # before it is open, the web process answers the handshake by 404


async def nowhere(scope: Any, receive: Any, send: Any) -> None:
    """ASGI application for every address that has no other."""
    await receive()
    await send({"type": "websocket.close", "code": NOT_FOUND})
