"""Lines on one side of each picture of a page, within the reach of a caption and up to the first larger hole."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from catalogsku.core.box import Box, centre, contains_point, gap, height, intersect, union, width
from processing.engine.page import Line, Picture
from processing.engine.understanding.captions.names import identifies, may_be_named
from processing.engine.understanding.lines import part_line
from processing.engine.understanding.rules.finishes import is_row_of_colours
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_price
from processing.engine.understanding.rules.wording import is_figure_caption
from processing.engine.understanding.view import PageView

SIDES = ("below", "right", "above", "left")
# Where a line may stand at another picture than the one on that side of which it is looked for.
_ELSEWHERE = {"below": ("right",), "above": ("right",), "left": ("below", "above"), "right": ("below", "above")}
# Lines of a caption, and of half a caption whose labels stand in a column of their own.
MAX_LINES, MOST_LINES = 8, 16
# Points by which lines of one caption begin apart; of a line's height, how close one that goes on stands.
ALIGNED_PT, CLOSE = 3.0, 0.75
# A line in so much larger print than the caption's smallest heads a section, unless it is the price. Sizes that were
# recognised vary by a quarter; a heading then stands further off too, of its height.
_HEADING, _RECOGNISED_HEADING, _NEAR = 1.5, 1.9, 0.6
_UNDER, _UNDER_DOTS = 1.6, 2.8
# Of the picture's width: how wide a line under or over it may be, and one whose middle is where the picture's is, as
# that of a bottle may be; of the line's width, how far these are apart there.
_WIDE, _WIDE_CENTRED, _CENTRED = 2.5, 5.0, 0.08
# Of a line's distance from a picture beside it: where another one is as near on a side across, the line is that one's.
_CLOSER = 0.5
# Of its height: as near as a caption stands to its picture at most.
_RIGHT_UNDER = 3.0
# Of its height: what parts a word clearly from the one before it, and what does if it is so much wider than the least
# space of the line.
_CLEAR, _OFF, _WIDER = 0.7, 0.5, 1.5


@dataclass(frozen=True)
class Captioned:
    """A picture and the lines that stand on one side of it."""

    picture: Picture
    lines: tuple[Line, ...]

    @property
    def text_box(self) -> Box:
        return union(line.box for line in self.lines)


def on_side(view: PageView, side: str, most: int = MAX_LINES) -> list[Captioned]:
    lines: dict[str, list[Line]] = {}
    loose: list[Line] = []
    for line in (piece for whole in view.lines for piece in _by_columns(view, whole, side)):
        if len(line.text) > 90 or is_figure_caption(line.text):
            continue
        picture = _nearest(view, line, side)
        if picture is not None:
            lines.setdefault(picture.id, []).append(line)
        else:
            loose.append(line)
    for line in loose if side in ("below", "above") else ():
        if label_kind(line.text) or any(contains_point(p.box, *centre(line.box)) for p in view.pictures):
            continue
        if own := next((taken for taken in lines.values() if _goes_on(taken, line)), None):
            own.append(line)
    captions = []
    for picture in view.pictures:
        near = _together(picture, lines.get(picture.id, []), side, recognised=view.page.ocr is not None)
        if near and len(near) <= most:
            captions.append(Captioned(picture, tuple(near)))
    return captions


def _goes_on(caption: list[Line], line: Line) -> bool:
    """Begins where a line of the caption does, right under or over it: of a thing cut out along its edge, short lines
    of its caption may stand beside it."""
    return any(
        abs(own.box[0] - line.box[0]) <= ALIGNED_PT and 0.0 <= hole(own.box, line.box) <= CLOSE * height(line.box)
        for own in caption
        if own.box[1] >= line.box[3] - ALIGNED_PT or line.box[1] >= own.box[3] - ALIGNED_PT
    )


def _by_columns(view: PageView, line: Line, side: str) -> list[Line]:
    """The line, cut where one word stands over or under one picture and the next word wholly over or under another:
    captions of neighbouring pictures may come closer to each other than their own parts."""
    if side not in ("above", "below") or len(line.words) < 2:
        return [line]
    near = [p.box for p in view.pictures if hole(p.box, line.box) <= height(p.box)]
    space = min(b.box[0] - a.box[2] for a, b in pairwise(line.words))
    groups = [[line.words[0]]]
    for word in line.words[1:]:
        last = groups[-1][-1].box
        clear = view.page.ocr is not None and word.box[0] - last[2] >= _CLEAR * height(word.box)
        off = word.box[0] - last[2] >= min(_CLEAR * height(word.box), max(_OFF * height(word.box), _WIDER * space))
        if any(
            _stand_under(last, word.box, a, b, clear=clear) or (off and _begins(last, word.box, a, b))
            for a in near
            for b in near
            if b[0] > a[2]
        ):
            groups.append([word])
        else:
            groups[-1].append(word)
    return [part_line(line, tuple(group)) for group in groups] if len(groups) > 1 else [line]


def _stand_under(word: Box, following: Box, picture: Box, other: Box, *, clear: bool) -> bool:
    """The words stand under two pictures beside each other; ``clear``: it is enough that the middle between the
    pictures is between the words, for what is white of photos is not seen on scans."""
    if (
        clear
        and (picture[2] + other[0]) / 2 >= word[2] > picture[0]
        and (picture[2] + other[0]) / 2 <= following[0] < other[2]
    ):
        return True
    return word[2] <= picture[2] + 1 and word[0] >= picture[0] - 1 and following[0] >= other[0] - 1


def _begins(word: Box, following: Box, picture: Box, other: Box) -> bool:
    """A name that is longer than its picture is wide ends before the next one begins, where its own picture does."""
    return abs(following[0] - other[0]) <= ALIGNED_PT and picture[0] < word[2] <= other[0]


def _nearest(view: PageView, line: Line, side: str) -> Picture | None:
    """The picture beside which this line stands on ``side``, within a caption's reach."""
    reach = (60.0 if side in ("below", "above") else 40.0) * view.scale + 4 * max(line.size, height(line.box))
    printed_on = [n for n, p in enumerate(view.pictures) if contains_point(p.box, *centre(line.box))]
    options = [
        (gap(p.box, line.box), n)
        for n, p in enumerate(view.pictures)
        if n in (printed_on or [n]) and stands(p.box, line.box, side) and not view.on_other_cards(p.box, line.box)
    ]
    options = [option for option in options if option[0] <= reach]
    if not options or _is_anothers(view, line.box, side, min(options)[0]):
        return None
    return view.pictures[min(options)[1]]


def _is_anothers(view: PageView, line: Box, side: str, distance: float) -> bool:
    """It stands at another picture, across that side, and much closer to it. Right under or over its own, it does not
    matter what it stands beside."""
    if side in ("below", "above") and distance <= _RIGHT_UNDER * height(line):
        return False
    near = [p.box for p in view.pictures if gap(p.box, line) < _CLOSER * distance]
    return any(stands(box, line, other) for box in near for other in _ELSEWHERE[side])


def stands(picture: Box, line: Box, side: str) -> bool:
    x, y = centre(line)
    slack = 0.15 * height(picture)
    if side in ("below", "above"):
        over = min(picture[2], line[2]) - max(picture[0], line[0])
        wide = _WIDE if abs(x - centre(picture)[0]) > _CENTRED * width(line) else _WIDE_CENTRED
        aligned = over >= 0.5 * min(width(line), width(picture)) and width(line) <= wide * width(picture)
        return aligned and (y >= picture[3] - slack if side == "below" else y <= picture[1] + slack)
    inside = picture[1] - slack <= y <= picture[3] + slack
    return inside and (line[0] >= picture[2] - 4 if side == "right" else x < picture[0] and line[2] <= picture[0] + 4)


def _together(picture: Picture, lines: list[Line], side: str, *, recognised: bool) -> list[Line]:
    """The lines next to the picture up to the first larger hole between them. Beside it a text about it may stand over
    its caption: the first of such groups that is one."""
    if not lines:
        return []
    groups: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: -line.box[3] if side == "above" else line.box[1]):
        last = groups[-1] if groups else []
        apart = last and hole(last[-1].box, line.box) > _reach_under(line) * max(line.size, height(line.box))
        if not last or apart or (not is_price(line.text) and _heads_section(line, last, recognised=recognised)):
            groups.append([line])
        else:
            last.append(line)
    beside = side in ("left", "right")
    group = next(filter(is_whole, groups), groups[0]) if beside else groups[0]
    group.sort(key=lambda line: (line.box[1], line.box[0]))
    return [] if beside and any(intersect(line.box, picture.box) for line in group) else group


def _reach_under(line: Line) -> float:
    """Of its height, the largest hole between the line and what it goes on with: the names of colours stand under dots
    that show them."""
    return _UNDER_DOTS if is_row_of_colours(line.text) else _UNDER


def _heads_section(line: Line, caption: list[Line], *, recognised: bool) -> bool:
    near = recognised and hole(caption[-1].box, line.box) <= _NEAR * height(line.box)
    return line.size > (_RECOGNISED_HEADING if near else _HEADING) * min(own.size for own in caption) > 0


def hole(a: Box, b: Box) -> float:
    """Empty height between two lines."""
    return max(a[1] - b[3], b[1] - a[3], 0.0)


def is_whole(lines: Sequence[Line]) -> bool:
    """Says a name, and a code or a price, and is no column of labels."""
    if any(label_kind(line.text) for line in lines):
        return False
    return any(map(identifies, lines)) and any(map(may_be_named, lines))
