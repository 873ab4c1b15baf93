"""Live connections as browsers open them, in the test's own process."""

import time
from typing import Any

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from catalogsku.accounts.models import User

LOGIN_NEEDED, NO_ACCESS, NO_ROOM = 4401, 4403, 4429


def socket(path: str, user: User | None, **headers: str) -> WebsocketCommunicator:
    from catalogsku.asgi import application

    told = {"origin": "http://localhost", "host": "localhost", **headers}
    if user is not None:
        client = Client()
        client.force_login(user)
        told["cookie"] = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    pairs = [(name.encode(), value.encode()) for name, value in told.items() if value]
    return WebsocketCommunicator(application, path, headers=pairs)


async def opened_socket(path: str, user: User | None, **headers: str) -> WebsocketCommunicator:
    opened = await sync_to_async(socket)(path, user, **headers)
    assert (await opened.connect())[0]
    return opened


async def closing(opened: WebsocketCommunicator, within_s: float = 5) -> tuple[int, list[Any]]:
    """The code it closes with, and what came before."""
    before: list[Any] = []
    while True:
        message = await opened.receive_output(within_s)
        if message["type"] == "websocket.close":
            return int(message["code"]), before
        before.append(message)


async def hears_only_beats(opened: WebsocketCommunicator, for_s: float) -> bool:
    """Whether it stays open that long and nothing comes but beats, which a slow machine sends meanwhile."""
    ends_s = time.monotonic() + for_s
    while (left_s := ends_s - time.monotonic()) > 0:
        if not await opened.receive_nothing(left_s):
            message = await opened.receive_output(1)
            if '"type":"beat"' not in message.get("text", ""):
                return False
    return True
