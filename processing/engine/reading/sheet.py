"""A page's words, rules and characters, wherever they come from: printed in the file, or recognised in pixels."""

import re
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import msgspec
import numpy as np
from PIL import Image

from catalogsku.core.box import Box, area, contains_point, height, width
from processing.engine.page import Ocr
from processing.engine.reading.collages import together
from processing.engine.reading.lookalikes import mended
from processing.engine.reading.ocr import Recognition, as_read, characters_from, recognise, words_from
from processing.engine.reading.ocr_port import RecognisedLine
from processing.engine.reading.panels import seen_frames
from processing.engine.reading.photos import find_photos, without_edges
from processing.engine.reading.port import Drawings, Glyphs
from processing.engine.reading.raster import contrasting, straightened
from processing.engine.reading.ruling import lines_of
from processing.engine.reading.script import is_readable, language_of
from processing.engine.reading.seams import cut_at_rules, hidden_rules, parted
from processing.engine.reading.seen_sketches import beside_photos, find_seen_sketches
from processing.engine.reading.settings import ReadingSettings
from processing.engine.reading.sketches import FEW_PICTURES
from processing.engine.reading.tables import Characters
from processing.engine.reading.trust import GARBAGE, drawn_signs

# Share of the drawn signs from which on all is read that can be.
_WHOLE = 0.8
# A line in a picture is believed from this score on; patterns and logos are read as words with less.
_PICTURE_SCORE = 0.8
# So many signs are a mark rather than a word where they are read with less than that and are not so high, of the page's
# usual lines: legs and handles of drawn chairs are read as "TH" or "X".
_MARK, _MARK_SCORE = 2, 0.95
_USUAL = 0.7, 2.5
# Of its line's height: how wide a large Latin letter or digit is. One that is wider, or narrower and no slender one, is
# the outline of a thing: a chair is surely read as "OK" (0.2), a handle as "L" (1.2). Capitals have 0.3 to 0.9.
_LETTER_WIDE = 0.27, 1.0
_SLENDER = frozenset("1IJijlft!|")
# What rings are read as, however surely and in whatever proportion: the handles of a pair of scissors, wheels, burners.
_RINGS = frozenset("0Oo〇○")
# What the sign that repeats the cell above is read as; half as high as print, it is no numeral.
_TWO_STROKES, _DITTO = re.compile(r"[Il1|]{2}"), "〃"


class Sheet(NamedTuple):
    """What tables and blocks are made of. ``ocr``: how its words were recognised, if any were; ``photos``: where there
    are photos in what was read from pixels, ``panels``: and what they and print stand on. ``readable``: whether the
    model that read it knows the script of its language."""

    words: list[Glyphs]
    drawings: Drawings
    characters: Characters
    ocr: Ocr | None = None
    photos: tuple[Box, ...] = ()
    panels: tuple[Box, ...] = ()
    readable: bool = True


def recognised_sheet(
    image: Image.Image, px_per_pt: float, printed: Sheet, reason: str, settings: ReadingSettings
) -> Sheet:
    """The page read from its rendering alone. A page that lies askew is turned straight about its middle, and that is
    where its boxes are. Raises OcrUnavailable."""
    image = straightened(image)
    recognition, others = _mended(_without_marks(recognise(image, settings.ocr_turn_below, settings.ocr_by)), image)
    drawn = [word.box for word in printed.words] if reason == GARBAGE else []
    seen = _seen(image, recognition, px_per_pt, (0.0, 0.0), drawn)
    drawings = printed.drawings._replace(rules=(*printed.drawings.rules, *seen.rules))
    ocr = _ocr_of(recognition, [*seen.words, *printed.words], reason, others)
    if reason == GARBAGE and (share := _share_read(seen.words, printed.words)) < _WHOLE:
        ocr = msgspec.structs.replace(ocr, mean_score=round(ocr.mean_score * share, 4))
    lookup = _lookup(seen.characters)
    readable = is_readable(ocr.language, recognition.model.scripts)
    return Sheet(seen.words, drawings, lookup, ocr, tuple(seen.photos), tuple(seen.panels), readable)


def with_picture(
    image: Image.Image, place: Box, px_per_pt: float, printed: Sheet, reason: str, settings: ReadingSettings
) -> Sheet:
    """The page with what a picture at ``place`` says, but for what is printed over it. ``image``: the page there, drawn
    at that scale. Raises OcrUnavailable."""
    recognition = recognise(image, 0.0, settings.ocr_by)
    sure = tuple(line for line in recognition.lines if line.score >= _PICTURE_SCORE)
    recognition, others = _mended(recognition._replace(lines=sure), image)
    seen = _seen(image, recognition, px_per_pt, place[:2])
    words = [word for word in seen.words if not any(_holds(other.box, word.box) for other in printed.words)]
    if not words:
        return printed
    drawings = printed.drawings._replace(rules=(*printed.drawings.rules, *seen.rules))
    lookup = _lookup(seen.characters)
    ocr = _added(printed.ocr, _ocr_of(recognition, words, reason, others))
    return Sheet(
        [*printed.words, *words],
        drawings,
        lambda box: [*printed.characters(box), *lookup(box)],
        ocr,
        (*printed.photos, *seen.photos),
        printed.panels,
        printed.readable and is_readable(ocr.language, recognition.model.scripts),
    )


def _share_read(read: Sequence[Glyphs], drawn: Sequence[Glyphs]) -> float:
    """Of the signs that are drawn, how many were found: print in a script that the model does not know is left out."""
    return drawn_signs(read) / max(1, drawn_signs(drawn))


class _Seen(NamedTuple):
    """What a reader would have given, had it been drawn as type and lines."""

    words: list[Glyphs]
    characters: list[tuple[str, Box]]
    rules: list[Box]
    photos: list[Box]
    panels: list[Box]


def _seen(
    image: Image.Image,
    recognition: Recognition,
    px_per_pt: float,
    corner: tuple[float, float],
    drawn: Sequence[Box] = (),
) -> _Seen:
    """From an image that lies with its upper left corner there on the page. ``drawn``: where print stands too, that may
    not have been recognised."""
    words = words_from(recognition, px_per_pt)
    boxes = [*(word.box for word in words), *drawn]
    lines = lines_of(image, px_per_pt, boxes)
    grey = contrasting(image)
    shown = find_photos(grey, px_per_pt, boxes, lines.strokes)
    photos = together(grey, px_per_pt, parted(grey, px_per_pt, shown.photos), boxes)
    hidden = hidden_rules(photos, [*lines.strokes, *lines.edges])
    photos = cut_at_rules(photos, hidden)
    if sum(map(area, photos)) <= FEW_PICTURES * image.width * image.height / px_per_pt**2:
        photos = beside_photos(find_seen_sketches(image, px_per_pt, boxes, lines.strokes), photos)
    rules = without_edges(lines, photos) + hidden
    return _Seen(
        [word._replace(box=_moved(word.box, corner)) for word in words],
        [(char, _moved(box, corner)) for char, box in characters_from(recognition, px_per_pt)],
        [_moved(box, corner) for box in rules],
        [_moved(box, corner) for box in photos],
        [_moved(box, corner) for box in (*shown.panels, *seen_frames(lines.strokes))],
    )


def _moved(box: Box, corner: tuple[float, float]) -> Box:
    x, y = corner
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


def _added(before: Ocr | None, more: Ocr) -> Ocr:
    """Two parts of a page as one: the mean over their lines."""
    if before is None:
        return more
    lines = before.lines + more.lines
    mean = (before.mean_score * before.lines + more.mean_score * more.lines) / lines
    mended_chars = before.mended + more.mended
    return Ocr(more.engine, more.reason, round(mean, 4), 0, lines, before.language, before.model, mended_chars)


def _without_marks(recognition: Recognition) -> Recognition:
    """Without single signs that are much larger or smaller than the page's print, unsurely read or large and no letter
    in their proportions: parts of drawings. Two small strokes are the sign for the same again."""
    heights = [height(line.box) for line in recognition.lines]
    least, most = (share * median(heights) for share in _USUAL) if heights else (0.0, 0.0)
    lines = []
    for line, high in zip(recognition.lines, heights, strict=True):
        if high < least and _TWO_STROKES.fullmatch(line.text):
            lines.append(line._replace(text=_DITTO, chars=()))
        elif (
            len(line.text) > _MARK
            or least <= high <= most
            or (line.score >= _MARK_SCORE and (high < least or _is_lettering(line)))
        ):
            lines.append(line)
    return recognition._replace(lines=tuple(lines))


def _is_lettering(line: RecognisedLine) -> bool:
    """Whether its signs are as wide as signs of that height, and not all rings."""
    if _RINGS.issuperset(line.text):
        return False
    if not line.text.isascii():
        return True
    least, most = _LETTER_WIDE
    wide = width(line.box) / len(line.text) / height(line.box)
    return wide <= most and (wide >= least or not _SLENDER.isdisjoint(line.text))


def _mended(recognition: Recognition, image: Image.Image) -> tuple[Recognition, int]:
    """With characters put right by their look-alikes, and how many. ``image``: as it was before it was turned."""
    lines, others = mended(recognition.lines, np.asarray(as_read(image, recognition.rotation).convert("L")))
    return recognition._replace(lines=tuple(lines)), others


def _ocr_of(recognition: Recognition, words: Sequence[Glyphs], reason: str, others: int) -> Ocr:
    language = language_of("".join(word.text for word in words))
    scores = [line.score for line in recognition.lines]
    mean = sum(scores) / len(scores) if scores else 0.0
    return Ocr(
        recognition.engine,
        reason,
        round(mean, 4),
        recognition.rotation,
        len(scores),
        language,
        recognition.model.name,
        others,
    )


def _lookup(characters: Sequence[tuple[str, Box]]) -> Characters:
    return lambda box: [(char, place) for char, place in characters if _holds(box, place)]


def _holds(box: Box, other: Box) -> bool:
    """Whether the middle of the other lies in it."""
    return contains_point(box, (other[0] + other[2]) / 2, (other[1] + other[3]) / 2)
