"""What a sandboxed child runs to find candidates for the fields of a study: packed pages in, candidates out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from processing.engine.kinds.candidates import candidates_of
from processing.engine.page import unpack_page

TASK = "processing.engine.kinds.children:find_candidates"
# The one number under which what was found in a document is handed out.
WHOLE = 1


def find_candidates(request: dict[str, Any], emit: Callable[[int, bytes], None]) -> None:
    """Emits (WHOLE, list of ``Candidate`` as JSON), once.

    ``request``: ``{"file"}``, the path of packed pages by number, as msgpack. Raises ValueError for a file that holds
    none, OSError.
    """
    packed = msgspec.msgpack.decode(Path(request["file"]).read_bytes(), type=dict[int, bytes])
    emit(WHOLE, msgspec.json.encode(candidates_of([unpack_page(packed[number]) for number in sorted(packed)])))
