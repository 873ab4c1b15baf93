"""From commits and from what watchers heard of them to delays."""

import asyncio
import json

import pytest

from tests.bench.sockets import PING, PONG, TEXT, Socket


def frame(opcode: int, payload: bytes) -> bytes:
    size = len(payload)
    head = bytes((0x80 | opcode, size)) if size < 126 else bytes((0x80 | opcode, 126)) + size.to_bytes(2, "big")
    return head + payload


class Writer:
    def __init__(self) -> None:
        self.written = b""

    def write(self, data: bytes) -> None:
        self.written += data


async def heard_of(*frames: bytes) -> Socket:
    socket = Socket("127.0.0.1", 1, "/", "", "")
    socket.reader, socket.writer = asyncio.StreamReader(), Writer()  # type: ignore[assignment]
    socket.reader.feed_data(b"".join(frames))
    socket.reader.feed_eof()
    with pytest.raises(asyncio.IncompleteReadError):
        await socket._listen()
    return socket


async def test_a_socket_notes_each_version_and_answers_pings() -> None:
    rows = json.dumps({"type": "rows", "rows": [{"id": 7, "v": 3, "word": "x" * 200}]}).encode()
    socket = await heard_of(frame(TEXT, rows), frame(PING, b"abcd"), frame(TEXT, b'{"type":"beat"}'))
    assert [(page_id, version) for page_id, version, _at in socket.heard] == [(7, 3)]
    assert socket.writer.written == bytes((0x80 | PONG, 0x84, 0, 0, 0, 0)) + b"abcd"  # type: ignore[attr-defined]
    assert not socket.synced.is_set()


async def test_a_socket_is_synced_by_its_first_whole_region() -> None:
    socket = await heard_of(frame(TEXT, b'{"type":"sync","rows":[{"id":1,"v":1}]}'))
    assert socket.synced.is_set()
