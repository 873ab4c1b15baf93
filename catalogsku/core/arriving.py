"""A part of an upload on its way: written once, to the disk that it belongs on, and hashed as it comes.

The web process takes a request's body before the application sees any of it (catalogsku.web). What it takes of an
upload's part lies in a file beside the uploads, from which the kernel copies it to its place, and the SHA-256 of the
whole upload grows with it. So no byte is read again at the end, unless the parts went through several processes.
"""

import errno
import hashlib
import os
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings

from catalogsku.core import private_files

ARRIVED = "catalogsku.arrived_part"  # under which the scope of a request has it
# Of so many uploads this process knows the hash of what it has received; of others it is reckoned at the end.
HASHES_KEPT = 256
# What a kernel or file system says that does not copy so.
_NOT_SO = frozenset({errno.EXDEV, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EPERM})
_hashes: "OrderedDict[str, tuple[int, Any]]" = OrderedDict()
_known = threading.Lock()


def folder() -> Path:
    """Where uploads under way lie, beside what they become."""
    return Path(settings.MEDIA_ROOT, "uploads")


class ArrivingPart:
    """The body of one request, as a file that is written. ``upload`` and ``offset`` are what its sender says, whom
    nobody has asked yet who they are.

    ``error``: the disk would not take it; what came is lost then. ``close``, by another thread as well, forgets it.
    """

    def __init__(self, upload: str, offset: int) -> None:
        self.bytes = 0
        self.error: OSError | None = None
        at, known = _hashes.get(upload, (0, hashlib.sha256()))
        self._hash = known.copy() if at == offset else hashlib.sha256() if offset == 0 else None
        self._offset, self._file, self._lock = offset, -1, threading.Lock()
        path = folder() / f".{uuid4().hex}.arriving"
        try:
            private_files.make_folder(folder())
            self._file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, private_files.FILE)
            path.unlink()  # it has no name from now on: nothing of it is left, whatever ends this process
        except OSError as error:
            self.error = error

    def write(self, data: bytes) -> int:
        if self.error is None:
            try:
                _write_all(self._file, data)
            except OSError as error:
                self.error = error
        self.bytes += len(data)
        if self._hash is not None:
            self._hash.update(data)
        return len(data)

    def tell(self) -> int:
        return self.bytes

    def seek(self, offset: int, whence: int = 0) -> int:
        """It is read by ``copy_to`` alone."""
        return 0

    def copy_to(self, target: int, offset: int) -> None:
        """Into the open file ``target`` from ``offset`` on. Raises OSError, also that which ended the writing."""
        if self.error is not None:
            raise self.error
        with self._lock:
            if self._file < 0:
                raise ConnectionAbortedError("its sender has gone")
            source = os.dup(self._file)  # its own: the sender may go meanwhile
        done = 0
        try:
            while done < self.bytes:
                done += _copied(source, target, self.bytes - done, done, offset + done)
        finally:
            os.close(source)

    def committed(self, upload: str, offset: int) -> None:
        """All of the upload up to ``offset``, which this part ends at, is on the disk and counted."""
        with _known:
            _hashes.pop(upload, None)
            if self._hash is not None and offset - self.bytes == self._offset:
                _hashes[upload] = (offset, self._hash)
            while len(_hashes) > HASHES_KEPT:
                _hashes.popitem(last=False)

    def close(self) -> None:
        with self._lock:
            file, self._file = self._file, -1
        if file >= 0:
            os.close(file)


def sha256_of(upload: str, size_bytes: int) -> str | None:
    """Of the whole upload, where all of it came through this process."""
    with _known:
        at, known = _hashes.pop(upload, (0, None))
    return known.hexdigest() if known is not None and at == size_bytes else None


def _write_all(file: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]


def _copied(source: int, target: int, count: int, at: int, to: int) -> int:
    """So many bytes, at least one; by the kernel alone where it does that. Raises OSError."""
    if hasattr(os, "copy_file_range"):
        try:
            copied = os.copy_file_range(source, target, count, at, to)
        except OSError as error:
            if error.errno not in _NOT_SO:
                raise
        else:
            if copied:
                return copied
    if not (block := os.pread(source, min(count, 1 << 20), at)):
        raise OSError(errno.EIO, "less is there than was written")
    return os.pwrite(target, block, to)
