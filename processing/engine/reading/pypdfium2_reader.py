"""pypdfium2 as a reader: as fast as PyMuPDF, permissively licensed."""

import ctypes
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from catalogsku.core.box import Box, intersect
from processing.engine.reading.assemble import Character, words_of
from processing.engine.reading.geometry import (
    Frame,
    around,
    is_corner,
    is_slanted,
    keep_rectangle,
    keep_segment,
    orientation,
    part_of,
    quarter_turn,
)
from processing.engine.reading.port import (
    Drawings,
    Glance,
    Glyphs,
    PageSize,
    PasswordNeeded,
    PlacedPicture,
    Shape,
    UnreadableDocument,
    UnreadablePage,
)

_FAILURES = (pypdfium2.PdfiumError, RuntimeError, ValueError, OSError)
_MOST_PATHS = 30_000
_MOST_DEPTH = 8
# Two that bend it and its end.
_POINTS_A_CURVE = 3
# Size in which a picture is looked at to see whether it is masked.
_GLANCE_PX = 64
_INVISIBLE = (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)


class Pypdfium2Reader:
    name = "pypdfium2"

    def open(self, path: Path, password: str = "") -> "Pypdfium2Document":
        try:
            document = pypdfium2.PdfDocument(str(path), password=password or None)
            return Pypdfium2Document(document)
        except _FAILURES as error:
            if getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD:
                raise PasswordNeeded("a password is needed") from error
            raise UnreadableDocument(str(error)) from error


class Pypdfium2Document:
    reader = "pypdfium2"
    draws = True

    def __init__(self, document: Any) -> None:
        self._document = document
        self._number = 0
        self._page: Any = None
        self._frame = Frame(0, 0, 0, 0, 0)
        self._characters: list[Character] = []
        self._images: list[Any] = []
        self.page_count: int = len(document)
        if self.page_count < 1:
            raise ValueError("no pages")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        self._leave()
        self._document.close()

    def _leave(self) -> None:
        self._characters, self._images = [], []
        if self._page is not None:
            self._page.close()
        self._page, self._number = None, 0

    def _at(self, number: int) -> Any:
        if number != self._number:
            self._leave()
            try:
                self._page = self._document[number - 1]
                left, bottom, right, top = self._page.get_bbox()
            except (*_FAILURES, IndexError) as error:
                raise UnreadablePage(f"{type(error).__name__}: {error}") from error
            self._frame = Frame(left, bottom, right, top, self._page.get_rotation() % 360)
            self._number = number
        return self._page

    def size(self, number: int) -> PageSize:
        self._at(number)
        return self._frame.size

    def imprint(self, number: int) -> None:
        return None

    def names_fonts(self, number: int) -> bool:
        return True

    def glance(self, number: int) -> Glance:
        page = self._at(number)
        try:
            text = page.get_textpage()
            content = text.get_text_range()
            text.close()
        except _FAILURES as error:
            raise UnreadablePage(f"{type(error).__name__}: {error}") from error
        boxes_by_kind: dict[int, list[Box]] = {pdfium.FPDF_PAGEOBJ_IMAGE: [], pdfium.FPDF_PAGEOBJ_PATH: []}
        left, bottom, right, top = (ctypes.c_float() for _ in range(4))
        for kind, boxes in boxes_by_kind.items():
            for item, outer in _objects(page.raw, kind):
                if pdfium.FPDFPageObj_GetBounds(item, left, bottom, right, top):
                    boxes.append(self._outer_box(left.value, bottom.value, right.value, top.value, outer))
        return Glance(content, *(tuple(boxes) for boxes in boxes_by_kind.values()))

    def _outer_box(self, x0: float, y0: float, x1: float, y1: float, outer: "_Matrix") -> Box:
        a, b, c, d, e, f = outer
        corners = ((x0, y0), (x1, y0), (x0, y1), (x1, y1))
        return around([self._frame.point(a * x + c * y + e, b * x + d * y + f) for x, y in corners])

    def words(self, number: int) -> list[Glyphs]:
        return words_of(self._read_characters(number))

    def characters(self, number: int, box: Box) -> list[tuple[str, Box]]:
        inside = []
        for char in self._read_characters(number):
            x, y = (char.box[0] + char.box[2]) / 2, (char.box[1] + char.box[3]) / 2
            if box[0] <= x <= box[2] and box[1] <= y <= box[3]:
                inside.append((char.text, char.box))
        return inside

    def _read_characters(self, number: int) -> list[Character]:
        page = self._at(number)
        if not self._characters:
            try:
                text = page.get_textpage()
            except _FAILURES as error:
                raise UnreadablePage(f"{type(error).__name__}: {error}") from error
            try:
                self._characters = list(_characters(text, self._frame))
            finally:
                text.close()
        return self._characters

    def drawings(self, number: int) -> Drawings:
        page = self._at(number)
        rules: list[Box] = []
        fills: list[Box] = []
        shapes: list[Shape] = []
        over: list[int] = []
        seen = 0
        for item, matrix in _objects(page.raw, pdfium.FPDF_PAGEOBJ_PATH):
            seen += 1
            if seen <= _MOST_PATHS:
                before = len(rules) if _is_opaque(item) else 0
                _keep_path(rules, fills, shapes, item, matrix, self._frame)
                over += [before] * (len(fills) - len(over))
        return Drawings(tuple(rules), tuple(fills), seen, seen > _MOST_PATHS, tuple(shapes), tuple(over))

    def pictures(self, number: int) -> list[PlacedPicture]:
        page = self._at(number)
        self._images, placed = [], []
        width, height = ctypes.c_uint(), ctypes.c_uint()
        for item, outer in _objects(page.raw, pdfium.FPDF_PAGEOBJ_IMAGE):
            if not pdfium.FPDFImageObj_GetImagePixelSize(item, width, height):
                continue
            a, b, c, d, e, f = _times(_matrix(item), outer)
            turn = orientation(*self._frame.direction(a, b), *self._frame.direction(-c, -d))
            box = self._outer_box(0.0, 0.0, 1.0, 1.0, (a, b, c, d, e, f))
            if shown := _clipped(box, item, outer, self._frame):
                part = part_of(box, shown)
                placed.append(PlacedPicture(len(self._images), shown, width.value, height.value, *turn, part))
                self._images.append(item)
        return placed

    def _image(self, number: int, placed: PlacedPicture) -> Any:
        self._at(number)
        if not self._images:
            self.pictures(number)
        return self._images[placed.key]

    def jpeg(self, number: int, placed: PlacedPicture) -> bytes | None:
        item = self._image(number, placed)
        if pdfium.FPDFImageObj_GetImageFilterCount(item) != 1 or self._is_masked(item):
            return None
        name = ctypes.create_string_buffer(32)
        pdfium.FPDFImageObj_GetImageFilter(item, 0, name, 32)
        if name.value != b"DCTDecode" or self._colour_space(item) not in _JPEG_COLOURS:
            return None
        size = pdfium.FPDFImageObj_GetImageDataRaw(item, None, 0)
        data = ctypes.create_string_buffer(size)
        pdfium.FPDFImageObj_GetImageDataRaw(item, data, size)
        return data.raw

    def _colour_space(self, item: Any) -> int:
        metadata = pdfium.FPDF_IMAGEOBJ_METADATA()
        pdfium.FPDFImageObj_GetImageMetadata(item, self._page.raw, metadata)
        return int(metadata.colorspace)

    def picture(self, number: int, placed: PlacedPicture) -> Image.Image:
        item = self._image(number, placed)
        try:
            if self._is_masked(item):
                return self._drawn_picture(item, placed.width_px, placed.height_px)
            bitmap = pypdfium2.PdfImage(item, page=self._page, pdf=self._document).get_bitmap()
            return _held(bitmap)
        except _FAILURES as error:
            raise UnreadablePage(f"{type(error).__name__}: {error}") from error

    def _is_masked(self, item: Any) -> bool:
        """Whether the picture lets the page show through, apart from blended edges."""
        try:
            shown = self._drawn_picture(item, _GLANCE_PX, _GLANCE_PX)
        except _FAILURES:
            return False
        inner = shown.getchannel("A").crop((2, 2, _GLANCE_PX - 2, _GLANCE_PX - 2)) if shown.mode == "RGBA" else None
        return inner is not None and inner.point(lambda value: value < 255).getbbox() is not None

    def _drawn_picture(self, item: Any, width_px: int, height_px: int) -> Image.Image:
        """The picture with its masks, drawn upright in that size."""
        placed = pdfium.FS_MATRIX()
        pdfium.FPDFPageObj_GetMatrix(item, placed)
        pdfium.FPDFPageObj_SetMatrix(item, pdfium.FS_MATRIX(width_px, 0, 0, height_px, 0, 0))
        try:
            raw = pdfium.FPDFImageObj_GetRenderedBitmap(self._document.raw, self._page.raw, item)
            if not raw:
                raise UnreadablePage("picture cannot be drawn")
            return _held(pypdfium2.PdfBitmap.from_raw(raw))
        finally:
            pdfium.FPDFPageObj_SetMatrix(item, placed)

    def render(self, number: int, px_per_pt: float, clip: Box | None = None) -> Image.Image:
        page, size = self._at(number), self.size(number)
        x0, y0, x1, y1 = clip or (0.0, 0.0, size.width_pt, size.height_pt)
        crop = (x0, size.height_pt - y1, size.width_pt - x1, y0)
        try:
            bitmap = page.render(scale=px_per_pt, crop=tuple(max(0.0, c) for c in crop), rev_byteorder=True)
            return _held(bitmap).convert("RGB")
        except (*_FAILURES, MemoryError) as error:
            raise UnreadablePage(f"{type(error).__name__}: {error}") from error


_JPEG_COLOURS = (
    pdfium.FPDF_COLORSPACE_DEVICEGRAY,
    pdfium.FPDF_COLORSPACE_DEVICERGB,
    pdfium.FPDF_COLORSPACE_CALGRAY,
    pdfium.FPDF_COLORSPACE_CALRGB,
)

_Matrix = tuple[float, float, float, float, float, float]
_SAME: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def _held(bitmap: Any) -> Image.Image:
    """A copy: the bitmap's own memory goes with it."""
    shown: Image.Image = bitmap.to_pil().copy()
    return shown


def _matrix(item: Any) -> _Matrix:
    m = pdfium.FS_MATRIX()
    return (m.a, m.b, m.c, m.d, m.e, m.f) if pdfium.FPDFPageObj_GetMatrix(item, m) else _SAME


def _times(first: _Matrix, then: _Matrix) -> _Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _objects(page: Any, kind: int, outer: _Matrix = _SAME, depth: int = 0) -> Iterator[tuple[Any, _Matrix]]:
    """The page's objects of one kind, those in forms included, with the matrix from their space to the page's."""
    form = depth > 0
    count = pdfium.FPDFFormObj_CountObjects(page) if form else pdfium.FPDFPage_CountObjects(page)
    for index in range(count):
        item = pdfium.FPDFFormObj_GetObject(page, index) if form else pdfium.FPDFPage_GetObject(page, index)
        item_kind = pdfium.FPDFPageObj_GetType(item)
        if item_kind == kind:
            yield item, outer
        elif item_kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MOST_DEPTH:
            yield from _objects(item, kind, _times(_matrix(item), outer), depth + 1)


def _clipped(box: Box, item: Any, outer: _Matrix, frame: Frame) -> Box | None:
    """What the clips around an object leave of its box."""
    shown: Box | None = box
    clip = pdfium.FPDFPageObj_GetClipPath(item)
    a, b, c, d, e, f = outer
    x, y = ctypes.c_float(), ctypes.c_float()
    for path in range(max(0, pdfium.FPDFClipPath_CountPaths(clip)) if clip else 0):
        points = []
        for index in range(pdfium.FPDFClipPath_CountPathSegments(clip, path)):
            pdfium.FPDFPathSegment_GetPoint(pdfium.FPDFClipPath_GetPathSegment(clip, path, index), x, y)
            points.append(frame.point(a * x.value + c * y.value + e, b * x.value + d * y.value + f))
        shown = intersect(shown, around(points)) if shown and points else shown
    return shown


def _keep_path(
    rules: list[Box], fills: list[Box], shapes: list[Shape], item: Any, outer: _Matrix, frame: Frame
) -> None:
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(item, mode, stroke)
    filled, stroked = mode.value != pdfium.FPDF_FILLMODE_NONE, bool(stroke.value)
    count = pdfium.FPDFPath_CountSegments(item)
    if not (filled or stroked) or count > 2000:
        return
    a, b, c, d, e, f = _times(_matrix(item), outer)
    strokes: list[list[tuple[float, float]]] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    bent = 0
    for index in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(item, index)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        bent += kind == pdfium.FPDF_SEGMENT_BEZIERTO
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        point = frame.point(a * x.value + c * y.value + e, b * x.value + d * y.value + f)
        if kind == pdfium.FPDF_SEGMENT_MOVETO or kind == pdfium.FPDF_SEGMENT_BEZIERTO or not strokes:
            strokes.append([point])
        else:
            strokes[-1].append(point)
            if pdfium.FPDFPathSegment_GetClose(segment) and strokes[-1][0] != point:
                strokes[-1].append(strokes[-1][0])
    everything = [point for points in strokes for point in points]
    box = around(everything) if everything else (0.0, 0.0, 9.0, 9.0)
    slanted = sum(is_slanted(*a, *b) for points in strokes for a, b in pairwise(points))
    if bent or slanted:
        shapes.append(Shape(box, bent // _POINTS_A_CURVE + slanted))
    if filled and min(box[2] - box[0], box[3] - box[1]) < 3.0:
        rules.append(box)  # so thin, whatever curves it is made of
        return
    for points in strokes:
        _keep_points(rules, fills, points, stroked, filled)


def _is_opaque(item: Any) -> bool:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    return bool(pdfium.FPDFPageObj_GetFillColor(item, red, green, blue, alpha)) and alpha.value == 255


def _keep_points(
    rules: list[Box], fills: list[Box], points: list[tuple[float, float]], stroked: bool, filled: bool
) -> None:
    box = around(points)
    if len(points) in (4, 5) and all(is_corner(x, y, box) for x, y in points):
        keep_rectangle(rules, fills, box, stroked, filled)
    elif stroked:
        for (x0, y0), (x1, y1) in pairwise(points):
            keep_segment(rules, (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))


def _characters(text: Any, frame: Frame) -> Iterator[Character]:
    page = text.raw
    box = pdfium.FS_RECTF()
    seen: dict[int, tuple[float, bool, int, bool, int]] = {}
    for index in range(pdfium.FPDFText_CountChars(page)):
        code = pdfium.FPDFText_GetUnicode(page, index)
        if code < 33 or code == 160 or pdfium.FPDFText_IsGenerated(page, index) == 1:
            yield Character.space()
            continue
        owner = pdfium.FPDFText_GetTextObject(page, index)
        key = ctypes.cast(owner, ctypes.c_void_p).value or 0
        if key not in seen:
            seen[key] = _style(page, index, owner, frame)
        size, bold, turn, invisible, rgb = seen[key]
        pdfium.FPDFText_GetLooseCharBox(page, index, box)
        placed = frame.box(box.left, box.bottom, box.right, box.top)
        yield Character(chr(code), placed, size, bold, turn, invisible, rgb)


def _style(page: Any, index: int, owner: Any, frame: Frame) -> tuple[float, bool, int, bool, int]:
    """Size in points as shown, bold, turn, invisible, colour of the text object that holds the character."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(page, index, matrix)
    size = pdfium.FPDFText_GetFontSize(page, index) * (matrix.c**2 + matrix.d**2) ** 0.5
    flags = ctypes.c_int()
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(page, index, name, 128, flags)
    bold = pdfium.FPDFText_GetFontWeight(page, index) >= 600 or b"bold" in name.value.lower()
    mode = pdfium.FPDFTextObj_GetTextRenderMode(owner) if owner else pdfium.FPDF_TEXTRENDERMODE_FILL
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    pdfium.FPDFText_GetFillColor(page, index, red, green, blue, alpha)
    rgb = red.value << 16 | green.value << 8 | blue.value
    turn = quarter_turn(*frame.direction(matrix.a, matrix.b))
    bold = bold or mode == pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE
    return size, bold, turn, mode in _INVISIBLE or alpha.value == 0, rgb
