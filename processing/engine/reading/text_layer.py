"""The text of a page from the first reader that can be believed, or the reason why it must be recognised."""

import re
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import normalize

from processing.engine.reading.hiding import Shown, reasons
from processing.engine.reading.port import Document, Glyphs, PageSize, UnreadablePage
from processing.engine.reading.settings import ReadingSettings
from processing.engine.reading.spaced_amounts import closed_amounts
from processing.engine.reading.trust import (
    GARBAGE,
    count,
    garbage_ratio,
    gives_glyph_numbers,
    junk_ratio,
    once,
    rare_han_ratio,
)

# A scan's own recognised text: words under a picture that fills this share of the page.
_SCAN_RATIO = 0.5
_UNDER = ("invisible_mode", "covered")
# Of a scan's own text: rare Han among the characters, lone signs among the words. Good layers have 1 % and 5 %.
_RARE_HAN = 0.06
_JUNK = 0.15
# Radicals, and characters kept for other sets of characters: each stands for a plain one.
_OTHER_HAN = re.compile(r"[\u2f00-\u2fdf\uf900-\ufaff]")


class TextLayer(NamedTuple):
    """Visible words; ``distrust`` is empty or why they are not enough (few_chars, garbage, scan_text); ``hidden`` are
    words that were left out, each with its reason; ``scan`` where the words are a scan's own text layer."""

    words: list[Glyphs]
    reader: str
    distrust: str
    hidden: Sequence[tuple[Glyphs, str]] = ()
    scan: bool = False


def read_text(
    documents: Sequence[Document],
    number: int,
    size: PageSize,
    picture_ratio: float,
    shown: Shown,
    settings: ReadingSettings,
    fallbacks: list[str],
) -> TextLayer:
    """The first reader's text if it can be believed, else the best of the others', with each step in ``fallbacks``.

    A page without fonts, or on which two readers see the same few characters, is left to recognition. Raises
    UnreadablePage where no reader can read the page."""
    best: TextLayer | None = None
    read: list[list[Glyphs]] = []
    previous = reason = ""
    for document in documents:
        if previous:
            fallbacks.append(f"{previous}>{document.reader}:{reason}")
        previous = document.reader
        try:
            layer = _layer(document, number, size, picture_ratio, shown, settings)
        except UnreadablePage:
            reason = "unreadable"
            continue
        if any(gives_glyph_numbers(layer.words, earlier) for earlier in read):
            layer = layer._replace(distrust=GARBAGE)
        confirmed = layer.distrust == "few_chars" and any(_says_the_same(layer.words, earlier) for earlier in read)
        read.append(layer.words)
        if best is None or not layer.distrust or _better(layer, best):
            best = layer
        if not layer.distrust or layer.distrust == "scan_text":
            break
        if confirmed or (layer.distrust == "few_chars" and picture_ratio == 0.0 and layer.words):
            break
        if not layer.words and not layer.hidden and not document.names_fonts(number):
            break
        reason = layer.distrust
    if best is None:
        raise UnreadablePage("no reader can read the page")
    return best


def _says_the_same(words: Sequence[Glyphs], others: Sequence[Glyphs]) -> bool:
    """The same characters, in whatever order: of two readers that share no code, a third would tell no more."""
    mine, its = ("".join(sorted("".join(word.text for word in some).replace(" ", ""))) for some in (words, others))
    return bool(mine) and mine == its


def _better(layer: TextLayer, best: TextLayer) -> bool:
    believed = count(layer.words) * (1 - garbage_ratio(layer.words))
    return believed > 1.2 * count(best.words) * (1 - garbage_ratio(best.words))


def _layer(
    document: Document,
    number: int,
    size: PageSize,
    picture_ratio: float,
    shown: Shown,
    settings: ReadingSettings,
) -> TextLayer:
    drawn = list(map(_as_drawn, document.words(number)))
    why = reasons(drawn, size, shown)
    visible = [word for word, reason in zip(drawn, why, strict=True) if not reason]
    under = [word for word, reason in zip(drawn, why, strict=True) if reason in _UNDER]
    scan = picture_ratio >= _SCAN_RATIO and count(under) >= max(settings.ocr_min_chars, 3 * count(visible))
    read = ("", *_UNDER) if scan else ("",)
    hidden = [(word, reason) for word, reason in zip(drawn, why, strict=True) if reason not in read]
    words = closed_amounts(once(visible + under if scan else visible))
    return TextLayer(words, document.reader, _distrust(words, scan, settings), hidden, scan)


def _as_drawn(word: Glyphs) -> Glyphs:
    """The word in the characters it shows. A hyphen that is drawn is one, however a font maps it: to the sign of a
    place where a word may be parted, too. A Han character that a font maps to a radical, or to a compatible one, is the
    plain one, and one of both is one."""
    shown = word.text.replace("-\u00ad", "-").replace("\u00ad", "-")
    if _OTHER_HAN.search(shown):
        shown = _with_plain_han(shown)
    return word._replace(text=shown) if shown != word.text else word


def _with_plain_han(text: str) -> str:
    plain: list[str] = []
    before = False
    for char in text:
        other = _OTHER_HAN.match(char) is not None
        own = normalize("NFKC", char) if other else char
        if other == before or [own] != plain[-1:]:
            plain.append(own)
        before = other
    return "".join(plain)


def _distrust(words: Sequence[Glyphs], scan: bool, settings: ReadingSettings) -> str:
    if count(words) < settings.ocr_min_chars:
        return "few_chars"
    if garbage_ratio(words) > settings.garbage_ratio:
        return GARBAGE
    if scan and (rare_han_ratio(words) > _RARE_HAN or junk_ratio(words) > _JUNK):
        return "scan_text"
    return ""
