"""Long answers in steps from the database's thread, so that memory does not grow with the document."""

from collections.abc import AsyncIterator, Iterator
from itertools import islice

from asgiref.sync import sync_to_async

LINES_AT_ONCE = 100


async def in_steps(lines: Iterator[str]) -> AsyncIterator[str]:
    """Some lines at a time: a sync iterator would be held in memory whole under ASGI."""
    while text := await sync_to_async("".join)(islice(lines, LINES_AT_ONCE)):
        yield text


async def in_blocks(blocks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The same for a file that comes in blocks; none is empty."""
    while block := await sync_to_async(lambda: next(blocks, b""))():
        yield block
