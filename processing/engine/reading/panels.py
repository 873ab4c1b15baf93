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
# Points: how near two strokes end that meet.
_CORNER_PT = 3.0
# More are the cells of tables.
_MOST_PANELS = 80


def find_panels(drawings: Drawings, seen: Sequence[Box], size: PageSize) -> tuple[Box, ...]:
    """Shades, and rectangles with round corners or drawn as a frame, as large as cards, each once, downwards; none of a
    page that has too many. ``seen``: those of a recognised page."""
    page = size.width_pt * size.height_pt
    round_ones = (shape.box for shape in drawings.shapes if shape.strokes in _CORNERS)
    drawn = (*seen, *drawings.fills, *round_ones, *_frames(drawings.rules))
    boxes = {clamp(box, size.width_pt, size.height_pt) for box in drawn}
    panels: list[Box] = []
    for box in sorted(boxes, key=lambda box: (box[1], box[0])):
        fits = _LEAST * page <= area(box) <= _MOST * page and min(width(box), height(box)) >= _LEAST_SIDE
        if fits and not any(_is_same(box, other) for other in panels):
            panels.append(box)
            if len(panels) > _MOST_PANELS:
                return ()
    return tuple(map(rounded, panels))


def seen_frames(strokes: Sequence[Box]) -> list[Box]:
    """Rectangles of four strokes seen on a page that end where they meet, into which no other one runs from its sides,
    as the rules of a table do."""
    level = [s for s in strokes if width(s) > height(s) and width(s) >= _LEAST_SIDE]
    upright = [s for s in strokes if height(s) >= width(s) and height(s) >= _LEAST_SIDE]
    frames = []
    for left in upright:
        tops, feet = ([s for s in level if _meet(s[:2], end)] for end in (left[:2], (left[0], left[3])))
        for top in tops:
            right = next((s for s in upright if s is not left and _meet(s[:2], (top[2], top[1]))), None)
            foot = next((s for s in feet if right and _meet(s[2:], right[2:])), None)
            if right is None or foot is None:
                continue
            frame = (left[0], top[1], right[2], foot[3])
            if not any(_runs_into(frame, s) for s in strokes if s not in (left, top, right, foot)):
                frames.append(frame)
    return frames


def _meet(end: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) <= _CORNER_PT for a, b in zip(end, other, strict=True))


def _runs_into(frame: Box, stroke: Box) -> bool:
    """Ends at a side of the frame and is as long as a cell's; what belongs to a photo in it does not reach to there."""
    inside = intersect(frame, stroke)
    if inside is None or max(width(inside), height(inside)) < _LEAST_SIDE / 2:
        return False
    near = [abs(a - b) <= _CORNER_PT for a, b in zip(stroke, frame, strict=True)]
    return (near[0] or near[2]) if width(stroke) > height(stroke) else (near[1] or near[3])


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
    frames = []
    for (x0, x1), ys in tops.items():
        upright = sorted((y0, y1) for a, y0, b, y1 in edges if a == b == x0 and (x1, y0, x1, y1) in edges)
        frames += [(float(x0), float(y0), float(x1), float(y1)) for y0, y1 in upright if y0 in ys and y1 in ys]
    return frames
