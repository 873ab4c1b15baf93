"""What a sandboxed child runs to understand pages: packed pages in, results out, no other side effect."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from processing.engine.page import ParsedPage, unpack_page
from processing.engine.result import DocumentFacts
from processing.engine.understanding.answers import ModelAnswers
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.records.score import forests

_encoder = msgspec.json.Encoder()
forests(b"")  # those that ship are unpacked where this is loaded, once, and not by each child


class PageRequest(msgspec.Struct, frozen=True):
    """``earlier``: numbers of pages. ``answers``: what models said of it, where they were asked."""

    number: int
    earlier: tuple[int, ...] = ()
    answers: ModelAnswers | None = None


class UnderstandRequest(msgspec.Struct, frozen=True):
    """``file``: path of the packed pages by number, as msgpack."""

    file: str
    pages: tuple[PageRequest, ...]
    facts: DocumentFacts = DocumentFacts()
    config: AnalystConfig = AnalystConfig()


def understand_pages(request: dict[str, Any], emit: Callable[[int, bytes], None]) -> None:
    """Emits (page number, PageResult as JSON) for each requested page, in order.

    ``request``: ``{"file", "pages": [{"number", "earlier": [...], "answers"}], "facts": {...}, "config": {...}}``.
    Raises msgspec.ValidationError for another shape, ValueError for a file that holds no packed pages, KeyError for a
    page that it has not, OSError.
    """
    task = msgspec.convert(request, UnderstandRequest)
    packed = msgspec.msgpack.decode(Path(task.file).read_bytes(), type=dict[int, bytes])
    unpacked: dict[int, ParsedPage] = {}
    for page in task.pages:
        unpacked = {n: unpacked[n] if n in unpacked else unpack_page(packed[n]) for n in (page.number, *page.earlier)}
        earlier = [unpacked[n] for n in page.earlier]
        result = understand_page(unpacked[page.number], earlier, task.facts, task.config, page.answers)
        emit(page.number, _encoder.encode(result))
