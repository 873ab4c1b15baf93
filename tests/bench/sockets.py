"""The load of a crowd: many websockets on one document, in a process of its own (`python -m tests.bench.sockets`).

Reads {host, port, path, cookies} as one JSON line, and `hello`, which each socket says first; says `ready` once every
socket has had its first whole region, and answers every further line with what each has heard since: [[row id, version,
heard at], ...] a socket. Ends with its input.
"""

import asyncio
import base64
import json
import os
import random
import resource
import sys
import time
from dataclasses import dataclass, field

import msgspec

from catalogsku.core.structs import ready

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
# Browsers that open the same page do not come in the same millisecond either.
CONNECTING_AT_ONCE = 20
AGAIN_AFTER_S = (0.25, 1.0)
OPEN_WITHIN_S = 300.0  # and ends where it is not so


class Row(msgspec.Struct):
    id: int | str
    v: int


class Message(msgspec.Struct):
    type: str
    rows: list[Row] = []


@dataclass
class Socket:
    """One browser without a screen, which comes again when it is cut off. Speaks as much of RFC 6455 as is needed."""

    host: str
    port: int
    path: str
    cookie: str
    hello: str
    heard: list[tuple[int | str, int, float]] = field(default_factory=list)
    synced: asyncio.Event = field(default_factory=asyncio.Event)

    async def stay(self, gate: asyncio.Semaphore) -> None:
        """Until it is cancelled."""
        while True:
            try:
                async with gate:
                    await self._connect()
                    await self._listen(until_synced=True)
                await self._listen()
            except (OSError, asyncio.IncompleteReadError):
                self.synced.clear()
                await asyncio.sleep(random.uniform(*AGAIN_AFTER_S))

    async def _connect(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        origin = f"{self.host}:{self.port}"
        key = base64.b64encode(os.urandom(16)).decode()
        self.writer.write(
            f"GET {self.path} HTTP/1.1\r\nHost: {origin}\r\nOrigin: http://{origin}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            f"Cookie: {self.cookie}\r\n\r\n".encode()
        )
        answer = await self.reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in answer.split(b"\r\n", 1)[0]:
            raise ConnectionError(answer.split(b"\r\n", 1)[0].decode())
        if self.hello:
            self._say(0x80 | TEXT, self.hello.encode())

    async def _listen(self, *, until_synced: bool = False) -> None:
        while not (until_synced and self.synced.is_set()):
            opcode, payload = await self._frame()
            at = time.time()
            if opcode == PING:
                self._say(0x80 | PONG, payload)
            elif opcode == CLOSE:
                raise ConnectionError(f"closed by the server: {int.from_bytes(payload[:2], 'big')}")
            elif opcode == TEXT:
                self._hear(msgspec.json.decode(payload, type=ready(Message)), at)

    def _say(self, first: int, payload: bytes) -> None:
        """At most 125 bytes; masked, as a client must, by zeros."""
        self.writer.write(bytes((first, 0x80 | len(payload))) + bytes(4) + payload)

    def _hear(self, message: Message, at: float) -> None:
        if message.type == "sync":
            self.synced.set()
        self.heard += [(row.id, row.v, at) for row in message.rows]

    async def _frame(self) -> tuple[int, bytes]:
        """A whole message: Daphne sends each in one frame, unmasked."""
        first, second = await self.reader.readexactly(2)
        size = second & 0x7F
        if size >= 126:
            size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
        return first & 0x0F, await self.reader.readexactly(size)


async def run(host: str, port: int, path: str, cookies: list[str], hello: str = "") -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    sockets = [Socket(host, port, path, cookie, hello) for cookie in cookies]
    gate = asyncio.Semaphore(CONNECTING_AT_ONCE)
    staying = [asyncio.create_task(socket.stay(gate)) for socket in sockets]
    async with asyncio.timeout(OPEN_WITHIN_S):
        await asyncio.gather(*(socket.synced.wait() for socket in sockets))
    for socket in sockets:
        socket.heard.clear()
    print("ready", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps([socket.heard for socket in sockets]), flush=True)
        for socket in sockets:
            socket.heard.clear()
    for task in staying:
        task.cancel()


if __name__ == "__main__":
    asyncio.run(run(**json.loads(sys.stdin.readline())))
