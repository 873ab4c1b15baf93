"""Line drawings in a page that is one picture itself: bare strokes on paper, beside the text of a price list."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from catalogsku.core.box import Box, area, contains_point, height, intersect, union, width
from processing.engine.reading.blocks import Blocks, blocks_of, boxes_of, parts_of, touching
from processing.engine.reading.raster import Mask, smoothed

# A block has strokes in it when its grain, once single pixels are smoothed, is so coarse: grey levels, and times that
# of the page's paper.
_GRAIN, _PAPER_GRAINS = 4.0, 4.0
# Points, in whole blocks: a mark in a line of text is smaller. So many times longer than wide it is an ornament.
_LEAST_SIDE, _LONGEST = 21.0, 3.0
# The least blocks with strokes, and their least share of the box: of drawings in price lists they have 50 to 230 and
# 0.4 to 0.9 of it; frames, charts and letters drawn large have less.
_LEAST_BLOCKS, _FILLED = 30, 0.35
# Of the page: what is larger is its ground. A page with more drawings is lettered in a way that is not read.
_GROUND, _MOST = 0.5, 40
# Of the page's width: a stroke that is as long is a rule.
_LONG = 0.25


def find_seen_sketches(image: Image.Image, px_per_pt: float, words: Sequence[Box], strokes: Sequence[Box]) -> list[Box]:
    """Boxes of the drawings in an image of that scale, in points of the image. A drawing with words in it is a diagram
    and none."""
    blocks = blocks_of(smoothed(np.asarray(image.convert("L"))), px_per_pt)
    if not words or min(blocks.mean.shape) < 2:
        return []
    drawn = blocks.grain > max(_GRAIN, _PAPER_GRAINS * float(np.median(blocks.grain)))
    for places, rim in ((words, 1), (_rules(strokes, words, image.width / px_per_pt), 0)):
        for place in places:
            drawn[blocks.part(place, rim)] = False
    found = [box for part in parts_of(_grown(drawn)) if (box := _sketch(part[drawn[part[:, 0], part[:, 1]]], blocks))]
    found = [box for box in found if not _holds_any(box, words)]
    return sorted(found, key=lambda box: (box[1], box[0])) if len(found) <= _MOST else []


def beside_photos(sketches: Sequence[Box], photos: Sequence[Box]) -> list[Box]:
    """The sketches without those that are part of a photo, and the photos that are no part of a sketch."""
    kept = [s for s in sketches if not any(_shared(s, p) > 0.5 * area(s) and area(p) > area(s) for p in photos)]
    return [*kept, *(p for p in photos if not any(_shared(p, s) > 0 for s in kept))]


def _grown(drawn: Mask) -> Mask:
    """With the blocks around, so that parts with a gap hang together."""
    padded = np.pad(drawn, 1)
    rows, cols = drawn.shape
    grown: Mask = np.logical_or.reduce([padded[y : y + rows, x : x + cols] for y in range(3) for x in range(3)])
    return grown


def _sketch(own: NDArray[np.int64], blocks: Blocks) -> Box | None:
    if len(own) < _LEAST_BLOCKS:
        return None
    box = blocks.box(own)
    short, long = sorted((width(box), height(box)))
    share = len(own) * blocks.unit**2 / area(box)
    if short < _LEAST_SIDE or long > _LONGEST * short or share < _FILLED:
        return None
    return box if area(box) <= _GROUND * blocks.mean.size * blocks.unit**2 else None


def _rules(strokes: Sequence[Box], words: Sequence[Box], wide: float) -> list[Box]:
    """The strokes that are rules: long ones, and those that are joined to such or have words between them."""
    found: list[Box] = []
    for joined in _networks(strokes):
        long = max(max(width(s), height(s)) for s in joined)
        if long >= _LONG * wide or _holds_any(union(joined), words):
            found += joined
    return found


def _networks(strokes: Sequence[Box]) -> list[list[Box]]:
    """Strokes that touch one another, together."""
    every, left = boxes_of(strokes), np.ones(len(strokes), dtype=bool)
    networks = []
    for first in range(len(strokes)):
        network, edge = [], [first] if left[first] else []
        left[first] = False
        while edge:
            stroke = strokes[edge.pop()]
            network.append(stroke)
            near = np.flatnonzero(left & touching(stroke, every))
            left[near] = False
            edge += near.tolist()
        if network:
            networks.append(network)
    return networks


def _holds_any(box: Box, words: Sequence[Box]) -> bool:
    return any(contains_point(box, (word[0] + word[2]) / 2, (word[1] + word[3]) / 2) for word in words)


def _shared(box: Box, other: Box) -> float:
    common = intersect(box, other)
    return area(common) if common else 0.0
