"""Two hundred uploads at once to the running product, each cut off twice: nothing is lost, and the web process stays
small."""

import asyncio
import base64
import hashlib
import os
import random
import re
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.stack import Stack, stack

__all__ = ["stack"]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

# The gate has time for so many; UPLOADS=200 sends two hundred.
UPLOADS, SIZE_BYTES = int(os.environ.get("UPLOADS", "80")), 400_000
GROWN_BYTES_MAX = 160 << 20  # of the web process above what it had before
_STATUS = re.compile(rb"HTTP/1\.1 (\d{3})")


@dataclass
class Sender:
    """One browser's upload over connections of its own."""

    address: str
    cookies: dict[str, str]
    data: bytes
    place: str = ""
    job: str = ""
    cuts: list[tuple[int, int]] = field(default_factory=list)  # bytes sent before the cut, bytes that counted
    sent_bytes: int = 0

    async def run(self) -> None:
        pairs = {"filename": "parallel.pdf", "key": uuid.uuid4().hex, "again": "1"}
        meta = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in pairs.items())
        told = {"Upload-Length": str(len(self.data)), "Upload-Metadata": meta}
        status, headers = await self.ask("POST", "/uploads/", told)
        assert status == 201, (status, headers)
        self.place = headers["location"]
        for share in (0.3, 0.6):
            await self.cut(int(len(self.data) * share))
        while not self.job:
            offset = await self.offset()
            if self.job:
                return
            status, headers = await self.patch(offset, self.data[offset:])
            assert status in (204, 409), (status, headers)
            self.job = headers.get("job-url", "")

    async def cut(self, until: int) -> None:
        """Announce all that is left, send some of it, and be gone."""
        offset = await self.offset()
        if offset >= until:
            return
        head = self._head("PATCH", self.place, self._part(offset), len(self.data) - offset)
        reader, writer = await self._connect()
        writer.write(head + self.data[offset:until])
        await writer.drain()
        self.sent_bytes += until - offset
        writer.close()
        await writer.wait_closed()
        counted = offset
        for wait_s in (0.5, 1, 2, 4, 8, 16):  # a browser waits before it tries again, too
            await asyncio.sleep(wait_s)
            if (counted := await self.offset()) > offset:
                break
        self.cuts.append((until - offset, counted - offset))

    async def offset(self) -> int:
        status, headers = await self.ask("HEAD", self.place, {})
        assert status == 200, (status, headers)
        self.job = headers.get("job-url", "")
        return int(headers["upload-offset"])

    async def patch(self, offset: int, body: bytes) -> tuple[int, dict[str, str]]:
        self.sent_bytes += len(body)
        return await self.ask("PATCH", self.place, self._part(offset), body)

    def _part(self, offset: int) -> dict[str, str]:
        return {"Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"}

    async def ask(
        self, method: str, path: str, headers: dict[str, str], body: bytes = b""
    ) -> tuple[int, dict[str, str]]:
        reader, writer = await self._connect()
        try:
            writer.write(self._head(method, path, headers, len(body)) + body)
            await writer.drain()
            answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 120)
        finally:
            writer.close()
        found = _STATUS.match(answer)
        assert found, answer
        lines = (line.partition(":") for line in answer.decode("latin-1").split("\r\n")[1:])
        return int(found[1]), {name.strip().lower(): value.strip() for name, _, value in lines}

    def _head(self, method: str, path: str, headers: dict[str, str], length: int) -> bytes:
        told = {
            "Host": urlsplit(self.address).netloc,
            "Origin": self.address,
            "Connection": "close",
            "Content-Length": str(length),
            "Tus-Resumable": "1.0.0",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-CSRFToken": self.cookies["csrftoken"],
            **headers,
        }
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items()), "", ""]
        return "\r\n".join(lines).encode()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        place = urlsplit(self.address)
        return await asyncio.open_connection(place.hostname, place.port)


@contextmanager
def watched_memory(pid: int) -> Iterator[list[int]]:
    """Resident bytes: before, and the most while it lasts."""

    def resident() -> int:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096

    seen, ended = [resident(), resident()], threading.Event()

    def look() -> None:
        while not ended.wait(0.02):
            seen[1] = max(seen[1], resident())

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield seen
    finally:
        ended.set()
        looking.join()


async def all_at_once(senders: list[Sender]) -> None:
    await asyncio.gather(*(sender.run() for sender in senders))


@pytest.mark.req("X-UPLOAD", "TA-FHASH")
def test_uploads_at_once_each_cut_twice_end_whole_and_with_a_job(stack: Stack) -> None:
    lots = random.Random(200)
    cookies = {cookie.name: cookie.value or "" for cookie in stack.person().cookies}
    files = [b"%PDF-1.7\n" + lots.randbytes(SIZE_BYTES - 9) for _ in range(UPLOADS)]
    senders = [Sender(stack.address, cookies, data) for data in files]
    began_s = time.monotonic()
    with watched_memory(stack.units()["web"]) as memory:
        asyncio.run(all_at_once(senders))
    taken_s = time.monotonic() - began_s
    wanted = {sender.job.strip("/").split("/")[-1]: hashlib.sha256(sender.data).hexdigest() for sender in senders}
    rows = stack.sql("SELECT uuid::text, file_sha256 FROM ingestion_job WHERE uuid::text = ANY(%s)", list(wanted))
    assert dict(rows) == wanted and len(wanted) == UPLOADS
    cuts = [cut for sender in senders for cut in sender.cuts]
    assert len(cuts) == 2 * UPLOADS
    assert sum(sent == counted for sent, counted in cuts) >= 0.9 * len(cuts), "what arrived before a cut counts"
    sent = sum(sender.sent_bytes for sender in senders)
    print(
        f"{taken_s:.1f} s, sent {sent / (UPLOADS * SIZE_BYTES):.3f} of the files, "
        f"web {memory[0] >> 20} -> {memory[1] >> 20} MB"
    )
    assert memory[1] - memory[0] < GROWN_BYTES_MAX
    assert list((stack.var / "storage" / "uploads").glob("*.part")) == []
    # Noise: the verdicts of those that are still waiting would keep a core busy through the tests that follow.
    stack.sql(
        "UPDATE ingestion_job SET status = 'CANCELLED', stage = 'NONE', finished_at = now()"
        " WHERE uuid::text = ANY(%s) AND status = 'UPLOADED' AND worker IS NULL",
        list(wanted),
    )


async def answer_to(address: str, head: str, pieces: Iterator[bytes]) -> tuple[bytes, int]:
    """The first line of the answer, and the bytes that the other side took before it would take no more."""
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    writer.write(head.encode())
    taken = 0
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            taken += len(piece)
    except ConnectionError:
        pass
    try:
        return await asyncio.wait_for(reader.readline(), 20), taken
    except ConnectionError:
        return b"", taken
    finally:
        writer.close()


@pytest.mark.req("X-UPLOAD", "TA-T23")
@pytest.mark.parametrize("framing", ["Content-Length: 4000000000", "Transfer-Encoding: chunked"])
def test_a_stranger_cannot_fill_memory_or_disk_with_a_body(stack: Stack, framing: str) -> None:
    """Any address takes a body before it knows who sends it."""
    block = b"x" * (1 << 20)
    pieces = (b"%x\r\n%s\r\n" % (len(block), block) if "chunked" in framing else block for _ in range(100))
    head = f"POST /login/ HTTP/1.1\r\nHost: {urlsplit(stack.address).netloc}\r\n{framing}\r\n\r\n"
    with watched_memory(stack.units()["web"]) as memory:
        line, taken = asyncio.run(answer_to(stack.address, head, pieces))
    assert line in (b"", b"HTTP/1.1 413 Content Too Large\r\n")
    assert taken < 40 << 20, "what is beyond the bound is not taken"
    assert memory[1] - memory[0] < 40 << 20
    assert stack.person().ask("/healthz")[0] == 200
