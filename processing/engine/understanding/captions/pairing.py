"""Texts that each tell a product, paired with the page's pictures as a whole: where things are cut out along their
edges, or captions stand now left and now right of them, no picture alone tells which text is its own."""

from collections.abc import Iterator, Sequence
from statistics import mean

from catalogsku.core.box import Box, centre, contains_point, gap, height, union, width
from processing.engine.assignment import best_assignment
from processing.engine.page import Line, Picture
from processing.engine.understanding.view import PageView

# Points by which lines of one text begin, or lie about their middle, apart; of a line's height, the hole between them.
_ALIGNED_PT, _HOLE = 3.0, 1.0
# The same of lines that end alike, as they do left of a picture.
_FLUSH_RIGHT_PT = 0.8
# How far under or over its picture a text stands at most, in points and in print sizes. Beside it it may begin at the
# other edge of their card, however wide that is.
_UNDER_PT, _SIZES = 60.0, 4.0
# Of its height, what a text beside a picture has in common with it; of the picture's, how far a text under or over it
# may reach into it.
_LEVEL, _INTO = 0.2, 0.15
# Points by which a text beside a picture may stand into it; of the picture's width the same, for things cut out have
# nothing but white there, which is not seen on scans.
_SLACK_PT, _BLANK = 4.0, 0.15
# Of the lower one's height, what pictures of a row have in common.
_IN_ROW = 0.5
# Beside it on either side, under or over it, and beside it or just higher or lower there.
_PLACEMENTS = ("beside", "below", "above", "aslant")
# Of the texts of a recognised page, so many have their picture found; where as many stand under or over one, so much
# nearer to it, none stands aslant of one.
_MOSTLY, _NEARER = 0.8, 0.5

Text = tuple[Line, ...]


def texts(view: PageView) -> list[Text]:
    """Lines right under each other that begin, end or are centred alike, from the top."""
    groups: list[list[Line]] = []
    reach = _HOLE * max((height(line.box) for line in view.lines), default=0.0)
    near: list[list[Line]] = []
    for line in sorted(view.lines, key=lambda line: (line.box[1], line.box[0])):
        near = [text for text in near if line.box[1] - text[-1].box[3] <= reach]
        own = [text for text in near if _is_under(text[-1], line)]
        if own:
            min(own, key=lambda text: line.box[1] - text[-1].box[3]).append(line)
        else:
            groups.append([line])
            near.append(groups[-1])
    return [tuple(text) for text in groups]


def _is_under(above: Line, line: Line) -> bool:
    high = max(height(above.box), height(line.box))
    if not -0.3 * high <= line.box[1] - above.box[3] <= _HOLE * high:
        return False
    if abs(above.box[2] - line.box[2]) <= _FLUSH_RIGHT_PT:
        return True
    return min(abs(above.box[0] - line.box[0]), abs(centre(above.box)[0] - centre(line.box)[0])) <= _ALIGNED_PT


def paired(view: PageView, candidates: Sequence[Text]) -> list[tuple[Picture, Text]]:
    """Texts with a picture of its own each, all as near as they can be together and on the same side, or beside it on
    either, or aslant of it where most do not stand under or over one; nothing where that leaves more than a few texts
    without a picture, which may not have been seen."""
    near, far = _distances(view, candidates)
    best = {placement: best_assignment(near[placement]) for placement in _PLACEMENTS}
    most = _MOSTLY * len(candidates)
    apart = {
        placement: mean([far - near[placement][pair] for pair in pairs])
        for placement, pairs in best.items()
        if len(pairs) >= most
    }
    if any(
        apart[placement] < _NEARER * apart.get("aslant", 0.0) for placement in ("below", "above") if placement in apart
    ):
        del best["aslant"]
    least = {placement: most if view.page.ocr and placement != "aslant" else len(candidates) for placement in best}
    pairings = [pairs for placement, pairs in best.items() if len(pairs) >= least[placement]]
    return [(view.pictures[m], candidates[n]) for n, m in max(pairings, key=len, default=[])]


def _distances(view: PageView, candidates: Sequence[Text]) -> tuple[dict[str, dict[tuple[int, int], float]], float]:
    """By placement, how near each text and picture are that may stand so, and what no distance is larger than."""
    far = 2.0 * (view.page.width_pt + view.page.height_pt)
    near: dict[str, dict[tuple[int, int], float]] = {placement: {} for placement in _PLACEMENTS}
    columns = [_column(view, picture.box) for picture in view.pictures]
    for n, text in enumerate(candidates):
        for m, picture in enumerate(view.pictures):
            for placement, distance in _places(view, picture.box, columns[m], text):
                near[placement][n, m] = far - distance
    return near, far


def _places(view: PageView, box: Box, column: tuple[float, float], text: Text) -> Iterator[tuple[str, float]]:
    """How the text may stand to the picture in that box and column, and how far from it."""
    own = union(line.box for line in text)
    common = min(own[3], box[3]) - max(own[1], box[1])
    slack = _SLACK_PT if view.page.ocr else max(_SLACK_PT, _BLANK * width(box))
    beside = own[0] >= box[2] - slack or own[2] <= box[0] + slack
    if beside and common > -height(own) and _is_free(view, box, own):
        yield "aslant", gap(box, own)
        if common > _LEVEL * height(own):
            yield "beside", gap(box, own)
    left, right = column
    reach = _UNDER_PT * view.scale + _SIZES * max(line.size or height(line.box) for line in text)
    distance = max(own[1] - box[3], box[1] - own[3], 0.0)
    if left <= own[0] and own[2] <= right and distance <= reach:
        if own[1] >= box[3] - _INTO * height(box):
            yield "below", distance
        elif own[3] <= box[1] + _INTO * height(box):
            yield "above", distance


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
