"""PyMuPDF as a reader: the fastest. The only module that imports it (AGPL; the permissive readers replace it)."""

# The library has no types.
# mypy: disable-error-code="no-untyped-call"

import hashlib
from pathlib import Path
from typing import Any, Self

import pymupdf
from PIL import Image
from pymupdf import mupdf

from catalogsku.core.box import Box
from processing.engine.reading.geometry import (
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
    Imprint,
    PageSize,
    PasswordNeeded,
    PlacedPicture,
    Shape,
    UnreadableDocument,
    UnreadablePage,
)

# The library raises RuntimeError (FzErrorBase is one), and Python's own where an object is not what it should be.
_FAILURES = (RuntimeError, ValueError, TypeError, AssertionError, IndexError, KeyError)
# TEXT_COLLECT_STYLES would tell stroked type too, but makes text four times as slow; zero opacity tells hidden type.
_TEXT_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE
_MOST_PATHS = 30_000
# Percent of the library's store, 256 MB, for fonts and decoded pictures that it keeps from page to page: the ground of
# all pages is decoded once. A child's memory is new to it, and what photos of past pages take must be cleared for it
# first: with half of the store rounds of a document took up to 5 % longer.
_KEPT = 20
# Words of three letters and more that have less width than this for each, of the print's height; such a share of the
# letters on a page is text that a file gives in place of its glyphs, and not where these stand (some browsers do).
_NARROW, _SQUEEZED = 0.25, 0.05


class PyMuPdfReader:
    name = "pymupdf"

    def open(self, path: Path, password: str = "") -> "PyMuPdfDocument":
        pymupdf.TOOLS.mupdf_display_errors(False)
        pymupdf.TOOLS.mupdf_display_warnings(False)
        try:
            document = pymupdf.open(str(path), filetype="pdf")
        except (*_FAILURES, OSError) as error:
            raise UnreadableDocument(str(error)) from error
        if document.needs_pass and not document.authenticate(password):
            document.close()
            raise PasswordNeeded("a password is needed")
        try:
            return PyMuPdfDocument(document)
        except _FAILURES as error:
            raise UnreadableDocument(f"{type(error).__name__}: {error}") from error


class PyMuPdfDocument:
    reader = "pymupdf"
    draws = True

    def __init__(self, document: Any) -> None:
        self._document = document
        self._number = 0
        self._page: Any = None
        # The page's content interpreted once; text, pictures and renderings are all taken from it, as displayed.
        self._display: Any = None
        self._text: Any = None
        self._images: list[Any] = []
        self._characters: list[tuple[str, Box]] = []
        self.page_count: int = document.page_count
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
        self._page = self._display = self._text = None
        self._images, self._characters = [], []
        self._number = 0

    def _at(self, number: int) -> Any:
        if number != self._number:
            self._leave()
            pymupdf.TOOLS.store_shrink(100 - _KEPT)  # least recently used first
            try:
                self._page = self._document.load_page(number - 1)
                self._display = self._page.get_displaylist()
            except _FAILURES as error:
                raise UnreadablePage(f"{type(error).__name__}: {error}") from error
            self._number = number
        return self._page

    def size(self, number: int) -> PageSize:
        page = self._at(number)
        return PageSize(page.rect.width, page.rect.height, page.rotation % 360)

    def _textpage(self, number: int) -> Any:
        self._at(number)
        if self._text is None:
            try:
                self._text = pymupdf.TextPage(_all_text(self._display.this))
            except _FAILURES as error:
                raise UnreadablePage(f"{type(error).__name__}: {error}") from error
        return self._text

    def glance(self, number: int) -> Glance:
        text = self._textpage(number).extractText()
        seen: list[tuple[str, Box]] = []
        try:
            device = pymupdf.JM_new_bbox_device(seen, False)
            everywhere = mupdf.FzRect(mupdf.FzRect.Fixed_INFINITE)
            mupdf.fz_run_display_list(self._display.this, device, mupdf.FzMatrix(), everywhere, mupdf.FzCookie())
            mupdf.fz_close_device(device)
        except _FAILURES as error:
            raise UnreadablePage(f"{type(error).__name__}: {error}") from error
        pictures = tuple(box for kind, box in seen if kind in ("fill-image", "fill-imgmask"))
        paths = tuple(box for kind, box in seen if kind in ("fill-path", "stroke-path", "fill-shade"))
        return Glance(text, pictures, paths)

    def imprint(self, number: int) -> Imprint | None:
        blocks = tuple((block[4], block[:4]) for block in self._textpage(number).extractBLOCKS())
        placed = self.pictures(number)
        try:
            digests = [_stored_digest(self._images[picture.key]) for picture in placed]
        except _FAILURES:
            return None
        return Imprint(blocks, tuple((digest, picture.box) for digest, picture in zip(digests, placed, strict=True)))

    def names_fonts(self, number: int) -> bool:
        try:
            return bool(self._at(number).get_fonts(full=True))
        except _FAILURES:
            return True

    def words(self, number: int) -> list[Glyphs]:
        text = self._textpage(number)
        listed = text.extractWORDS()
        if _squeezed(listed) > _SQUEEZED:
            text, listed = self._by_glyphs(text, listed)
        lines = [line for block in text.extractDICT()["blocks"] for line in block.get("lines", ())]
        words, place, last, line = [], 0, (-1, -1), None
        for x0, y0, x1, y1, word, block, line_number, _ in listed:
            if (block, line_number) != last:
                last = block, line_number
                # The two listings number lines differently where one drops empty blocks; their order is the same.
                place, line = _line_at(lines, place, (x0 + x1) / 2, (y0 + y1) / 2, word)
            if line is None:
                words.append(Glyphs(word, (x0, y0, x1, y1), y1 - y0, False, 0, False, 0))
                continue
            span = _span_at(line["spans"], (x0 + x1) / 2, (y0 + y1) / 2)
            bold = bool(span["flags"] & pymupdf.TEXT_FONT_BOLD)
            turn = quarter_turn(*line["dir"])
            words.append(Glyphs(word, (x0, y0, x1, y1), span["size"], bold, turn, span["alpha"] == 0, span["color"]))
        return words

    def _by_glyphs(self, text: Any, listed: list[Any]) -> tuple[Any, list[Any]]:
        """The page's text as its fonts read the glyphs, where that stands in better places."""
        try:
            other = pymupdf.TextPage(_all_text(self._display.this, mupdf.FZ_STEXT_IGNORE_ACTUALTEXT))
        except _FAILURES:
            return text, listed
        words = other.extractWORDS()
        if _squeezed(words) > _SQUEEZED / 2 or _unmapped(words) > _unmapped(listed):
            return text, listed
        self._text = other
        return other, words

    def characters(self, number: int, box: Box) -> list[tuple[str, Box]]:
        if not self._characters:
            blocks = self._textpage(number).extractRAWDICT()["blocks"]
            spans = (span for block in blocks for line in block.get("lines", ()) for span in line["spans"])
            self._characters = [(char["c"], tuple(char["bbox"])) for span in spans for char in span["chars"]]
        x0, y0, x1, y1 = (2 * v for v in box)
        return [
            (char, place)
            for char, place in self._characters
            if x0 <= place[0] + place[2] <= x1 and y0 <= place[1] + place[3] <= y1
        ]

    def drawings(self, number: int) -> Drawings:
        page = self._at(number)
        turn = page.rotation_matrix if page.rotation else None
        rules: list[Box] = []
        fills: list[Box] = []
        shapes: list[Shape] = []
        over: list[int] = []
        seen = 0

        def keep(path: Any) -> None:
            nonlocal seen
            seen += 1
            if seen <= _MOST_PATHS and path["type"] != "clip":
                before = len(rules) if path.get("fill_opacity", 1) == 1 else 0
                _keep_path(rules, fills, path, turn)
                _keep_shape(shapes, path, turn)
                over.extend([before] * (len(fills) - len(over)))

        try:
            page.get_cdrawings(callback=keep)
        except _FAILURES as error:
            raise UnreadablePage(f"{type(error).__name__}: {error}") from error
        return Drawings(tuple(rules), tuple(fills), seen, seen > _MOST_PATHS, tuple(shapes), tuple(over))

    def pictures(self, number: int) -> list[PlacedPicture]:
        self._at(number)
        try:
            text = self._display.get_textpage(pymupdf.TEXT_PRESERVE_IMAGES | mupdf.FZ_STEXT_CLIP)
            blocks = [b for b in text if b.m_internal.type == mupdf.FZ_STEXT_BLOCK_IMAGE]
        except _FAILURES as error:
            raise UnreadablePage(f"{type(error).__name__}: {error}") from error
        self._images = [block.i_image() for block in blocks]
        placed = []
        for key, (block, image) in enumerate(zip(blocks, self._images, strict=True)):
            matrix, box = block.i_transform(), block.m_internal.bbox
            turn, mirrored, skewed = orientation(matrix.a, matrix.b, matrix.c, matrix.d)
            shown = (box.x0, box.y0, box.x1, box.y1)
            if box.x0 < box.x1 and box.y0 < box.y1:
                part = part_of(_unit_box(matrix), shown)
                placed.append(PlacedPicture(key, shown, image.w(), image.h(), turn, mirrored, skewed, part))
        return placed

    def _image(self, number: int, placed: PlacedPicture) -> Any:
        self._at(number)
        if not self._images:
            self.pictures(number)
        return self._images[placed.key]

    def jpeg(self, number: int, placed: PlacedPicture) -> bytes | None:
        image = self._image(number, placed)
        try:
            plain = image.n() in (1, 3) and not image.imagemask() and not image.mask().m_internal
            plain = plain and not image.m_internal.use_decode and not image.m_internal.use_colorkey
            if not plain or image.fz_compressed_image_type() != mupdf.FZ_IMAGE_JPEG:
                return None
            return _stored(image)
        except _FAILURES:
            return None

    def picture(self, number: int, placed: PlacedPicture) -> Image.Image:
        image = self._image(number, placed)
        if image.imagemask():
            raise UnreadablePage("a stencil has no colours of its own")
        try:
            shown = _decoded(image)
            mask = _decoded(image.mask()).convert("L") if image.mask().m_internal else None
            if mask is not None and mask.getextrema() != (255, 255):
                shown = shown.convert("RGB")
                shown.putalpha(mask.resize(shown.size))
            return shown
        except _FAILURES as error:
            raise UnreadablePage(f"{type(error).__name__}: {error}") from error

    def render(self, number: int, px_per_pt: float, clip: Box | None = None) -> Image.Image:
        self._at(number)
        try:
            area = pymupdf.Rect(clip) if clip else None
            pixmap = self._display.get_pixmap(pymupdf.Matrix(px_per_pt, px_per_pt), alpha=0, clip=area)
        except _FAILURES as error:
            raise UnreadablePage(f"{type(error).__name__}: {error}") from error
        return Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples_mv)


def _unit_box(matrix: Any) -> Box:
    """Where the matrix puts a picture, whatever clips it."""
    xs = (matrix.e, matrix.e + matrix.a, matrix.e + matrix.c, matrix.e + matrix.a + matrix.c)
    ys = (matrix.f, matrix.f + matrix.b, matrix.f + matrix.d, matrix.f + matrix.b + matrix.d)
    return min(xs), min(ys), max(xs), max(ys)


def _stored(image: Any) -> bytes | None:
    """The bytes as they lie in the file, compressed; None for a picture that is kept only decoded."""
    packed = mupdf.ll_fz_compressed_image_buffer(image.m_internal)
    if packed is None:
        return None
    data: bytes = mupdf.FzBuffer(mupdf.ll_fz_keep_buffer(packed.buffer)).fz_buffer_extract_copy()
    return data


def _stored_digest(image: Any) -> bytes:
    """Of the size, the mask, and the bytes as they are held: compressed, or the pixels of a picture that the library
    has decoded already."""
    data = _stored(image)
    held = _decoded(image).tobytes() if data is None else data
    mask = _stored_digest(image.mask()) if image.mask().m_internal else b""
    return hashlib.sha256(b"%d %d %d " % (image.w(), image.h(), image.n()) + mask + held).digest()


def _squeezed(words: list[Any]) -> float:
    """Share of the letters that stand in words without the room for them."""
    letters = [(len(w[4]), w[2] - w[0] < _NARROW * (w[3] - w[1]) * len(w[4]) and len(w[4]) > 2) for w in words]
    return sum(n for n, narrow in letters if narrow) / max(1, sum(n for n, _ in letters))


def _unmapped(words: list[Any]) -> int:
    """Signs that mean nothing without their font."""
    return sum("\ue000" <= char <= "\uf8ff" or char == "\ufffd" for w in words for char in w[4])


def _all_text(display: Any, flags: int = 0) -> Any:
    """The text of a display list, also that beside the page, which the library's own way leaves out."""
    options = mupdf.FzStextOptions()
    options.flags = _TEXT_FLAGS | flags
    everywhere = mupdf.FzRect(mupdf.FzRect.Fixed_INFINITE)
    text = mupdf.FzStextPage(everywhere)
    device = mupdf.fz_new_stext_device(text, options)
    mupdf.fz_run_display_list(display, device, mupdf.FzMatrix(), everywhere, mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return text


def _line_at(lines: Any, place: int, x: float, y: float, word: str) -> tuple[int, Any]:
    """The next line from ``place`` on that holds the word; None (and the same place) where there is none."""
    for index in range(place, min(len(lines), place + 50)):
        x0, y0, x1, y1 = lines[index]["bbox"]
        if x0 - 1 <= x <= x1 + 1 and y0 - 1 <= y <= y1 + 1 and any(word[0] in s["text"] for s in lines[index]["spans"]):
            return index + 1, lines[index]
    return place, None


def _span_at(spans: Any, x: float, y: float) -> Any:
    """The span that holds the middle of the word."""
    if len(spans) > 1:
        for span in spans:
            box = span["bbox"]
            if box[0] <= x <= box[2] and box[1] <= y <= box[3]:
                return span
    return spans[0]


def _keep_path(rules: list[Box], fills: list[Box], path: Any, turn: Any) -> None:
    stroked = "s" in path["type"] and path.get("stroke_opacity", 1) > 0
    filled = "f" in path["type"] and path.get("fill_opacity", 1) > 0
    if filled and _is_thin(path["rect"]):
        x0, y0, x1, y1 = pymupdf.Rect(path["rect"]) * turn if turn else path["rect"]
        rules.append((x0, y0, x1, y1))
        return
    for item in path.get("items", ()):
        kind = item[0]
        if kind == "l" and stroked:
            (x0, y0), (x1, y1) = item[1], item[2]
        elif kind == "re":
            x0, y0, x1, y1 = item[1]
        else:
            continue
        if turn:
            x0, y0, x1, y1 = pymupdf.Rect(x0, y0, x1, y1) * turn
        box = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        if kind == "l":
            keep_segment(rules, box)
        else:
            keep_rectangle(rules, fills, box, stroked, filled)


def _keep_shape(shapes: list[Shape], path: Any, turn: Any) -> None:
    strokes = sum(
        item[0] == "c" or (item[0] == "l" and is_slanted(*item[1], *item[2])) for item in path.get("items", ())
    )
    if strokes:
        x0, y0, x1, y1 = pymupdf.Rect(path["rect"]) * turn if turn else path["rect"]
        shapes.append(Shape((x0, y0, x1, y1), strokes))


def _is_thin(rect: Any) -> bool:
    """Filled shapes this thin are rules, whatever curves they are made of."""
    return bool(min(rect[2] - rect[0], rect[3] - rect[1]) < 3.0)


def _decoded(image: Any) -> Image.Image:
    low, high = pymupdf.FZ_MIN_INF_RECT, pymupdf.FZ_MAX_INF_RECT
    everything = mupdf.FzIrect(low, low, high, high)
    pixmap, _, _ = mupdf.fz_get_pixmap_from_image(image, everything, mupdf.FzMatrix(image.w(), 0, 0, image.h(), 0, 0))
    held = pymupdf.Pixmap("raw", pixmap)  # anything else copies it, with an opaque alpha that would be blended
    if held.colorspace and held.colorspace.name not in ("DeviceGray", "DeviceRGB"):
        held = pymupdf.Pixmap(pymupdf.csRGB, held)
    mode = {(1, 0): "L", (1, 1): "L", (2, 1): "LA", (3, 0): "RGB", (4, 1): "RGBA"}[held.n, held.alpha]
    return Image.frombytes(mode, (held.width, held.height), held.samples_mv)
