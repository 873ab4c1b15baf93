"""Captions on two sides of their picture: the name over it, labelled lines or sizes under it."""

from collections.abc import Mapping, Sequence
from statistics import median

from catalogsku.core.box import Box, height, intersect, union
from processing.engine.understanding.captions.bare_codes import is_bare_code
from processing.engine.understanding.captions.names import Lines, may_be_named
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, NAME_OR_TEXT
from processing.engine.understanding.rules.shapes import is_size

# Pictures that show how the page is set, and the share of them that must have both halves.
_LEAST, _MOSTLY = 3, 0.8
# Labelled values that make lines what is said of a product.
_LABELLED = 2
# Of the next largest hole and of a line's height, the one between two captions.
_LARGER, _HOLE = 1.5, 0.8
# Of the names' usual size: what is larger heads the page or a section.
_LIKE = 1.35
# Of a usual picture with lines on both sides: what is smaller is an icon.
_ICON = 0.15
_IDENTITY = {"model", "product_name", CODE_OR_NUMBER, NAME_OR_TEXT}


def in_halves(
    below: Mapping[str, Lines], above: Mapping[str, Lines], labelled: Sequence[Box], areas: Mapping[str, float]
) -> dict[str, Lines]:
    """Whole captions by picture, from the lines under and over each; empty where the page is not set so.

    Lines between two pictures are parted at their largest hole. ``labelled``: places of labels with their values in
    columns; ``areas``: of the pictures, for icons have captions of their own.
    """
    least = _ICON * median([areas[one] for one in below if one in above] or [0.0])
    below, above = ({one: lines for one, lines in side.items() if areas[one] >= least} for side in (below, above))
    under, over = dict(below), dict(above)
    for upper, lines in below.items():
        for lower, others in above.items():
            if upper != lower and {line.box for line in lines} & {line.box for line in others}:
                under[upper], over[lower] = _parted(under[upper], over[lower])
    whole = {one: over[one] + under[one] for one in under if one in over and _heads(over[one], under[one], labelled)}
    usual = median([_print(over[one]) for one in whole] or [0.0])
    whole = {one: lines for one, lines in whole.items() if _print(over[one]) <= _LIKE * usual}
    return whole if len(whole) >= max(_LEAST, _MOSTLY * len({*below, *above})) else {}


def _print(name: Lines) -> float:
    return max(line.size for line in name)


def _parted(upper: Lines, lower: Lines) -> tuple[Lines, Lines]:
    """The lines of both, those over the hole between them and those under it; none where no hole is far the largest."""
    lines = sorted({line.box: line for line in (*upper, *lower)}.values(), key=lambda line: (line.box[1], line.box[0]))
    ends = [max(line.box[3] for line in lines[: n + 1]) for n in range(len(lines) - 1)]
    holes = [line.box[1] - end for line, end in zip(lines[1:], ends, strict=True)]
    most, next_most, *_ = sorted([*holes, 0.0, 0.0], reverse=True)
    if not lines or most < _LARGER * next_most or most < _HOLE * max(height(line.box) for line in lines):
        return (), ()
    at = holes.index(most) + 1
    return tuple(lines[:at]), tuple(lines[at:])


def _heads(name: Lines, body: Lines, labelled: Sequence[Box]) -> bool:
    """The first lines name something and say no more of it than its code, or give that over a name under the picture;
    labels or sizes say the rest."""
    if not name or not body:
        return False
    coded = is_bare_code(name[0]) and len(name) == 1
    if not any(map(may_be_named, (*name, body[0]) if coded else name)):
        return False
    told = {field.kind for line in name for field in line_fields(line, 0)}
    box = union(line.box for line in body)
    said = sum(len(line_fields(line, 0)) or is_size(line.text) for line in body)
    said += sum(intersect(box, b) is not None for b in labelled)
    return told <= _IDENTITY and said + coded >= _LABELLED
