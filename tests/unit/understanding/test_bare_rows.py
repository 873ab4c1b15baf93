"""Menus without a currency: names, and amounts under each other at their right."""

import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, texts

DISHES = ["Onion soup", "Lentil stew", "Baked trout", "Plum cake", "Green salad", "Pea risotto", "Roast duck"]
PRICES = ["45", "38", "120", "42", "36", "98", "160"]


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def menu(names: list[str], amounts: list[str]) -> ParsedPage:
    rows = []
    for n, (name, amount) in enumerate(zip(names, amounts, strict=True)):
        y = 120 + 40 * n
        rows += [line(name, 60, y), line(amount, 440 - 5.5 * len(amount), y)]
        rows += [line("with bread of the day and butter", 60, y + 14, 8)]
    return page(line("Our kitchen", 60, 60, 24), *rows)


def test_names_with_amounts_at_their_right_are_products_of_unclear_prices() -> None:
    result = understood(menu(DISHES, PRICES))
    assert (texts(result, "product_name"), texts(result, "price")) == (DISHES, PRICES)
    assert {sku.doubts for sku in result.skus} == {("price_unclear",)}
    assert "page_type_uncertain" in {b.code for b in result.blockers}


def test_dots_may_lead_to_the_amounts() -> None:
    rows = [line(f"{d} {'.' * (40 - len(d) - len(p))} {p}", 60, 120 + 20 * n)
            for n, (d, p) in enumerate(zip(DISHES, PRICES, strict=True))]  # fmt: skip
    assert texts(understood(page(line("Our kitchen", 60, 60, 24), *rows)), "price") == PRICES


@pytest.mark.parametrize(
    "amounts",
    [
        ["12", "15", "15", "18", "20", "31", "44"],  # pages
        ["2019", "2018", "2020", "2017", "2021", "2016", "2015"],  # years
        ["1", "2", "1", "4", "1", "2", "2"],
    ],
)
def test_numbers_of_pages_years_and_pieces_are_no_prices(amounts: list[str]) -> None:
    assert understood(menu(DISHES, amounts)).skus == ()


def test_sections_with_what_they_measure_are_no_dishes() -> None:
    names = [f"3.{n} Pulse test at {n} kHz" for n in range(1, 8)]
    assert understood(menu(names, PRICES)).skus == ()


def test_amounts_amid_much_text_are_no_menu() -> None:
    one = menu(DISHES, PRICES)
    more = [line(f"What we did in the spring of that year, part {n}", 60, 420 + 12 * n, 8) for n in range(30)]
    assert understood(page(*one.lines, *more)).skus == ()
