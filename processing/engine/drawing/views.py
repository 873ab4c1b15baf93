"""How a page is shown: whole, or as two halves where its print would be too small, and so that its text stands upright.

Points of a view count on the upright page: as displayed, turned back by ``ParsedPage.turn``.
"""

from typing import NamedTuple

from PIL import Image

from catalogsku.core.box import Box, clamp, normalise, turned, turned_back
from processing.engine.page import ParsedPage

# Pixels of a view's longer side: an A4 page has 205 dpi, each of its halves 290.
LONG_PX = 2400
# Beyond this a small page gains nothing.
_MOST_PX_PER_PT = 300.0 / 72.0
# The halves share this much of the page, so that what is cut in one is whole in the other.
_SHARED = 0.1
# Pixels that capitals and digits of the smallest usual type have at least. On clean print an OCR engine reads codes and
# prices of 6 pixels without a mistake (276 of 276 words of a price list); scans, and models that make images smaller
# themselves, need some more. Of 101 pages of real catalogues 5 have less.
_LEAST_CAPITAL_PX = 10.0
# Share of the characters that may be smaller still (marks, footnotes), and the height of a capital in em.
_SMALLER = 0.1
_CAPITAL_EM = 0.7
# Lines of print above which a page is dense whatever its type; of those 101 pages 2 have more.
_MANY_LINES = 300
# Boxes in answers count to this.
_SCALE = 1000

_UPRIGHT = {1: Image.Transpose.ROTATE_90, 2: Image.Transpose.ROTATE_180, 3: Image.Transpose.ROTATE_270}


class View(NamedTuple):
    """A picture of the upright page, or of a part of it: ``label`` is said before it, ``box`` is what it shows."""

    label: str
    box: Box
    px_per_pt: float


def views_of(page: ParsedPage) -> tuple[View, ...]:
    """The page, or its upper and lower half (left and right where it is wider than high) where it is dense."""
    width, height = upright_size(page)
    whole = View("page", (0.0, 0.0, width, height), _scale(width, height))
    return _halves(width, height) if _is_dense(page, whole.px_per_pt) else (whole,)


def _halves(width: float, height: float) -> tuple[View, ...]:
    share = (1 + _SHARED) / 2
    if height >= width:
        first, second = (0.0, 0.0, width, share * height), (0.0, (1 - share) * height, width, height)
        names, scale = ("upper", "lower"), _scale(width, share * height)
    else:
        first, second = (0.0, 0.0, share * width, height), ((1 - share) * width, 0.0, width, height)
        names, scale = ("left", "right"), _scale(share * width, height)
    return tuple(View(f"page, {name} half", box, scale) for name, box in zip(names, (first, second), strict=True))


def _scale(width: float, height: float) -> float:
    return min(LONG_PX / max(width, height, 1.0), _MOST_PX_PER_PT)


def _is_dense(page: ParsedPage, px_per_pt: float) -> bool:
    small = smallest_usual_pt(page)
    return len(page.lines) > _MANY_LINES or 0 < small * _CAPITAL_EM * px_per_pt < _LEAST_CAPITAL_PX


def smallest_usual_pt(page: ParsedPage) -> float:
    """The size of type below which hardly any of the page is set; 0 without print."""
    sizes = sorted((word.size, len(word.text)) for line in page.lines for word in line.words if word.size > 0)
    left = _SMALLER * sum(count for _, count in sizes)
    for size, count in sizes:
        left -= count
        if left <= 0:
            return size
    return 0.0


def upright_size(page: ParsedPage) -> tuple[float, float]:
    """Width and height in points."""
    return (page.height_pt, page.width_pt) if page.turn % 2 else (page.width_pt, page.height_pt)


def upright_box(page: ParsedPage, box: Box) -> Box:
    """A box of the page as displayed, on the upright page."""
    return turned(box, page.turn, page.width_pt, page.height_pt)


def upright_image(page: ParsedPage, image: Image.Image) -> Image.Image:
    """The page as displayed, or a part of it, turned so that its text stands upright."""
    return image.transpose(_UPRIGHT[page.turn]) if page.turn else image


def box_on_page(page: ParsedPage, box: Box) -> Box:
    """The part of the page as displayed that an answer means by a box on 0..1000 of what is shown; halves are shown of
    a whole that counts on. What lies outside the page collapses onto its edge."""
    width, height = upright_size(page)
    box = normalise(box)
    x0, x1 = (v / _SCALE * width for v in (box[0], box[2]))
    y0, y1 = (v / _SCALE * height for v in (box[1], box[3]))
    return turned_back(clamp((x0, y0, x1, y1), width, height), page.turn, page.width_pt, page.height_pt)
