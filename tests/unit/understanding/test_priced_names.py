"""Names with prices at the right of each, under no head: products, for a person to look at."""

import pytest

from processing.engine.page import Line, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

NAMES = ["GLASS PANEL .55", "GLASS PANEL .60", "GLASS PANEL .65", "SLIDING RAIL"]
PRICES = ["$ 490.00", "$ 540.00", "$ 1,560.00", "$ 80.00"]


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def board(names: list[str], prices: list[str], *more: Line, under: str = "") -> ParsedPage:
    """``under``: a second line of each name, about as far in as the first."""
    shown = [line(name, 250, 160 + 50 * n, 14) for n, name in enumerate(names)]
    shown += [line(price, 470, 164 + 50 * n, 14) for n, price in enumerate(prices)]
    shown += [line(under, 254, 176 + 50 * n, 14) for n, _ in enumerate(names) if under]
    return page(line("GLASS FOR SHOWERS", 110, 70, 28), *shown, *more, pictures=[picture("P1", (50, 180, 170, 360))])


@pytest.mark.parametrize("under", ["", "WITH FRAME"])
def test_each_name_with_a_price_at_its_right_is_a_product_for_a_person(under: str) -> None:
    mark = line("BRAND", 210, 214, 48)
    result = understood(board(NAMES, PRICES, mark, under=under))
    assert result.page_type == "A" and texts(result, "price") == PRICES
    assert texts(result, "product_name") == [f"{name} {under}".strip() for name in NAMES]
    assert "page_type_uncertain" in {blocker.code for blocker in result.blockers}


@pytest.mark.parametrize(
    "one",
    [
        board(["Subtotal goods", *NAMES[1:3], "Total"], PRICES),
        board([*NAMES[:3], "We deliver all of our panels to your door within a week of the order."], PRICES),
        board([NAMES[0]] * 4, PRICES),
        board(NAMES, PRICES, line("0", 480, 180, 14)),  # a figure that was broken off
        board(NAMES[:3], PRICES),  # a price without a name
        board(NAMES, PRICES, line("Total", 250, 520, 14)),  # an invoice
    ],
)
def test_sums_sentences_and_broken_prices_are_no_products(one: ParsedPage) -> None:
    assert understood(one).skus == ()
