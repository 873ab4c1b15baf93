"""Texts that each tell a product, paired with the page's pictures as a whole: where things are cut out along their
edges, or captions stand now left and now right of them, no picture alone tells which text is its own."""

from collections.abc import Sequence

from catalogsku.core.box import Box, centre, contains_point, gap, height, union
from processing.engine.assignment import best_assignment
from processing.engine.page import Line, Picture
from processing.engine.understanding.view import PageView

# Points by which lines of one text begin, or lie about their middle, apart; of a line's height, the hole between them.
_ALIGNED_PT, _HOLE = 3.0, 1.0
# How far under or over its picture a text stands at most, in points and in print sizes. Beside it it may begin at the
# other edge of their card, however wide that is.
_UNDER_PT, _SIZES = 60.0, 4.0
# Of its height, what a text beside a picture has in common with it; of the picture's, how far a text under or over it
# may reach into it.
_LEVEL, _INTO = 0.2, 0.15
# Points by which a text beside a picture may stand into it.
_SLACK_PT = 4.0
# Of the lower one's height, what pictures of a row have in common.
_IN_ROW = 0.5
_WAYS = (frozenset(("left", "right")), frozenset(("below",)), frozenset(("above",)))

Text = tuple[Line, ...]


def texts(view: PageView) -> list[Text]:
    """Lines right under each other that begin or are centred alike, from the top."""
    found: list[list[Line]] = []
    for line in sorted(view.lines, key=lambda line: (line.box[1], line.box[0])):
        own = [text for text in found if _is_under(text[-1], line)]
        if own:
            min(own, key=lambda text: line.box[1] - text[-1].box[3]).append(line)
        else:
            found.append([line])
    return [tuple(text) for text in found]


def _is_under(above: Line, line: Line) -> bool:
    high = max(height(above.box), height(line.box))
    apart = min(abs(above.box[0] - line.box[0]), abs(centre(above.box)[0] - centre(line.box)[0]))
    return apart <= _ALIGNED_PT and -0.3 * high <= line.box[1] - above.box[3] <= _HOLE * high


def paired(view: PageView, told: Sequence[Text]) -> list[tuple[Picture, Text]]:
    """Each text with a picture of its own, all as near as they can be together and on the same side, or beside it on
    either; nothing where that leaves a text without one."""
    far = 2.0 * (view.page.width_pt + view.page.height_pt)
    near: dict[str, dict[tuple[int, int], float]] = {}
    for n, text in enumerate(told):
        for m, picture in enumerate(view.pictures):
            side, distance = _place(view, picture, text)
            near.setdefault(side, {})[n, m] = far - distance
    for way in _WAYS:
        pairs = best_assignment({pair: weight for side in sorted(way) for pair, weight in near.get(side, {}).items()})
        if len(pairs) == len(told):
            return [(view.pictures[m], told[n]) for n, m in pairs]
    return []


def _place(view: PageView, picture: Picture, text: Text) -> tuple[str, float]:
    """On which side of the picture the text stands and how far from it; an empty side where it is out of reach."""
    own, box = union(line.box for line in text), picture.box
    common = min(own[3], box[3]) - max(own[1], box[1])
    if common > _LEVEL * height(own) and (side := _beside(box, own)):
        distance, reach = gap(box, own), view.page.width_pt if _is_free(view, box, own) else 0.0
    else:
        left, right = _column(view, box)
        into = _INTO * height(box)
        side = "below" if own[1] >= box[3] - into else "above" if own[3] <= box[1] + into else ""
        side = side if left <= own[0] and own[2] <= right else ""
        distance = max(own[1] - box[3], box[1] - own[3], 0.0)
        reach = _UNDER_PT * view.scale + _SIZES * max(line.size or height(line.box) for line in text)
    return (side, distance) if distance <= reach else ("", distance)


def _beside(picture: Box, text: Box) -> str:
    if text[0] >= picture[2] - _SLACK_PT:
        return "right"
    return "left" if text[2] <= picture[0] + _SLACK_PT else ""


def _is_free(view: PageView, a: Box, b: Box) -> bool:
    """No picture and no print stands between two boxes beside each other."""
    between = (min(a[2], b[2]), max(a[1], b[1]), max(a[0], b[0]), min(a[3], b[3]))
    there = [p.box for p in view.pictures] + [line.box for line in view.lines]
    return not any(contains_point(between, *centre(box)) for box in there)


def _column(view: PageView, box: Box) -> tuple[float, float]:
    """How far to both sides a picture's part of its row reaches: to halfway to the middles of its neighbours."""
    row = [p.box for p in view.pictures if _share_row(p.box, box)]
    at = centre(box)[0]
    left = [(centre(other)[0] + at) / 2 for other in row if other[2] <= box[0]]
    right = [(centre(other)[0] + at) / 2 for other in row if other[0] >= box[2]]
    return max(left, default=0.0), min(right, default=view.page.width_pt)


def _share_row(a: Box, b: Box) -> bool:
    return min(a[3], b[3]) - max(a[1], b[1]) >= _IN_ROW * min(height(a), height(b))
