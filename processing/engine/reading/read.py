"""One PDF page -> ParsedPage: text and reading order, tables, pictures, OCR where text is missing, its preview."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from PIL import Image

from catalogsku.core.box import Box, area, clamp, height, width
from processing.engine.page import Block, ParsedPage, Picture, Table, Timing
from processing.engine.reading.features import covered_ratio, features
from processing.engine.reading.hiding import Shown, hidden_lines
from processing.engine.reading.layout import lay_out, main_turn, page_turn
from processing.engine.reading.ocr import line_height
from processing.engine.reading.overdrawn import without_overdrawn
from processing.engine.reading.panels import find_panels
from processing.engine.reading.pictures import keep_pictures, with_photos
from processing.engine.reading.port import Document, Drawings, Glyphs, PageSize, UnreadablePage
from processing.engine.reading.raster import Grey, carries_print
from processing.engine.reading.rendering import (
    draw,
    save_preview,
    save_thumbnail,
    scale_for,
    within_budget,
    within_side,
)
from processing.engine.reading.seen import Seen
from processing.engine.reading.settings import ReadingSettings
from processing.engine.reading.sheet import Sheet, recognised_sheet, with_picture
from processing.engine.reading.sketches import FEW_PICTURES, find_sketches
from processing.engine.reading.tables import find_tables, long_rules
from processing.engine.reading.text_layer import TextLayer, read_text
from processing.engine.reading.trust import count

Step = TypeVar("Step")

_INCH_PT = 72.0
# A page drawn so much smaller than usual, or less, may have print that is too small to be read; lines found in print of
# 12 pixels are so high.
_REDUCED = 0.75
_SMALL_LINE_PX = 20.0
# Pixels of that larger drawing: the engine takes 2 GB for 9 million, of the 3 that a child may have.
_MOST_READ_PX = 9_000_000
# Without text, a page is recognised if pictures cover this share of it or it has this many drawn paths (outlined type).
_OCR_PICTURE_RATIO = 0.02
_OCR_DRAWINGS = 40
# Pictures that may carry print: at least this share of the page, the largest so many; each takes seconds.
_PRINT_RATIO = 0.1
_MOST_PRINTED = 3
_MARGIN_PT = 6.0
# A page that says more itself is not looked into: its pictures are figures and screens beside the text.
_LITTLE_TEXT = 400
_IN_PICTURE = "print_in_picture"
# Short edge of a line drawing's picture: the least that a shop window takes (Rules.min_short_edge_px).
_SKETCH_PX = 640


class RecognitionElsewhere(Exception):
    """The page's text must be recognised, and this process is not the one that has the models loaded."""


def read_page(
    documents: Sequence[Document], number: int, settings: ReadingSettings, out_dir: Path, *, recognises: bool = True
) -> ParsedPage:
    """The page as the readers of ``documents`` (one file, in order of preference) see it; files go into ``out_dir``.

    A damaged picture, font or drawing becomes a note. Raises UnreadablePage where no reader can read the page, and
    RecognitionElsewhere where it needs OCR and ``recognises`` is False.
    """
    return _Page(documents, number, settings, out_dir, recognises).read()


class _Page:
    """One page while it is read."""

    def __init__(
        self, documents: Sequence[Document], number: int, settings: ReadingSettings, out_dir: Path, recognises: bool
    ) -> None:
        self.documents, self.number, self.settings, self.out_dir = documents, number, settings, out_dir
        self.recognises = recognises
        self.notes: list[str] = []
        self.fallbacks: list[str] = []
        self.spent_s: dict[str, float] = {}
        self.size = self._size()

    def read(self) -> ParsedPage:
        shown = self._timed("screenshot_ms", self._shown)
        preview, thumbnail = self._timed("screenshot_ms", lambda: self._save(shown))
        seen = self._seen(shown)
        pictures = self._timed("picture_ms", lambda: self._pictures(seen))
        drawings = self._timed("table_ms", lambda: without_overdrawn(self._drawings(), seen))
        layer = self._timed("read_ms", lambda: self._text(pictures, seen))
        sheet = self._timed("ocr_ms", lambda: self._recognised(layer, pictures, drawings))
        sheet = self._timed("ocr_ms", lambda: self._with_pictures(sheet, pictures, seen))
        drawings = sheet.drawings
        if not sheet.readable:
            self.notes.append("ocr_no_model")
        if sheet.photos:
            pictures = self._timed("picture_ms", lambda: self._with_more(pictures, sheet.photos))
        elif sketches := self._sketches(sheet, pictures):
            pictures = self._timed("picture_ms", lambda: self._with_more(pictures, sketches, _SKETCH_PX))
        tables, inside, rest = self._timed("table_ms", lambda: self._tables(sheet))
        blocks = self._timed("read_ms", lambda: self._blocks(rest, inside, drawings))
        return ParsedPage(
            number=self.number,
            width_pt=round(self.size.width_pt, 2),
            height_pt=round(self.size.height_pt, 2),
            rotation=self.size.rotation,
            reader=layer.reader,
            blocks=blocks,
            tables=tuple(tables),
            pictures=tuple(pictures),
            features=features(blocks, tables, pictures, drawings.paths, self.size, _recognised_share(layer, sheet)),
            table_reader=self.table_reader if tables else "",
            ocr=sheet.ocr,
            fallbacks=tuple(self.fallbacks),
            notes=tuple(dict.fromkeys(self.notes)),
            hidden=hidden_lines(layer.hidden),
            preview=preview,
            thumbnail=thumbnail,
            panels=find_panels(sheet.drawings, sheet.panels, self.size),
            turn=main_turn(sheet.words) if sheet.ocr else page_turn(sheet.words),
            timing=Timing(**{name: round(1000 * seconds) for name, seconds in self.spent_s.items()}),
        )

    def _timed(self, name: str, step: Callable[[], Step]) -> Step:
        began = time.perf_counter()
        try:
            return step()
        finally:
            self.spent_s[name] = self.spent_s.get(name, 0.0) + time.perf_counter() - began

    def _size(self) -> PageSize:
        for document in self.documents:
            try:
                return document.size(self.number)
            except UnreadablePage:
                continue
        raise UnreadablePage("no reader can open the page")

    def _shown(self) -> Image.Image | None:
        shown = self._drawn_at(scale_for(self.size, self.settings.preview_px))
        if shown is None:
            self.notes.append("not_drawn")
        return shown

    def _drawn_at(self, px_per_pt: float) -> Image.Image | None:
        return draw(self.documents, self.number, px_per_pt, self.settings.max_render_px)

    def _seen(self, shown: Image.Image | None) -> Seen:
        small, close = (scale_for(self.size, px) for px in (self.settings.preview_px, self.settings.screenshot_px))
        return Seen(_grey(shown), small, close, lambda: _grey(self._drawn_at(close)))

    def _save(self, shown: Image.Image | None) -> tuple[str, str]:
        if shown is None:
            return "", ""
        preview = save_preview(shown, self.number, self.settings.preview_quality, self.out_dir)
        return preview, save_thumbnail(shown, self.number, self.settings.thumbnail_px, self.out_dir)

    def _pictures(self, seen: Seen) -> list[Picture]:
        return keep_pictures(self.documents, self.number, self.settings, self.out_dir, seen, self.notes)

    def _with_more(self, pictures: Sequence[Picture], seen: Sequence[Box], short_px: int = 0) -> list[Picture]:
        return with_photos(
            self.documents, self.number, self.settings, self.out_dir, pictures, seen, self.notes, short_px
        )

    def _sketches(self, sheet: Sheet, pictures: Sequence[Picture]) -> Sequence[Box]:
        """Line drawings, on a page that has its text and hardly any other pictures: beside photos they are signs."""
        if sheet.ocr is not None or covered_ratio([p.box for p in pictures], self.size) > FEW_PICTURES:
            return ()
        return find_sketches(sheet.drawings, sheet.words, self.size)

    def _drawings(self) -> Drawings:
        for document in self.documents:
            try:
                drawings = document.drawings(self.number)
            except UnreadablePage:
                self.notes.append("drawings_unreadable")
                continue
            if drawings.limited:
                self.notes.append("drawings_limited")
            self.table_reader = document.reader
            return drawings
        self.table_reader = ""
        return Drawings((), (), 0)

    def _text(self, pictures: Sequence[Picture], seen: Seen) -> TextLayer:
        ratio = covered_ratio([p.box for p in pictures], self.size)
        shown = Shown(seen, pictures, self.out_dir)
        layer = read_text(self.documents, self.number, self.size, ratio, shown, self.settings, self.fallbacks)
        if any(reason != "slanted" for _, reason in layer.hidden):
            self.notes.append("hidden_text")
        if layer.scan:
            self.notes.append("scan_text_layer")
        return layer

    def _recognised(self, layer: TextLayer, pictures: Sequence[Picture], drawings: Drawings) -> Sheet:
        """What to go on with: the page from pixels where the text layer is missing or not to be believed."""
        printed = Sheet(layer.words, drawings, self._characters)
        ratio = covered_ratio([p.box for p in pictures], self.size)
        worth = bool(layer.words) or ratio >= _OCR_PICTURE_RATIO or drawings.paths >= _OCR_DRAWINGS
        few = self.settings.has_few_chars(count(layer.words), drawings.paths)
        distrust = layer.distrust or ("few_chars" if few else "")
        if not distrust or not worth or not self._may_recognise(distrust):
            return printed
        try:
            image, scale = self._drawn_to_read()
            if image is None:
                return printed
            recognised = recognised_sheet(image, scale, printed, distrust, self.settings)
        except ImportError:
            self.notes.append("ocr_missing")
            return printed
        self.fallbacks.append(f"{layer.reader}>{self.settings.ocr_by.engine}:{distrust}")
        more = count(recognised.words) > self.settings.worth_more(count(layer.words))
        return recognised if more or distrust != "few_chars" else printed

    def _drawn_to_read(self) -> tuple[Image.Image | None, float]:
        """The page as large as its print asks for, and the pixels of a point. Large sheets are drawn with fewer than
        usual, and with more again where most of their print would be small."""
        usual, side = self.settings.ocr_dpi / _INCH_PT, self.settings.ocr_max_side_px
        scale = within_side(self.size, usual, side)
        image = self._drawn_at(scale)
        if image is None or scale >= _REDUCED * usual or line_height(image, self.settings.ocr_by) >= _SMALL_LINE_PX:
            return image, scale
        scale = within_side(self.size, usual, 2 * side)
        scale = within_budget(self.size.width_pt, self.size.height_pt, scale, _MOST_READ_PX)
        return self._drawn_at(scale), scale

    def _with_pictures(self, sheet: Sheet, pictures: Sequence[Picture], seen: Seen) -> Sheet:
        """The page with the text of pictures that look like print, the largest first, where it is not read as a whole
        from pixels."""
        if sheet.ocr is not None or seen.small is None or count(sheet.words) > _LITTLE_TEXT:
            return sheet
        least = _PRINT_RATIO * self.size.width_pt * self.size.height_pt
        large = sorted((p.box for p in pictures if area(p.box) >= least), key=area, reverse=True)
        printed = [box for box in large if carries_print(seen.part(box), seen.px_per_pt)]
        for box in (self._with_margin(box) for box in printed[:_MOST_PRINTED]):
            if not self._may_recognise(_IN_PICTURE):
                break
            scale = min(self.settings.ocr_dpi / _INCH_PT, self.settings.ocr_max_side_px / max(width(box), height(box)))
            image = draw(self.documents, self.number, scale, self.settings.max_render_px, box)
            if image is None:
                continue
            try:
                sheet = with_picture(image, box, scale, sheet, _IN_PICTURE, self.settings)
            except ImportError:
                self.notes.append("ocr_missing")
                break
        if sheet.ocr is not None:
            self.fallbacks.append(f"{self.documents[0].reader}>{sheet.ocr.engine}:{_IN_PICTURE}")
        return sheet

    def _with_margin(self, box: Box) -> Box:
        """Some paper around the picture: a table's border may be its edge."""
        grown = box[0] - _MARGIN_PT, box[1] - _MARGIN_PT, box[2] + _MARGIN_PT, box[3] + _MARGIN_PT
        return clamp(grown, self.size.width_pt, self.size.height_pt)

    def _may_recognise(self, reason: str) -> bool:
        if not self.settings.ocr:
            self.notes.append("ocr_off")
        elif not self.recognises:
            raise RecognitionElsewhere(f"page {self.number}: {reason}")
        return self.settings.ocr

    def _tables(self, sheet: Sheet) -> tuple[list[Table], list[list[list[Glyphs]]], list[Glyphs]]:
        if not self.settings.find_tables:
            return [], [], sheet.words
        return find_tables(sheet.drawings, sheet.words, sheet.characters, self.size, self.settings.table_min_lines)

    def _blocks(self, words: list[Glyphs], tables: list[list[list[Glyphs]]], drawings: Drawings) -> tuple[Block, ...]:
        return lay_out(words, tables, long_rules(drawings, self.size), self.size.width_pt, self.size.height_pt)

    def _characters(self, box: Box) -> list[tuple[str, Box]]:
        try:
            return self.documents[0].characters(self.number, box)
        except UnreadablePage:
            return []


def _recognised_share(layer: TextLayer, sheet: Sheet) -> float:
    """Of the characters; a page recognised in part keeps what was printed."""
    if sheet.ocr is None:
        return 0.0
    return 1.0 - count(layer.words) / count(sheet.words) if sheet.ocr.reason == _IN_PICTURE else 1.0


def _grey(image: Image.Image | None) -> Grey | None:
    return None if image is None else np.asarray(image.convert("L"))
