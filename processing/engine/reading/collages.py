"""Things cut out of their photos on a page that is one picture itself: several that are shown as one product's picture,
since one caption stands in the middle under all of them."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from catalogsku.core.box import Box, centre, height, union, width
from processing.engine.reading.raster import Grey
from processing.engine.reading.seams import PAPER, level_around

# Points: how far such things are apart at most, and the rim in which the level of the paper is measured. So much of the
# edge of each is paper.
_APART_PT, _RIM_PT, _PAPER_EDGE = 6.0, 3.0, 0.6
# How far under them, in heights of its print, the caption stands, with such holes between its words, and how far from
# their middle, of their width.
_UNDER, _HOLE, _OFF_MIDDLE = 2.5, 1.5, 0.1


def together(grey: Grey, px_per_pt: float, photos: Sequence[Box], words: Sequence[Box]) -> list[Box]:
    """The photos in an image of that scale, points; one for those over one caption."""
    cut_out = [photo for photo in photos if _edge_of_paper(grey, px_per_pt, photo) >= _PAPER_EDGE]
    boxes = [photo for photo in photos if photo not in cut_out]
    for group in _neighbours(cut_out):
        is_collage = len(group) > 1 and _has_one_caption(union(group), words) and not _are_rows(group, words)
        boxes += [union(group)] if is_collage else group
    return boxes


def _neighbours(photos: Sequence[Box]) -> list[list[Box]]:
    groups: list[list[Box]] = []
    for photo in photos:
        near = [group for group in groups if any(_apart(photo, other) <= _APART_PT for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([photo, *(other for group in near for other in group)])
    return groups


def _are_rows(photos: Sequence[Box], words: Sequence[Box]) -> bool:
    """They stand over each other, each with print of its own at its side: the column of pictures of a list."""
    over = all(a[3] - _APART_PT <= b[1] for a, b in pairwise(sorted(photos, key=lambda photo: photo[1])))
    return over and all(any(w[0] >= p[2] and p[1] <= centre(w)[1] <= p[3] for w in words) for p in photos)


def _apart(box: Box, other: Box) -> float:
    across = max(box[0], other[0]) - min(box[2], other[2])
    down = max(box[1], other[1]) - min(box[3], other[3])
    return max(across, down)


def _has_one_caption(photo: Box, words: Sequence[Box]) -> bool:
    """Narrower than the things are together, in one line in their middle."""
    under = sorted(
        w for w in words if w[0] < photo[2] and w[2] > photo[0] and -_RIM_PT <= w[1] - photo[3] <= _UNDER * height(w)
    )
    if not under:
        return False
    caption = union(under)
    run = all(b[0] - a[2] <= _HOLE * height(a) for a, b in pairwise(under))
    line = height(caption) < 2 * max(map(height, under)) and width(caption) < width(photo)
    return run and line and abs(centre(caption)[0] - centre(photo)[0]) <= _OFF_MIDDLE * width(photo)


def _edge_of_paper(grey: Grey, px_per_pt: float, photo: Box) -> float:
    x0, y0, x1, y1 = (max(0, round(edge * px_per_pt)) for edge in photo)
    pixels = grey[y0:y1, x0:x1]
    edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    paper = level_around(grey, (x0, y0, x1, y1), round(_RIM_PT * px_per_pt))
    return float((edge >= paper - PAPER).mean())
