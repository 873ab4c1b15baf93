"""From PDF user space (origin bottom-left, unrotated) to the page as displayed, for readers that do not do it."""

from typing import NamedTuple

from catalogsku.core.box import Box
from processing.engine.reading.port import SLANTED, PageSize

# Rise over run, about 11 degrees: more than a scan hangs askew.
_SLANT = 0.2


class Frame(NamedTuple):
    """The visible box of a page in user space and its clockwise /Rotate."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int

    @property
    def size(self) -> PageSize:
        width, height = self.right - self.left, self.top - self.bottom
        return PageSize(height, width, self.rotation) if self.rotation % 180 else PageSize(width, height, self.rotation)

    def point(self, x: float, y: float) -> tuple[float, float]:
        if self.rotation == 90:
            return y - self.bottom, x - self.left
        if self.rotation == 180:
            return self.right - x, y - self.bottom
        if self.rotation == 270:
            return self.top - y, self.right - x
        return x - self.left, self.top - y

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """Any two opposite corners in user space."""
        a, b = self.point(x0, y0), self.point(x1, y1)
        return min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])

    def direction(self, x: float, y: float) -> tuple[float, float]:
        """A direction in user space as displayed (y downwards)."""
        a, b = self.point(0.0, 0.0), self.point(x, y)
        return b[0] - a[0], b[1] - a[1]


def quarter_turn(x: float, y: float) -> int:
    """The nearest of right, down, left, up for a displayed direction (y downwards); SLANTED for one between."""
    if min(abs(x), abs(y)) > _SLANT * max(abs(x), abs(y)):
        return SLANTED
    if abs(x) >= abs(y):
        return 0 if x >= 0 else 2
    return 1 if y > 0 else 3


def orientation(a: float, b: float, c: float, d: float) -> tuple[int, bool, bool]:
    """(turn, mirrored, skewed) of a picture whose left-to-right edge is shown along (a, b) and whose top-to-bottom
    edge along (c, d), displayed directions with y downwards."""
    mirrored = a * d - b * c < 0
    if mirrored:
        a, b = -a, -b
    length = max(abs(a) + abs(b), 1e-9)
    skewed = min(abs(a), abs(b)) > 0.02 * length
    return quarter_turn(a, b), mirrored, skewed


def part_of(whole: Box, box: Box) -> Box:
    """Which part of ``whole`` the box is, in shares of its width and height, from the top left."""
    wide, high = max(whole[2] - whole[0], 1e-9), max(whole[3] - whole[1], 1e-9)
    x0, y0 = (box[0] - whole[0]) / wide, (box[1] - whole[1]) / high
    x1, y1 = (box[2] - whole[0]) / wide, (box[3] - whole[1]) / high
    return max(0.0, x0), max(0.0, y0), min(1.0, x1), min(1.0, y1)


def is_slanted(x0: float, y0: float, x1: float, y1: float) -> bool:
    """A stroke between two points that is neither level nor upright."""
    return abs(x1 - x0) >= 1.0 and abs(y1 - y0) >= 1.0


def around(points: list[tuple[float, float]]) -> Box:
    """The box of some points."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def is_corner(x: float, y: float, box: Box) -> bool:
    """Whether the point is a corner of the box."""
    return min(abs(x - box[0]), abs(x - box[2])) < 0.1 and min(abs(y - box[1]), abs(y - box[3])) < 0.1


def keep_segment(rules: list[Box], box: Box) -> None:
    """Adds a straight stroke if it is level or upright."""
    if box[2] - box[0] < 1.0 or box[3] - box[1] < 1.0:
        rules.append(box)


def keep_rectangle(rules: list[Box], fills: list[Box], box: Box, stroked: bool, filled: bool) -> None:
    """Adds a rectangle as a rule (thin), as its four edges (stroked) or as a filled box."""
    x0, y0, x1, y1 = box
    if min(x1 - x0, y1 - y0) < 3.0:
        if stroked or filled:
            rules.append(box)
        return
    if stroked:
        rules += [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]
    if filled:
        fills.append(box)
