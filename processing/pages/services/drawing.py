"""Pages drawn on demand, in sandboxed children: as models are shown them, and parts of them looked at again.

The source is drawn anew; where it is gone, or cannot be drawn any more, the rendering that reading stored is shown.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from catalogsku.core import storage
from catalogsku.core.box import Box
from catalogsku.core.errors import PermanentFailure, TemporaryFailure
from catalogsku.core.sandbox import Limits, Outcome, Sandbox
from catalogsku.core.structs import ready
from ingestion.models import Job, Page
from processing.engine.drawing.rereading import ClipText
from processing.engine.page import ParsedPage, pack_page
from processing.engine.reading.rendering import screenshot_name
from processing.llm.providers.port import Image
from processing.pages.services.reading import kept_pages, password_of
from processing.sandboxed import frozen, sandboxes
from processing.sandboxed.errands import patient
from processing.sandboxed.metered import Metered

# Boxes of one page that are looked at, and the children that may be ended by some of them.
MOST_BOXES = 400
MOST_FAILURES = 3
# What one picture of a page, or one clip, may have.
MOST_BYTES = 16 << 20
# A page of two halves takes 0.2 to 2 s of a core.
DRAWING = Limits(memory_bytes=2 << 30, cpu_s=60, wall_s=90.0, page_s=30.0, file_bytes=48 << 20, out_bytes=128 << 20)

_DRAWN = "processing.engine.drawing.children:"
_JPEG = b"\xff\xd8\xff"
_Run = Callable[[str, Mapping[str, Any], Sequence[int], Path, Sequence[Path], Limits], Outcome]


class Origin(NamedTuple):
    """What is drawn from: the PDF, or with ``stored`` the page's rendering of the time when it was read."""

    path: Path
    password: str = ""
    stored: bool = False


def page_pictures(job: Job, page: ParsedPage) -> tuple[Image, ...]:
    """The page as models are shown it: JPEGs labelled "page", or "page, upper half" and "page, lower half" where it is
    dense ("left" and "right" where it is wider than high), with the ids of its pictures on them.

    The text stands upright in them: a page of ``turn`` is turned back (``drawing.views.box_on_page``). The same page
    gives the same bytes. Raises TemporaryFailure(drawing_interrupted), PermanentFailure(page_not_drawn),
    SandboxUnavailable, OSError.
    """
    with _origins(job, page) as origins:
        return _pictures(_for_job(job), origins, page)


def file_pictures(path: Path, page: ParsedPage, plain: Sandbox) -> tuple[Image, ...]:
    """As ``page_pictures``, of a PDF that is no job's."""
    return _pictures(_for_file(plain), [Origin(path)], page)


def page_clips(job: Job, page: ParsedPage, boxes: Sequence[Box]) -> list[bytes]:
    """A JPEG of what stands in each box, upright and at 300 dpi, with a margin; empty where it cannot be drawn, and for
    boxes above the 400th. ``boxes`` in points of the page as displayed. Raises as ``page_pictures``."""
    with _origins(job, page) as origins:
        clips = _at_boxes(_for_job(job), origins, page, boxes, "draw_clips", DRAWING)
    return [data if data.startswith(_JPEG) else b"" for data in clips]


def read_again(job: Job, page: ParsedPage, boxes: Sequence[Box]) -> list[str]:
    """What stands in each box, recognised at 300 dpi; ``said_in`` with the texts alone. Raises as ``page_pictures``."""
    return [said.text for said in said_in(job, page, boxes)]


def said_in(job: Job, page: ParsedPage, boxes: Sequence[Box]) -> list[ClipText]:
    """What stands in each box, recognised at 300 dpi, and how surely; empty where nothing is read, where recognising is
    switched off, and for boxes above the 400th. ``boxes`` in points of the page as displayed. Raises as
    ``page_pictures``."""
    with _origins(job, page) as origins:
        return _said(_for_job(job, recognises=True), origins, page, boxes)


def read_file_again(path: Path, page: ParsedPage, boxes: Sequence[Box], recognising: Sandbox) -> list[str]:
    """As ``read_again``, of a PDF that is no job's."""
    return [said.text for said in _said(_for_file(recognising), [Origin(path)], page, boxes)]


def _for_job(job: Job, *, recognises: bool = False) -> _Run:
    """On the document's account."""
    return partial(Metered(job, Page, ()).run, recognises=recognises)


def _for_file(box: Sandbox) -> _Run:
    def run(
        task: str, request: Mapping[str, Any], numbers: Sequence[int], out: Path, read: Sequence[Path], limits: Limits
    ) -> Outcome:
        return box.run(task, request, numbers, out, read, patient(limits))

    return run


@contextmanager
def _origins(job: Job, page: ParsedPage) -> Iterator[list[Origin]]:
    """In the order in which they are tried."""
    with ExitStack() as stack:
        origins = []
        if storage.has_file(job.source_key):
            origins.append(Origin(stack.enter_context(storage.local_copy(job.source_key)), password_of(job)))
        content = kept_pages(job, [page.number]).get(page.number)
        files = content.files if content else {}
        key = files.get(screenshot_name(page.number)) or files.get(page.preview, "")
        if key and storage.has_file(key):
            origins.append(Origin(stack.enter_context(storage.local_copy(key)), stored=True))
        yield origins


def _pictures(run: _Run, origins: Sequence[Origin], page: ParsedPage) -> tuple[Image, ...]:
    why = "no source and no rendering"
    for origin in origins:
        outcome = _visit(run, origin, page, [page.number], "draw_views", DRAWING)
        if page.number in outcome.finished:
            try:
                return _checked(outcome.finished[page.number])
            except ValueError as error:
                why = str(error)
        else:
            why = outcome.reason
    raise PermanentFailure("page_not_drawn", why)


def _checked(payload: bytes) -> tuple[Image, ...]:
    """What a child handed out may be anything. Raises ValueError."""
    views = msgspec.msgpack.decode(payload, type=ready(tuple[tuple[str, bytes], ...]))
    if not 1 <= len(views) <= 2 or not all(data.startswith(_JPEG) and len(data) <= MOST_BYTES for _, data in views):
        raise ValueError("no pictures of a page")
    return tuple(Image("image/jpeg", data, label[:40]) for label, data in views)


def _said(run: _Run, origins: Sequence[Origin], page: ParsedPage, boxes: Sequence[Box]) -> list[ClipText]:
    if not boxes or not frozen.reading_settings().ocr:
        return [ClipText()] * len(boxes)
    return [
        _clip_text(payload) for payload in _at_boxes(run, origins, page, boxes, "read_boxes", sandboxes.RECOGNISING)
    ]


def _clip_text(payload: bytes) -> ClipText:
    """What a child handed out may be anything: what is no text says nothing."""
    try:
        return msgspec.msgpack.decode(payload, type=ready(ClipText)) if payload else ClipText()
    except msgspec.DecodeError:
        return ClipText()


def _at_boxes(
    run: _Run, origins: Sequence[Origin], page: ParsedPage, boxes: Sequence[Box], task: str, limits: Limits
) -> list[bytes]:
    """What children hand out for each box, nothing where none of them can; one that ends its child is left out."""
    payloads = [b""] * len(boxes)
    wanted = list(range(len(boxes)))[:MOST_BOXES]
    for origin in origins:
        left, failures = [n for n in wanted if not payloads[n]], 0
        while left and failures <= MOST_FAILURES:
            outcome = _visit(run, origin, page, range(1, len(left) + 1), task, limits, [boxes[n] for n in left])
            for number, payload in outcome.finished.items():
                payloads[left[number - 1]] = payload if len(payload) <= MOST_BYTES else b""
            if not outcome.finished and outcome.culprit is None:
                break
            failures += outcome.culprit is not None
            left = [
                n for number, n in enumerate(left, 1) if number not in outcome.finished and number != outcome.culprit
            ]
    return payloads


def _visit(
    run: _Run,
    origin: Origin,
    page: ParsedPage,
    numbers: Sequence[int],
    task: str,
    limits: Limits,
    boxes: Sequence[Box] = (),
) -> Outcome:
    """One child's work. Raises TemporaryFailure where it ended for a reason that is not the document's."""
    request = {
        "path": str(origin.path),
        "password": origin.password,
        "stored": origin.stored,
        "page": pack_page(page),
        "settings": frozen.jsonable(frozen.reading_settings()),
        "boxes": [list(box) for box in boxes],
    }
    with sandboxes.work_folder() as out:
        outcome = run(_DRAWN + task, request, numbers, out, [origin.path], limits)
    if outcome.reason in sandboxes.NOT_THE_DOCUMENT and not outcome.finished:
        raise TemporaryFailure("drawing_interrupted", outcome.reason)
    return outcome
