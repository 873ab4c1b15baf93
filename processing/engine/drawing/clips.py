"""The parts of a page that are looked at again, drawn as large as print is read best."""

from typing import NamedTuple

from catalogsku.core.box import Box, clamp, height, normalise, turned, width
from processing.engine.page import ParsedPage
from processing.engine.reading.rendering import within_budget

CLIP_PX_PER_PT = 300.0 / 72.0
# Pixels of one clip: half an A4 page. Larger ones are drawn smaller.
_MOST_PX = 4_400_000
# Points around a box that are drawn too: half its height, and along its lines twice that, within these bounds. A model
# places a box within some thousandths of the page, and where it cuts through a number the rest of it must be seen.
_MARGIN_PT = (2.0, 8.0)
_ALONG_PT = (8.0, 24.0)


class Clip(NamedTuple):
    """``box``: what is drawn, in points of the page as displayed."""

    box: Box
    px_per_pt: float

    @property
    def size_pt(self) -> tuple[float, float]:
        return width(self.box), height(self.box)


def clip_of(page: ParsedPage, box: Box) -> Clip:
    """What is drawn for a box: it and a margin, within the page."""
    box = normalise(box)
    high = width(box) if page.turn % 2 else height(box)
    across, along = _between(high / 2, _MARGIN_PT), _between(high, _ALONG_PT)
    x, y = (across, along) if page.turn % 2 else (along, across)
    part = clamp((box[0] - x, box[1] - y, box[2] + x, box[3] + y), page.width_pt, page.height_pt)
    return Clip(part, within_budget(width(part), height(part), CLIP_PX_PER_PT, _MOST_PX))


def _between(wanted: float, bounds: tuple[float, float]) -> float:
    return min(max(wanted, bounds[0]), bounds[1])


def box_in_clip(page: ParsedPage, box: Box, clip: Clip) -> Box:
    """The box that a clip was drawn for, in pixels of its upright picture."""
    x, y, scale = clip.box[0], clip.box[1], clip.px_per_pt
    x0, y0, x1, y1 = normalise(box)
    wide, high = clip.size_pt
    shown = (x0 - x) * scale, (y0 - y) * scale, (x1 - x) * scale, (y1 - y) * scale
    return turned(shown, page.turn, wide * scale, high * scale)
