"""Line drawings in a page that is one picture itself: bare strokes on paper, beside the text of a price list."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from catalogsku.core.box import Box, area, gap, height, intersect, width
from processing.engine.reading.blocks import BLOCK_PT, Blocks, blocks_of, parts_of
from processing.engine.reading.networks import holds_any, rules_among
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
# Of a picture's height: how far the print of one row of a table is from that of the next.
_ROWS_APART = 0.6
# Of a drawing: photos in it that are so much of it are all of it.
_PHOTOS = 0.5
# Points, and of the larger side: how far pieces of one drawing are apart beyond a block, and photos of a set differ.
_SLACK, _ALIKE = 1.0, 0.15


def find_seen_sketches(image: Image.Image, px_per_pt: float, words: Sequence[Box], strokes: Sequence[Box]) -> list[Box]:
    """Boxes of the drawings in an image of that scale, in points of the image. A drawing with words in it is a diagram
    and none."""
    blocks = blocks_of(smoothed(np.asarray(image.convert("L"))), px_per_pt)
    if not words or min(blocks.mean.shape) < 2:
        return []
    drawn = blocks.grain > max(_GRAIN, _PAPER_GRAINS * float(np.median(blocks.grain)))
    for places, rim in ((words, 1), (rules_among(strokes, words, image.width / px_per_pt), 0)):
        for place in places:
            drawn[blocks.part(place, rim)] = False
    parts = [part[drawn[part[:, 0], part[:, 1]]] for part in parts_of(_grown(drawn))]
    sketches = [box for own in parts for part in _by_rows(own, blocks, words) if (box := _sketch(part, blocks))]
    sketches = [box for box in sketches if not holds_any(box, words)]
    return sorted(sketches, key=lambda box: (box[1], box[0])) if len(sketches) <= _MOST else []


def beside_photos(sketches: Sequence[Box], photos: Sequence[Box]) -> list[Box]:
    """The sketches without those that are part of a photo or several photos, and the photos that are no part of a
    sketch."""
    drawings = [s for s in sketches if not _are_photos(s, [p for p in photos if _shared(s, p) > 0])]
    return [*drawings, *(p for p in photos if not any(_shared(p, s) > 0 for s in drawings))]


def _are_photos(sketch: Box, photos: Sequence[Box]) -> bool:
    """Several photos stand apart or are alike in height or width; what else fills a sketch are its pieces."""
    if len(photos) > 1 and sum(_shared(sketch, p) for p in photos) > _PHOTOS * area(sketch):
        apart = min(gap(p, q) for p, q in combinations(photos, 2)) > BLOCK_PT + _SLACK
        return apart or any(
            max(sides) - min(sides) <= _ALIKE * max(sides)
            for sides in (list(map(height, photos)), list(map(width, photos)))
        )
    return any(_shared(sketch, p) > 0.5 * area(sketch) and area(p) > area(sketch) for p in photos)


def _by_rows(own: NDArray[np.int64], blocks: Blocks, words: Sequence[Box]) -> list[NDArray[np.int64]]:
    """A part cut at its gaps where rows of a table end."""
    rows = np.unique(own[:, 0])
    pieces: list[NDArray[np.int64]] = []
    for piece in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1):
        boxes = [blocks.box(own[np.isin(own[:, 0], rows_of_part)]) for rows_of_part in (*pieces[-1:], piece)]
        if len(boxes) < 2 or _are_rows(boxes[0], boxes[1], words):
            pieces.append(piece)
        else:
            pieces[-1] = np.concatenate([pieces[-1], piece])
    return [own[np.isin(own[:, 0], piece)] for piece in pieces]


def _are_rows(above: Box, below: Box, words: Sequence[Box]) -> bool:
    """Both are as high as a picture, and print stands beside each of them, as far apart as rows do."""
    high = min(height(above), height(below))
    beside = [
        [y for w in words if (w[2] <= box[0] or w[0] >= box[2]) and box[1] <= (y := (w[1] + w[3]) / 2) <= box[3]]
        for box in (above, below)
    ]
    return high >= _LEAST_SIDE and all(beside) and min(beside[1]) - max(beside[0]) >= _ROWS_APART * high


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


def _shared(box: Box, other: Box) -> float:
    common = intersect(box, other)
    return area(common) if common else 0.0
