"""The pictures of a page: which are worth keeping, what belongs together, their files and measures."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from PIL import Image

from catalogsku.core.box import Box, area, clamp, height, intersect, rounded, width
from processing.engine.page import Picture
from processing.engine.reading.covered import without_covered
from processing.engine.reading.fragments import merge_fragments
from processing.engine.reading.picture_files import PictureFile, on_white, store_image, store_jpeg
from processing.engine.reading.port import Document, PageSize, PlacedPicture, UnreadablePage
from processing.engine.reading.rendering import draw
from processing.engine.reading.seen import Seen
from processing.engine.reading.settings import ReadingSettings

# Decoration: not more pixels than this on an edge, or less of the page's edge than this.
_LEAST_PX = 8
_LEAST_EDGE_RATIO = 0.01
# A page with more pictures than this keeps the largest; the rest are dots of a drawing.
_MOST_PICTURES = 400
_INCH_PT = 72.0
# Of a placed picture: so much of it shown is all of it, with a little bleed.
_WHOLE = 0.95
# Of a photo seen in pixels: the share that placed pictures make up, and how much larger one is in which it is seen. Of
# the page: what is larger is the scan.
_MADE_UP, _MUCH_LARGER, _GROUND = 0.6, 3.0, 0.6


def keep_pictures(
    documents: Sequence[Document],
    number: int,
    settings: ReadingSettings,
    out_dir: Path,
    seen: Seen,
    notes: list[str],
) -> list[Picture]:
    """The page's pictures with their files in ``out_dir``; ``seen``: the page."""
    source, placed = _placed(documents, number, notes)
    if source is None or not placed:
        return []
    size = source.size(number)
    whole, regions = merge_fragments(_distinct(placed, size), seen)
    saver = _Saver(documents, source, number, settings, out_dir, notes)
    pictures = [saver.whole(p, clamp(p.box, size.width_pt, size.height_pt)) for p in whole if _matters(p, size)]
    pictures += [saver.region(box, fragmented=True) for box in regions if _large(box, size)]
    pictures = without_covered(pictures, seen, out_dir)
    pictures.sort(key=lambda p: (p.box[1], p.box[0]))
    return [_named(picture, f"P{place}") for place, picture in enumerate(pictures, 1)]


def with_photos(
    documents: Sequence[Document],
    number: int,
    settings: ReadingSettings,
    out_dir: Path,
    pictures: Sequence[Picture],
    photos: Sequence[Box],
    notes: list[str],
    short_px: int = 0,
) -> list[Picture]:
    """The page's pictures and others seen on it, which are cut from the page as it is drawn.

    ``short_px``: the least short edge of what has no resolution of its own.
    """
    saver = _Saver(documents, documents[0], number, settings, out_dir, notes, len(pictures))
    new = [box for box in photos if not _is_placed(box, pictures, documents[0].size(number))]
    shown = [*pictures, *(saver.region(box, short_px=short_px) for box in new)]
    shown.sort(key=lambda p: (p.box[1], p.box[0]))
    return [_named(picture, f"P{place}") for place, picture in enumerate(shown, 1)]


def _is_placed(box: Box, pictures: Sequence[Picture], size: PageSize) -> bool:
    """Placed pictures make it up; much larger ones are what it is seen in: a scan, or a picture that carries print."""
    most = min(_MUCH_LARGER * area(box), _GROUND * size.width_pt * size.height_pt)
    parts = [common for p in pictures if area(p.box) < most and (common := intersect(p.box, box))]
    return sum(map(area, parts)) > _MADE_UP * area(box)


def _named(picture: Picture, name: str) -> Picture:
    return msgspec.structs.replace(picture, id=name)


def _placed(
    documents: Sequence[Document], number: int, notes: list[str]
) -> tuple[Document | None, list[PlacedPicture]]:
    for document in documents:
        if not document.draws:
            continue
        try:
            return document, document.pictures(number)
        except UnreadablePage:
            notes.append("pictures_unreadable")
    return None, []


def _distinct(placed: Sequence[PlacedPicture], size: PageSize) -> list[PlacedPicture]:
    """On the page, without the second of two drawn on one another, the largest first where there are too many."""
    page: Box = (0.0, 0.0, size.width_pt, size.height_pt)
    seen: set[tuple[int, ...]] = set()
    distinct = []
    for picture in placed:
        common = intersect(picture.box, page)
        key = (*(round(v) for v in picture.box), picture.width_px, picture.height_px)
        if common and key not in seen:
            seen.add(key)
            distinct.append(picture)
    return sorted(distinct, key=lambda p: area(p.box), reverse=True)[:_MOST_PICTURES]


def _large(box: Box, size: PageSize) -> bool:
    shown = clamp(box, size.width_pt, size.height_pt)
    return width(shown) >= _LEAST_EDGE_RATIO * size.width_pt and height(shown) >= _LEAST_EDGE_RATIO * size.height_pt


def _matters(picture: PlacedPicture, size: PageSize) -> bool:
    return min(picture.width_px, picture.height_px) > _LEAST_PX and _large(picture.box, size)


class _Saver:
    """Writes the pictures of one page; a picture placed twice is written once."""

    def __init__(
        self,
        documents: Sequence[Document],
        source: Document,
        number: int,
        settings: ReadingSettings,
        out_dir: Path,
        notes: list[str],
        written: int = 0,
    ) -> None:
        self._documents, self._source, self._number = documents, source, number
        self._settings, self._out_dir, self._notes = settings, out_dir, notes
        self._written = written

    def _stem(self) -> str:
        self._written += 1
        return f"{self._number:04d}_{self._written:03d}"

    def whole(self, placed: PlacedPicture, box: Box) -> Picture:
        if placed.width_px * placed.height_px > self._settings.max_picture_px:
            self._note("picture_too_large")
            return self.region(box, placed=placed)
        if placed.skewed:
            return self.region(box, placed=placed)
        try:
            file = self._store(placed)
        except (UnreadablePage, OSError, ValueError, MemoryError):
            self._note("picture_redrawn")
            return self.region(box, placed=placed)
        return _picture(box, file)

    def _store(self, placed: PlacedPicture) -> PictureFile:
        cut = area(placed.part) < _WHOLE
        if not (placed.turn or placed.mirrored or cut):
            data = self._source.jpeg(self._number, placed)
            if data:
                return store_jpeg(data, self._stem(), self._out_dir)
        image = _upright(on_white(self._source.picture(self._number, placed)), placed)
        return store_image(_part(image, placed.part) if cut else image, self._stem(), self._out_dir)

    def region(
        self, box: Box, placed: PlacedPicture | None = None, fragmented: bool = False, short_px: int = 0
    ) -> Picture:
        """The part of the page, drawn: for pieces, stencils, skewed or damaged pictures, photos in scans, sketches."""
        scale = max(self._settings.picture_dpi / _INCH_PT, short_px / max(1.0, min(width(box), height(box))))
        cut = draw(self._documents, self._number, scale, self._settings.max_redrawn_px, box)
        if cut is None:
            self._note("picture_unreadable")
            pixels = (placed.width_px, placed.height_px) if placed else (0, 0)
            return Picture("", rounded(box), *pixels, fragmented=fragmented, drawn=True)
        return _picture(box, store_image(cut, self._stem(), self._out_dir), fragmented, drawn=True)

    def _note(self, note: str) -> None:
        if note not in self._notes:
            self._notes.append(note)


def _picture(box: Box, file: PictureFile, fragmented: bool = False, drawn: bool = False) -> Picture:
    return Picture(
        "",
        rounded(box),
        file.width_px,
        file.height_px,
        file.content_hash,
        file.perceptual_hash,
        file.name,
        fragmented,
        file.blur,
        drawn,
        file.tones,
    )


def _part(image: Image.Image, part: Box) -> Image.Image:
    """What a clip leaves of it, at least a pixel."""
    x0, x1 = (round(share * image.width) for share in (part[0], part[2]))
    y0, y1 = (round(share * image.height) for share in (part[1], part[3]))
    return image.crop((x0, y0, max(x1, x0 + 1), max(y1, y0 + 1)))


def _upright(image: Image.Image, placed: PlacedPicture) -> Image.Image:
    """The picture as the page shows it."""
    if placed.mirrored:
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    turns = {1: Image.Transpose.ROTATE_270, 2: Image.Transpose.ROTATE_180, 3: Image.Transpose.ROTATE_90}
    return image.transpose(turns[placed.turn]) if placed.turn else image
