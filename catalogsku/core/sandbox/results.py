"""The pages that a child hands out: frames in a file that grows. One that is not whole was never handed out.

Not a file for each page: ext4 gives what was deleted within the last minute to nobody and looks past it each time. The
2000 files of a document's check took 0.3 ms each, and 1.5 where those of another had just gone; frames take 0.02.
"""

import os
import stat
import struct
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import IO

_HEAD = struct.Struct(">IQ")  # the page's number, and how many bytes follow


class Results:
    """The child's end. No file grows above ``file_bytes``, unless a page alone does."""

    def __init__(self, out: Path, file_bytes: int) -> None:
        self._files = (_file(out, n) for n in count(1))
        self._file_bytes, self._file = file_bytes, self._next()

    def add(self, number: int, payload: bytes) -> None:
        if self._file.tell() and self._file.tell() + _HEAD.size + len(payload) > self._file_bytes:
            self._file.close()
            self._file = self._next()
        self._file.write(_HEAD.pack(number, len(payload)))
        self._file.write(payload)
        self._file.flush()

    def _next(self) -> IO[bytes]:
        return next(self._files).open("xb")


def clear_results(out: Path) -> None:
    """Those of an earlier child in this folder."""
    for n in count(1):
        try:
            _file(out, n).unlink()
        except FileNotFoundError:
            return


def collect_results(out: Path, numbers: Iterable[int], file_bytes: int) -> dict[int, bytes]:
    """Payloads by page, of the pages ``numbers``. A file counts if it is regular, has no other name and is not above
    ``file_bytes``, and up to a frame that is not whole, or no page that is still waited for: a child that a document
    has taken over may have left anything there."""
    payloads: dict[int, bytes] = {}
    waited_for = set(numbers)
    for n in count(1):
        data = _own_bytes(_file(out, n), file_bytes)
        if data is None:
            return payloads
        for number, payload in _frames(data):
            if number not in waited_for:
                break
            waited_for.remove(number)
            payloads[number] = payload
    return payloads


def _file(out: Path, n: int) -> Path:
    return out / f"results.{n}"


def _own_bytes(path: Path, most: int) -> bytes | None:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1 or status.st_size > most:
            return None
        with open(handle, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def _frames(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while (begin := at + _HEAD.size) <= len(data):
        number, size = _HEAD.unpack_from(data, at)
        at = begin + size
        if at <= len(data):
            yield number, data[begin:at]
