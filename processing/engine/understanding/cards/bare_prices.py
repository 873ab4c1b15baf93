"""Prices that are printed at cards without a label."""

from collections.abc import Sequence
from statistics import median

import msgspec

from catalogsku.core.box import Box, centre, contains_point, gap, height, holds_centre, union
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.understanding.bands import own_cards, pictures_in_bands
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import add_currency, take_on_request, text_value
from processing.engine.understanding.offers import to_pay
from processing.engine.understanding.rules.normalise import is_quantity
from processing.engine.understanding.rules.shapes import is_on_request, is_price, price_spans
from processing.engine.understanding.tables.open_table import baselines
from processing.engine.understanding.view import PageView

# Of two cards that stand about as far from a price it is neither's.
_CLEARLY = 0.8
# Print of a price that is displayed against the page's usual print; its signs at most.
_DISPLAYED, _LONGEST = 1.4, 16
# Points by which the feet of cards beside each other may differ, and prices that make a row of them.
_SAME_ROW_PT, _LEAST_TIERS = 16.0, 2


def with_bare_prices(view: PageView, drafts: Sequence[Draft], reach: float = float("inf")) -> list[Draft]:
    """Each card with the price nearest to it, no further than ``reach``, points, where no card has one, there is one
    for each, and no price lies between two cards; a card alone with the price displayed in it. Some may be on
    request."""
    prices = [line for line in view.lines if is_price(line.text)]
    if 0 < len(prices) < len(drafts):
        prices += [line for line in view.lines if is_on_request(line.text)]
    if not drafts or len(prices) != len(drafts) or any("price" in draft.attributes for draft in drafts):
        return list(drafts)
    if len(drafts) == 1 and not _is_displayed(view, prices[0], drafts[0].box):
        return list(drafts)
    shown = pictures_in_bands({n: draft.anchor for n, draft in enumerate(drafts)}, view.pictures)
    own = [[d.picture] if d.picture else [p.box for p in shown.get(n, ())] for n, d in enumerate(drafts)]
    cards = own_cards({n: draft.anchor for n, draft in enumerate(drafts)}, view.cards)
    areas = [cards.get(n) or union([draft.anchor, *own[n]]) for n, draft in enumerate(drafts)]
    owners = [_owner(price, areas) for price in prices]
    far = any(gap(areas[n], price.box) > reach for n, price in zip(owners, prices, strict=True))
    if far or sorted(owners) != list(range(len(drafts))):
        owners = _in_columns(prices, [draft.anchor for draft in drafts])
    if sorted(owners) != list(range(len(drafts))):
        return list(drafts)
    return [_priced(draft, prices[owners.index(n)], view.page.number) for n, draft in enumerate(drafts)]


def with_price_boxes(view: PageView, drafts: Sequence[Draft]) -> list[Draft]:
    """Cards with the prices by quantity that stand in a row under them, each with its quantity right above it; cards
    beside each other have equally many."""
    priced = [
        (price, quantity)
        for price in view.lines
        if is_price(price.text) or is_on_request(price.text)
        if (quantity := _quantity_over(price, view.lines))
    ]
    tiered = list(drafts)
    for row in baselines([price for price, _ in priced]):
        over = [n for n, draft in enumerate(drafts) if draft.anchor[3] <= row[0].box[1]]
        lowest = max((drafts[n].anchor[3] for n in over), default=0.0)
        cards = sorted(
            (n for n in over if drafts[n].anchor[3] >= lowest - _SAME_ROW_PT), key=lambda n: drafts[n].anchor[0]
        )
        each, rest = divmod(len(row), max(1, len(cards)))
        if not cards or rest or each < _LEAST_TIERS or any("price" in tiered[n].attributes for n in cards):
            continue
        for k, n in enumerate(cards):
            own = [(price, quantity) for price, quantity in priced if price in row[k * each : (k + 1) * each]]
            tiered[n] = _tiered(tiered[n], sorted(own, key=lambda pair: pair[0].box[0]), view.page.number)
    return tiered


def _is_displayed(view: PageView, price: Line, card: Box) -> bool:
    """Nothing but the price, in large print inside of the card or on a photo."""
    usual = median(line.size for line in view.lines)
    alone = len(trim(price.text)) <= _LONGEST and price_spans(trim(price.text)) == ((0, len(trim(price.text))),)
    shown = [card, *(picture.box for picture in view.pictures)]
    on = holds_centre(shown, price.box)
    return alone and price.size >= _DISPLAYED * usual and on


def _quantity_over(price: Line, lines: Sequence[Line]) -> Line | None:
    x = centre(price.box)[0]
    over = [
        line
        for line in lines
        if is_quantity(line.text)
        and line.box[0] <= x <= line.box[2]
        and -2.0 <= price.box[1] - line.box[3] <= height(price.box)
    ]
    return max(over, key=lambda line: line.box[3], default=None)


def _tiered(draft: Draft, own: Sequence[tuple[Line, Line]], page_number: int) -> Draft:
    tiers = tuple((trim(quantity.text), trim(price.text)) for price, quantity in own)
    first = _priced(draft, own[0][0], page_number)
    boxes = [line.box for pair in own for line in pair]
    return msgspec.structs.replace(first, tiers=tiers, box=union([first.box, *boxes]), anchor=draft.anchor)


def _owner(price: Line, areas: Sequence[Box]) -> int:
    """Index of the card on whose level the price stands, else of the nearest; -1 where that is not clear."""
    x, y = centre(price.box)
    level = [n for n, area in enumerate(areas) if contains_point((x, area[1] - 2.0, x, area[3] + 2.0), x, y)]
    near = sorted((gap(areas[n], price.box), n) for n in level or range(len(areas)))
    return near[0][1] if len(near) < 2 or near[0][0] < _CLEARLY * near[1][0] else -1


def _in_columns(prices: Sequence[Line], texts: Sequence[Box]) -> list[int]:
    """For each price on the level of a text's first line the last text that begins before it: it stands at the right
    edge of that text's column, however narrow what is shown there is. -1 where there is none."""
    owners = []
    for price in prices:
        y = centre(price.box)[1]
        level = [n for n, text in enumerate(texts) if text[1] <= y <= text[1] + 2.0 * height(price.box)]
        before = [n for n in level if texts[n][2] <= price.box[0]]
        owners.append(max(before, key=lambda n: texts[n][0], default=-1))
    return owners


def _priced(draft: Draft, price: Line, page_number: int) -> Draft:
    attributes = {**draft.attributes, "price": text_value(*to_pay(price), page_number, "caption", 0.9)}
    on_request = take_on_request(attributes) or draft.on_request
    add_currency(attributes)
    box = union([draft.anchor, price.box])
    whole = union([draft.box, price.box])
    return msgspec.structs.replace(draft, attributes=attributes, box=whole, anchor=box, on_request=on_request)
