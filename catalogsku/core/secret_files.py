"""Secrets that stand in files, one a line: read again once the file changes, so that none is changed by a restart."""

import logging
import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)

LOOK_EVERY_S = 5.0


@dataclass
class _File:
    """What a file held when it was last read; ``mark`` changes with the file."""

    mark: tuple[int, int, int] | None = None
    lines: tuple[str, ...] = ()
    looked_at_s: float = float("-inf")


_files: dict[str, _File] = {}
_lock = threading.Lock()


def secrets_in(path: str) -> tuple[str, ...]:
    """The file's lines that hold something, in order; it is looked at every five seconds at most."""
    with _lock:
        return _read(path, time.monotonic())


def _read(path: str, now_s: float) -> tuple[str, ...]:
    """A file that cannot be read (it is just being replaced) leaves the secrets as they were."""
    held = _files.setdefault(path, _File())
    if now_s - held.looked_at_s < LOOK_EVERY_S:
        return held.lines
    held.looked_at_s = now_s
    try:
        state = os.stat(path)
        mark = (state.st_mtime_ns, state.st_ino, state.st_size)
        if mark != held.mark:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
            held.lines, held.mark = tuple(secret for line in lines if (secret := line.strip())), mark
    except (OSError, UnicodeDecodeError) as error:
        log.warning("file of secrets not read", extra={"file": path, "error": type(error).__name__})
    return held.lines
