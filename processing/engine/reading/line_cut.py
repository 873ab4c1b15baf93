"""A line of print cut out of its image and laid straight, as engines that read single lines want it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from processing.engine.reading.ocr_port import Corner, Pixels

# From this share of its width on a line is as high that it stands.
_STANDING = 1.5


def cut(pixels: Pixels, corners: Sequence[Corner]) -> Pixels:
    """The part of the image inside the four corners, clockwise from the top-left; a standing line is turned so that it
    runs from left to right. Empty where the corners hold no pixel."""
    import cv2  # comes with the engines

    at = np.array(corners, np.float32)
    wide, high = round(_longer(at, (0, 1), (3, 2))), round(_longer(at, (0, 3), (1, 2)))
    if not wide or not high:
        return pixels[:0, :0]
    flat = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    turned = cv2.getPerspectiveTransform(at, flat)
    part = cv2.warpPerspective(pixels, turned, (wide, high), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(np.rot90(part) if stands(wide, high) else part)


def stands(wide: float, high: float) -> bool:
    return high >= _STANDING * wide


def _longer(at: NDArray[np.float32], *edges: tuple[int, int]) -> float:
    return max(float(np.linalg.norm(at[a] - at[b])) for a, b in edges)
