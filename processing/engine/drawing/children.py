"""What a sandboxed child draws: pages as people and models are shown them, and clips of a page."""

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image

from catalogsku.core.box import Box
from processing.engine.drawing.clips import box_in_clip, clip_of
from processing.engine.drawing.rereading import Clipped, read_clips
from processing.engine.drawing.tags import tagged
from processing.engine.drawing.views import View, upright_image, upright_size, views_of
from processing.engine.page import ParsedPage, unpack_page
from processing.engine.reading.port import Document, UnreadablePage
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.rendering import draw, save_screenshot, scale_for
from processing.engine.reading.settings import ReadingSettings

Emit = Callable[[int, bytes], None]

# Quality of a picture; the next one where it has more bytes than that. Providers take 10 MB with a third more for its
# coding (docs/models.md).
_QUALITIES = (85, 70, 50)
_MOST_BYTES = 6_000_000
# Pixels of the clips that are recognised together.
_BATCH_PX = 1_500_000
_encode = msgspec.msgpack.Encoder().encode


class NotDrawn(Exception):
    """No reader can draw the page."""


class DrawRequest(msgspec.Struct, frozen=True):
    """``path`` of the PDF, or of the page's stored rendering where ``stored``; ``page`` packed; ``boxes`` of clips in
    points of the page as displayed."""

    path: str
    page: bytes
    password: str = ""
    settings: ReadingSettings = ReadingSettings()
    stored: bool = False
    boxes: tuple[Box, ...] = ()


class PagesRequest(msgspec.Struct, frozen=True):
    """``path`` of the PDF, ``pages`` counted from 1, ``out`` for files."""

    path: str
    out: str
    pages: list[int]
    password: str = ""
    settings: ReadingSettings = ReadingSettings()


def draw_screenshots(request: dict[str, Any], emit: Emit) -> None:
    """Emits the name of each page's file in ``out``; nothing in the place of one that cannot be drawn. Raises
    PasswordNeeded, UnreadableDocument."""
    options = msgspec.convert(request, PagesRequest)
    settings, out_dir = options.settings, Path(options.out)
    with OpenFile(Path(options.path), settings.readers, options.password) as documents:
        for number in options.pages:
            try:
                px_per_pt = scale_for(documents.first().size(number), settings.screenshot_px)
                image = draw(documents, number, px_per_pt, settings.max_render_px)
            except UnreadablePage:
                image = None
            name = save_screenshot(image, number, settings.screenshot_quality, out_dir) if image else ""
            emit(number, name.encode())


def draw_views(request: dict[str, Any], emit: Emit) -> None:
    """Emits a list of (label, JPEG) as msgpack in the place of the page: the same bytes for the same request. Raises
    NotDrawn, PasswordNeeded, UnreadableDocument, ValueError for what is no packed page, OSError for no rendering."""
    options = msgspec.convert(request, DrawRequest)
    page = unpack_page(options.page)
    with _drawn_from(options, page) as source:
        views = [(view.label, _jpeg(tagged(image, page, view))) for view, image in source.views()]
    emit(page.number, _encode(views))


def draw_clips(request: dict[str, Any], emit: Emit) -> None:
    """Emits a JPEG in the place of each box, counted from 1: what stands there, upright, at 300 dpi; nothing where the
    page cannot be drawn or the box lies beside it. Raises as ``draw_views`` but for that."""
    options = msgspec.convert(request, DrawRequest)
    page = unpack_page(options.page)
    with _drawn_from(options, page) as source:
        for number, box in enumerate(options.boxes, 1):
            clip = source.clip(box)
            emit(number, _jpeg(clip) if clip else b"")


def read_boxes(request: dict[str, Any], emit: Emit) -> None:
    """Emits a ClipText as msgpack in the place of each box, counted from 1: what is recognised there at 300 dpi; not in
    the place of one that cannot be drawn. Raises as ``draw_views`` but for that, and OcrUnavailable."""
    options = msgspec.convert(request, DrawRequest)
    page = unpack_page(options.page)
    with _drawn_from(options, page) as source:
        for numbers, clips in _batches(source, page, options.boxes):
            for index, said in read_clips(clips, options.settings.ocr_by):
                emit(numbers[index], _encode(said))


def _batches(
    source: "_Pdf | _Rendering", page: ParsedPage, boxes: Sequence[Box]
) -> Iterator[tuple[list[int], list[Clipped]]]:
    """Of as many clips as fill a sheet, with the numbers of their boxes; what cannot be drawn is in none."""
    numbers, clips, filled = list[int](), list[Clipped](), 0
    for number, box in enumerate(boxes, 1):
        image = source.clip(box)
        if image is None:
            continue
        numbers.append(number)
        clips.append(Clipped(image, box_in_clip(page, box, clip_of(page, box))))
        filled += image.width * image.height
        if filled >= _BATCH_PX:
            yield numbers, clips
            numbers, clips, filled = [], [], 0
    if clips:
        yield numbers, clips


class _Pdf:
    """The page drawn anew."""

    def __init__(self, documents: Sequence[Document], page: ParsedPage, settings: ReadingSettings) -> None:
        self._documents, self._page, self._most_px = documents, page, settings.max_render_px

    def views(self) -> Iterator[tuple[View, Image.Image]]:
        views = views_of(self._page)
        drawn = self._draw(views[0].px_per_pt)
        if drawn is None:
            raise NotDrawn(f"page {self._page.number}")
        whole = upright_image(self._page, drawn)
        for view in views:
            yield view, whole.crop(_pixels(view, whole))

    def clip(self, box: Box) -> Image.Image | None:
        clip = clip_of(self._page, box)
        image = self._draw(clip.px_per_pt, clip.box)
        return upright_image(self._page, image) if image else None

    def _draw(self, px_per_pt: float, box: Box | None = None) -> Image.Image | None:
        return draw(self._documents, self._page.number, px_per_pt, self._most_px, box)


class _Rendering:
    """The page as it was drawn when it was read; enlarged for clips, for print is read as large as it is drawn."""

    def __init__(self, image: Image.Image, page: ParsedPage) -> None:
        self._image, self._page = image, page
        self._px_per_pt = image.width / max(page.width_pt, 1.0)

    def views(self) -> Iterator[tuple[View, Image.Image]]:
        width, height = upright_size(self._page)
        yield View("page", (0.0, 0.0, width, height), self._px_per_pt), upright_image(self._page, self._image)

    def clip(self, box: Box) -> Image.Image | None:
        clip = clip_of(self._page, box)
        if min(clip.size_pt) <= 0:
            return None
        wide, high = (max(1, round(side * clip.px_per_pt)) for side in clip.size_pt)
        part = tuple(v * self._px_per_pt for v in clip.box)
        image = self._image.resize((wide, high), Image.Resampling.BICUBIC, part)  # type: ignore[arg-type]
        return upright_image(self._page, image)


@contextmanager
def _drawn_from(options: DrawRequest, page: ParsedPage) -> Iterator[_Pdf | _Rendering]:
    if options.stored:
        with Image.open(options.path, formats=("JPEG",)) as image:
            yield _Rendering(image.convert("RGB"), page)
        return
    with OpenFile(Path(options.path), options.settings.readers, options.password) as documents:
        documents.first()
        yield _Pdf(documents, page, options.settings)


def _pixels(view: View, whole: Image.Image) -> tuple[int, int, int, int]:
    x0, y0, x1, y1 = (round(v * view.px_per_pt) for v in view.box)
    return x0, y0, min(x1, whole.width), min(y1, whole.height)


def _jpeg(image: Image.Image) -> bytes:
    """Letters keep their colours' edges: no chroma is dropped."""
    data = b""
    for quality in _QUALITIES:
        buffer = io.BytesIO()
        image.convert("RGB").save(buffer, "JPEG", quality=quality, subsampling=0)
        data = buffer.getvalue()
        if len(data) <= _MOST_BYTES:
            break
    return data
