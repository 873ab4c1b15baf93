"""Boxes as models speak of them: on a scale of 0 to 1000 in both directions, whatever the page's size (GR-COORD); back:
``engine.drawing.views.box_on_page``."""

from catalogsku.core.box import Box, clamp, normalise
from processing.engine.page import ParsedPage

SCALE = 1000


def to_scale(box: Box, page: ParsedPage) -> tuple[int, int, int, int]:
    """Points to whole thousandths of the page, clamped to it."""
    x0, y0, x1, y1 = clamp(normalise(box), page.width_pt, page.height_pt)
    across, down = SCALE / page.width_pt, SCALE / page.height_pt
    return round(x0 * across), round(y0 * down), round(x1 * across), round(y1 * down)
