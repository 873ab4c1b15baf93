"""A page in square blocks: how bright and how uneven each is, and which of them hang together."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalogsku.core.box import Box
from processing.engine.reading.raster import Grey, Mask

# Points: the side of a block. A page has no more than so many along a side; of a poster they are larger.
BLOCK_PT = 3.0
_MOST_BLOCKS = 640


class Blocks(NamedTuple):
    """The mean and the grain of each block, grey levels, and its side in points."""

    mean: NDArray[np.float32]
    grain: NDArray[np.float32]
    unit: float

    def part(self, box: Box, rim: int = 0) -> tuple[slice, slice]:
        """The blocks that a box touches, and so many around it."""
        x0, y0, x1, y1 = (int(v / self.unit) for v in box)
        return slice(max(0, y0 - rim), y1 + 1 + rim), slice(max(0, x0 - rim), x1 + 1 + rim)

    def box(self, part: NDArray[np.int64]) -> Box:
        """The box of some blocks, points."""
        y0, x0 = part.min(axis=0)
        y1, x1 = part.max(axis=0) + 1
        return float(x0 * self.unit), float(y0 * self.unit), float(x1 * self.unit), float(y1 * self.unit)


def blocks_of(grey: Grey, px_per_pt: float) -> Blocks:
    """The whole blocks of an image of that scale."""
    side = max(1, round(BLOCK_PT * px_per_pt), -(-max(grey.shape) // _MOST_BLOCKS))
    rows, cols = grey.shape[0] // side, grey.shape[1] // side
    squares = grey[: rows * side, : cols * side].astype(np.uint16).reshape(rows, side, cols * side)

    def mean(levels: NDArray[np.uint16]) -> NDArray[np.float64]:
        # Whole rows of pixels first: they lie together.
        lines = levels.sum(axis=1, dtype=np.uint32).reshape(rows, cols, side)
        means: NDArray[np.float64] = lines.sum(axis=2) / side**2
        return means

    level = mean(squares)
    grain = np.sqrt(np.maximum(mean(squares * squares) - level * level, 0.0))
    return Blocks(level.astype(np.float32), grain.astype(np.float32), side / px_per_pt)


def parts_of(taken: Mask, least: float = 1) -> list[NDArray[np.int64]]:
    """The connected parts of a mask that have so many blocks, as arrays of (row, column)."""
    import cv2  # comes with the engine, and is loaded where that is

    count, labels = cv2.connectedComponents(taken.astype(np.uint8), connectivity=4)
    own = np.flatnonzero(taken)
    label = labels.ravel()[own]
    by_part = own[np.argsort(label, kind="stable")]
    ends = np.cumsum(np.bincount(label, minlength=count))
    parts = (by_part[start:end] for start, end in pairwise(ends) if end - start >= least)
    return [np.stack(np.divmod(part, taken.shape[1]), axis=1) for part in parts]
