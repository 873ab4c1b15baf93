"""Prices of which a figure was broken off into the next line: "$ 139.0" over "0". What they are, a person says."""

import re
from collections.abc import Sequence

import msgspec

from catalogsku.core.box import Box, centre, height
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.understanding.draft import Draft

# An amount with one decimal, and what would be its second.
_SHORT = re.compile(r"[0-9][.,][0-9]$")
_FIGURE = re.compile(r"[0-9]")
# In the price's height: how far under it the figure stands, and how unlike their print may be.
_NEXT, _UNLIKE = 0.5, 0.15


def with_broken_prices(drafts: Sequence[Draft], lines: Sequence[Line]) -> list[Draft]:
    """The drafts, those with such a price marked as unclear."""
    figures = [line for line in lines if _FIGURE.fullmatch(trim(line.text))]
    return [
        msgspec.structs.replace(draft, price_unclear=True) if figures and _is_broken(draft, figures) else draft
        for draft in drafts
    ]


def _is_broken(draft: Draft, figures: Sequence[Line]) -> bool:
    price = draft.attributes.get("price")
    if price is None or not _SHORT.search(trim(price.text)) or draft.table:
        return False
    return any(_is_under(line.box, price.evidence.bbox) for line in figures)


def _is_under(figure: Box, price: Box) -> bool:
    """Within the price's width, right under it, in the same print."""
    x, y = centre(figure)
    size = height(price)
    near = centre(price)[1] < y and figure[1] - price[3] <= _NEXT * size
    return price[0] <= x <= price[2] and near and abs(height(figure) - size) <= _UNLIKE * size
