"""Menus: rows of a name and its prices, with texts between them and photos beside some."""

import pytest

from processing.engine.page import Line, ParsedPage, Picture
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

DISHES = ["Onion soup", "Lentil stew", "Baked trout", "Plum cake", "Green salad"]


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def menu(*more: Line, between: str = "", pictures: tuple[Picture, ...] = (), last: str = "$9") -> ParsedPage:
    """``between``: what stands between name and price on the name's line; some prices stand further left."""
    rows = []
    for n, dish in enumerate(DISHES):
        price = last if n == len(DISHES) - 1 else f"${n + 4}.50"
        y = 120 + 90 * n
        rows += [line(f"0{n + 1}. {dish}", 60, y, 14), line(f"{between} {price}".strip(), 420 - 50 * (n % 2), y, 14)]
        rows += [line(f"with bread of the day and butter, kind {n}", 60, y + 16, 12)]
    return page(line("Our kitchen", 60, 60, 24), *rows, *more, pictures=pictures)


def test_rows_of_names_and_prices_are_products_for_a_person() -> None:
    result = understood(menu())
    assert texts(result, "product_name") == DISHES
    assert texts(result, "price") == ["$4.50", "$5.50", "$6.50", "$7.50", "$9"]
    assert (result.page_type, "page_type_uncertain" in {b.code for b in result.blockers}) == ("A", True)


def test_what_a_price_is_for_is_no_name_and_several_prices_are_a_doubt() -> None:
    result = understood(menu(between="small", last="$9 large $15"))
    assert texts(result, "product_name") == DISHES and texts(result, "price")[-1] == "$9"
    assert [sku.doubts for sku in result.skus] == [()] * 4 + [("price_unclear",)]


def test_the_price_with_tax_in_brackets_is_no_doubt() -> None:
    result = understood(menu(last="$9 ($9.90)"))
    assert texts(result, "price")[-1] == "$9" and result.skus[-1].doubts == ()


def test_a_long_name_stands_over_its_price() -> None:
    more = [line("Duck with red cabbage", 60, 580, 14), line("$ 21.00", 370, 598, 14)]
    assert texts(understood(menu(*more)), "product_name") == [*DISHES, "Duck with red cabbage"]


def test_a_photo_beside_rows_takes_none_of_the_others_away() -> None:
    shown = (picture("P1", (480, 105, 560, 165)), picture("P2", (480, 285, 560, 345)))
    result = understood(menu(pictures=shown))
    assert texts(result, "product_name") == DISHES
    assert [b.picture for b in result.skus[2].bindings] == ["P2"]


@pytest.mark.parametrize(
    "more",
    [
        [line("Total", 60, 600, 14), line("$38.00", 420, 600, 14)],
        [line(f"From $ {n} on we bring it to your door", 60, 580 + 20 * n, 12) for n in range(5)],
    ],
)
def test_sums_and_prices_in_running_text_are_none(more: list[Line]) -> None:
    assert understood(menu(*more)).skus == ()


def test_a_picture_beside_three_rows_shows_none_of_them() -> None:
    result = understood(menu(pictures=(picture("P1", (480, 105, 560, 420)),)))
    assert [sku.bindings for sku in result.skus] == [()] * 5


def test_two_rows_may_stand_beside_each_other() -> None:
    right = [[line(f"Wine no. {n}", 320, 120 + 30 * n), line(f"$ {n + 20}", 500, 120 + 30 * n)] for n in range(5)]
    left = [[line(dish, 60, 120 + 30 * n), line(f"$ {n + 4}", 260, 120 + 30 * n)] for n, dish in enumerate(DISHES)]
    result = understood(page(*[part for pair in zip(left, right, strict=True) for row in pair for part in row]))
    assert texts(result, "product_name")[:3] == ["Onion soup", "Wine no. 0", "Lentil stew"]
    assert texts(result, "price")[:3] == ["$ 4", "$ 20", "$ 5"] and len(result.skus) == 10


def numbered(numbers: list[str], x: float = 60, dy: float = 0) -> ParsedPage:
    """Numbers to order by in a column of their own, ``dy`` above the names and prices."""
    rows = [[line(number, x, 120 + 60 * n - dy), line(dish, 110, 120 + 60 * n), line(f"$ {n + 4}", 420, 120 + 60 * n)]
            for n, (number, dish) in enumerate(zip(numbers, DISHES, strict=True))]  # fmt: skip
    return page(*[part for row in rows for part in row])


@pytest.mark.parametrize("dy", [0, 20])
def test_numbers_to_order_by_are_models(dy: float) -> None:
    result = understood(numbered(["11", "12S", "14", "15", "M3"], dy=dy))
    assert texts(result, "model") == ["11", "12S", "14", "15", "M3"] and texts(result, "product_name") == DISHES
    assert texts(understood(menu()), "model") == ["01", "02", "03", "04", "05"]


@pytest.mark.parametrize("numbers", [["1", "2", "3", "4", "5"], ["11", "11", "12", "13", "14"]])
def test_numbers_that_count_or_come_again_are_none(numbers: list[str]) -> None:
    result = understood(numbered(numbers))
    assert [sku.attributes.get("model") for sku in result.skus] == [None] * 5
    assert texts(result, "product_name") == DISHES


@pytest.mark.parametrize(
    ("names", "price", "currency"),
    [
        (["みどりのお茶", "ほうじ茶ティー", "むぎ茶パック", "こんぶ茶セット"], "¥ {}", "JPY"),
        (["绿茶礼盒", "红茶礼盒", "麦茶の袋装", "昆布茶套装"], "¥ {}", "CNY"),
        (["みどりのお茶", "ほうじ茶ティー", "むぎ茶パック", "こんぶ茶セット"], "{} RMB", "CNY"),
    ],
)
def test_the_sign_of_yuan_means_yen_in_japanese(names: list[str], price: str, currency: str) -> None:
    rows = [part for n, name in enumerate(names)
            for part in (line(name, 60, 120 + 30 * n), line(price.format(500 + n), 420, 120 + 30 * n))]  # fmt: skip
    result = understood(page(*rows))
    assert [sku.normalized["price"]["currency"] for sku in result.skus] == [currency] * 4  # type: ignore[index]
