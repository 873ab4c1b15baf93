"""Panels: shaded or framed parts of a page on which a product's text and pictures may stand together, as on a card."""

from collections.abc import Sequence

from catalogsku.core.box import Box, area, clamp, height, intersect, rounded, width
from processing.engine.reading.port import Drawings, PageSize

# Of the page: the least and the most that a card takes; its least side, points.
_LEAST, _MOST = 0.015, 0.5
_LEAST_SIDE = 50.0
# Curves and slanted strokes of a rectangle with round corners: one to eight a corner.
_CORNERS = range(4, 33)
# Of two boxes: so much in common makes them one, a shade and its frame mostly.
_SAME = 0.9
# More are the cells of tables.
_MOST_PANELS = 80


def find_panels(drawings: Drawings, seen: Sequence[Box], size: PageSize) -> tuple[Box, ...]:
    """Shades, and rectangles with round corners or drawn as a frame, as large as cards, each once, downwards; none of a
    page that has too many. ``seen``: those of a recognised page."""
    page = size.width_pt * size.height_pt
    round_ones = (shape.box for shape in drawings.shapes if shape.strokes in _CORNERS)
    drawn = (*seen, *drawings.fills, *round_ones, *_frames(drawings.rules))
    boxes = {clamp(box, size.width_pt, size.height_pt) for box in drawn}
    found: list[Box] = []
    for box in sorted(boxes, key=lambda box: (box[1], box[0])):
        fits = _LEAST * page <= area(box) <= _MOST * page and min(width(box), height(box)) >= _LEAST_SIDE
        if fits and not any(_is_same(box, other) for other in found):
            found.append(box)
            if len(found) > _MOST_PANELS:
                return ()
    return tuple(map(rounded, found))


def _is_same(a: Box, b: Box) -> bool:
    common = intersect(a, b)
    return common is not None and area(common) >= _SAME * max(area(a), area(b))


def _frames(rules: Sequence[Box]) -> list[Box]:
    """Rectangles whose four edges were drawn at once."""
    edges = {(round(b[0]), round(b[1]), round(b[2]), round(b[3])) for b in rules}
    level = [b for b in edges if b[1] == b[3] and b[2] - b[0] >= _LEAST_SIDE]
    tops: dict[tuple[int, int], list[int]] = {}
    for x0, y, x1, _ in level:
        tops.setdefault((x0, x1), []).append(y)
    found = []
    for (x0, x1), ys in tops.items():
        upright = sorted((y0, y1) for a, y0, b, y1 in edges if a == b == x0 and (x1, y0, x1, y1) in edges)
        found += [(float(x0), float(y0), float(x1), float(y1)) for y0, y1 in upright if y0 in ys and y1 in ys]
    return found
