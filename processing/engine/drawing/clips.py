"""The parts of a page that are looked at again, drawn as large as print is read best."""

from typing import NamedTuple

from catalogsku.core.box import Box, clamp, height, normalise, width
from processing.engine.page import ParsedPage
from processing.engine.reading.rendering import within_budget

CLIP_PX_PER_PT = 300.0 / 72.0
# Pixels of one clip: half an A4 page. Larger ones are drawn smaller.
_MOST_PX = 4_400_000
# Points around a box that are drawn too: half its height, within these bounds. A model places a box within some
# thousandths of the page.
_MARGIN_PT = (2.0, 8.0)


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
    margin = min(max(min(width(box), height(box)) / 2, _MARGIN_PT[0]), _MARGIN_PT[1])
    grown = box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin
    part = clamp(grown, page.width_pt, page.height_pt)
    return Clip(part, within_budget(width(part), height(part), CLIP_PX_PER_PT, _MOST_PX))
