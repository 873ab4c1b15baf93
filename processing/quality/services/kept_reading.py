"""What reading golden files gave, kept between runs: it is slow, and the same while understanding is worked on."""

import hashlib
import logging
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from processing.sandboxed import frozen

log = logging.getLogger(__name__)

_DIGEST_BYTES = 32


class Reading(msgspec.Struct):
    """Of one PDF, as children handed it out, by page number. ``key``: of the file and of how it was read.

    ``pages`` were read for themselves and for the document's facts; those that failed are not among them.
    """

    key: str
    total_pages: int = 0
    prescans: dict[int, bytes] = {}
    pages: dict[int, bytes] = {}


_decoder = msgspec.msgpack.Decoder(Reading)


@dataclass
class KeptReading:
    """``folder``: None keeps nothing. A file that is damaged, or is another's, is as none: all is read anew."""

    folder: Path | None
    sha256: str
    reading: Reading = field(init=False)

    def __post_init__(self) -> None:
        key = f"{self.sha256}-{frozen.reading_key()}"
        self.reading = (self._kept(key) if self.folder else None) or Reading(key)
        self._before = msgspec.msgpack.encode(self.reading)

    def save(self) -> None:
        """Whole or not at all; nothing where nothing has come to it."""
        body = msgspec.msgpack.encode(self.reading)
        if self.folder is None or body == self._before:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
            file.write(hashlib.sha256(body).digest() + body)
        os.replace(file.name, self._path(self.reading.key))
        self._before = body

    def _kept(self, key: str) -> Reading | None:
        try:
            data = self._path(key).read_bytes()
        except FileNotFoundError:
            return None
        digest, body = data[:_DIGEST_BYTES], data[_DIGEST_BYTES:]
        try:
            reading = _decoder.decode(body) if hashlib.sha256(body).digest() == digest else None
        except msgspec.DecodeError:
            reading = None
        if reading is None or reading.key != key:
            log.warning("kept reading is damaged or another file's", extra={"file": self._path(key).name})
            return None
        return reading

    def _path(self, key: str) -> Path:
        assert self.folder is not None
        return self.folder / f"{key}.reading"
