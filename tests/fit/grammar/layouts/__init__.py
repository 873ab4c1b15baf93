"""Kinds of pages with products, each a function that draws its style for a maker once and returns what draws a page."""

from collections.abc import Callable, Mapping
from functools import partial

from tests.fit.grammar.layouts import cards, flows, lists, rows, sheets, turned
from tests.fit.grammar.paper import Paper

Layout = Callable[[Paper], Callable[[], None]]

# Layout and how often it is drawn.
LAYOUTS: Mapping[str, tuple[Layout, float]] = {
    "table": (rows.plain, 14),
    "table_photo": (rows.with_photos, 9),
    "sections": (rows.sections, 9),
    "titled": (rows.titled, 10),
    "pair": (rows.pair, 4),
    "continued": (rows.continued, 4),
    "beside_photo": (rows.beside_photo, 5),
    "transposed": (turned.transposed, 5),
    "cards_below": (partial(cards.grid, where="below"), 12),
    "cards_above": (partial(cards.grid, where="above"), 3),
    "cards_right": (partial(cards.grid, where="right"), 4),
    "cards_left": (partial(cards.grid, where="left"), 3),
    "cards_over": (partial(cards.grid, where="over"), 2),
    "tags": (cards.tags, 3),
    "zigzag": (flows.zigzag, 4),
    "numbered": (flows.numbered, 4),
    "columns": (flows.columns, 4),
    "beside_list": (flows.beside_list, 3),
    "dotted": (lists.dotted, 3),
    "menu": (lists.menu, 3),
    "sheet": (sheets.sheet, 6),
    "variants": (sheets.variants, 5),
    "poster": (sheets.poster, 3),
}
