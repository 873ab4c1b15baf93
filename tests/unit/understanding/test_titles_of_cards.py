"""Titles over cards of labelled fields, with a picture or a text between both."""

from collections.abc import Sequence

import pytest

from processing.engine.page import Line, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.rules.wording import is_sentence
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def sections(titles: Sequence[str | None], sizes: Sequence[float] = (16, 16, 16)) -> ParsedPage:
    """Sections under each other: a title, a picture, fields right over the next section's title."""
    lines: list[Line] = []
    for n, title in enumerate(titles):
        y = 60 + 220 * n
        lines += [line(title, 60, y, sizes[n])] if title else []
        fields = [f"Item No.: PK-10{n}", f"Material: {('paper', 'glass', 'steel')[n]}", f"Price: $1.{n}0"]
        lines += [line(text, 60, y + 140 + 16 * k) for k, text in enumerate(fields)]
    return page(*lines, pictures=[picture(f"P{n}", (60, 85 + 220 * n, 220, 190 + 220 * n)) for n in range(len(titles))])


@pytest.mark.parametrize(
    ("titles", "names"),
    [
        (["Paper Bag", "Cream Jar", "Steel Bottle"], ["Paper Bag", "Cream Jar", "Steel Bottle"]),
        (["1. 双耳汤锅", "2. 炖锅", "3. 煎锅"], ["双耳汤锅", "炖锅", "煎锅"]),
        (["Kraft Paper Bag with Twisted Handle", "Jar", "Tin"], ["Kraft Paper Bag with Twisted Handle", "Jar", "Tin"]),
    ],
)
def test_each_card_has_the_title_over_its_picture_and_not_the_next_one(titles: list[str], names: list[str]) -> None:
    assert texts(understood(sections(titles)), "product_name") == names


def test_a_heading_over_one_of_the_cards_alone_or_in_other_print_is_no_title_of_that_kind() -> None:
    assert texts(understood(sections(["Paper Bag", None, None])), "product_name") == [None] * 3
    assert "Our Range" not in texts(understood(sections(["Our Range", "Jar", "Tin"], (24, 16, 16))), "product_name")


def test_words_written_large_are_a_name_and_no_sentence() -> None:
    assert not is_sentence("Stainless Steel Vacuum Flask with a Bamboo Lid")
    assert is_sentence("Sturdy bags for boutiques and take away")
    assert is_sentence("ALL PRICES SHOWN HERE ARE WITHOUT TAX")


@pytest.mark.parametrize(("value", "model"), [("K2200-AB1", "K2200-AB1"), ("Tower server", None)])
def test_a_code_behind_a_label_of_names_is_the_model_and_the_title_the_name(value: str, model: str | None) -> None:
    rows = [["Product", value], ["Size", "120 x 245 x 245 mm"], ["Weight", "4.5 kg"], ["Fans", "2"]]
    one = page(line("Tower server with four bays", 52, 60, 16), tables=[table(rows, y=100, widths=150)])
    (sku,) = understood(one).skus
    given = sku.attributes.get("model")
    assert (given.text if given else None) == model
    assert sku.attributes["product_name"].text == ("Tower server with four bays" if model else value)


def banded(names: Sequence[str], size: float = 13) -> ParsedPage:
    """Under each other: a band with a name at its left and the code at its right, then fields in a column far right of
    three pictures, whose last one stands nearer to the next band's code than to its own."""
    lines: list[Line] = []
    pictures = []
    for n, name in enumerate(names):
        y = 60 + 190 * n
        lines += [line(name, 40, y, size), line(f"货号 CW-30{n}", 500, y + 3, 9)]
        fields = (
            ("材质", "陶瓷"),
            ("规格", f"{n + 3}20ml"),
            ("颜色", "白/蓝"),
            ("装箱数", "24只/箱"),
            ("供货价", f"{n}8.50元"),
        )
        for k, (label, value) in enumerate(fields):
            lines += [line(label, 414, y + 38 + 27 * k, 8.5), line(value, 460, y + 38 + 27 * k, 10)]
        pictures += [picture(f"P{n}{k}", (27 + 122 * k, y + 22, 144 + 122 * k, y + 165)) for k in range(3)]
    return page(*lines, pictures=pictures)


def test_what_stands_under_a_code_is_its_products_however_near_the_next_code_is() -> None:
    result = understood(banded(["双层保温杯", "珐琅汤锅", "粗陶面碗", "麦饭石炒锅"]))
    assert texts(result, "price") == ["08.50元", "18.50元", "28.50元", "38.50元"]
    assert texts(result, "model") == [f"CW-30{n}" for n in range(4)]
    bound = [[one.picture for one in sku.bindings] for sku in result.skus]
    assert bound == [[f"P{n}{k}" for k in range(3)] for n in range(4)]


def test_a_large_name_on_the_line_of_each_code_is_its_title() -> None:
    names = ["双层保温杯", "珐琅汤锅", "粗陶面碗"]
    assert texts(understood(banded(names)), "product_name") == names
    assert texts(understood(banded(names, size=9)), "product_name") != names
    assert texts(understood(banded(["双层保温杯", "2026系列", "粗陶面碗"])), "product_name") == [None] * 3


@pytest.mark.parametrize("over", ["面料颜色", "可选颜色：", "Available colours", "Finishes"])
def test_what_heads_samples_is_no_name_and_a_title_may_give_code_and_name(over: str) -> None:
    fields = (
        "整体尺寸：680×660×1180mm",
        "材质：网布+PA框架",
        "净重：18.5kg",
        "包装：1张/箱",
        "起订量：50张",
        "出厂价：¥568.00",
    )
    lines = [line("ZY-M860 人体工学大班椅", 40, 61, 15), line(over, 40, 518, 10), line("深海蓝", 47, 577, 7.5)]
    lines += [line(text, 40, 601 + 21 * n, 9) for n, text in enumerate(fields)]
    result = understood(page(*lines, pictures=[picture("P1", (40, 90, 400, 500))]))
    assert (texts(result, "model"), texts(result, "product_name")) == (["ZY-M860"], ["人体工学大班椅"])


def test_finishes_behind_a_label_of_styles_are_no_name() -> None:
    fields = ("Measurements: 136 x 70 x 36 cm", "Style: Cacau/Wood", "Price: $249.00")
    lines = [line("RK100", 54, 445, 40), *(line(text, 305, 446 + 24 * n, 12) for n, text in enumerate(fields))]
    result = understood(page(*lines, pictures=[picture("P1", (0, 40, 595, 430))]))
    assert "Cacau/Wood" not in texts(result, "product_name")
    assert result.blockers


def beside(size: float, facts: int = 3) -> PageResult:
    """Four blocks: a code and a name on one level, then labels and their values in two columns."""
    lines = []
    for n, name in enumerate(("Towel rack", "Towel bar", "Overhead shower", "Bathroom set")):
        y = 90 + 70 * n
        told = (("Size:", "600 mm" if n else "-"), ("Finish:", "Black"), ("Price:", f"USD {n + 6}.30"))[:facts]
        lines += [line(f"AQ-R31{n}", 153, y, size), line(name, 230, y, size)]
        lines += [
            line(text, x, y + 15 * (k + 1), 8)
            for k, row in enumerate(told)
            for text, x in ((row[0], 153), (row[1], 230))
        ]
    return understand_page(page(*lines), (), DocumentFacts(), BY_RULES)


def test_a_code_and_the_name_beside_it_are_a_title_a_little_larger_than_the_facts_under_it() -> None:
    result = beside(9.8)
    assert [sku.attributes["model"].text for sku in result.skus] == [f"AQ-R31{n}" for n in range(4)]
    assert [sku.attributes["product_name"].text for sku in result.skus][:2] == ["Towel rack", "Towel bar"]
    assert [sku.attributes["price"].text for sku in result.skus] == [f"USD {n + 6}.30" for n in range(4)]


@pytest.mark.parametrize(("size", "facts"), [(8.4, 3), (9.8, 1)])
def test_print_of_one_size_and_single_facts_have_no_such_titles(size: float, facts: int) -> None:
    assert not any("model" in sku.attributes for sku in beside(size, facts).skus)


def test_what_a_lamp_takes_is_told_of_it_and_the_title_names_it() -> None:
    """ "Lamp" heads a column of lamps; in the list of one product it says which bulb it takes."""
    lines, pictures = [], []
    for n, (name, code) in enumerate(
        (("Brae pendant", "HL-2010"), ("Coll sconce", "HL-2044"), ("Fara lamp", "HL-3107"))
    ):
        y = 60 + 190 * n
        lines += [line(name, 296, y, 16), line(code, 512, y + 6, 10)]
        for k, (label, value) in enumerate(
            (("Size:", "Ø 380 x 260 mm"), ("Material:", "Steel"), ("Lamp:", "E27, max 40 W"), ("Price:", "€129.00"))
        ):
            lines += [line(label, 296, y + 36 + 19 * k, 9.5), line(value, 366, y + 36 + 19 * k, 9.5)]
        pictures.append(picture(f"P{n}", (40, y, 280, y + 150)))
    found = understand_page(page(*lines, pictures=pictures), (), DocumentFacts(), BY_RULES)
    assert texts(found, "product_name") == ["Brae pendant", "Coll sconce", "Fara lamp"]
    assert {custom.name for sku in found.skus for custom in sku.custom} == {"Lamp"}


@pytest.mark.parametrize(("slogan", "name"), [("陪你走过每一座山 LY-2201", "行山双肩包"), ("陪你走过每一座山", None)])
def test_the_title_over_a_line_with_the_code_is_the_name_however_far_the_fields_stand(
    slogan: str, name: str | None
) -> None:
    fields = ["型号：LY-2201", "尺寸：30×18×48cm", "面料：500D 尼龙", "重量：0.92kg", "起订量：200个", "单价：¥128.00"]
    lines = [line("行山双肩包", 40, 40, 30), line(slogan, 40, 82, 12)]
    lines += [line(text, 340, 160 + 30 * n) for n, text in enumerate(fields)]
    sheet = understood(page(*lines, pictures=[picture("P1", (0, 0, 595, 842))]))
    assert texts(sheet, "model") == ["LY-2201"] and texts(sheet, "product_name") == [name]


def test_a_style_among_the_fields_is_no_name_where_every_card_has_its_title() -> None:
    lines: list[Line] = []
    cards = [("Meadow Linen Dress Set", "Round neck"), ("Harbour Wrap Dress Set", "V-neck")]
    for n, (title, style) in enumerate(cards):
        y = 60 + 300 * n
        lines += [line(title, 40, y, 13), line(f"Code: LD-1{n}", 40, y + 18)]
        fields = ["Colour: Sand", f"Style: {style}", "Material: Linen", "Price: $40"]
        lines += [line(text, 260, y + 50 + 16 * k) for k, text in enumerate(fields)]
    result = understood(page(*lines))
    assert texts(result, "product_name") == ["Meadow Linen Dress Set", "Harbour Wrap Dress Set"]
    assert [[c.value for c in sku.custom if c.name == "Style"] for sku in result.skus] == [["Round neck"], ["V-neck"]]


def test_a_card_under_its_title_needs_no_label_for_its_price() -> None:
    lines: list[Line] = []
    told = [["Fabric: Linen", "Colour: Sand", "Size: 38-40", "Care: by hand"], ["Fabric: Satin", "Flare: 5 m"]]
    for n, (title, fields) in enumerate(zip(["Meadow Dress Set", "Harbour Dress Set"], told, strict=True)):
        y = 60 + 300 * n
        lines += [line(title, 40, y, 13), line(f"Code: LD-1{n}", 40, y + 18), line(f"$4{n}", 260, y + 40, 14)]
        lines += [line(text, 260, y + 64 + 16 * k, 9) for k, text in enumerate(fields)]
    shown = [picture(f"P{n}", (40, 100 + 300 * n, 220, 320 + 300 * n)) for n in range(2)]
    result = understood(page(*lines, pictures=shown))
    assert texts(result, "product_name") == ["Meadow Dress Set", "Harbour Dress Set"]
    assert texts(result, "price") == ["$40", "$41"] and texts(result, "model") == ["LD-10", "LD-11"]


@pytest.mark.parametrize("size", [22, 14])
def test_a_title_over_one_value_and_a_price_as_large_names_a_product_for_a_person(size: float) -> None:
    lines = [line("Spring dress", 80, 580, 23), line("Size: M/L", 80, 610, 12), line("Price: $250", 80, 650, size)]
    shown = page(*lines, pictures=[picture("P1", (150, 100, 450, 560))])
    result = understand_page(shown, (), DocumentFacts(), BY_RULES)
    assert (texts(result, "product_name"), texts(result, "size")) == (["Spring dress"], ["M/L"])
    assert texts(result, "price") == ["$250"] and "low_confidence" in [one.code for one in result.blockers]
