"""Recognising text in a page rendering, with the engines that the settings name and no network."""

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from statistics import median
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from catalogsku.core.box import Box, width
from processing.engine.reading.ocr_engines import engines, load
from processing.engine.reading.ocr_models import PP_OCRV6, OcrModel
from processing.engine.reading.ocr_port import OcrEngine, PlacedChar, RecognisedLine
from processing.engine.reading.port import DOWN, LEFT, RIGHT, UP, Glyphs
from processing.engine.reading.raster import ink, white_between
from processing.engine.reading.second_opinion import weighed
from processing.engine.reading.settings import OcrChoice
from processing.engine.reading.underlines import without_underlines

_USUAL = OcrChoice()
# Orientation is decided on a rendering of this size, a quarter of the work.
_GLANCE_PX = 1000
# A printed line's box is this much taller than its type size.
_LEADING = 1.25
# From this share of boxes that stand upright the page lies on its side.
_SIDEWAYS = 0.6
# In em: the height of the ink of Han, of capitals and digits, and of letters or signs that reach below the line too.
_HAN_INK, _CAPITAL_INK, _DEEP_INK = 0.92, 0.73, 0.95
_DEEP = frozenset("gjpqyQ()[]{}|/,;")
# What an underlined round sign is read as, and what it may be.
_TAILED, _ROUND = "Q", "0ODQ"
# In em: characters further apart than that are two words, whatever the engine says.
_APART = 0.8

# A number and the letters of its unit at its end; in em: white between the two from which on there is a space. Glyphs
# leave 0.05 to 0.27 themselves, the spaces of usual fonts are 0.25 to 0.28 wide.
_MEASURED = re.compile(r"(?<![^\s×x~+(])[0-9]+(?:[.,][0-9]+)?(?=[A-Za-zμΩ°℃]{1,4}(?![^\s,;)]))")
_SPACE = 0.3
# A sign between two values. Of 2011 places beside such signs at 200 dpi, in ten kinds of type, the white where the
# engine sees a space too is 0.30 to 0.64 em, and else, but for those that it leaves out, up to 0.22.
_SIGN = re.compile(r"(?<=[^\s×*/+])[×*/+](?=[^\s×*/+])|(?<=\d)[xX](?=[A-Za-z]?\d)")

# Of a page's lines, from this share on that no character fills other models are tried: print in English and Chinese has
# 0.1 to 0.2, forms with dotted lines up to 0.7, pages in Korean and Russian, of which it reads figures, 0.5 to 0.8.
_UNREAD = 0.4
# So much more is read by the model of the page's script.
_CLEARLY = 1.2

# What was read with less is no print; RapidOCR gives none of it.
_PRINT = 0.5
# From this mean score on a turned page is read the right way up and the other ways are not tried.
_SURE = 0.9


class Recognition(NamedTuple):
    """What was found with the image turned clockwise by ``rotation`` degrees; the lines lie in the turned image,
    ``width`` and ``height`` are the pixels of the unturned one. By which engine, with which ``model``."""

    lines: tuple[RecognisedLine, ...]
    mean_score: float
    rotation: int
    width: int
    height: int
    engine: str = "rapidocr"
    model: OcrModel = PP_OCRV6


def warm_ocr(choice: str = "{}") -> None:
    """Loads the engines of an OcrChoice, as JSON. Raises OcrUnavailable."""
    load(msgspec.json.decode(choice, type=OcrChoice))


def line_height(image: Image.Image, choice: OcrChoice = _USUAL) -> float:
    """Of most lines of print in the image, pixels, with the margin that the engine finds them with; 0 without any. A
    third of the time of reading them. Raises OcrUnavailable."""
    heights = engines(choice)[0].heights(np.asarray(image))
    return median(heights) if heights else 0.0


def recognise(image: Image.Image, turn_below: float, choice: OcrChoice = _USUAL) -> Recognition:
    """The image's text, also where it is upside down or on its side: when lines stand upright or the mean score is
    under ``turn_below``, a small copy is tried turned by 180, 90 and 270 degrees and the best one read in full. Raises
    OcrUnavailable."""
    engine, second = engines(choice)
    lines, shown, rotation, script = engine.lines(np.asarray(image)), image, 0, ""
    sideways = _is_sideways(lines)
    if lines and (sideways or _mean(lines) < turn_below) and (best := _best_rotation(engine, image, sideways)):
        other = as_read(image, best)
        turned = engine.lines(np.asarray(other))
        if _weight(turned) > _weight(lines) or (sideways and turned):
            lines, shown, rotation = turned, other, best
    if len(engine.models) > 1 and _unread_ratio(lines) >= _UNREAD and (script := _best_script(engine, shown)):
        lines = engine.lines(np.asarray(shown), script)
    lines = [line for line in lines if line.score >= _PRINT]
    pixels, grey = np.asarray(shown), np.asarray(shown.convert("L"))
    if second and script in second.models:
        lines = weighed(lines, pixels, second, choice.second_below, script)
    fitted = tuple(_without_tails(_fitted(line, grey), pixels, grey, engine, script) for line in lines)
    return Recognition(fitted, _mean(lines), rotation, image.width, image.height, engine.name, engine.models[script])


def as_read(image: Image.Image, rotation: int) -> Image.Image:
    """Turned clockwise by so many degrees."""
    return image.transpose(_TRANSPOSE[rotation]) if rotation else image


_TRANSPOSE = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}


def _glance(image: Image.Image) -> Image.Image:
    glance = image.copy()
    glance.thumbnail((_GLANCE_PX, _GLANCE_PX), Image.Resampling.BOX)
    return glance


def _best_script(engine: OcrEngine, image: Image.Image) -> str:
    """The script whose model reads clearly more of the image than the first one does, "" where none does."""
    glance = np.asarray(_glance(image))
    weights = {script: _weight(engine.lines(glance, script)) for script in engine.models}
    best = max(weights, key=lambda script: weights[script])
    return best if weights[best] >= _CLEARLY * weights[""] else ""


def _unread_ratio(lines: list[RecognisedLine]) -> float:
    """Of the lines' width, what no character fills: a model leaves signs out that it does not know."""
    whole = sum(width(line.box) for line in lines if line.chars)
    filled = sum(char.end - char.start for line in lines for char in line.chars)
    return 1.0 - filled / whole if whole else 1.0


def _best_rotation(engine: OcrEngine, image: Image.Image, sideways: bool) -> int:
    glance = _glance(image)
    weights = {}
    for rotation in (90, 270) if sideways else (0, 180, 90, 270):
        turned = as_read(glance, rotation)
        lines = engine.lines(np.asarray(turned))
        if rotation and lines and _mean(lines) >= _SURE and not _is_sideways(lines):
            return rotation
        weights[rotation] = 0.0 if _is_sideways(lines) else _weight(lines)
    return max(weights, key=lambda rotation: weights[rotation])


def _mean(lines: list[RecognisedLine]) -> float:
    return sum(line.score for line in lines) / len(lines) if lines else 0.0


def _weight(lines: list[RecognisedLine]) -> float:
    """How much was read and how surely: upside-down print yields as many boxes, but at low scores."""
    return sum(len(line.text) * max(0.0, line.score - 0.5) for line in lines)


def _is_sideways(lines: list[RecognisedLine]) -> bool:
    long = [line.box for line in lines if len(line.text) > 2]
    return bool(long) and sum(map(_stands, long)) >= _SIDEWAYS * len(long)


def _stands(box: Box) -> bool:
    return box[3] - box[1] > 1.5 * (box[2] - box[0])


def _without_tails(
    line: RecognisedLine, pixels: NDArray[np.uint8], grey: NDArray[np.uint8], engine: OcrEngine, script: str
) -> RecognisedLine:
    """The line with each underlined round sign that was read as a Q as it is read without the stroke."""
    tailed, others = ([(c.start, c.end) for c in line.chars if (c.text == _TAILED) == own] for own in (True, False))
    wiped = without_underlines(pixels, grey, line.box, tailed, others) if tailed and others else None
    if wiped is None:
        return line
    again = "".join(engine.line(wiped, script).text.split())
    read = zip(line.chars, again, strict=False)
    if len(again) != len(line.chars) or any(b not in (_ROUND if c.text == _TAILED else c.text) for c, b in read):
        return line
    signs = iter(again)
    text = "".join(c if c.isspace() else next(signs) for c in line.text)
    return line._replace(text=text, chars=tuple(c._replace(text=b) for c, b in zip(line.chars, again, strict=True)))


def _fitted(line: RecognisedLine, grey: NDArray[np.uint8]) -> RecognisedLine:
    """The line with the size of its type, in a box as long as its ink and as high as a line of that type: the
    detector's box has a margin that does not grow with the type."""
    if _stands(line.box) and len(line.text) > 1:
        return line
    x0, y0, x1, y1 = ink(grey, line.box)
    size = _type_size(line, y1 - y0)
    middle, half = (y0 + y1) / 2, _LEADING * size / 2
    chars = tuple(c._replace(start=max(c.start, x0), end=max(c.start, x0, min(c.end, x1))) for c in line.chars)
    fitted = line._replace(box=(x0, middle - half, x1, middle + half), chars=chars, size=size)
    return fitted._replace(text=_spaced(fitted, grey))


def _spaced(line: RecognisedLine, grey: NDArray[np.uint8]) -> str:
    """The text with spaces that the engine left out: between numbers and units, and on both sides of a sign between two
    values."""
    text = line.text
    places = {match.end() for match in _MEASURED.finditer(text)}
    places |= {at for match in _SIGN.finditer(text) for at in match.span()}
    for at in sorted(places, reverse=True) if line.chars else ():
        after = len("".join(text[:at].split()))
        last, following = line.chars[after - 1 : after + 1]
        middles = (last.start + last.end) / 2, (following.start + following.end) / 2
        if white_between(grey, line.box, *middles) >= _SPACE * line.size:
            text = f"{text[:at]} {text[at:]}"
    return text


def _type_size(line: RecognisedLine, inked: float) -> float:
    """The em in pixels: the pitch of Han characters, or the height of the ink by the signs it is made of."""
    if not any(map(_is_wide, line.text)):
        return inked / (_CAPITAL_INK if _DEEP.isdisjoint(line.text) else _DEEP_INK)
    steps = [
        (b.start + b.end - a.start - a.end) / 2
        for a, b in pairwise(line.chars)
        if _is_wide(a.text) and _is_wide(b.text)
    ]
    return min([inked / _HAN_INK, *([median(steps)] if steps else [])])


def _is_wide(char: str) -> bool:
    return ord(char) > 0x2E7F


def words_from(recognition: Recognition, px_per_pt: float) -> list[Glyphs]:
    """Recognised lines as words in page points, cut at spaces and where characters stand apart."""
    # A page that must be turned clockwise to be read has its text turned the other way.
    turn = {0: RIGHT, 90: UP, 180: LEFT, 270: DOWN}[recognition.rotation]
    words = []
    for line in recognition.lines:
        size = line.size or (line.box[3] - line.box[1]) / _LEADING
        for word in _words(line, size):
            box = _unturned((word.start, line.box[1], word.end, line.box[3]), recognition)
            words.append(Glyphs(word.text, _in_points(box, px_per_pt), size / px_per_pt, False, turn, False, 0))
    return words


def characters_from(recognition: Recognition, px_per_pt: float) -> list[tuple[str, Box]]:
    """Single characters in page points."""
    return [
        (char.text, _in_points(_unturned((char.start, line.box[1], char.end, line.box[3]), recognition), px_per_pt))
        for line in recognition.lines
        for char in line.chars or _shares(line)
    ]


def _in_points(box: Box, px_per_pt: float) -> Box:
    x0, y0, x1, y1 = (v / px_per_pt for v in box)
    return x0, y0, x1, y1


def _words(line: RecognisedLine, size: float) -> Iterator[PlacedChar]:
    chars = iter(line.chars or _shares(line))
    for part in line.text.split():
        word: PlacedChar | None = None
        for char in islice(chars, len(part)):
            if word and char.start - word.end > _APART * size:
                yield word
                word = None
            word = PlacedChar(word.text + char.text, word.start, char.end) if word else char
        if word:
            yield word


def _shares(line: RecognisedLine) -> list[PlacedChar]:
    """The characters at their share of the line by usual widths."""
    widths = [2 if _is_wide(c) else 1 for c in line.text]
    unit = (line.box[2] - line.box[0]) / sum(widths)
    placed, at = [], line.box[0]
    for char, wide in zip(line.text, widths, strict=True):
        if not char.isspace():
            placed.append(PlacedChar(char, at, at + wide * unit))
        at += wide * unit
    return placed


def _unturned(box: Box, recognition: Recognition) -> Box:
    """A box of the turned image in the unturned one."""
    x0, y0, x1, y1 = box
    width, height = recognition.width, recognition.height
    if recognition.rotation == 0:
        return box
    if recognition.rotation == 90:
        return y0, height - x1, y1, height - x0
    if recognition.rotation == 180:
        return width - x1, height - y1, width - x0, height - y0
    return width - y1, x0, width - y0, x1
