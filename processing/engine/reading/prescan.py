"""A first, fast look at every page: what it holds, whether it is blank, whether it must be recognised (TA-P1-6)."""

from collections.abc import Sequence

import msgspec

from catalogsku.core.box import Box, height, width
from catalogsku.core.text import han_ratio
from processing.engine.editions.fingerprint import prints_of
from processing.engine.reading.features import covered_ratio
from processing.engine.reading.port import Document, Glance, Glyphs, PageSize, UnreadablePage
from processing.engine.reading.settings import ReadingSettings
from processing.engine.reading.trust import garbage_ratio

# A picture smaller than this share of the page (a logo's dot, a spacer) does not make a page worth reading.
_PICTURE_RATIO = 0.0005
# Drawings of note: one path that is neither a rule nor the paper, or this many of any kind (outlined type).
_MANY_PATHS = 20
_SHAPE_RATIO = 0.02
_PAPER_RATIO = 0.95
_OCR_PICTURE_RATIO = 0.02
_OCR_PATHS = 40


class PrescanPage(msgspec.Struct, frozen=True):
    """``chars`` counts what is not space; ratios are shares of the page area; the last two as in engine.editions."""

    number: int
    width_pt: float
    height_pt: float
    chars: int = 0
    images: int = 0
    image_ratio: float = 0.0
    drawings: int = 0
    table_hint: bool = False
    needs_ocr: bool = False
    blank: bool = False
    han_ratio: float = 0.0
    readable: bool = True
    fingerprint: str = ""
    likeness: str = ""


def prescan_page(documents: Sequence[Document], number: int, settings: ReadingSettings) -> PrescanPage:
    """What the first reader that can read the page sees. A page that none can read is not blank: a person must look."""
    for document in documents:
        try:
            size, glance = document.size(number), document.glance(number)
            judged = _judged(number, size, glance, settings)
            if not _shows_itself(judged, settings):
                return judged
            prints = prints_of(number, size, glance, document.imprint(number), document.page_count)
            return msgspec.structs.replace(judged, fingerprint=prints.fingerprint, likeness=prints.likeness)
        except UnreadablePage:
            continue
    return PrescanPage(number, 0.0, 0.0, readable=False)


def _shows_itself(page: PrescanPage, settings: ReadingSettings) -> bool:
    """Whether this look sees all that reading would: not where type is garbled or drawn, whose shapes nobody compares.
    A scan is its picture."""
    scanned = page.images and page.chars < settings.ocr_min_chars and page.drawings < _OCR_PATHS
    return not page.blank and (not page.needs_ocr or bool(scanned))


def _judged(number: int, size: PageSize, glance: Glance, settings: ReadingSettings) -> PrescanPage:
    text = "".join(glance.text.split())
    pictures = [box for box in glance.pictures if covers(box, size) >= _PICTURE_RATIO]
    image_ratio = covered_ratio(pictures, size)
    few = settings.has_few_chars(len(text), len(glance.paths))
    garbled = garbage_ratio([Glyphs(text, (0, 0, 0, 0), 0, False, 0, False, 0)]) > settings.garbage_ratio
    return PrescanPage(
        number=number,
        width_pt=round(size.width_pt, 2),
        height_pt=round(size.height_pt, 2),
        chars=len(text),
        images=len(pictures),
        image_ratio=round(image_ratio, 4),
        drawings=len(glance.paths),
        table_hint=has_table_rules(glance.paths, settings.table_min_lines),
        needs_ocr=garbled or (few and (image_ratio >= _OCR_PICTURE_RATIO or len(glance.paths) >= _OCR_PATHS)),
        blank=len(text) < settings.blank_min_chars and not pictures and not has_shapes(glance.paths, size),
        han_ratio=round(han_ratio(text), 4),
    )


def covers(box: Box, size: PageSize) -> float:
    """Share of the page that the box covers, its parts beyond the page left out."""
    across = min(box[2], size.width_pt) - max(box[0], 0.0)
    down = min(box[3], size.height_pt) - max(box[1], 0.0)
    return max(0.0, across) * max(0.0, down) / max(1.0, size.width_pt * size.height_pt)


def has_shapes(paths: Sequence[Box], size: PageSize) -> bool:
    """Whether there are drawings of note (TA-BR02): not only a few rules or the paper's own colour."""
    if len(paths) >= _MANY_PATHS:
        return True
    least_x, least_y = _SHAPE_RATIO * size.width_pt, _SHAPE_RATIO * size.height_pt
    return any(width(box) >= least_x and height(box) >= least_y and covers(box, size) < _PAPER_RATIO for box in paths)


def has_table_rules(paths: Sequence[Box], least: int) -> bool:
    """Whether there are rules enough in both directions for a grid; boxes larger than rules count with their edges."""
    level = upright = 0
    for x0, y0, x1, y1 in paths:
        across, down = x1 - x0, y1 - y0
        if across >= 5.0 or down >= 5.0:
            level += 1 if down < 3.0 else 0
            upright += 1 if across < 3.0 else 0
            if across >= 10.0 and down >= 5.0:
                level, upright = level + 2, upright + 2
        if level >= 2 and upright >= 2 and level + upright >= least:
            return True
    return False
