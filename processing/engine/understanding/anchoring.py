"""A page's text as it goes with its screenshot to a model, and the boxes that come back (TA-T33, GR-COORD).

Models speak of places on a scale of 0 to 1000 in both directions, whatever the page's size.
"""

import re
from xml.sax.saxutils import escape, quoteattr

from catalogsku.core.box import Box, clamp, normalise, rounded
from processing.engine.page import ParsedPage

MOST_BLOCKS = 50
SCALE = 1000
# What XML 1.0 cannot hold, escaped or not.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def anchored_text(page: ParsedPage) -> tuple[str, int]:
    """The first 50 text blocks as ``<block id="T1" box="x0 y0 x1 y1">text</block>`` lines, and how many were left out.

    Boxes on the models' scale. Text is escaped: it can close no tag and open none.
    """
    blocks = [block for block in page.blocks if block.text.strip()]
    lines = (
        f"<block id={quoteattr(block.id)} box={quoteattr(' '.join(map(str, to_scale(block.box, page))))}>"
        f"{escape(_NOT_XML.sub('', block.text))}</block>"
        for block in blocks[:MOST_BLOCKS]
    )
    return "\n".join(lines), max(0, len(blocks) - MOST_BLOCKS)


def to_scale(box: Box, page: ParsedPage) -> tuple[int, int, int, int]:
    """Points to whole thousandths of the page, clamped to it."""
    x0, y0, x1, y1 = clamp(normalise(box), page.width_pt, page.height_pt)
    across, down = SCALE / page.width_pt, SCALE / page.height_pt
    return round(x0 * across), round(y0 * down), round(x1 * across), round(y1 * down)


def from_scale(box: Box, page: ParsedPage) -> Box:
    """Thousandths of the page, as a model gave them, to points: corners in order, nothing off the page."""
    x0, y0, x1, y1 = clamp(normalise(box), SCALE, SCALE)
    across, down = page.width_pt / SCALE, page.height_pt / SCALE
    return rounded((x0 * across, y0 * down, x1 * across, y1 * down))
