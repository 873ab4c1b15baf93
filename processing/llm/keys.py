"""Keys of the providers: from the environment, or from a file that is read again once it changes (LA-KEYROT)."""

import logging
import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

log = logging.getLogger(__name__)

LOOK_EVERY_S = 5.0
SETTINGS = {"gemini": "GEMINI_API_KEY", "qwen": "DASHSCOPE_API_KEY"}


@dataclass
class _File:
    """What a file held when it was last read; ``mark`` changes with the file."""

    mark: tuple[int, int, int] | None = None
    keys: tuple[str, ...] = ()
    looked_at_s: float = float("-inf")


_files: dict[str, _File] = {}
_lock = threading.Lock()


def key_for(provider: str) -> tuple[str, ...]:
    """The valid keys, the newest (the file's first line) first; empty where there is none.

    While keys are changed two are valid: where one is refused, the next is tried.
    """
    name = SETTINGS[provider]
    if path := getattr(settings, f"{name}_FILE"):
        with _lock:
            return _read(path, time.monotonic())
    key: str = getattr(settings, name)
    return (key,) if key else ()


def _read(path: str, now_s: float) -> tuple[str, ...]:
    """A file that cannot be read (it is just being replaced) leaves the keys as they were."""
    held = _files.setdefault(path, _File())
    if now_s - held.looked_at_s < LOOK_EVERY_S:
        return held.keys
    held.looked_at_s = now_s
    try:
        state = os.stat(path)
        mark = (state.st_mtime_ns, state.st_ino, state.st_size)
        if mark != held.mark:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
            held.keys, held.mark = tuple(key for line in lines if (key := line.strip())), mark
    except (OSError, UnicodeDecodeError) as error:
        log.warning("key file not read", extra={"file": path, "error": type(error).__name__})
    return held.keys
