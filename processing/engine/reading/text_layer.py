"""The text of a page from the first reader that can be believed, or the reason why it must be recognised."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from processing.engine.reading.port import SLANTED, Document, Glyphs, PageSize, UnreadablePage
from processing.engine.reading.settings import ReadingSettings
from processing.engine.reading.trust import count, garbage_ratio, junk_ratio, on_page, once, rare_han_ratio, seen

# A scan's own recognised text: invisible words under a picture that fills this share of the page.
_SCAN_RATIO = 0.5
# Of a scan's own text: rare Han among the characters, lone signs among the words. Good layers have 1 % and 5 %.
_RARE_HAN = 0.06
_JUNK = 0.15


class TextLayer(NamedTuple):
    """Visible words; ``distrust`` is empty or why they are not enough (few_chars, garbage, scan_text); ``hidden``
    where words were left out because nobody can see them; ``scan`` where the words are a scan's own text layer."""

    words: list[Glyphs]
    reader: str
    distrust: str
    hidden: bool = False
    scan: bool = False


def read_text(
    documents: Sequence[Document],
    number: int,
    size: PageSize,
    picture_ratio: float,
    grey: tuple[NDArray[np.uint8] | None, float],
    settings: ReadingSettings,
    fallbacks: list[str],
) -> TextLayer:
    """The first reader's text if it can be believed, else the best of the others', with each step in ``fallbacks``.
    Raises UnreadablePage where no reader can read the page."""
    best: TextLayer | None = None
    asked = reason = ""
    for document in documents:
        if asked:
            fallbacks.append(f"{asked}>{document.reader}:{reason}")
        asked = document.reader
        try:
            layer = _layer(document, number, size, picture_ratio, grey, settings)
        except UnreadablePage:
            reason = "unreadable"
            continue
        if best is None or not layer.distrust or _better(layer, best):
            best = layer
        if not layer.distrust or layer.distrust == "scan_text":
            break
        if layer.distrust == "few_chars" and picture_ratio == 0.0 and layer.words:
            break
        reason = layer.distrust
    if best is None:
        raise UnreadablePage("no reader can read the page")
    return best


def _better(layer: TextLayer, best: TextLayer) -> bool:
    believed = count(layer.words) * (1 - garbage_ratio(layer.words))
    return believed > 1.2 * count(best.words) * (1 - garbage_ratio(best.words))


def _layer(
    document: Document,
    number: int,
    size: PageSize,
    picture_ratio: float,
    grey: tuple[NDArray[np.uint8] | None, float],
    settings: ReadingSettings,
) -> TextLayer:
    # What runs slantwise over a page (a watermark, a sticker) is no part of its lines.
    drawn = [word for word in document.words(number) if word.turn != SLANTED]
    placed = on_page(drawn, size)
    painted = [w for w in placed if not w.invisible]
    visible = seen(painted, *grey)
    invisible = [w for w in placed if w.invisible]
    scan = picture_ratio >= _SCAN_RATIO and count(invisible) >= max(settings.ocr_min_chars, 3 * count(visible))
    hidden = len(placed) < len(drawn) or len(visible) < len(painted) or (bool(invisible) and not scan)
    words = once(visible + invisible if scan else visible)
    return TextLayer(words, document.reader, _distrust(words, scan, settings), hidden, scan)


def _distrust(words: Sequence[Glyphs], scan: bool, settings: ReadingSettings) -> str:
    if count(words) < settings.ocr_min_chars:
        return "few_chars"
    if garbage_ratio(words) > settings.garbage_ratio:
        return "garbage"
    if scan and (rare_han_ratio(words) > _RARE_HAN or junk_ratio(words) > _JUNK):
        return "scan_text"
    return ""
