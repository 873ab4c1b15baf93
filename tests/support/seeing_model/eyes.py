"""What is to be read in the images of a request: lines of print with the place of each character.

Recognised by the product's own OCR from the bytes that were sent, so that print too small for it is not seen. Halves of
a page are laid over each other where they show the same lines.
"""

import hashlib
import io
import threading
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from PIL import Image

from catalogsku.core.box import Box
from processing.engine.reading.ocr import characters_from, recognise
from processing.engine.reading.settings import ReadingSettings

SCALE = 1000.0
# Signs that are drawn alike; spaces are left out altogether.
_ALIKE = str.maketrans({"×": "x", "✕": "x", "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "・": "·", "•": "·"})
# Two lines that both halves show lie at the same place across, give or take so many pixels.
_ASIDE_PX = 8.0
_SHARED_CHARS = 3


def folded(text: str) -> str:
    """As it is compared: one form of each sign, small letters, no spaces."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().translate(_ALIKE).split())


@dataclass(frozen=True)
class Glyph:
    """A folded sign; ``begins``: whether white stands before it."""

    sign: str
    box: Box
    begins: bool


@dataclass(frozen=True)
class Line:
    glyphs: tuple[Glyph, ...]

    @cached_property
    def text(self) -> str:
        return "".join(glyph.sign for glyph in self.glyphs)

    @cached_property
    def box(self) -> Box:
        return around([glyph.box for glyph in self.glyphs])

    def moved(self, down: float) -> "Line":
        moved = [(g.box[0], g.box[1] + down, g.box[2], g.box[3] + down) for g in self.glyphs]
        return Line(tuple(Glyph(g.sign, box, g.begins) for g, box in zip(self.glyphs, moved, strict=True)))

    def scaled(self, across: float, down: float) -> "Line":
        boxes = [(g.box[0] * across, g.box[1] * down, g.box[2] * across, g.box[3] * down) for g in self.glyphs]
        return Line(tuple(Glyph(g.sign, box, g.begins) for g, box in zip(self.glyphs, boxes, strict=True)))


class Eyes:
    """Reads each image once, one at a time: an OCR engine serves one thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read: dict[str, tuple[tuple[Line, ...], int, int]] = {}

    def see(self, images: Sequence[tuple[str, bytes]]) -> list[Line]:
        """``images``: label and bytes; one of the page, or its upper and its lower half. Boxes on 0 to 1000 of the
        page. Nothing without an image."""
        shown = sorted(images, key=lambda image: "lower" in image[0])
        if not shown:
            return []
        lines, width, height = self._lines(shown[0][1])
        found = list(lines)
        for _, data in shown[1:]:
            below, _, high = self._lines(data)
            down = offset(found, below, height)
            found += [line for line in (one.moved(down) for one in below) if not _is_among(line, found)]
            height = max(height, round(down) + high)
        return [line.scaled(SCALE / width, SCALE / height) for line in found]

    def _lines(self, data: bytes) -> tuple[tuple[Line, ...], int, int]:
        """In pixels, and the image's size."""
        key = hashlib.sha256(data).hexdigest()
        with self._lock:
            if key not in self._read:
                image = Image.open(io.BytesIO(data)).convert("RGB")
                self._read[key] = (_recognised(image), image.width, image.height)
            return self._read[key]


def _recognised(image: Image.Image) -> tuple[Line, ...]:
    settings = ReadingSettings()
    found = recognise(image, settings.ocr_turn_below, settings.ocr_by)
    lines = []
    for line in found.lines:
        boxes = iter(characters_from(found._replace(lines=(line,)), 1.0))
        glyphs, begins = list[Glyph](), True
        for char in line.text:
            if char.isspace():
                begins = True
                continue
            _, box = next(boxes)
            for sign in folded(char):
                glyphs.append(Glyph(sign, box, begins))
                begins = False
        if glyphs:
            lines.append(Line(tuple(glyphs)))
    return tuple(lines)


def offset(above: Sequence[Line], below: Sequence[Line], height: int) -> float:
    """So many pixels further down does the lower half begin; without a line in common it begins where the upper one
    ends."""
    downs = [
        a.box[1] - b.box[1]
        for a in above
        for b in below
        if len(a.text) >= _SHARED_CHARS
        and a.text == b.text
        and abs(a.box[0] - b.box[0]) <= _ASIDE_PX
        and a.box[1] > b.box[1]
    ]
    if not downs:
        return float(height)
    often, _ = Counter(round(down / _ASIDE_PX) for down in downs).most_common(1)[0]
    return median(down for down in downs if abs(down / _ASIDE_PX - often) <= 1.0)


def _is_among(line: Line, others: Sequence[Line]) -> bool:
    return any(
        line.text == other.text
        and abs(line.box[0] - other.box[0]) <= _ASIDE_PX
        and abs(line.box[1] - other.box[1]) <= _ASIDE_PX
        for other in others
    )


def around(boxes: Sequence[Box]) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def holds(outer: Box, inner: Box, margin: float = 0.0) -> bool:
    """Whether the middle of the one lies in the other."""
    x, y = middle(inner)
    return outer[0] - margin <= x <= outer[2] + margin and outer[1] - margin <= y <= outer[3] + margin
