"""Pictures that share a caption: a photo with its details, a front and a back, close together and apart from others."""

from collections.abc import Sequence
from itertools import combinations

import msgspec

from catalogsku.core.box import area, gap, height, intersect, union, width
from processing.engine.page import Picture

# The gaps between figures are so many times those within them at least, and so many points more.
_WIDER, _MORE_PT = 1.4, 2.0
# Of the shorter side of the smaller one: how far apart two pictures of one figure stand at most.
_CLOSE = 0.35
# Figures that have several pictures: at least so many, and of all.
_LEAST, _OF_ALL = 2, 0.2
# A page with more pictures is none of photos.
_MOST = 150


def figures(pictures: Sequence[Picture], number: int) -> list[tuple[Picture, ...]]:
    """The pictures as so many figures that stand clearly apart and over none of each other, some of several
    pictures; empty where they do not part so."""
    if not 2 <= number < len(pictures) <= _MOST:
        return []
    groups = [[picture] for picture in pictures]
    gaps = sorted((gap(a.box, b.box), m, n) for (m, a), (n, b) in combinations(enumerate(pictures), 2))
    group_of = list(range(len(pictures)))
    within, remaining = 0.0, len(pictures)
    for distance, m, n in gaps:
        if group_of[m] == group_of[n]:
            continue
        if remaining == number:
            if distance < _WIDER * within + _MORE_PT:
                return []
            break
        if distance > _CLOSE * min(min(width(p.box), height(p.box)) for p in (pictures[m], pictures[n])):
            return []
        grown, gone = group_of[m], group_of[n]
        groups[grown] += groups[gone]
        groups[gone] = []
        group_of = [grown if own == gone else own for own in group_of]
        within, remaining = distance, remaining - 1
    joined = [tuple(group) for group in groups if group]
    if sum(len(group) > 1 for group in joined) < max(_LEAST, _OF_ALL * number):
        return []
    boxes = [union(p.box for p in group) for group in joined]
    return joined if all(intersect(a, b) is None for a, b in combinations(boxes, 2)) else []


def as_one(figure: Sequence[Picture]) -> Picture:
    """The largest picture of the figure, with the box of all."""
    main = max(figure, key=lambda picture: (round(area(picture.box)), -picture.box[1], -picture.box[0]))
    return msgspec.structs.replace(main, box=union(picture.box for picture in figure))
