"""Boxes on a page: ``(x0, y0, x1, y1)`` in points, origin top-left of the page as displayed."""

from collections.abc import Iterable

Box = tuple[float, float, float, float]


def width(box: Box) -> float:
    return box[2] - box[0]


def height(box: Box) -> float:
    return box[3] - box[1]


def area(box: Box) -> float:
    return max(0.0, width(box)) * max(0.0, height(box))


def centre(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def normalise(box: Box) -> Box:
    """The same box with its corners in order."""
    return (min(box[0], box[2]), min(box[1], box[3]), max(box[0], box[2]), max(box[1], box[3]))


def clamp(box: Box, page_width: float, page_height: float) -> Box:
    """The part of ``box`` on a page of that size (points); off-page boxes collapse onto its edge."""
    x0, y0, x1, y1 = box
    return (
        min(max(x0, 0.0), page_width),
        min(max(y0, 0.0), page_height),
        min(max(x1, 0.0), page_width),
        min(max(y1, 0.0), page_height),
    )


def intersect(a: Box, b: Box) -> Box | None:
    """The common part, or None where the boxes share no area."""
    x0, y0, x1, y1 = max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def overlap_ratio(a: Box, b: Box) -> float:
    """Shared area over the smaller box's area, 0 to 1."""
    common, smaller = intersect(a, b), min(area(a), area(b))
    return area(common) / smaller if common and smaller > 0 else 0.0


def union(boxes: Iterable[Box]) -> Box:
    """The smallest box around all; ValueError for none."""
    items = list(boxes)
    if not items:
        raise ValueError("union of no boxes")
    lefts, tops, rights, feet = zip(*items, strict=True)
    return min(lefts), min(tops), max(rights), max(feet)


def contains_point(box: Box, x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def holds_centre(boxes: Iterable[Box], box: Box) -> bool:
    """Whether any of the boxes holds the middle of ``box``; written out, for it is asked thousands of times a page."""
    x, y = centre(box)
    return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in boxes)


def gap(a: Box, b: Box) -> float:
    """Distance in points between the nearest edges, 0 where they touch or overlap (PL-METHODS)."""
    dx = max(a[0] - b[2], b[0] - a[2], 0.0)
    dy = max(a[1] - b[3], b[1] - a[3], 0.0)
    return float((dx * dx + dy * dy) ** 0.5)


def rounded(box: Box, digits: int = 2) -> Box:
    return (round(box[0], digits), round(box[1], digits), round(box[2], digits), round(box[3], digits))


def turned(box: Box, turn: int, page_width: float, page_height: float) -> Box:
    """The box in a frame in which text turned by so many quarter turns clockwise runs left to right, its lines
    downwards."""
    x0, y0, x1, y1 = box
    if turn == 0:
        return box
    if turn == 1:
        return y0, page_width - x1, y1, page_width - x0
    if turn == 3:
        return page_height - y1, x0, page_height - y0, x1
    return page_width - x1, page_height - y1, page_width - x0, page_height - y0


def turned_back(box: Box, turn: int, page_width: float, page_height: float) -> Box:
    """The inverse of ``turned``; the size is that of the page as displayed."""
    x0, y0, x1, y1 = box
    if turn == 0:
        return box
    if turn == 1:
        return page_width - y1, x0, page_width - y0, x1
    if turn == 3:
        return y0, page_height - x1, y1, page_height - x0
    return page_width - x1, page_height - y1, page_width - x0, page_height - y0
