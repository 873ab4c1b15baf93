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
    """The strokes that are rules: long ones, and those that are joined to such or have words between them. ``wide``:
    the page's width."""
    found: list[Box] = []
    for joined in _networks(strokes):
        long = max(max(width(s), height(s)) for s in joined)
        if long >= _LONG * wide or holds_any(union(joined), words):
            found += joined
    return found


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
