"""Pictures of records are assigned jointly: on the side on which most of them have theirs."""

from collections.abc import Sequence

import msgspec

from catalogsku.core.box import Box, centre, contains_point, height, width
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.view import PageView

_SIDES = ("inside", "above", "below", "left", "right")
# Of the picture's side: how far off it stands at most; of the shorter edge: by how much both are beside each other.
_FAR, _BESIDE = 1.0, 0.3
# Of the records, or of the pictures where they are fewer: so many must have theirs on the side.
_MOST = 0.5


def with_pictures(drafts: Sequence[Draft], view: PageView) -> list[Draft]:
    """A picture goes to the record that is nearest to it on the common side, if it is the record's nearest there."""
    boxes = [picture.box for picture in view.pictures]
    pairings = [_pairs(drafts, boxes, side) for side in _SIDES]
    best = max(pairings, key=lambda pairs: (len(pairs), -sum(gap for _, gap in pairs.values())))
    if not boxes or len(best) < max(1.0, _MOST * min(len(drafts), len(boxes))):
        return list(drafts)
    return [
        msgspec.structs.replace(draft, picture=best[n][0]) if n in best else draft for n, draft in enumerate(drafts)
    ]


def _pairs(drafts: Sequence[Draft], boxes: Sequence[Box], side: str) -> dict[int, tuple[Box, float]]:
    """By record its picture there, and how far off it stands."""
    hole = {
        (n, k): gap
        for n, draft in enumerate(drafts)
        for k, box in enumerate(boxes)
        if (gap := _gap(draft.anchor, box, side)) is not None
    }
    of_draft: dict[int, tuple[float, int]] = {}
    of_picture: dict[int, tuple[float, int]] = {}
    for (n, k), gap in hole.items():
        of_draft[n] = min(of_draft.get(n, (gap, k)), (gap, k))
        of_picture[k] = min(of_picture.get(k, (gap, n)), (gap, n))
    return {n: (boxes[k], gap) for n, (gap, k) in of_draft.items() if of_picture[k][1] == n}


def _gap(text: Box, picture: Box, side: str) -> float | None:
    """How far the picture stands off the text on that side; None where it does not."""
    if side == "inside":
        return 0.0 if contains_point(text, *centre(picture)) else None
    if side in ("above", "below"):
        common, least = min(text[2], picture[2]) - max(text[0], picture[0]), min(width(text), width(picture))
        gap = text[1] - picture[3] if side == "above" else picture[1] - text[3]
        far = _FAR * height(picture)
    else:
        common, least = min(text[3], picture[3]) - max(text[1], picture[1]), min(height(text), height(picture))
        gap = text[0] - picture[2] if side == "left" else picture[0] - text[2]
        far = _FAR * width(picture)
    beside = common >= _BESIDE * least and -0.3 * far <= gap <= far
    return max(0.0, gap) if beside else None
