"""Pictures that are drawn with curves and strokes rather than placed: the line drawings of price lists."""

from collections.abc import Sequence

from catalogsku.core.box import Box, clamp, contains_point, height, union, width
from processing.engine.reading.port import Drawings, Glyphs, PageSize, Shape

# Of the page: where pictures cover no more, its products may be shown as line drawings; beside photos these are signs.
FEW_PICTURES = 0.05
# Points between the parts of one drawing.
_NEAR = 4.0
# Curves and slanted strokes of a drawing: those of price lists have 70 to 440, arrows, ticks, frames with round corners
# and the signs of circuits at most 38.
_STROKES = 48
# Points: a mark in a line of text is smaller. So many times longer than wide it is an ornament.
_LEAST_SIDE, _LONGEST = 18.0, 3.0
# A page with more shapes is a map or a plan. One with more drawings is lettered in outlines.
_MOST_SHAPES, _MOST = 5000, 40
# Of the page: what is larger is its ground.
_GROUND = 0.5


def find_sketches(drawings: Drawings, words: Sequence[Glyphs], size: PageSize) -> list[Box]:
    """Boxes of the drawings on a page with text, in reading order. A drawing with text in it is a diagram and none."""
    if not words or drawings.limited or len(drawings.shapes) > _MOST_SHAPES:
        return []
    middles = [((w.box[0] + w.box[2]) / 2, (w.box[1] + w.box[3]) / 2) for w in words]
    sketches = []
    for parts in _clusters(drawings.shapes):
        box = clamp(union(shape.box for shape in parts), size.width_pt, size.height_pt)
        if sum(shape.strokes for shape in parts) < _STROKES or not _is_a_picture(box, size):
            continue
        if not any(contains_point(box, *middle) for middle in middles):
            sketches.append(box)
    return sorted(sketches, key=lambda box: (box[1], box[0])) if len(sketches) <= _MOST else []


def _is_a_picture(box: Box, size: PageSize) -> bool:
    short, long = sorted((width(box), height(box)))
    ground = width(box) * height(box) > _GROUND * size.width_pt * size.height_pt
    return short >= _LEAST_SIDE and long <= _LONGEST * short and not ground


def _clusters(shapes: Sequence[Shape]) -> list[list[Shape]]:
    """Shapes that overlap or nearly do, downwards over the page."""
    parent = list(range(len(shapes)))

    def root(n: int) -> int:
        while parent[n] != n:
            parent[n] = parent[parent[n]]
            n = parent[n]
        return n

    order = sorted(range(len(shapes)), key=lambda n: shapes[n].box[1])
    open_ones: list[int] = []
    for n in order:
        x0, y0, x1, _ = shapes[n].box
        open_ones = [m for m in open_ones if shapes[m].box[3] + _NEAR >= y0]
        for m in open_ones:
            if shapes[m].box[0] - _NEAR <= x1 and x0 - _NEAR <= shapes[m].box[2]:
                parent[root(n)] = root(m)
        open_ones.append(n)
    groups: dict[int, list[Shape]] = {}
    for n, shape in enumerate(shapes):
        groups.setdefault(root(n), []).append(shape)
    return list(groups.values())
