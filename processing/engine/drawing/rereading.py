"""What stands in clips of a page, recognised: many on one sheet, since an engine takes its time by the sheet."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from PIL import Image

from catalogsku.core.box import Box, height, intersect, width
from processing.engine.reading.ocr import Recognition, recognise, words_from
from processing.engine.reading.ocr_engines import engines
from processing.engine.reading.ocr_port import RecognisedLine
from processing.engine.reading.port import Glyphs
from processing.engine.reading.settings import OcrChoice

# Sides of a sheet and the paper around each clip on it, pixels: finding the print takes about 1 s for a million of
# them, and no less for a smaller sheet.
_SHEET_PX = 1600
_GUTTER_PX = 40
# A word belongs to a box if so much of the shorter of both lies in the other, along the line and across it.
_WITHIN = 0.5
# A clip in which no line is found is read as one, and believed from this score on.
_ONE_LINE = 0.8


class Clipped(NamedTuple):
    """A clip, and in its pixels the box that it was drawn for."""

    image: Image.Image
    box: Box


class ClipText(msgspec.Struct, frozen=True):
    """What stands in a box, its lines under each other, words that it cuts through whole; ``score`` of the line that is
    read least surely, 0 to 1. Empty where nothing is read."""

    text: str = ""
    score: float = 0.0


class _Placed(NamedTuple):
    """A clip, by its place among all, on a sheet."""

    clip: int
    x: int
    y: int


def read_clips(clips: Sequence[Clipped], choice: OcrChoice) -> Iterator[tuple[int, ClipText]]:
    """The clips' indices and what stands in each, sheet by sheet. Raises OcrUnavailable."""
    for placed in _sheets([clip.image.size for clip in clips]):
        recognition = recognise(_sheet(clips, placed), 0.0, choice)
        for place in placed:
            clip = clips[place.clip]
            x0, y0, x1, y1 = clip.box
            box = (x0 + place.x, y0 + place.y, x1 + place.x, y1 + place.y)
            yield place.clip, _said(recognition, box) or _as_one_line(clip, choice)


def _sheets(sizes: Sequence[tuple[int, int]]) -> Iterator[list[_Placed]]:
    """Row after row, in the order of the clips; a clip that is larger has a sheet of its own size."""
    placed, x, y, row = list[_Placed](), _GUTTER_PX, _GUTTER_PX, 0
    for n, (wide, high) in enumerate(sizes):
        if placed and x + wide + _GUTTER_PX > _SHEET_PX:
            x, y, row = _GUTTER_PX, y + row + _GUTTER_PX, 0
        if placed and max(y + high + _GUTTER_PX, wide + 2 * _GUTTER_PX) > _SHEET_PX:
            yield placed
            placed, x, y, row = [], _GUTTER_PX, _GUTTER_PX, 0
        placed.append(_Placed(n, x, y))
        x, row = x + wide + _GUTTER_PX, max(row, high)
    if placed:
        yield placed


def _sheet(clips: Sequence[Clipped], placed: Sequence[_Placed]) -> Image.Image:
    wide = max(place.x + clips[place.clip].image.width for place in placed) + _GUTTER_PX
    high = max(place.y + clips[place.clip].image.height for place in placed) + _GUTTER_PX
    # An engine enlarges what is narrow: a strip would become a large sheet.
    sheet = Image.new("RGB", (max(wide, high // 2), max(high, wide // 2)), "white")
    for place in placed:
        sheet.paste(clips[place.clip].image, (place.x, place.y))
    return sheet


def _said(recognition: Recognition, box: Box) -> ClipText | None:
    lines = [(line, _words(recognition, line, box)) for line in sorted(recognition.lines, key=lambda line: line.box[1])]
    read = [(line, words) for line, words in lines if words]
    if not read:
        return None
    text = "\n".join(" ".join(word.text for word in words) for _, words in read)
    return ClipText(text, round(min(line.score for line, _ in read), 4))


def _words(recognition: Recognition, line: RecognisedLine, box: Box) -> list[Glyphs]:
    """Those of the line that stand in the box, more or less."""
    alone = recognition._replace(lines=(line,))
    return [word for word in words_from(alone, 1.0) if _stands_in(word.box, box)]


def _stands_in(word: Box, box: Box) -> bool:
    shared = intersect(word, box)
    if shared is None:
        return False
    along = width(shared) >= _WITHIN * min(width(word), width(box))
    return along and height(shared) >= _WITHIN * min(height(word), height(box))


def _as_one_line(clip: Clipped, choice: OcrChoice) -> ClipText:
    """A single sign is easily missed between others."""
    x0, y0, x1, y1 = (round(v) for v in clip.box)
    part = clip.image.crop((max(0, x0 - 4), max(0, y0 - 4), x1 + 4, y1 + 4))
    said = engines(choice)[0].line(np.asarray(part.convert("RGB")))
    return ClipText(said.text, round(said.score, 4)) if said.score >= _ONE_LINE else ClipText()
