"""How a line or a picture is recognised again on other pages of a document."""

import re

from catalogsku.core.box import Box
from catalogsku.core.text import squash
from processing.engine.page import Picture

# Share of the page's height at its top and at its bottom where headers and footers stand.
_MARGIN = 0.12
_PAGE_NUMBER = re.compile(
    r"(page|pg\.?|p\.?|第|共|页|頁|of|/|-|\.|·|\||—|\s)*\d{1,4}((of|/|页|頁|第|共|-|,|，|\|)*\d{1,4})?(页|頁|-|\||·)*"
)


def running_form(text: str) -> str:
    """Squashed text; page numbers, which differ from page to page, all alike."""
    squashed = squash(text)
    return "#page" if _PAGE_NUMBER.fullmatch(squashed) else squashed


def in_margin(box: Box, page_height_pt: float) -> bool:
    """Lies wholly in the top or the bottom margin."""
    return box[3] <= _MARGIN * page_height_pt or box[1] >= (1.0 - _MARGIN) * page_height_pt


def picture_key(picture: Picture) -> str:
    """The perceptual hash, or the hash of the bytes where a picture has none; empty where it has neither."""
    return picture.perceptual_hash or picture.content_hash
