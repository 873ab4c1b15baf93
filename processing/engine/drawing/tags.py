"""The ids of a page's pictures, drawn on its rendering as coloured tags that cover no print."""

from collections.abc import Iterator, Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from catalogsku.core.box import Box, area, intersect
from processing.engine.drawing.views import View, upright_box
from processing.engine.page import ParsedPage
from processing.engine.reading.raster import Grey

# Pixels: the type of a tag, the colour around it, and the paper that is kept around that.
_TYPE_PX, _INSET_PX, _RIM_PX = 22, 5, 2
_GROUND, _INK = (200, 0, 120), (255, 255, 255)
# A picture of which a view shows less has its tag in the other one.
_SHOWN = 0.3
# Grey levels between the lightest and the darkest pixel of a place on which nothing is printed.
_PLAIN = 24

_Place = tuple[int, int]


def tagged(image: Image.Image, page: ParsedPage, view: View) -> Image.Image:
    """A copy of the view's picture with the tag of each picture that it shows, at its top left corner: just outside
    where nothing is printed there, else inside at the first place from the corner on that has no text."""
    shown = image.convert("RGB")
    grey = np.asarray(shown.convert("L"))
    pen, font = ImageDraw.Draw(shown), ImageFont.load_default(_TYPE_PX)
    print_boxes = [_in_px(upright_box(page, word.box), view) for line in page.lines for word in line.words]
    taken: list[Box] = []
    for name, box in _pictures(page, view):
        left, top, right, bottom = pen.textbbox((0, 0), name, font=font)
        wide, high = round(right - left) + 2 * _INSET_PX, round(bottom - top) + 2 * _INSET_PX
        x, y = _place(box, wide, high, grey, print_boxes, taken)
        taken.append((x - _RIM_PX, y - _RIM_PX, x + wide + _RIM_PX, y + high + _RIM_PX))
        pen.rectangle((x, y, x + wide - 1, y + high - 1), fill=_GROUND, outline=_INK)
        pen.text((x + _INSET_PX - left, y + _INSET_PX - top), name, fill=_INK, font=font)
    return shown


def _pictures(page: ParsedPage, view: View) -> Iterator[tuple[str, Box]]:
    """Their ids, and what the view shows of each in its pixels."""
    for picture in page.pictures:
        box = upright_box(page, picture.box)
        seen = intersect(box, view.box)
        if seen and area(seen) >= _SHOWN * area(box):
            yield picture.id, _in_px(seen, view)


def _in_px(box: Box, view: View) -> Box:
    x, y, scale = view.box[0], view.box[1], view.px_per_pt
    return (box[0] - x) * scale, (box[1] - y) * scale, (box[2] - x) * scale, (box[3] - y) * scale


def _place(box: Box, wide: int, high: int, grey: Grey, print_boxes: Sequence[Box], taken: Sequence[Box]) -> _Place:
    """Top left of the tag."""
    most_y, most_x = max(0, grey.shape[0] - high), max(0, grey.shape[1] - wide)
    x0, y0 = round(box[0]), round(box[1])
    outside = ((x0, y0 - high), (x0 - wide, y0), (x0 - wide, y0 - high))
    for x, y in outside:
        on_page = 0 <= x <= most_x and 0 <= y <= most_y
        if on_page and _is_plain(grey, x, y, wide, high) and not _meets((x, y, x + wide, y + high), taken):
            return x, y
    inside = [(min(max(x, 0), most_x), min(max(y, 0), most_y)) for x, y in _steps(box, wide, high)]
    for x, y in inside:
        if not _meets((x, y, x + wide, y + high), (*print_boxes, *taken)):
            return x, y
    return inside[0]


def _steps(box: Box, wide: int, high: int) -> Iterator[_Place]:
    """Places from the corner on, along the picture's top and its left edge."""
    x0, y0 = round(box[0]), round(box[1])
    yield x0, y0
    yield from ((x, y0) for x in range(x0 + wide, round(box[2]) - wide, wide))
    yield from ((x0, y) for y in range(y0 + high, round(box[3]) - high, high))


def _is_plain(grey: Grey, x: int, y: int, wide: int, high: int) -> bool:
    part = grey[y : y + high, x : x + wide]
    return bool(part.size) and int(part.max()) - int(part.min()) <= _PLAIN


def _meets(tag: Box, others: Sequence[Box]) -> bool:
    return any(intersect(tag, other) for other in others)
