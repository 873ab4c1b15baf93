"""What a page that is one picture is printed on: paper, shaded panels, cells and bands, ribbons under a caption."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalogsku.core.box import Box, centre, contains_point
from processing.engine.reading.blocks import Blocks, parts_of
from processing.engine.reading.raster import Mask

# Grey levels: a block is no paper when its mean is so far off (the more so the more uneven the paper is, but no further
# than the last), or its grain so coarse (a scanner's noise is about 5).
_OFF_PAPER, _UNEVEN, _MOST_UNEVEN = 2.5, 6.0, 7.0
GRAIN = 12.0
# Of the page: a panel of one level is a ground to print on where it is as large and has so many words or reaches the
# page's edge, points; and where it runs from one edge to the other.
_PANEL, _PANEL_WORDS, _EDGE = 0.01, 3, 8.0
# The sides of a word on which the panel lies that it is printed on.
_SIDES = 2
# Blocks: the thickest rule between two cells of one panel, and its least length.
_RULE, _LINE = 3, 6
# A ribbon with a caption is smaller, of the page; an upright rectangle but for its print, so many times wider
# than high. Blocks between it and a word at its end.
_RIBBON, _RIBBON_FILLED, _RIBBON_WIDE, _RIBBON_GAP = 0.002, 0.85, 2.5, 2
# Of how far its blocks may be from its level: their usual deviation. A photo's shaded wall has more.
_LEVEL = 0.4
# Of each side of a card: so much of it lies on the ground around.
_ALONG = 0.8


class Grounds(NamedTuple):
    """The blocks of grounds, and the boxes, points, of those that are no paper."""

    mask: Mask
    panels: list[Box]


def grounds(blocks: Blocks, words: Sequence[Box]) -> Grounds:
    """Paper, panels of one level that are printed on or run off the page, though rules cut them into cells, and ribbons
    under a caption."""
    even = blocks.grain <= GRAIN
    panels: list[Box] = []
    if not even.any():
        return Grounds(even, panels)
    levels = np.bincount(np.round(blocks.mean[even]).astype(np.int64), minlength=257)
    paper = int(levels.argmax())
    reach = _reach(blocks.mean[even], paper)
    ground = even & (np.abs(blocks.mean - paper) <= reach)
    bare = bare_blocks(words, blocks)
    least = _RIBBON * blocks.mean.size
    of_paper = ground.copy()
    left = levels.copy()
    left[max(0, paper - round(reach)) : paper + round(reach) + 1] = 0
    while left.max() >= 0.3 * least:
        peak = int(left.argmax())
        near = even & ~ground & (np.abs(blocks.mean - peak) <= reach)
        for part in _cells(near, _PANEL * near.size):
            if _is_level(part, blocks, reach) and _is_printed(part, blocks, words, bare):
                ground[part[:, 0], part[:, 1]] = True
                panels.append(blocks.box(part))
        for part in parts_of(near & ~ground, least):
            if _is_panel(part, blocks, words, bare, reach) or _is_ribbon(part, blocks, words, reach):
                ground[part[:, 0], part[:, 1]] = True
                panels.append(blocks.box(part))
        left[max(0, peak - 1) : peak + 2] = 0
    panels += _cards_of_paper(of_paper, ground & ~of_paper, blocks)
    return Grounds(ground, panels)


def _cards_of_paper(paper: Mask, other: Mask, blocks: Blocks) -> list[Box]:
    """Cards as white as most of the page, on a ground of another level that lies along all their sides."""
    cards = []
    for part in parts_of(paper, _PANEL * paper.size) if other.any() else ():
        (y0, x0), (y1, x1) = part.min(axis=0), part.max(axis=0)
        over, under, left, right = y0 - _RULE, y1 + _RULE, x0 - _RULE, x1 + _RULE
        if min(over, left) < 0 or under >= paper.shape[0] or right >= paper.shape[1]:
            continue
        around = other[over, x0:x1], other[under, x0:x1], other[y0:y1, left], other[y0:y1, right]
        if all(side.mean() >= _ALONG for side in around):
            cards.append(blocks.box(part))
    return cards


def borders(ground: Mask, mean: NDArray[np.float32]) -> Mask:
    """The blocks where one ground ends and another begins."""
    edges = np.zeros_like(ground)
    for here, flat, level in ((edges, ground, mean), (edges.T, ground.T, mean.T)):
        for thick in (1, 2):
            step = thick + 1
            meet = flat[:-step] & flat[step:] & (np.abs(level[:-step] - level[step:]) > _OFF_PAPER)
            for k in range(1, step):
                here[k : k - step] |= meet
    return edges


def bare_blocks(words: Sequence[Box], blocks: Blocks) -> Mask:
    """The blocks that are under no word."""
    bare = np.ones(blocks.mean.shape, dtype=bool)
    for word in words:
        bare[blocks.part(word, 1)] = False
    return bare


def mask_of(part: NDArray[np.int64], shape: tuple[int, ...]) -> Mask:
    """The blocks of a part, (row, column) each."""
    own = np.zeros(shape, dtype=bool)
    own[part[:, 0], part[:, 1]] = True
    return own


def _reach(means: NDArray[np.float32], paper: int) -> float:
    """How far blocks of the paper may be from its level."""
    off = np.abs(means - paper)
    near = off[off <= _MOST_UNEVEN]
    return float(np.clip(_UNEVEN * np.median(near), _OFF_PAPER, _MOST_UNEVEN))


def _cells(near: Mask, least: float) -> Iterator[NDArray[np.int64]]:
    """The parts of so many blocks that rules part into cells."""
    import cv2  # comes with the engine, and is loaded where that is

    shown = near.astype(np.uint8)
    joined = near.copy()
    for across, along in (((1, _RULE + 1), (_LINE, 1)), ((_RULE + 1, 1), (1, _LINE))):
        gaps = cv2.morphologyEx(shown, cv2.MORPH_CLOSE, np.ones(across, np.uint8)) - shown
        joined |= cv2.morphologyEx(gaps, cv2.MORPH_OPEN, np.ones(along, np.uint8)).astype(bool)
    for part in parts_of(joined, least):
        own = part[near[part[:, 0], part[:, 1]]]
        if len(own) >= least:
            yield own


def _is_panel(part: NDArray[np.int64], blocks: Blocks, words: Sequence[Box], bare: Mask, reach: float) -> bool:
    rows, cols = blocks.mean.shape
    rim = round(_EDGE / blocks.unit)
    y, x = part[:, 0], part[:, 1]
    left, right, top, foot = (bool(edge.any()) for edge in (x < rim, x >= cols - rim, y < rim, y >= rows - rim))
    across = (left and right) or (top and foot)  # between two bands, whatever its size
    if (len(part) < _PANEL * rows * cols and not across) or not _is_level(part, blocks, reach):
        return False
    return left or right or top or foot or _is_printed(part, blocks, words, bare)


def _is_printed(part: NDArray[np.int64], blocks: Blocks, words: Sequence[Box], bare: Mask) -> bool:
    """Whether several words stand on it."""
    own, box = mask_of(part, blocks.mean.shape), blocks.box(part)
    inside = [word for word in words if contains_point(box, *centre(word))]
    return sum(_sides_on(own, word, blocks, bare) >= _SIDES for word in inside) >= _PANEL_WORDS


def _is_level(part: NDArray[np.int64], blocks: Blocks, reach: float) -> bool:
    return bool(blocks.mean[part[:, 0], part[:, 1]].std() <= _LEVEL * reach)


def _is_ribbon(part: NDArray[np.int64], blocks: Blocks, words: Sequence[Box], reach: float) -> bool:
    """Large print may cover an end of it from edge to edge."""
    y0, x0 = part.min(axis=0)
    y1, x1 = part.max(axis=0) + 1
    if x1 - x0 < _RIBBON_WIDE * (y1 - y0) or not _is_level(part, blocks, reach):
        return False
    taken = mask_of(part, blocks.mean.shape)
    left, top, right, foot = blocks.box(part)
    beside = _RIBBON_GAP * blocks.unit
    own = [w for w in words if top <= centre(w)[1] <= foot and w[0] < right + beside and w[2] > left - beside]
    for word in own:
        taken[blocks.part(word, 1)] = True
    return bool(own) and bool(taken[y0:y1, x0:x1].mean() >= _RIBBON_FILLED)


def _sides_on(mask: Mask, word: Box, blocks: Blocks, bare: Mask) -> int:
    """To how many sides of the word the next bare block is of the mask: print may stand at its edge, and in lines so
    close that nothing is between them."""
    rows, cols = blocks.part(word, 1)
    y, x = (rows.start + rows.stop) // 2, (cols.start + cols.stop) // 2
    directions = (
        (np.s_[y, cols.start :: -1], np.s_[y, cols.stop :]),
        (np.s_[rows.start :: -1, x], np.s_[rows.stop :, x]),
    )
    return sum(bool(mask[direction][bare[direction]][:1].any()) for pair in directions for direction in pair)
