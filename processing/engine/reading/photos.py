"""Photos in a page that is one picture itself: parts that are neither paper nor print nor rules."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from catalogsku.core.box import Box, area, height, intersect, width
from processing.engine.reading.raster import Grey

# Points: the blocks in which the page is looked at, and the least side of a photo.
_BLOCK = 3.0
_LEAST_SIDE = 22.0
# Blocks at the edge of a shaded panel that are not drawing in it.
_RIM = 2
# Grey levels: a block is no paper when its mean is so far off, or its grain so coarse (a scanner's noise is about 5).
_OFF_PAPER = 7.0
_GRAIN = 12.0
# Of a photo's box: the least share that is no paper, the least share with drawing in it (a shaded panel has none), and
# the most that words may cover.
_FILLED, _DRAWN, _WORDY = 0.3, 0.03, 0.12
# Of the page: what is larger is its ground.
_MOST = 0.6


def find_photos(grey: Grey, px_per_pt: float, words: Sequence[Box], strokes: Sequence[Box]) -> list[Box]:
    """Boxes of the photos in an image of that scale; everything in points of the image."""
    side = max(1, round(_BLOCK * px_per_pt))
    rows, cols = grey.shape[0] // side, grey.shape[1] // side
    if rows < 2 or cols < 2:
        return []
    blocks = grey[: rows * side, : cols * side].reshape(rows, side, cols, side).astype(np.float32)
    mean, grain = blocks.mean(axis=(1, 3)), blocks.std(axis=(1, 3))
    levels = np.bincount(mean.astype(np.int64).ravel(), minlength=256)
    paper = float(levels.argmax()) + 0.5
    drawn = grain > _GRAIN
    taken = drawn | (np.abs(mean - paper) > _OFF_PAPER)
    unit = side / px_per_pt
    for boxes, rim in ((words, 1), (strokes, 0)):
        for box in boxes:
            x0, y0, x1, y1 = (int(v / unit) for v in box)
            taken[max(0, y0 - rim) : y1 + 1 + rim, max(0, x0 - rim) : x1 + 1 + rim] = False
    found = []
    for part in _parts(taken):
        y0, x0 = part.min(axis=0)
        y1, x1 = part.max(axis=0) + 1
        box = (x0 * unit, y0 * unit, x1 * unit, y1 * unit)
        inner = (drawn & taken)[y0 + _RIM : y1 - _RIM, x0 + _RIM : x1 - _RIM]
        size = (y1 - y0) * (x1 - x0)
        if min(width(box), height(box)) < _LEAST_SIDE or area(box) > _MOST * rows * cols * unit * unit:
            continue
        if len(part) < _FILLED * size or inner.sum() < _DRAWN * size or _covered(box, words) > _WORDY:
            continue
        found.append((float(box[0]), float(box[1]), float(box[2]), float(box[3])))
    return [box for box in found if not any(_lies_in(box, other) for other in found if other != box)]


def _parts(taken: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """The connected parts of a mask as arrays of (row, column)."""
    left = {(int(y), int(x)) for y, x in zip(*np.nonzero(taken), strict=True)}
    parts = []
    while left:
        part, edge = [], [left.pop()]
        while edge:
            y, x = edge.pop()
            part.append((y, x))
            for near in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                if near in left:
                    left.remove(near)
                    edge.append(near)
        parts.append(np.array(part))
    return parts


def _covered(box: Box, words: Sequence[Box]) -> float:
    return sum(area(common) for word in words if (common := intersect(word, box))) / area(box)


def _lies_in(box: Box, other: Box) -> bool:
    common = intersect(box, other)
    return common is not None and area(common) > 0.9 * area(box)


def without_edges(rules: Sequence[Box], photos: Sequence[Box]) -> list[Box]:
    """The rules that are no edges or lines of a photo: those run on no longer than it."""
    grown = [(x0 - _BLOCK, y0 - _BLOCK, x1 + _BLOCK, y1 + _BLOCK) for x0, y0, x1, y1 in photos]
    return [rule for rule in rules if not any(_lies_along(rule, box) for box in grown)]


def _lies_along(rule: Box, box: Box) -> bool:
    common = intersect(rule, box)
    if common is None:
        return False
    along = 0 if width(rule) >= height(rule) else 1
    long = rule[along + 2] - rule[along]
    return common[along + 2] - common[along] > 0.8 * long
