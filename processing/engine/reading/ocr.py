"""Recognising text in a page rendering: RapidOCR with the PP-OCR models of its package, no network."""

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from catalogsku.core.box import Box
from processing.engine.reading.port import DOWN, LEFT, RIGHT, UP, Glyphs

ENGINE = "rapidocr"
# Orientation is decided on a rendering of this size, a quarter of the work.
_GLANCE_PX = 1000
# A printed line's box is this much taller than its type size.
_LEADING = 1.25
# From this share of boxes that stand upright the page lies on its side.
_SIDEWAYS = 0.6

_engine: Any = None


class RecognisedLine(NamedTuple):
    """A line of text in the pixels of the image it was found in; ``score`` 0 to 1."""

    text: str
    box: Box
    score: float


class Recognition(NamedTuple):
    """What was found with the image turned clockwise by ``rotation`` degrees; boxes are in the unturned image."""

    lines: tuple[RecognisedLine, ...]
    mean_score: float
    rotation: int


def warm_ocr() -> None:
    """Loads the models (about 1 s, 300 MB) so that processes forked from this one have them; repeated calls are free.
    Raises ImportError where the engine is not installed."""
    if _engine is None:
        sample = Image.new("RGB", (320, 64), "white")
        ImageDraw.Draw(sample).text((10, 20), "warm 123", fill="black")
        _recognised(np.asarray(sample))


def _recognised(pixels: NDArray[np.uint8]) -> list[RecognisedLine]:
    global _engine
    if _engine is None:
        from rapidocr import RapidOCR

        # use_cls flips upright lines (measured: 4 to 9 % wrong characters with it, 0.1 % without).
        _engine = RapidOCR(
            params={
                "Global.use_cls": False,
                "Global.log_level": "error",
                "EngineConfig.onnxruntime.intra_op_num_threads": 1,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            }
        )
    result = _engine(np.ascontiguousarray(pixels[:, :, ::-1]))
    if result.boxes is None or result.txts is None:
        return []
    lines = []
    for corners, text, score in zip(result.boxes, result.txts, result.scores, strict=True):
        xs, ys = corners[:, 0], corners[:, 1]
        box = (float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max()))
        if text.strip():
            lines.append(RecognisedLine(text.strip(), box, float(score)))
    return lines


def recognise(image: Image.Image, turn_below: float) -> Recognition:
    """The image's text, also where it is upside down or on its side: when lines stand upright or the mean score is
    under ``turn_below``, a small copy is tried turned by 180, 90 and 270 degrees and the best one read in full."""
    lines = _recognised(np.asarray(image))
    mean = _mean(lines)
    sideways = _is_sideways(lines)
    if lines and (sideways or mean < turn_below):
        rotation = _best_rotation(image, sideways)
        if rotation:
            turned = _recognised(np.asarray(image.transpose(_TRANSPOSE[rotation])))
            if _weight(turned) > _weight(lines) or (sideways and turned):
                back = tuple(
                    line._replace(box=_unturned(line.box, rotation, image.width, image.height)) for line in turned
                )
                return Recognition(back, _mean(turned), rotation)
    return Recognition(tuple(lines), mean, 0)


_TRANSPOSE = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}


def _best_rotation(image: Image.Image, sideways: bool) -> int:
    glance = image.copy()
    glance.thumbnail((_GLANCE_PX, _GLANCE_PX), Image.Resampling.BOX)
    weights = {}
    for rotation in (90, 270) if sideways else (0, 180, 90, 270):
        turned = glance.transpose(_TRANSPOSE[rotation]) if rotation else glance
        lines = _recognised(np.asarray(turned))
        weights[rotation] = 0.0 if _is_sideways(lines) else _weight(lines)
    return max(weights, key=lambda rotation: weights[rotation])


def _mean(lines: list[RecognisedLine]) -> float:
    return sum(line.score for line in lines) / len(lines) if lines else 0.0


def _weight(lines: list[RecognisedLine]) -> float:
    """How much was read and how surely: upside-down print yields as many boxes, but at low scores."""
    return sum(len(line.text) * max(0.0, line.score - 0.5) for line in lines)


def _is_sideways(lines: list[RecognisedLine]) -> bool:
    long = [line.box for line in lines if len(line.text) > 2]
    upright = sum(1 for b in long if b[3] - b[1] > 1.5 * (b[2] - b[0]))
    return bool(long) and upright >= _SIDEWAYS * len(long)


def _unturned(box: Box, rotation: int, width: int, height: int) -> Box:
    """A box found in the image turned clockwise by ``rotation``, in the image itself (``width`` x ``height``)."""
    x0, y0, x1, y1 = box
    if rotation == 90:
        return y0, height - x1, y1, height - x0
    if rotation == 180:
        return width - x1, height - y1, width - x0, height - y0
    return width - y1, x0, width - y0, x1


def words_from(recognition: Recognition, px_per_pt: float, left_pt: float = 0.0, top_pt: float = 0.0) -> list[Glyphs]:
    """Recognised lines as words in page points; word boxes are shares of the line by character width."""
    # A page that must be turned clockwise to be read has its text turned the other way.
    turn = {0: RIGHT, 90: UP, 180: LEFT, 270: DOWN}[recognition.rotation]
    words = []
    for line in recognition.lines:
        x0, y0, x1, y1 = (v / px_per_pt for v in line.box)
        box = (x0 + left_pt, y0 + top_pt, x1 + left_pt, y1 + top_pt)
        thick = box[2] - box[0] if turn in (DOWN, UP) else box[3] - box[1]
        for text, part in _shares(line.text, box, turn):
            words.append(Glyphs(text, part, thick / _LEADING, False, turn, False, 0))
    return words


def _shares(text: str, box: Box, turn: int) -> list[tuple[str, Box]]:
    widths = [2 if ord(c) > 0x2E7F else 1 for c in text]
    total = sum(widths)
    found = []
    for match in re.finditer(r"\S+", text):
        start, end = sum(widths[: match.start()]) / total, sum(widths[: match.end()]) / total
        found.append((match.group(), _share(box, start, end, turn)))
    return found


def _share(box: Box, start: float, end: float, turn: int) -> Box:
    x0, y0, x1, y1 = box
    if turn in (LEFT, UP):
        start, end = 1 - end, 1 - start
    if turn in (RIGHT, LEFT):
        return x0 + start * (x1 - x0), y0, x0 + end * (x1 - x0), y1
    return x0, y0 + start * (y1 - y0), x1, y0 + end * (y1 - y0)
