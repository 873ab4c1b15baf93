"""Strokes that touch one another: which of those seen on a page are its rules, and which are drawing."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from catalogsku.core.box import Box, centre, contains_point, height, union, width
from processing.engine.reading.blocks import BLOCK_PT
from processing.engine.reading.raster import Mask

# Of the page's width: a stroke that is as long is a rule.
_LONG = 0.25


def rules_among(strokes: Sequence[Box], words: Sequence[Box], wide: float) -> list[Box]:
    """The strokes that are rules: long ones, and those that have words between them or run from one long one to
    another; what only reaches up to one may be drawn under it. ``wide``: the page's width."""
    rules = [stroke for stroke in strokes if max(width(stroke), height(stroke)) >= _LONG * wide]
    long = np.array(rules, dtype=np.float64).reshape(-1, 4)
    for joined in _networks([stroke for stroke in strokes if stroke not in rules]):
        x0, y0, x1, y1 = whole = union(joined)
        inside = x0 + BLOCK_PT, y0 + BLOCK_PT, x1 - BLOCK_PT, y1 - BLOCK_PT
        if holds_any(inside, words) or _runs_between(whole, long):
            rules += joined
    return rules


def _runs_between(box: Box, rules: NDArray[np.float64]) -> bool:
    """Whether rules lie at its head and foot, or at its left and right."""
    x0, y0, x1, y1 = box
    x, y = centre(box)
    pairs = ((x, y0, x, y0), (x, y1, x, y1)), ((x0, y, x0, y), (x1, y, x1, y))
    return any(all(_touching(end, rules).any() for end in pair) for pair in pairs)


def holds_any(box: Box, words: Sequence[Box]) -> bool:
    return any(contains_point(box, *centre(word)) for word in words)


def _networks(strokes: Sequence[Box]) -> list[list[Box]]:
    """Strokes that touch one another, together."""
    every = np.array(strokes, dtype=np.float64).reshape(-1, 4)
    left = np.ones(len(strokes), dtype=bool)
    networks = []
    for first in range(len(strokes)):
        network, edge = [], [first] if left[first] else []
        left[first] = False
        while edge:
            stroke = strokes[edge.pop()]
            network.append(stroke)
            near = np.flatnonzero(left & _touching(stroke, every))
            left[near] = False
            edge += near.tolist()
        if network:
            networks.append(network)
    return networks


def _touching(stroke: Box, others: NDArray[np.float64]) -> Mask:
    """Which of the others are no further from it than a block is wide."""
    x0, y0, x1, y1 = others.T
    beside = (x0 < stroke[2] + BLOCK_PT) & (x1 > stroke[0] - BLOCK_PT)
    near: Mask = beside & (y0 < stroke[3] + BLOCK_PT) & (y1 > stroke[1] - BLOCK_PT)
    return near
