"""Blocks of a photo and the table of its variants beside it, several of them under each other on a page."""

from collections.abc import Sequence

from catalogsku.core.box import Box, centre, height, width

# A smaller picture is a sign, not a product's photo; points.
_LEAST_PICTURE_PT = 24.0
# Points by which a picture and what stands beside it may overlap, and by which their tops may differ.
_OVERLAP_PT, _TOPS_PT = 2.0, 12.0
# Lines under a photo follow it, and each other, so closely, in their heights.
_NEXT = 1.5


def is_photo(box: Box) -> bool:
    return min(width(box), height(box)) >= _LEAST_PICTURE_PT


def photo_beside(table: Box, pictures: Sequence[Box]) -> Box | None:
    """The picture left or right of a table that begins at its height; None where another stands further down beside
    it, for then they are pictures of its rows."""
    beside = [box for box in pictures if is_photo(box) and _is_beside(box, table)]
    if any(not box[1] - _TOPS_PT <= table[1] < box[3] for box in beside):
        return None
    return max(beside, key=lambda box: width(box) * height(box), default=None)


def _is_beside(box: Box, table: Box) -> bool:
    """At the table's height, no further away than it is wide."""
    apart = max(table[0] - box[2], box[0] - table[2])
    return -_OVERLAP_PT <= apart <= width(box) and min(box[3], table[3]) > max(box[1], table[1])


def is_under(line: Box, photo: Box, lines: Sequence[Box]) -> bool:
    """The line stands under the photo within its width, right there or under others that do."""
    top = photo[3]
    within = [box for box in lines if photo[0] - _OVERLAP_PT <= box[0] and box[2] <= photo[2] + _OVERLAP_PT]
    for box in sorted((box for box in within if centre(box)[1] > photo[3]), key=lambda box: box[1]):
        if box[1] - top > _NEXT * height(box):
            return False
        if box == line:
            return True
        top = max(top, box[3])
    return False
