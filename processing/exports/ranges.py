"""Parts of a stored file over HTTP: one range, bound to the version by If-Range (RFC 9110, 14)."""

import re
from collections.abc import Iterator

from catalogsku.core import storage
from catalogsku.core.errors import Refused

STEP_BYTES = 1 << 18
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def part_of(header: str, size_bytes: int) -> range | None:
    """The bytes asked for; None for the whole file, also where several parts were asked for.

    Raises Refused(range_not_satisfiable) for a part that lies behind the end.
    """
    match = _RANGE.fullmatch(header.strip())
    if match is None or not any(match.groups()):
        return None
    first, last = match.groups()
    if not first:
        begin, end = max(size_bytes - int(last), 0), size_bytes
    else:
        begin, end = int(first), min(int(last) + 1, size_bytes) if last else size_bytes
        if last and int(last) < begin:
            return None
    if begin >= end:
        raise Refused("range_not_satisfiable")
    return range(begin, end)


def blocks(key: str, part: range) -> Iterator[bytes]:
    """Those bytes of a stored file, in blocks."""
    with storage.open_file(key) as file:
        file.seek(part.start)
        left = len(part)
        while left and (block := file.read(min(STEP_BYTES, left))):
            left -= len(block)
            yield block
