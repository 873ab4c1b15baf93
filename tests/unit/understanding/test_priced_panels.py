"""Cards on panels of one width, of which only some show a picture."""

import msgspec
import pytest

from processing.engine.page import Line
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

CARDS = (
    ("1. Sponge Otto", "21.49 €/pc"),
    ("2. Paper towels by", "Sofia, of two layers", "and soft", "86.90 €/pc"),
    ("3. Razor", "72.60 €/pc", "in stock"),
    ("4. Gloves of size XL", "16.50 €/pc"),
    ("5. Towels folded, Z-", "shape", "9.00 €/pc"),
)


def understood(*cards: tuple[str, ...], shown: tuple[int, ...] = (1,), more: tuple[Line, ...] = ()) -> PageResult:
    """Three cards a row, 136 wide with a margin of 8; on those that are shown the text stands under a picture."""
    lines, pictures, panels = list(more), [], []
    for n, card in enumerate(cards):
        x, y = 40.0 + 150 * (n % 3), 100.0 + 190 * (n // 3)
        panels.append((x, y, x + 136, y + 180))
        if n in shown:
            pictures.append(picture(f"P{n}", (x, y, x + 136, y + 90)))
        top = y + (98 if n in shown else 8)
        lines += [line(text, x + 8, top + 13 * k, 12 if "€" in text else 10) for k, text in enumerate(card)]
    found = msgspec.structs.replace(page(*lines, pictures=pictures), panels=tuple(panels))
    return understand_page(found, (), DocumentFacts(), BY_RULES)


def test_each_panel_is_a_product_with_or_without_a_picture() -> None:
    result = understood(*CARDS)
    assert result.page_type == "C"
    assert texts(result, "price") == [card[-1 if "€" in card[-1] else -2] for card in CARDS]
    assert texts(result, "product_name") == [
        "1. Sponge Otto",
        "2. Paper towels by Sofia, of two layers and soft",
        "3. Razor",
        "4. Gloves of size XL",
        "5. Towels folded, Z-shape",
    ]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [[], ["P1"], [], [], []]


def test_also_where_none_has_a_picture() -> None:
    assert len(understood(*CARDS, shown=()).skus) == len(CARDS)


@pytest.mark.parametrize(
    ("cards", "more"),
    [
        ((*CARDS[:3],), ()),  # hardly a page of cards
        ((*CARDS, ("6. Matches",)), ()),  # one without a price
        (CARDS, (line("Lighter 5.00 €/pc", 40, 700),)),  # a price on no panel
        ((*CARDS, ("6. Soap", "of olive oil", "5.00 €/pc")), ()),  # there was room: a name's end, or what is said of it
    ],
)
def test_what_is_not_clear_is_no_page_of_cards(cards: tuple[tuple[str, ...], ...], more: tuple[Line, ...]) -> None:
    result = understood(*cards, more=more)
    assert len(result.skus) < len(cards)
    assert result.blockers
