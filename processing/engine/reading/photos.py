"""Photos in a page that is one picture itself: parts that are neither paper nor print nor rules."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalogsku.core.box import Box, area, height, intersect, width
from processing.engine.reading.raster import Grey

# Points: the blocks in which the page is looked at, and the least side of a photo.
_BLOCK = 3.0
_LEAST_SIDE = 22.0
# Blocks at the edge of a shaded panel that are not drawing in it.
_RIM = 2
# Grey levels: a block is no paper when its mean is so far off (the more so the more uneven the paper is, but no further
# than the last), or its grain so coarse (a scanner's noise is about 5).
_OFF_PAPER, _UNEVEN, _MOST_UNEVEN = 2.5, 6.0, 7.0
_GRAIN = 12.0
# Of the page: a panel of one level is a ground to print on where it is as large and has so many words or reaches the
# page's edge, points.
_PANEL, _PANEL_WORDS, _EDGE = 0.01, 3, 8.0
# Of how far its blocks may be from its level: their usual deviation. A photo's shaded wall has more.
_LEVEL = 0.4
# Of the page's width: a stroke that is as long is a rule.
_LONG = 0.25
# Of a photo's box: the least share that is no paper, the least share with drawing in it (a shaded panel has none), and
# the most that words may cover.
_FILLED, _DRAWN, _WORDY = 0.3, 0.03, 0.12
# Of the page: what is larger is its ground.
_MOST = 0.6

Mask = NDArray[np.bool_]


class _Blocks(NamedTuple):
    """The page in square blocks: their mean and grain, and the side of one in points."""

    mean: NDArray[np.float32]
    grain: NDArray[np.float32]
    unit: float

    def part(self, box: Box, rim: int = 0) -> tuple[slice, slice]:
        x0, y0, x1, y1 = (int(v / self.unit) for v in box)
        return slice(max(0, y0 - rim), y1 + 1 + rim), slice(max(0, x0 - rim), x1 + 1 + rim)


def find_photos(grey: Grey, px_per_pt: float, words: Sequence[Box], strokes: Sequence[Box]) -> list[Box]:
    """Boxes of the photos in an image of that scale; everything in points of the image."""
    blocks = _blocks(grey, px_per_pt)
    if min(blocks.mean.shape) < 2:
        return []
    drawn = blocks.grain > _GRAIN
    ground = _ground(blocks, words)
    taken = (drawn | ~ground) & ~_borders(ground, blocks.mean)
    for places, rim in ((words, 1), (_rules(strokes, grey.shape[1] / px_per_pt), 0)):
        for place in places:
            taken[blocks.part(place, rim)] = False
    found = [box for part in _parts(taken) if (box := _photo(part, taken, drawn & taken, blocks, words))]
    return [box for box in found if not any(_lies_in(box, other) for other in found if other != box)]


def _blocks(grey: Grey, px_per_pt: float) -> _Blocks:
    side = max(1, round(_BLOCK * px_per_pt))
    rows, cols = grey.shape[0] // side, grey.shape[1] // side
    squares = grey[: rows * side, : cols * side].reshape(rows, side, cols, side).astype(np.float32)
    return _Blocks(squares.mean(axis=(1, 3)), squares.std(axis=(1, 3)), side / px_per_pt)


def _ground(blocks: _Blocks, words: Sequence[Box]) -> Mask:
    """Paper, and panels of one level that are printed on or run off the page."""
    even = blocks.grain <= _GRAIN
    levels = np.bincount(np.round(blocks.mean[even]).astype(np.int64), minlength=257)
    paper = int(levels.argmax())
    reach = _reach(blocks.mean[even], paper)
    ground = even & (np.abs(blocks.mean - paper) <= reach)
    least = _PANEL * blocks.mean.size
    left = levels.copy()
    left[max(0, paper - round(reach)) : paper + round(reach) + 1] = 0
    while left.max() >= 0.3 * least:
        level = int(left.argmax())
        near = even & ~ground & (np.abs(blocks.mean - level) <= reach)
        for part in _parts(near):
            if len(part) >= least and _is_panel(part, blocks, words, reach):
                ground[part[:, 0], part[:, 1]] = True
        left[max(0, level - 1) : level + 2] = 0
    return ground


def _rules(strokes: Sequence[Box], wide: float) -> list[Box]:
    """The strokes that are rules: long, or with others across their ends as in a table. The rest are drawing."""
    level, upright = ([s for s in strokes if (width(s) >= height(s)) == flat] for flat in (True, False))
    return [
        s for s, across in [*((s, upright) for s in level), *((s, level) for s in upright)]
        if max(width(s), height(s)) >= _LONG * wide or any(_touch(s, other) for other in across)
    ]  # fmt: skip


def _touch(stroke: Box, other: Box) -> bool:
    near = (stroke[0] - _BLOCK, stroke[1] - _BLOCK, stroke[2] + _BLOCK, stroke[3] + _BLOCK)
    return intersect(near, other) is not None


def _borders(ground: Mask, mean: NDArray[np.float32]) -> Mask:
    """The blocks where one ground ends and another begins."""
    found = np.zeros_like(ground)
    for here, flat, level in ((found, ground, mean), (found.T, ground.T, mean.T)):
        for thick in (1, 2):
            step = thick + 1
            meet = flat[:-step] & flat[step:] & (np.abs(level[:-step] - level[step:]) > _OFF_PAPER)
            for k in range(1, step):
                here[k : k - step] |= meet
    return found


def _reach(means: NDArray[np.float32], paper: int) -> float:
    """How far blocks of the paper may be from its level."""
    off = np.abs(means - paper)
    near = off[off <= _MOST_UNEVEN]
    return float(np.clip(_UNEVEN * np.median(near), _OFF_PAPER, _MOST_UNEVEN))


def _is_panel(part: NDArray[np.int64], blocks: _Blocks, words: Sequence[Box], reach: float) -> bool:
    rows, cols = blocks.mean.shape
    rim = round(_EDGE / blocks.unit)
    y, x = part[:, 0], part[:, 1]
    if blocks.mean[y, x].std() > _LEVEL * reach:
        return False
    outer = (y < rim) | (x < rim) | (y >= rows - rim) | (x >= cols - rim)
    if outer.any():
        return True
    own = np.zeros(blocks.mean.shape, dtype=bool)
    own[y, x] = True
    return sum(_is_printed_on(own, box, blocks) for box in words) >= _PANEL_WORDS


def _is_printed_on(panel: Mask, word: Box, blocks: _Blocks) -> bool:
    """Most of what is around the word."""
    around, inside = panel[blocks.part(word, 2)], panel[blocks.part(word, 1)]
    return bool(around.sum() - inside.sum() > 0.6 * (around.size - inside.size))


def _photo(part: NDArray[np.int64], taken: Mask, drawn: Mask, blocks: _Blocks, words: Sequence[Box]) -> Box | None:
    y0, x0 = part.min(axis=0)
    y1, x1 = part.max(axis=0) + 1
    box = (float(x0 * blocks.unit), float(y0 * blocks.unit), float(x1 * blocks.unit), float(y1 * blocks.unit))
    size = (y1 - y0) * (x1 - x0)
    if min(width(box), height(box)) < _LEAST_SIDE or size > _MOST * drawn.size:
        return None
    shown = drawn | (taken & (np.abs(blocks.mean - np.median(blocks.mean[part[:, 0], part[:, 1]])) > _GRAIN))
    inner = shown[y0 + _RIM : y1 - _RIM, x0 + _RIM : x1 - _RIM]
    if len(part) < _FILLED * size or inner.sum() < _DRAWN * size or _covered(box, words) > _WORDY:
        return None
    return box


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
