"""Photos in a page that is one picture itself and that stand so close that they look like one: cut at the paper left
between them."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from catalogsku.core.box import Box
from processing.engine.reading.joins import joined
from processing.engine.reading.raster import Grey, Mask

# Points: the least side of what a seam parts, the stretches along a seam that are looked at one by one, how far beside
# its middle the photos are for narrow and for wide ones, how far it may stray, and what is left out at the ends.
_LEAST_SIDE, _STRETCH, _BESIDE, _STRAY, _END = 22.0, 6.0, (2.0, 4.0), 0.5, 3.0
_LEAST_STRETCHES = 6
# Grey levels: what is as near to it is paper, surely so, and by how much the photos on both sides are darker. A mean
# over a stretch has a noise of less than one.
PAPER, _BARE, _DARKER = 10.0, 4.0, 3.0
# Of what is around a photo: so much is as light as most of it where that is paper (0.88 and more), and not a part of
# the thing that it shows (0.09 to 0.31).
_EVEN = 0.5
# Points: how near to a photo a rule ends that it hides, and how far its two ends may be apart in height.
_TOUCH, _STRAY_PT = 5.0, 2.5
# Of a seam's stretches: so many run between two photos, and nearly all others through bare paper.
_BETWEEN, _CLEAR = 0.5, 0.93
# Times as long as high: a bar at least. Points: cells of its inside. Grey levels: how uneven these are (1 to 3).
_BAR, _CELL, _ONE_LEVEL = 3.0, 3.0, 5.0


def parted(grey: Grey, px_per_pt: float, photos: Sequence[Box]) -> list[Box]:
    """The photos in an image of that scale, points; for one with seams from side to side its parts, and of these the
    photos that touch. A seam is as light as the paper around and lighter than what is at both its sides. A bar of one
    colour that a seam parts from photos is none: it shows the shade of what stands over it."""
    parts = []
    for photo in photos:
        own = _parts(grey, px_per_pt, photo, upright=True)
        parts += [part for part in own if len(own) == 1 or not _is_bar(grey, px_per_pt, part)]
    return joined(grey, px_per_pt, parts)


def _is_bar(grey: Grey, px_per_pt: float, part: Box) -> bool:
    """Several times as long as high, and of one level but for its edges and round ends."""
    x0, y0, x1, y1 = (round(edge * px_per_pt) for edge in part)
    high, side = y1 - y0, max(1, round(_CELL * px_per_pt))
    inner = grey[y0 + high // 4 : y1 - high // 4, x0 + high // 2 : x1 - high // 2]
    rows, cols = (size // side for size in inner.shape)
    if x1 - x0 < _BAR * high or not rows or not cols:
        return False
    means = inner[: rows * side, : cols * side].reshape(rows, side, cols, side).mean(axis=(1, 3), dtype=np.float32)
    return bool(np.ptp(np.percentile(means, (2, 98))) <= _ONE_LEVEL)


def hidden_rules(photos: Sequence[Box], lines: Sequence[Box]) -> list[Box]:
    """The parts of level rules that photos lie over: between rows of a table, that come out on both sides of one. Or
    edges of a shaded row that run on along the top or foot of the first photo of the next, from the row's corner."""
    level = [s for s in lines if s[2] - s[0] > s[3] - s[1]]
    upright = [s for s in lines if s[2] - s[0] <= s[3] - s[1]]
    covered = []
    for x0, y0, x1, y1 in photos:
        left = [_middle(s) for s in level if s[0] < x0 and abs(s[2] - x0) <= _TOUCH]
        right = [_middle(s) for s in level if abs(s[0] - x1) <= _TOUCH and s[2] - x1 >= x1 - x0]
        hidden = [y for y in right if y0 < y < y1 and any(abs(y - other) <= _STRAY_PT for other in left)]
        corners = [s for s in upright if abs(s[0] - x0) <= _TOUCH]
        hidden += [y for y in right if abs(y - y1) <= _STRAY_PT and any(abs(s[1] - y) <= _STRAY_PT for s in corners)]
        hidden += [y for y in right if abs(y - y0) <= _STRAY_PT and any(abs(s[3] - y) <= _STRAY_PT for s in corners)]
        covered += [(x0 - _TOUCH, y, x1 + _TOUCH, y) for y in hidden]
    return covered


def cut_at_rules(photos: Sequence[Box], hidden: Sequence[Box]) -> list[Box]:
    """The photos; one over rules between rows of a table is cut there, since it is the photos of these rows that touch.
    A rule near an end of it is only covered by a photo larger than its cell."""
    parts = []
    for x0, y0, x1, y1 in photos:
        edges = [y0, *sorted(rule[1] for rule in hidden if rule[0] < x0 < x1 < rule[2] and y0 < rule[1] < y1), y1]
        whole = all(b - a >= _LEAST_SIDE for a, b in pairwise(edges))
        parts += [(x0, a, x1, b) for a, b in pairwise(edges)] if whole else [(x0, y0, x1, y1)]
    return parts


def _middle(rule: Box) -> float:
    return (rule[1] + rule[3]) / 2


def _parts(grey: Grey, px_per_pt: float, photo: Box, *, upright: bool, last: bool = False) -> list[Box]:
    """Cut by upright seams and then by level ones, or the other way round, until there are none."""
    x0, y0, x1, y1 = photo
    turned = photo if upright else (y0, x0, y1, x1)
    cuts = _seams(grey if upright else grey.T, px_per_pt, turned)
    if not cuts and last:
        return [photo]
    edges = [turned[0], *cuts, turned[2]]
    parts = [(start, turned[1], end, turned[3]) for start, end in pairwise(edges)]
    boxes = parts if upright else [(b[1], b[0], b[3], b[2]) for b in parts]
    return [part for box in boxes for part in _parts(grey, px_per_pt, box, upright=not upright, last=not cuts)]


def _seams(grey: Grey, px_per_pt: float, photo: Box) -> list[float]:
    """Where upright seams are, points from the left."""
    x0, y0, x1, y1 = (round(edge * px_per_pt) for edge in photo)
    end = round(_END * px_per_pt)
    inner = grey[max(0, y0 + end) : max(0, y1 - end), max(0, x0) : max(0, x1)]
    stretches = len(inner) // round(_STRETCH * px_per_pt)
    least = round(_LEAST_SIDE * px_per_pt)
    if stretches < _LEAST_STRETCHES or inner.shape[1] < 2 * least:
        return []
    high = len(inner) // stretches
    means = inner[: high * stretches].reshape(stretches, high, -1).mean(axis=1, dtype=np.float32)
    around = _around(grey, (x0, y0, x1, y1), end)
    paper = _level(around)
    if len(around) and float((np.abs(around.astype(np.float32) - paper) <= PAPER).mean()) < _EVEN:
        return []
    seams = np.zeros(means.shape[1], dtype=bool)
    for beside in _BESIDE:
        seams |= _is_seam(_smooth(means, round(px_per_pt)), paper, round(beside * px_per_pt), round(_STRAY * px_per_pt))
    seams[:least] = seams[-least:] = False
    cuts: list[int] = []
    for middle in _middles(seams):
        if not cuts or middle - cuts[-1] >= least:
            cuts.append(middle)
    return [photo[0] + cut / px_per_pt for cut in cuts]


def _is_seam(means: NDArray[np.float32], paper: float, beside: int, stray: int) -> Mask:
    """Of each column whether a seam runs there; ``means``: of each stretch's columns."""
    light = _wide(means, stray)
    padded = np.pad(means, ((0, 0), (beside, beside)), mode="edge")
    left, right = padded[:, : -2 * beside], padded[:, 2 * beside :]
    between = _wide(means - np.maximum(left, right), stray) >= _DARKER
    between &= light >= paper - PAPER
    bare = np.minimum(np.minimum(left, right), means) >= paper - _BARE
    seam: Mask = (between.mean(axis=0) >= _BETWEEN) & ((between | bare).mean(axis=0) >= _CLEAR)
    return seam


def level_around(grey: Grey, photo: tuple[int, int, int, int], rim: int) -> float:
    """The level of the paper around a photo, pixels: in a frame so thick, as far from its edges."""
    return _level(_around(grey, photo, rim))


def _level(around: Grey) -> float:
    return float(np.median(around)) if len(around) else 255.0


def _around(grey: Grey, photo: tuple[int, int, int, int], rim: int) -> Grey:
    x0, y0, x1, y1 = (max(0, edge) for edge in photo)
    over, left = slice(max(0, y0 - 2 * rim), max(0, y0 - rim)), slice(max(0, x0 - 2 * rim), max(0, x0 - rim))
    under, right = slice(y1 + rim, y1 + 2 * rim), slice(x1 + rim, x1 + 2 * rim)
    sides = [grey[over, x0:x1], grey[under, x0:x1], grey[y0:y1, left], grey[y0:y1, right]]
    return np.concatenate([side.ravel() for side in sides])


def _smooth(means: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    import cv2  # comes with the engine, and is loaded where that is

    return cv2.blur(means, (max(1, width), 1)).astype(np.float32, copy=False)


def _wide(levels: NDArray[np.float32], reach: int) -> NDArray[np.float32]:
    """Of each column the most within that reach."""
    import cv2

    return cv2.dilate(levels, np.ones((1, 2 * reach + 1), np.uint8)).astype(np.float32, copy=False)


def _middles(seams: Mask) -> list[int]:
    """The middle of each run."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], seams, [False])).astype(np.int8)))
    return [int(start + end) // 2 for start, end in zip(edges[::2], edges[1::2], strict=True)]
