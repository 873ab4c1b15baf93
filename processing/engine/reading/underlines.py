"""Strokes under the signs of a printed line, wiped out so that the signs can be read without them."""

from collections.abc import Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from catalogsku.core.box import Box, height
from processing.engine.reading.raster import Grey, Mask, inked

# Of a line's height: so far outside its box an underline may lie.
_RIM = 0.16
# Of the darkest print: an underline is thinner, and so lighter, than the strokes of its signs.
_STROKE = 0.35

Span = tuple[float, float]


def without_underlines(
    pixels: NDArray[np.uint8], grey: Grey, box: Box, signs: Sequence[Span], others: Sequence[Span]
) -> NDArray[np.uint8] | None:
    """The part of the page around the box without what underlines ``signs``; None where nothing does.

    ``pixels``: height x width x 3, ``grey`` the same; ``signs`` and ``others``: where characters of the line begin and
    end, pixels. An underline lies below the feet of the other signs, and under all of a sign: the tail of a Q lies only
    under a part of it.
    """
    rim = _RIM * height(box)
    x0, y0, x1, y1 = (max(0, round(v)) for v in (box[0] - rim, box[1] - rim, box[2] + rim, box[3] + rim))
    part = pixels[y0:y1, x0:x1].copy()
    mask = inked(grey[y0:y1, x0:x1], _STROKE)
    below = 1 + round(median([_foot(mask[:, _columns(span, x0)]) for span in others]))
    wiped = False
    for columns in (_columns(span, x0) for span in signs):
        under = np.flatnonzero(mask[below:, columns].all(axis=1))
        if len(under) and mask[:, columns].size:
            _wipe(part, mask, below + int(under[0]), columns)
            wiped = True
    return part if wiped else None


def _columns(span: Span, x0: int) -> slice:
    return slice(max(0, round(span[0]) - x0), max(0, round(span[1]) - x0))


def _foot(mask: Mask) -> int:
    """The lowest row of a sign's ink, without what fills a whole row; the last row where there is none."""
    rows = np.flatnonzero(mask.any(axis=1) & ~mask.all(axis=1))
    return int(rows[-1]) if len(rows) else len(mask) - 1


def _wipe(part: NDArray[np.uint8], mask: Mask, row: int, columns: slice) -> None:
    """The stroke that begins in that row of these columns, as far as it goes, and what is below it."""
    beyond = np.flatnonzero(~mask[row])
    left = beyond[beyond < columns.start].max(initial=-1) + 1
    right = beyond[beyond >= columns.stop].min(initial=mask.shape[1])
    part[row:, left:right] = np.median(part.reshape(-1, 3), axis=0)
