"""What sandboxed children run over a study: packed pages in; its title and candidates for fields, what models are shown
of it, or how far quotes prove their values out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from catalogsku.core.structs import ready
from processing.engine.guard.inspect import inspect
from processing.engine.kinds.candidates import Candidate, candidates_of
from processing.engine.kinds.passages import Passage, passages_of
from processing.engine.kinds.printed import PrintedText
from processing.engine.kinds.proving import Proof, prove
from processing.engine.kinds.title import title_of
from processing.engine.page import ParsedPage, unpack_page

TASK = "processing.engine.kinds.children:find_candidates"
CUT_UP = "processing.engine.kinds.children:cut_up"
PROVE = "processing.engine.kinds.children:prove_quotes"
# The one number under which what was found in a document is handed out.
WHOLE = 1


class Found(msgspec.Struct, frozen=True):
    """``title``: as ``title_of`` gives it."""

    title: str = ""
    candidates: list[Candidate] = []


class Paper(msgspec.Struct, frozen=True):
    """``injection``: 0 to 1, how surely a page of it gives orders."""

    passages: list[Passage] = []
    injection: float = 0.0


class Quoted(msgspec.Struct, frozen=True):
    """A value and the quote that is to prove it, as ``prove`` takes them."""

    text: str | None
    quote: str
    page: int | None = None


def find_candidates(request: dict[str, Any], emit: Callable[[int, bytes], None]) -> None:
    """Emits (WHOLE, ``Found`` as JSON), once.

    ``request``: ``{"file"}``, the path of packed pages by number, as msgpack. Raises ValueError for a file that holds
    none, OSError.
    """
    pages = _pages(request)
    first = [page for page in pages if page.number == 1]
    emit(WHOLE, msgspec.json.encode(Found(title_of(first), candidates_of(pages))))


def cut_up(request: dict[str, Any], emit: Callable[[int, bytes], None]) -> None:
    """As ``find_candidates``; emits ``Paper``."""
    pages = _pages(request)
    emit(WHOLE, msgspec.json.encode(Paper(passages_of(pages), max((inspect(page).score for page in pages), default=0))))


def prove_quotes(request: dict[str, Any], emit: Callable[[int, bytes], None]) -> None:
    """As ``find_candidates``; ``request`` has ``said`` too, the path of a list of ``Quoted`` as JSON. Emits a list with
    a ``Proof`` for each of them."""
    said = msgspec.json.decode(Path(request["said"]).read_bytes(), type=ready(list[Quoted]))
    printed = PrintedText(_pages(request))
    proofs: list[Proof] = [prove(printed, one.text, one.quote, one.page) for one in said]
    emit(WHOLE, msgspec.json.encode(proofs))


def _pages(request: dict[str, Any]) -> list[ParsedPage]:
    packed = msgspec.msgpack.decode(Path(request["file"]).read_bytes(), type=dict[int, bytes])
    return [unpack_page(packed[number]) for number in sorted(packed)]
