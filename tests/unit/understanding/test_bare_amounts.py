"""Amounts without a currency in captions, where the page says once in which one its prices are."""

import pytest

from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

NAMES = ("Round ball", "Small ball", "Iron bell", "Thick mat", "Thin mat", "Tall shoe")


def shown(note: str, amounts: tuple[str, ...]) -> PageResult:
    """Photos in rows of three, each over a name, a code with a material and, at the right, an amount in large print."""
    lines, photos = [line("Small gear", 40, 30, 20), *([line(note, 420, 40, 9)] if note else [])], []
    for n, (name, amount) in enumerate(zip(NAMES, amounts, strict=True)):
        x, y = 40 + 180 * (n % 3), 80 + 240 * (n // 3)
        photos.append(picture(f"P{n}", (x, y, x + 150, y + 150)))
        lines += [
            line(name, x + 6, y + 158, 12),
            line(f"BK-{n}07", x + 6, y + 182, 9),
            line(amount, x + 105, y + 180, 14),
        ]
    return understand_page(page(*lines, pictures=photos), (), DocumentFacts(), BY_RULES)


AMOUNTS = ("58.00", "32.00", "96.00", "45.50", "128.00", "询价")


@pytest.mark.parametrize("note", ["单位：元　含税出厂", "All prices in EUR", "Currency: USD"])
def test_one_amount_a_caption_is_the_price_in_the_currency_that_the_page_says(note: str) -> None:
    result = shown(note, AMOUNTS)
    assert texts(result, "price") == [*AMOUNTS[:5], None]
    assert texts(result, "model") == [f"BK-{n}07" for n in range(6)]


@pytest.mark.parametrize(
    ("note", "amounts"),
    [
        ("", AMOUNTS),  # no currency
        ("单位：毫米", AMOUNTS),  # a measure
        ("单位：元", ("58", "32", "96", "45", "128", "33")),  # may count
        ("单位：元", (*AMOUNTS[:5], "new")),  # not at each
    ],
)
def test_other_numbers_are_no_prices(note: str, amounts: tuple[str, ...]) -> None:
    assert texts(shown(note, amounts), "price") == [None] * 6
