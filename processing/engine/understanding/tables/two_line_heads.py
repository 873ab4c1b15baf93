"""Heads of open lists whose labels stand in two lines each: "Pack" over "qty.", "Cat." over "ref."."""

from collections.abc import Sequence

from catalogsku.core.box import centre, height, union
from processing.engine.page import Line, Picture
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_number, is_price

# Of a label's print: the space between its two lines, and how unlike these may be.
_LEADING, _UNLIKE = 0.7, 0.2
# Points by which the lines of a label begin, or lie about their middle, apart; labels of a head that go on.
_ALIGNED_PT, _LEAST = 2.0, 2
# A head has so many labels at least; a caption stands so many heights of its line below its picture at most.
_LEAST_LABELS, _CAPTION = 3, 2.0

Row = list[Line]


def with_whole_labels(rows: Sequence[Row]) -> list[Row]:
    """The baselines; two right under each other are one where every line of the lower goes on with a label of the
    upper, and labels are known so that are not without it."""
    whole: list[Row] = []
    for row in rows:
        joined = _joined(whole[-1], row) if whole else None
        if joined is not None and _tells_more(joined, whole[-1], row):
            whole[-1] = joined
        else:
            whole.append(list(row))
    return whole


def _joined(upper: Row, lower: Row) -> Row | None:
    if len(upper) < _LEAST_LABELS or not _LEAST <= len(lower) <= len(upper):
        return None
    if any(is_number(line.text) or is_price(line.text) for line in (*upper, *lower)):
        return None
    parts = {id(first): second for second in lower if (first := _first_line(second, upper)) is not None}
    return (
        [_label(line, parts[id(line)]) if id(line) in parts else line for line in upper]
        if len(parts) == len(lower)
        else None
    )


def _first_line(second: Line, upper: Row) -> Line | None:
    return next((first for first in upper if _goes_on(first, second)), None)


def _goes_on(first: Line, second: Line) -> bool:
    a, b = first.box, second.box
    size, other = first.size or height(a), second.size or height(b)
    close = -_UNLIKE * size <= b[1] - a[3] <= _LEADING * size
    alike = abs(size - other) <= _UNLIKE * size and first.bold == second.bold
    aligned = min(abs(a[0] - b[0]), abs(a[2] - b[2]), abs(centre(a)[0] - centre(b)[0])) <= _ALIGNED_PT
    return close and alike and aligned


def _label(first: Line, second: Line) -> Line:
    words = (*first.words, *second.words)
    return Line(f"{first.text} {second.text}", union((first.box, second.box)), words, first.size, first.bold)


def _tells_more(joined: Row, upper: Row, lower: Row) -> bool:
    """Begins a label with what is none, and loses no more labels than it gains."""
    begun = any(label_kind(line.text) and not label_kind(first.text) for line, first in zip(joined, upper, strict=True))
    return begun and _known(joined) >= max(_known(upper), _known(lower))


def _known(row: Row) -> int:
    return sum(1 for line in row if label_kind(line.text))


def without_captions(head: Row, body: Sequence[Row], pictures: Sequence[Picture]) -> list[Row]:
    """The rows without what is printed under pictures left of the list: it stands level with rows by chance."""
    left = min(line.box[0] for line in head)
    beside = [picture.box for picture in pictures if picture.box[2] <= left]
    captions = {id(line) for row in body for line in row if line.box[2] <= left
                and any(_is_under(line, box) for box in beside)}  # fmt: skip
    kept = [[line for line in row if id(line) not in captions] for row in body]
    return [row for row in kept if row]


def _is_under(line: Line, box: tuple[float, float, float, float]) -> bool:
    return box[0] - _ALIGNED_PT <= line.box[0] <= box[2] and 0 <= line.box[1] - box[
        3
    ] + _ALIGNED_PT <= _CAPTION * height(line.box)
