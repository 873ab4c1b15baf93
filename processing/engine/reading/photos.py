"""Photos in a page that is one picture itself: parts that are neither paper nor print nor rules."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalogsku.core.box import Box, area, height, intersect, union, width
from processing.engine.reading.blocks import BLOCK_PT, Blocks, blocks_of, parts_of
from processing.engine.reading.grounds import GRAIN, bare_blocks, borders, grounds, mask_of
from processing.engine.reading.networks import rules_among
from processing.engine.reading.raster import Grey, Mask, smoothed
from processing.engine.reading.ruling import Lines

# Points: the least side of a photo, and of one that is slender or shows lettering, which may cover so much of it; what
# is smaller or shows more is a button or an arrow. So much is the label of a bottle, that many times as high as wide.
_LEAST_SIDE = 22.0
_LETTERED_SIDE, _MOST_LETTERED = 45.0, 0.35
_LABEL, _UPRIGHT = 0.12, 2.0
# Of what is around a word: a photo that shows it.
_LETTERING = 0.85
# Blocks at the edge of a shaded panel that are not drawing in it.
_RIM = 2
# Of a photo's box: the least share that is no paper, the least share with drawing in it (a shaded panel has none), and
# the most that words beside it may cover.
_USUAL = 0.3, 0.03, 0.12
# The same of a slender thing, as a tool that lies aslant (0.19 and 0.17 of its box) or a table on thin legs (0.29 and
# 0.10) is: the box of a frame or of a chart is less filled, drawn less in its lines, or has print in it.
_SLENDER = 0.15, 0.08, 0.03
# Of a close-up of cloth, wood or stone: the least share of its box and its least side, points; what is finer than two
# pixels taken off, three of four blocks are grained so much: grey levels, and times the page's paper (panels as much as
# paper to 1.6 times, wood and cloth 2.5 to 4; halftone is too fine to be left).
_WOVEN_FILLED, _WOVEN_SIDE = 0.6, 45.0
_WOVEN, _PAPER_GRAINS = 2.4, 2.2
# Blocks: what is thinner hangs on a photo. Of a rectangle's box and of a part: the least that it fills, and that
# rectangles are.
_THIN, _FULL, _MADE_OF = 7, 0.97, 0.6
# A bar is so many times longer than high, and nearly all of it is inside.
_BAR, _BAR_FULL = 5.0, 0.95
# Blocks between a picture and its frame, which runs along so much of a side: watermarks do along a third at most.
_FRAME_RIM, _FRAMED = 10, 0.7
# Of the smaller of two parts of a photo: the least that they share.
_SHARED = 0.5
# Of a line: so much of it lies along the photo whose edge it is.
_ALONG = 0.8
# Of what lies along a stroke in a photo so much is no ground. Grey levels: how uneven that is at least (measured from
# 10 on, along rules in shades 2).
_INNER, _UNEVEN = 0.95, 7.0
# Of the page: what is larger is its ground; larger still where nothing is printed on it, as a photo that leaves a strip
# for its caption.
_MOST, _MOST_BARE = 0.6, 0.85


class Shown(NamedTuple):
    """Boxes of the photos, and of the panels that are printed on."""

    photos: list[Box]
    panels: list[Box]


def find_photos(grey: Grey, px_per_pt: float, words: Sequence[Box], strokes: Sequence[Box]) -> Shown:
    """What an image of that scale shows; everything in points of the image."""
    blocks = blocks_of(grey, px_per_pt)
    if min(blocks.mean.shape) < 2:
        return Shown([], [])
    drawn = blocks.grain > GRAIN
    bare = bare_blocks(words, blocks)
    ground, panels = grounds(blocks, words)
    taken = (drawn | ~ground) & ~borders(ground, blocks.mean)
    lettering = [word for word in words if _share_around(taken, word, blocks, bare) > _LETTERING]
    print_of_page = [word for word in words if word not in lettering]
    rules = rules_among(strokes, words, grey.shape[1] / px_per_pt)
    rules = [rule for rule in rules if not _is_in_photo(rule, taken, bare, blocks)]
    for places, rim in ((print_of_page, 1), (rules, 0)):
        for place in places:
            taken[blocks.part(place, rim)] = False
    plain = taken.copy()
    for word in lettering:
        plain[blocks.part(word, 1)] = False

    @cache
    def fine() -> NDArray[np.float32]:
        return blocks_of(smoothed(grey), px_per_pt).grain

    def photos_in(mask: Mask) -> list[Box]:
        boxes: list[Box] = []
        for part in (p for joined in parts_of(mask) for p in _rectangles(joined, mask.shape) or [joined]):
            whole = blocks.box(part)
            if min(width(whole), height(whole)) < _LEAST_SIDE:
                continue
            box = _photo(part, plain, drawn, blocks, print_of_page, lettering)
            if box is None and _is_bare(part, whole, words, ground) and _is_woven(part, ground, fine()):
                box = whole
            framed = box is None or _covered(box, print_of_page) > 0
            without = _without_lines(part, mask.shape) if framed else None
            boxes += (photos_in(without) if without is not None else []) or ([box] if box else [])
        return boxes

    return Shown(_whole(photos_in(taken)), panels)


def _is_in_photo(stroke: Box, taken: Mask, bare: Mask, blocks: Blocks) -> bool:
    """Whether no ground lies along its sides or beyond its ends, and what lies there is no shade, as inside a photo of
    a door or a cupboard: rules of a page begin and end on what it is printed on, or at others."""
    level = width(stroke) >= height(stroke)
    own, free, mean = (sheet if level else sheet.T for sheet in (taken, bare, blocks.mean))
    y, x = blocks.part(stroke) if level else blocks.part(stroke)[::-1]
    start, end, above, below = x.start - _RIM, x.stop + _RIM, y.start - _RIM, y.stop + _RIM - 1
    if min(start, above) < 0 or end > own.shape[1] or below >= own.shape[0]:
        return False
    if not own[above : below + 1, [start, end - 1]].all():
        return False
    sides = [(own[at, start:end], mean[at, start:end][free[at, start:end]]) for at in (above, below)]
    uneven = max(float(np.ptp(np.percentile(levels, (10, 90)))) if len(levels) else 0.0 for _, levels in sides)
    return uneven >= _UNEVEN and all(bool(side.mean() >= _INNER) for side, _ in sides)


def _rectangles(part: NDArray[np.int64], shape: tuple[int, ...]) -> list[NDArray[np.int64]]:
    """The full rectangles that the part is made of, without what hangs between and on them: print across the page and
    its photos, as a watermark is. Nothing where it has other shapes too, or there is a frame around one."""
    import cv2  # comes with the engine, and is loaded where that is

    own = np.zeros(shape, dtype=np.uint8)
    own[part[:, 0], part[:, 1]] = 1
    thick = cv2.morphologyEx(own, cv2.MORPH_OPEN, np.ones((_THIN, _THIN), np.uint8)).astype(bool)
    rectangles = parts_of(thick)
    if thick.sum() < _MADE_OF * len(part) or any(len(p) < _FULL * np.prod(np.ptp(p, axis=0) + 1) for p in rectangles):
        return []
    rest = own.astype(bool) & ~thick
    return [] if any(_is_framed(p, rest) for p in rectangles) else rectangles


def _is_framed(rectangle: NDArray[np.int64], rest: Mask) -> bool:
    """Whether the rest runs along sides of it, next to it or with a rim between: a watermark runs across."""
    (y0, x0), (y1, x1) = rectangle.min(axis=0), rectangle.max(axis=0) + 1
    above, left = max(0, y0 - _FRAME_RIM), max(0, x0 - _FRAME_RIM)
    sides = [rest[above:y0, x0:x1], rest[y1 : y1 + _FRAME_RIM, x0:x1]]
    sides += [rest[y0:y1, left:x0].T, rest[y0:y1, x1 : x1 + _FRAME_RIM].T]
    return sum(bool(side.any(axis=0).mean() >= _FRAMED) for side in sides if side.size) > 1


def _without_lines(part: NDArray[np.int64], shape: tuple[int, ...]) -> Mask | None:
    """The part without its lines of single blocks, as the frame of a card around its photo is; None without any."""
    own = mask_of(part, shape)
    square = own[:-1, :-1] & own[1:, :-1] & own[:-1, 1:] & own[1:, 1:]
    thick = np.zeros(shape, dtype=bool)
    for y, x in ((0, 0), (1, 0), (0, 1), (1, 1)):
        thick[y : shape[0] - 1 + y, x : shape[1] - 1 + x] |= square
    return thick if 0 < thick.sum() < len(part) else None


def _share_around(mask: Mask, word: Box, blocks: Blocks, bare: Mask) -> float:
    """Of what is right around the word and bare; of a word from side to side of a slender thing, over and under it."""
    y, x = blocks.part(word, 2)
    inner = slice(x.start + 2, x.stop - 2)
    over, under = slice(y.start, y.start + 2), slice(y.stop - 2, y.stop)
    return max(_share(mask, bare, (y, x)), min(_share(mask, bare, (rim, inner)) for rim in (over, under)))


def _share(mask: Mask, bare: Mask, part: tuple[slice, slice]) -> float:
    of = bare[part]
    return float((mask[part] & of).sum()) / max(1, int(of.sum()))


def _photo(
    part: NDArray[np.int64],
    plain: Mask,
    drawn: Mask,
    blocks: Blocks,
    words: Sequence[Box],
    lettering: Sequence[Box],
) -> Box | None:
    y0, x0 = part.min(axis=0)
    y1, x1 = part.max(axis=0) + 1
    box = blocks.box(part)
    size = (y1 - y0) * (x1 - x0)
    lettered = _covered(box, lettering)
    slender = len(part) < _USUAL[0] * size
    labelled = lettered <= (_LABEL if height(box) >= _UPRIGHT * width(box) else 0.0)
    least = _LEAST_SIDE if labelled and not slender else _LETTERED_SIDE
    most = _MOST if lettered or _covered(box, words) else _MOST_BARE
    if min(width(box), height(box)) < least or size > most * drawn.size or lettered > _MOST_LETTERED:
        return None
    shown = plain & (drawn | (np.abs(blocks.mean - np.median(blocks.mean[part[:, 0], part[:, 1]])) > GRAIN))
    if slender:
        shown &= mask_of(part, shown.shape)
    if _is_bar(part, shown):
        return None
    inner = shown[y0 + _RIM : y1 - _RIM, x0 + _RIM : x1 - _RIM]
    least_filled, least_drawn, most_wordy = _SLENDER if slender else _USUAL
    if len(part) < least_filled * size or inner.sum() < least_drawn * size or _covered(box, words) > most_wordy:
        return None
    return box


def _is_bar(part: NDArray[np.int64], shown: Mask) -> bool:
    """Whether most of it is a long bar from side to side that shows nothing: the band of a section in a list, with
    cells that hang on it. ``shown``: the blocks with drawing."""
    y0, x0 = part.min(axis=0)
    wide = np.ptp(part[:, 1]) + 1
    rows = np.flatnonzero(np.bincount(part[:, 0] - y0) >= _BAR_FULL * wide)
    if len(rows) <= 2 * _RIM or np.ptp(rows) >= len(rows) or wide < _BAR * len(rows):
        return False
    if 2 * wide * len(rows) < len(part):
        return False
    inside = shown[y0 + rows[_RIM] : y0 + rows[-_RIM], x0 + _RIM : x0 + wide - _RIM]
    return bool(inside.mean() < _USUAL[1])


def _is_bare(part: NDArray[np.int64], box: Box, words: Sequence[Box], ground: Mask) -> bool:
    """Whether it is a plain rectangle beside a ground, without print, as large as a close-up of a stuff is."""
    rows, cols = np.ptp(part, axis=0) + 1
    full = len(part) >= _WOVEN_FILLED * rows * cols and min(width(box), height(box)) >= _WOVEN_SIDE
    return bool(full and rows * cols <= _MOST * ground.size and ground.any()) and _covered(box, words) == 0


def _is_woven(part: NDArray[np.int64], ground: Mask, grain: NDArray[np.float32]) -> bool:
    """Whether it is grained all over, its edges left out, and the ground is not."""
    y, x = part[:, 0], part[:, 1]
    y0, x0 = part.min(axis=0) + _RIM
    y1, x1 = part.max(axis=0) - _RIM
    inner = part[(y >= y0) & (y <= y1) & (x >= x0) & (x <= x1)]
    least = max(_WOVEN, _PAPER_GRAINS * float(np.median(grain[ground])))
    return len(inner) > 0 and bool(np.percentile(grain[inner[:, 0], inner[:, 1]], 25) >= least)


def _covered(box: Box, words: Sequence[Box]) -> float:
    return sum(area(common) for word in words if (common := intersect(word, box))) / area(box)


def _whole(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that overlap by much of one of them made one: parts of a photo that a thin line seems to cut."""
    whole: list[Box] = []
    for box in boxes:
        while parts := [other for other in whole if _overlap(box, other)]:
            whole = [other for other in whole if other not in parts]
            box = union([box, *parts])
        whole.append(box)
    return whole


def _overlap(box: Box, other: Box) -> bool:
    common = intersect(box, other)
    return common is not None and area(common) > _SHARED * min(area(box), area(other))


def without_edges(lines: Lines, photos: Sequence[Box]) -> list[Box]:
    """The rules and edges that are no edges or lines of a photo: those run on no longer than it. The edges of photos
    under or beside each other may be read as one."""
    grown = [(x0 - BLOCK_PT, y0 - BLOCK_PT, x1 + BLOCK_PT, y1 + BLOCK_PT) for x0, y0, x1, y1 in photos]
    strokes = [rule for rule in lines.strokes if not any(_common(rule, box) > _ALONG * _long(rule) for box in grown)]
    edges = [edge for edge in lines.edges if sum(_common(edge, box) for box in grown) <= _ALONG * _long(edge)]
    return strokes + edges


def _long(rule: Box) -> float:
    return max(width(rule), height(rule))


def _common(rule: Box, box: Box) -> float:
    """How much of the rule lies in the box."""
    common = intersect(rule, box)
    return _long(common) if common else 0.0
