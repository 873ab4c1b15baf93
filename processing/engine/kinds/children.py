"""What a sandboxed child runs to find what a study says: packed pages in, its title and candidates for fields out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from processing.engine.kinds.candidates import Candidate, candidates_of
from processing.engine.kinds.title import title_of
from processing.engine.page import unpack_page

TASK = "processing.engine.kinds.children:find_candidates"
# The one number under which what was found in a document is handed out.
WHOLE = 1


class Found(msgspec.Struct, frozen=True):
    """``title``: as ``title_of`` gives it."""

    title: str = ""
    candidates: list[Candidate] = []


def find_candidates(request: dict[str, Any], emit: Callable[[int, bytes], None]) -> None:
    """Emits (WHOLE, ``Found`` as JSON), once.

    ``request``: ``{"file"}``, the path of packed pages by number, as msgpack. Raises ValueError for a file that holds
    none, OSError.
    """
    packed = msgspec.msgpack.decode(Path(request["file"]).read_bytes(), type=dict[int, bytes])
    pages = [unpack_page(packed[number]) for number in sorted(packed)]
    emit(WHOLE, msgspec.json.encode(Found(title_of(pages[:1] if 1 in packed else []), candidates_of(pages))))
