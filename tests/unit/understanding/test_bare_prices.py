"""Cards whose values stand under their labels, and prices without a label."""

import msgspec
import pytest

from processing.engine.page import Line, Picture
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts


def understood(*lines: Line, pictures: list[Picture] = []) -> PageResult:  # noqa: B006
    return understand_page(page(*lines, pictures=pictures), (), DocumentFacts(), BY_RULES)


def labelled(code: str, name: str, y: float) -> list[Line]:
    fields = [f"Model: {code}", "Size: 20 x 30 cm", "Material: oak"]
    return [line(name, 200, y, 14), *(line(text, 200, y + 24 + 14 * n) for n, text in enumerate(fields))]


CARDS = labelled("A-10", "Oak chair", 100) + labelled("A-20", "Oak bench", 300)
PICTURES = [picture("P1", (40, 96, 180, 230)), picture("P2", (40, 296, 180, 430))]


SMALL = [picture("P1", (480, 100, 550, 160)), picture("P2", (480, 420, 550, 480))]


def test_a_price_in_the_foot_of_each_band_is_its_cards() -> None:
    result = understood(*CARDS, line("$41.00", 480, 210, 15), line("$55.00", 480, 410, 15), pictures=PICTURES)
    assert texts(result, "price") == ["$41.00", "$55.00"]


def test_a_price_that_is_not_each_cards_is_nobodys() -> None:
    result = understood(*CARDS, line("$41.00", 480, 210, 15), pictures=PICTURES)
    assert texts(result, "price") == [None, None]
    result = understood(*CARDS, line("$41.00", 480, 120, 15), line("$55.00", 480, 140, 15), pictures=PICTURES)
    assert texts(result, "price") == [None, None]


def test_one_of_the_prices_may_be_on_request() -> None:
    result = understood(*CARDS, line("$41.00", 480, 210, 15), line("On request", 480, 410, 15), pictures=PICTURES)
    assert texts(result, "price") == ["$41.00", None]
    assert [sku.normalized.get("price", {}).get("on_request") for sku in result.skus] == [False, True]  # type: ignore[attr-defined]


def stacked(code: str, name: str, x: float, y: float, **values: str) -> list[Line]:
    lines = [line(code, x, y, 10), line(name, x, y + 17, 13)]
    for n, (label, value) in enumerate(values.items()):
        lines += [line(label, x, y + 45 + 30 * n, 8), line(value, x, y + 56 + 30 * n, 9)]
    return lines


PAIR = [
    *stacked("TRX-12D", "Drill driver", 60, 80, Size="172 x 60 mm", Weight="1.1 kg", Warranty="Two years"),
    *stacked("TRX-18D", "Impact driver", 320, 80, Size="188 x 66 mm", Weight="1.6 kg", Warranty="Ten years"),
]


def test_reads_values_under_their_labels_and_the_codes_over_the_names() -> None:
    result = understood(*PAIR)
    assert texts(result, "model") == ["TRX-12D", "TRX-18D"]
    assert texts(result, "product_name") == ["Drill driver", "Impact driver"]
    assert texts(result, "weight") == ["1.1 kg", "1.6 kg"]
    assert [[(c.name, c.value) for c in sku.custom] for sku in result.skus] == [
        [("Warranty", "Two years")],
        [("Warranty", "Ten years")],
    ]


def test_words_under_each_other_in_another_print_are_no_field() -> None:
    result = understood(*PAIR, line("Made in", 60, 600, 12), line("Norway", 60, 614, 12))
    assert {c.name for sku in result.skus for c in sku.custom} == {"Warranty"}


def boxes(x: float, *prices: str) -> list[Line]:
    quantities = ("10-49 pcs", "50-199 pcs", "200+ pcs")
    return [
        one
        for n, price in enumerate(prices)
        for one in (line(quantities[n], x + 86 * n, 230, 8), line(price, x + 86 * n + 4, 242, 11))
    ]


def test_prices_under_their_quantities_are_the_tiers_of_the_card_over_them() -> None:
    result = understood(*PAIR, *boxes(30, "$31.50", "$28.90", "$26.40"), *boxes(300, "$54.00", "$49.80", "$46.10"))
    assert texts(result, "price") == ["$31.50", "$54.00"]
    tiers = [sku.normalized["price"]["tiers"] for sku in result.skus]  # type: ignore[index]
    assert [len(one) for one in tiers] == [3, 3]


def test_price_boxes_that_do_not_part_evenly_are_nobodys() -> None:
    result = understood(*PAIR, *boxes(30, "$31.50", "$28.90", "$26.40"), *boxes(300, "$54.00", "$49.80"))
    assert texts(result, "price") == [None, None]


def captioned(prices: list[tuple[str, float, float]]) -> list[str | None]:
    """Prices of four captioned pictures in a row, each price with its place beside its caption's left edge and foot."""
    lines, pictures = [], []
    for n, (price, right, down) in enumerate(prices):
        x = 40 + 130 * n
        pictures.append(picture(f"P{n}", (x, 100, x + 110, 200)))
        lines += [line("Oak stool", x, 206, 11), line(f"Model: A-{n}0", x, 222, 9), line("Size: 9 cm", x, 236, 9)]
        lines += [line(price, x + right, 236 + down, 14)] if price else []
    result = understood(*lines, pictures=pictures)
    assert texts(result, "model") == [f"A-{n}0" for n in range(4)]
    return texts(result, "price")


def test_a_price_in_the_corner_of_each_captioned_card_is_its_products() -> None:
    assert captioned([(f"$4{n}.00", 40, 44) for n in range(4)]) == [f"$4{n}.00" for n in range(4)]


def test_prices_that_are_not_each_captions_are_nobodys() -> None:
    assert captioned([(f"$4{n}.00", 40, 120) for n in range(4)]) == [None] * 4
    assert captioned([("$41.00", 40, 44), ("", 0, 0), ("$43.00", 40, 44), ("", 0, 0)]) == [None] * 4


@pytest.mark.parametrize(("cards", "prices"), [(True, ["$41.00", "$55.00"]), (False, [None, None])])
def test_a_price_far_from_the_text_of_its_card_is_its_products(cards: bool, prices: list[str | None]) -> None:
    """Both prices stand nearer to the other product's text."""
    boxes = ((30.0, 90.0, 560.0, 290.0), (30.0, 295.0, 560.0, 500.0))
    shown = page(*CARDS, line("$41.00", 40, 272, 15), line("$55.00", 40, 480, 15), pictures=SMALL)
    shown = msgspec.structs.replace(shown, panels=boxes if cards else ())
    assert texts(understand_page(shown, (), DocumentFacts(), BY_RULES), "price") == prices


def test_a_price_at_the_right_edge_of_its_column_is_its_products_however_narrow_the_photo_over_the_text() -> None:
    lines, pictures, prices = [], [], ["¥4,680", "¥1,980", "¥559", "¥2,890"]
    for n, (code, wide) in enumerate((("MY-S301", 230), ("MY-A102", 200), ("MY-L070", 90), ("MY-G415", 200))):
        x, y = 46 + 265 * (n % 2), 80 + 330 * (n // 2)
        pictures.append(picture(f"P{n}", (x, y, x + wide, y + 160)))
        lines += [line(f"溪谷{'沙桌灯柜'[n]}", x, y + 168, 11), line(prices[n], x + 215, y + 167, 12)]
        lines += [line(f"型号：{code}", x, y + 185, 8.5), line("材质：棉麻", x, y + 198, 8.5)]
    found = understood(*lines, pictures=pictures)
    assert texts(found, "model") == ["MY-S301", "MY-A102", "MY-L070", "MY-G415"]
    assert texts(found, "price") == prices
