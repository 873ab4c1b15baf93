"""Types that msgspec decodes into, learnt in one thread."""

import threading
from typing import TypeVar

import msgspec

T = TypeVar("T")
_known: set[object] = set()
_learning = threading.Lock()


def ready(kind: type[T]) -> type[T]:
    """The type itself, once msgspec knows all its fields.

    msgspec (0.22) learns a Struct at its first use, and shows it to other threads before all its fields are filled: two
    first uses at once end the process by SIGSEGV. Whatever several threads may decode is named through here.
    """
    if kind not in _known:
        with _learning:
            msgspec.json.Decoder(kind)
            _known.add(kind)
    return kind
