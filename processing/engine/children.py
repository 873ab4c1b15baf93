"""The sandboxed child of the reading stage: reads pages, and scores those of the sample right away."""

from collections.abc import Callable
from typing import Any

import msgspec

from processing.engine.evaluation.assess import assess_page
from processing.engine.page import unpack_page
from processing.engine.reading import children as reading

_encode = msgspec.msgpack.Encoder().encode


def read_and_assess(request: dict[str, Any], emit: Callable[[int, bytes], None]) -> None:
    """As ``reading.children.read_pages``; emits (packed page, assessment or None) as msgpack, or nothing as it does.

    ``request["assess"]``: numbers of the pages to score.
    """
    sampled = set(request["assess"])

    def assessed(number: int, packed: bytes) -> None:
        if not packed:
            emit(number, packed)
            return
        assessment = msgspec.to_builtins(assess_page(unpack_page(packed))) if number in sampled else None
        emit(number, _encode((packed, assessment)))

    reading.read_pages({key: value for key, value in request.items() if key != "assess"}, assessed)
