"""Colours in captions: what a sample is called, and what a variant with a code and a price is."""

import pytest

from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.rules.finishes import is_row_of_colours, names_colour
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

COLOURS = ("红色 Red", "墨绿 Dark green", "湖蓝 Lake blue", "米白 Cream", "黑色 Black", "卡其 Khaki")


def understood(heading: str, *captions: tuple[str, ...]) -> PageResult:
    places = [(50 + 180 * (n % 3), 100 + 240 * (n // 3)) for n in range(len(captions))]
    pictures = [picture(f"P{n}", (x, y, x + 140, y + 140)) for n, (x, y) in enumerate(places)]
    lines = [
        line(text, x, y + 148 + 14 * k)
        for (x, y), texts in zip(places, captions, strict=True)
        for k, text in enumerate(texts)
    ]
    one = page(line(heading, 50, 40, 20), *lines, pictures=pictures)
    return understand_page(one, (), DocumentFacts(), BY_RULES)


@pytest.mark.req("TA-CLS")
@pytest.mark.parametrize("heading", ["Fabric Swatches 面料色卡", "Tents 帐篷"])
def test_a_code_beside_a_colour_in_two_languages_is_a_sample(heading: str) -> None:
    result = understood(heading, *((f"B{n:02} {name}",) for n, name in enumerate(COLOURS, 1)))
    assert (result.page_type, result.skus) == ("D", ())


def test_a_colour_with_a_price_is_a_variant_and_no_name() -> None:
    result = understood("Dome tent", *((f"DT-30{n}", name, "$42.50") for n, name in enumerate(COLOURS)))
    assert texts(result, "model") == [f"DT-30{n}" for n in range(6)]
    assert sorted(filter(None, texts(result, "color"))) == sorted(COLOURS)
    assert texts(result, "product_name") == [None] * 6


@pytest.mark.parametrize(("stem", "more"), [("DT-40", 3), ("B", 0)])
def test_a_colour_without_a_price_is_a_variant_where_its_code_is_like_one_with_a_price(stem: str, more: int) -> None:
    """Samples beside products have codes of their own kind."""
    priced = [(f"DT-30{n}", name, "$42.50") for n, name in enumerate(COLOURS[:3])]
    result = understood("Dome tent", *priced, *((f"{stem}{n}", name) for n, name in enumerate(COLOURS[3:])))
    assert len(result.skus) == 3 + more and set(texts(result, "color")) == set(COLOURS[: 3 + more])


def test_a_name_that_only_begins_or_ends_like_a_colour_stays_a_name() -> None:
    names = ("白板 White board", "Orange press", "红木 Rosewood", "Greenhouse", "黑板擦 Eraser", "蓝莓 Blueberry jam")
    result = understood("Home", *((f"H-20{n} {name}",) for n, name in enumerate(names)))
    assert len(result.skus) == 6 and not any(map(names_colour, names))


def test_names_of_colours_under_the_dots_that_show_them_part_no_caption() -> None:
    lines, pictures = [], []
    for n, name in enumerate(("Dawn ring", "Drop earrings", "Tide necklace", "Halo ring")):
        x = 40 + 130 * n
        pictures.append(picture(f"P{n}", (x, 122, x + 110, 300)))
        lines += [line(f"WR-11{n}", x, 104, 9), line(name, x, 310, 11), line("Gold Silver Rose", x, 342, 8)]
        lines += [line(f"${n}9.00", x, 358, 9)]
    result = understand_page(page(*lines, pictures=pictures), (), DocumentFacts(), BY_RULES)
    assert texts(result, "model") == [f"WR-11{n}" for n in range(4)]
    assert texts(result, "product_name") == ["Dawn ring", "Drop earrings", "Tide necklace", "Halo ring"]
    assert texts(result, "color") == ["Gold Silver Rose"] * 4
    assert texts(result, "price") == [f"${n}9.00" for n in range(4)]


def test_words_that_are_colours_only_in_part_are_no_row_of_them() -> None:
    assert is_row_of_colours("Black White") and is_row_of_colours("Gold Silver Rose")
    assert not any(map(is_row_of_colours, ("White Gold Ring", "Rose", "Copper Brass", "")))
