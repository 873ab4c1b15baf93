"""Photos beside the products of a list: each is level with the product that it shows."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from catalogsku.core.box import Box, centre, height, width
from processing.engine.page import Picture

# Products under each other that make a list.
_LEAST = 3
# Of the narrower of two products: what both have in common across where one stands under the other.
_UNDER = 0.5
# Of a photo's height: what stands within its product's stretch of the list.
_WITHIN = 0.5


def level_products(anchors: Mapping[int, Box], pictures: Sequence[Picture]) -> dict[str, int]:
    """By picture the product in whose stretch, from its own top to the next one's, the middle and most of a picture
    beside it stands; none where the products are no list under each other."""
    ordered = sorted(anchors, key=lambda n: anchors[n][1])
    if len(ordered) < _LEAST or not all(_are_rows(anchors[a], anchors[b]) for a, b in pairwise(ordered)):
        return {}
    tops = [anchors[n][1] for n in ordered]
    products: dict[str, int] = {}
    for n, top, end in zip(ordered, tops, [*tops[1:], float("inf")], strict=True):
        for picture in pictures:
            box = picture.box
            within = min(box[3], end) - max(box[1], top) >= _WITHIN * height(box)
            beside = box[0] >= anchors[n][2] or box[2] <= anchors[n][0]
            if beside and within and top <= centre(box)[1] < end:
                products[picture.id] = n
    return products


def _are_rows(upper: Box, lower: Box) -> bool:
    """One under the other, not beside it."""
    common = min(upper[2], lower[2]) - max(upper[0], lower[0])
    return common >= _UNDER * min(width(upper), width(lower)) and upper[3] <= lower[3] and upper[1] < lower[1]
