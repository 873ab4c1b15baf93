"""What parent and fork server say to each other: length-prefixed msgpack frames over two pipes."""

import os
import select
import struct
import time
from typing import Any, TypeVar

import msgspec

from catalogsku.core.structs import ready

T = TypeVar("T", bound=msgspec.Struct)
FRAME_BYTES_MAX = 256 << 20
_LENGTH = struct.Struct(">I")


class Limits(msgspec.Struct, frozen=True):
    """What one child may use (TA-G4). ``file_bytes`` bounds each file it writes, ``out_bytes`` and ``out_files`` all of
    them together. ``turn_s``: after that long it begins no further page and hands back what is left."""

    memory_bytes: int = 1 << 30
    cpu_s: int = 240
    wall_s: float = 260.0
    page_s: float = 30.0
    turn_s: float = 3600.0
    file_bytes: int = 64 << 20
    out_bytes: int = 512 << 20
    out_files: int = 20_000


DEFAULT_LIMITS = Limits()


class Request(msgspec.Struct, frozen=True, tag="request"):
    """One chunk of work. ``task`` is ``module:function``; it is called with ``request`` and an ``Emit``. ``id``: the
    parent's, by which it can stop this one and no other."""

    id: int
    task: str
    request: dict[str, Any]
    numbers: list[int]
    out: str
    read: list[str]
    limits: Limits


class Stop(msgspec.Struct, frozen=True, tag="stop"):
    """End the child of that request, if it still runs."""

    id: int


class Ready(msgspec.Struct, frozen=True):
    """First frame of a fork server; ``error`` is empty when it can serve."""

    pid: int
    threads: int
    landlock: bool
    seccomp: bool
    error: str = ""


class Reply(msgspec.Struct, frozen=True):
    """How a child ended. ``detail`` is the tail of what it printed."""

    reason: str
    detail: str
    wall_s: float
    cpu_s: float
    peak_bytes: int


class Gone(Exception):
    """The other end closed its pipe, died, or did not answer in time."""


def send(fd: int, message: msgspec.Struct, deadline: float | None = None) -> None:
    """Write one frame to a pipe. Raises Gone when nobody reads it until ``deadline`` (monotonic seconds)."""
    body = msgspec.msgpack.encode(message)
    if len(body) > FRAME_BYTES_MAX:
        raise ValueError(f"a sandbox request of {len(body)} bytes is above {FRAME_BYTES_MAX}")
    view = memoryview(_LENGTH.pack(len(body)) + body)
    while view:
        _wait(fd, select.POLLOUT, deadline)
        try:
            view = view[os.write(fd, view[:65536]) :]
        except BlockingIOError:
            continue
        except BrokenPipeError:
            raise Gone from None


def receive(fd: int, kind: type[T], deadline: float | None = None) -> T:
    """Read one frame. Raises Gone at end of file or when ``deadline`` (monotonic seconds) passes."""
    return msgspec.msgpack.decode(_frame(fd, deadline), type=ready(kind))


_asked: msgspec.msgpack.Decoder[Request | Stop] = msgspec.msgpack.Decoder(Request | Stop)


def receive_asked(fd: int) -> Request | Stop:
    """The fork server's end: whatever its parent asks next. Raises Gone where there is no parent any more."""
    return _asked.decode(_frame(fd, None))


def _frame(fd: int, deadline: float | None) -> bytes:
    (length,) = _LENGTH.unpack(_read(fd, _LENGTH.size, deadline))
    if length > FRAME_BYTES_MAX:
        raise Gone
    return _read(fd, length, deadline)


def _read(fd: int, size: int, deadline: float | None) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        _wait(fd, select.POLLIN, deadline)
        try:
            part = os.read(fd, size - len(parts))
        except BlockingIOError:
            continue
        if not part:
            raise Gone
        parts += part
    return bytes(parts)


def _wait(fd: int, event: int, deadline: float | None) -> None:
    poll = select.poll()
    poll.register(fd, event)
    if deadline is None:
        poll.poll()
    elif not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
        raise Gone
