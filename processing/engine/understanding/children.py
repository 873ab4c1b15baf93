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

_encoder = msgspec.json.Encoder()


class PageRequest(msgspec.Struct, frozen=True):
    """``file`` and ``earlier``: paths of packed pages. ``answers``: what models said of it, where they were asked."""

    number: int
    file: str
    earlier: tuple[str, ...] = ()
    answers: ModelAnswers | None = None


class UnderstandRequest(msgspec.Struct, frozen=True):
    pages: tuple[PageRequest, ...]
    facts: DocumentFacts = DocumentFacts()
    config: AnalystConfig = AnalystConfig()


def understand_pages(request: dict[str, Any], emit: Callable[[int, bytes], None]) -> None:
    """Emits (page number, PageResult as JSON) for each requested page, in order.

    ``request``: ``{"pages": [{"number", "file", "earlier": [...], "answers"}], "facts": {...}, "config": {...}}``.
    Raises msgspec.ValidationError for another shape, ValueError for a file that is no packed page, OSError.
    """
    asked = msgspec.convert(request, UnderstandRequest)
    kept: dict[str, ParsedPage] = {}
    for page in asked.pages:
        wanted = (page.file, *page.earlier)
        kept = {path: kept[path] if path in kept else unpack_page(Path(path).read_bytes()) for path in wanted}
        earlier = [kept[path] for path in page.earlier]
        result = understand_page(kept[page.file], earlier, asked.facts, asked.config, page.answers)
        emit(page.number, _encoder.encode(result))
