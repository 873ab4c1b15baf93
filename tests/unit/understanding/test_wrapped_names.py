"""Names over several lines in lists without ruled lines, and the texts below names that are none."""

import pytest

from processing.engine.page import Line
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture

Product = tuple[str, list[str], str]


def listed(*products: Product, head: str = "Product Name", leading: float = 12.0, row: float = 0.0) -> list[Line]:
    """Code, name lines, price; ``row`` moves code and price down beside the name's later lines."""
    lines = [line("Item No.", 50, 100), line(head, 150, 100), line("Price", 330, 100)]
    y = 130.0
    for code, names, price in products:
        lines += [line(code, 50, y + row), line(price, 330, y + row)]
        lines += [line(text, 150, y + leading * n) for n, text in enumerate(names)]
        y += 70
    return lines


def understood(lines: list[Line]) -> PageResult:
    return understand_page(page(*lines), (), DocumentFacts(), BY_RULES)


def names(result: PageResult) -> list[str | None]:
    return [sku.attributes["product_name"].text if "product_name" in sku.attributes else None for sku in result.skus]


LONG = ["Stainless Steel Vacuum", "Insulated Travel Mug", "Large"]


@pytest.mark.req("GR-EVID")
@pytest.mark.parametrize("head", ["Product Name", "Description"])
def test_a_name_on_three_lines_is_one_name(head: str) -> None:
    products: list[Product] = [("TM-01", LONG, "$9.50"), ("TM-02", ["Cup"], "$4.50"), ("TM-03", ["Bowl"], "$5.50")]
    result = understood(listed(*products, head=head))
    assert names(result) == ["Stainless Steel Vacuum Insulated Travel Mug Large", "Cup", "Bowl"]
    box = result.skus[0].attributes["product_name"].evidence.bbox
    assert (box[1], box[3]) == (130, 164) and result.skus[0].box[3] >= 164
    tally = result.tallies[0]
    assert (tally.rows, tally.skus) == (tally.skus + tally.merged + sum(tally.ignored.values()) + tally.unresolved, 3)


def test_chinese_names_go_on_where_the_line_was_full() -> None:
    products: list[Product] = [
        ("A-1", ["不锈钢真空保温旅行", "杯大号"], "¥9"),
        ("A-2", ["杯"], "¥8"),
        ("A-3", ["碗"], "¥7"),
    ]
    assert names(understood(listed(*products, head="品名"))) == ["不锈钢真空保温旅行 杯大号", "杯", "碗"]


def test_a_line_with_room_left_does_not_go_on() -> None:
    products: list[Product] = [
        ("OC-1", ["Office Chair", "Five-prong steel base with a tilt"], "$90"),
        ("OC-2", ["Side Chair", "Beech legs and a woven seat on top"], "$80"),
        ("OC-3", ["Arm Chair", "Black powder coated frame in steel"], "$70"),
    ]
    for head in ("Product Name", "Description"):
        assert names(understood(listed(*products, head=head))) == ["Office Chair", "Side Chair", "Arm Chair"]


def test_lines_below_most_of_the_names_describe_them() -> None:
    products: list[Product] = [
        (f"OC-{n}", ["Executive Office Chair", "Upholstered in leather"], "$90") for n in range(1, 4)
    ]
    assert names(understood(listed(*products, head="Description"))) == ["Executive Office Chair"] * 3


@pytest.mark.parametrize("text", ["Material: Beech and oak", "600 x 500 x 400 mm", "$12.00 each", "AB-1200"])
def test_labels_sizes_prices_and_codes_below_a_name_are_not_its(text: str) -> None:
    products: list[Product] = [
        ("A-1", ["Vacuum Insulated Mug", text], "$9"),
        ("A-2", ["Cup"], "$8"),
        ("A-3", ["Bowl"], "$7"),
    ]
    assert names(understood(listed(*products))) == ["Vacuum Insulated Mug", "Cup", "Bowl"]


def test_half_a_name_goes_on_whatever_room_was_left() -> None:
    products: list[Product] = [
        ("A-1", ["Desk Lamp with", "Wireless Charging Base"], "$9"),
        ("A-2", ["Mug", "and Saucer"], "$8"),
        ("A-3", ["Vase (large,", "frosted)"], "$7"),
    ]
    expected = ["Desk Lamp with Wireless Charging Base", "Mug and Saucer", "Vase (large, frosted)"]
    assert names(understood(listed(*products))) == expected


def test_a_distant_line_is_not_the_names() -> None:
    products: list[Product] = [("A-1", LONG[:2], "$9"), ("A-2", ["Cup"], "$8"), ("A-3", ["Bowl"], "$7")]
    result = understood(listed(*products, leading=26))
    assert names(result) == ["Stainless Steel Vacuum", "Cup", "Bowl"]


def test_a_material_goes_over_lines_as_a_name_does() -> None:
    lines = [line(text, x, 100) for text, x in (("Item", 50), ("Name", 150), ("Material", 250), ("Price", 480))]
    rows = [("A-1", "Desk", "Walnut veneer on MDF with steel"), ("A-2", "Sofa", "Oak"), ("A-3", "Bed", "Pine")]
    for n, (code, name, material) in enumerate(rows):
        y = 130 + 70 * n
        lines += [line(t, x, y) for t, x in ((code, 50), (name, 150), (material, 250), ("$9.00", 480))]
    result = understood([*lines, line("legs and back", 250, 142)])
    assert [sku.attributes["material"].text for sku in result.skus] == [f"{rows[0][2]} legs and back", "Oak", "Pine"]
    assert names(result) == ["Desk", "Sofa", "Bed"]


@pytest.mark.parametrize(
    ("printed", "price"), [("$1,565 $1,111", "$1,565"), ("$235 N/A", "$235"), ("$ 1510 $", "$ 1510")]
)
def test_of_two_prices_that_were_read_as_one_the_first_is_the_price(printed: str, price: str) -> None:
    products: list[Product] = [("A-1", ["Desk"], printed), ("A-2", ["Cup"], "$8.00"), ("A-3", ["Bowl"], "$7.00")]
    assert [sku.attributes["price"].text for sku in understood(listed(*products)).skus] == [price, "$8.00", "$7.00"]


def test_a_remark_in_brackets_begins_no_product() -> None:
    products: list[Product] = [("A-1", ["Desk"], "$9.00"), ("A-2", ["Cup"], "$8.00")]
    result = understood([*listed(*products), line("(side view)", 50, 144), line("UPC: 662997146279", 150, 144)])
    assert names(result) == ["Desk", "Cup"]
    assert [(custom.name, custom.value) for custom in result.skus[0].custom] == [("UPC", "662997146279")]


def test_each_label_of_a_line_below_has_its_own_value() -> None:
    products: list[Product] = [("A-1", ["Desk"], "$9.00"), ("A-2", ["Cup"], "$8.00")]
    result = understood([*listed(*products), line("Shipping Weight: 143 Cubic Feet: 40.13", 150, 144)])
    assert result.skus[0].attributes["weight"].text == "143"
    assert [(custom.name, custom.value) for custom in result.skus[0].custom] == [("Cubic Feet", "40.13")]


@pytest.mark.req("TA-T84")
def test_a_picture_belongs_to_the_product_beside_whose_stretch_it_stands() -> None:
    products: list[Product] = [(f"A-{n}", ["Desk"], f"${n}9.00") for n in range(1, 4)]
    pictures = [picture(f"P{n}", (240, 128 + 70 * n, 300, 190 + 70 * n)) for n in range(3)]
    one = page(*listed(*products), pictures=pictures)
    result = understand_page(one, (), DocumentFacts(), BY_RULES)
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"], ["P1"], ["P2"]]


def test_more_than_three_lines_are_a_text() -> None:
    text = [
        "Stainless Steel Vacuum",
        "Insulated Travelling Mug",
        "Powder Coated Outside And",
        "Laser Engraved Inside It",
    ]
    products: list[Product] = [("A-1", text, "$9"), ("A-2", ["Cup"], "$8"), ("A-3", ["Bowl"], "$7")]
    assert names(understood(listed(*products)))[0] == "Stainless Steel Vacuum"


def test_code_and_price_may_stand_beside_the_middle_of_the_name() -> None:
    pair = ["Stainless Steel Vacuum", "Insulated Travel Mug"]
    products: list[Product] = [("A-1", pair, "$9"), ("A-2", ["Bamboo Chopping Board", "And Cheese Knife Set"], "$8")]
    result = understood(listed(*products, leading=24, row=12))
    assert names(result) == [
        "Stainless Steel Vacuum Insulated Travel Mug",
        "Bamboo Chopping Board And Cheese Knife Set",
    ]
    assert result.tallies[0].merged == 4
    assert names(understood(listed(*products, row=12))) == names(result)


@pytest.mark.parametrize("heading", ["--- Non Food ---", "=== 厨房 ===", "*** Kitchen"])
def test_a_heading_between_rows_of_signs_is_no_part_of_the_name_below_it(heading: str) -> None:
    products: list[Product] = [
        ("TM-01", ["Travel Mug"], "$9.50"),
        ("TM-02", ["Cup"], "$4.50"),
        ("TM-03", ["Bowl"], "$5"),
    ]
    lines = [*listed(*products), line(heading, 150, 188)]
    told = names(understood(lines))
    assert (told == ["Travel Mug", "Cup", "Bowl"]) is heading.endswith(("-", "="))
