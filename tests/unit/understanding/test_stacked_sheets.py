"""One product's page: labels over their values in a column, the price displayed, the code in the subtitle."""

import msgspec

from processing.engine.page import Cell, Line, Table
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.fields import stacked_fields
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

STACK = (("MOQ", "6 sets"), ("Carton", "2 sets"), ("Gross weight", "11.4 kg"), ("Colour", "Forest green"))
ITEMS = ("• 1 casserole with lid", "• 1 saucepan", "• 3 knives", "• 4 utensils", "• 1 mixing bowl", "• 1 board")


def stacked(*pairs: tuple[str, str], x: float = 440) -> list[Line]:
    return [
        line(text, x, 180 + 30 * n + 11 * k, 8.5 + 1.5 * k)
        for n, pair in enumerate(pairs)
        for k, text in enumerate(pair)
    ]


def understood(*more: Line) -> PageResult:
    head = line("The starter kitchen set", 48, 67, 22), line("Item HK-900 · 12 pieces · gift boxed", 48, 96)
    items = [line(text, 58, 398 + 18 * n) for n, text in enumerate(ITEMS)]
    photo = picture("P1", (48, 120, 420, 352))
    return understand_page(page(*head, *items, *more, pictures=[photo]), (), DocumentFacts(), BY_RULES)


def test_labels_over_values_in_one_column_and_a_displayed_price_are_one_product() -> None:
    (sku,) = understood(line("£89.00", 440, 121, 24), *stacked(*STACK)).skus
    found = {key: value.text for key, value in sku.attributes.items()}
    assert found == {
        "model": "HK-900",
        "product_name": "The starter kitchen set",
        "price": "£89.00",
        "currency": "£",
        "moq": "6 sets",
        "packing": "2 sets",
        "weight": "11.4 kg",
        "color": "Forest green",
    }
    assert [binding.picture for binding in sku.bindings] == ["P1"]


def test_a_price_in_the_text_or_outside_of_the_card_is_not_the_products() -> None:
    for price in (line("£5.00", 440, 130), line("£89.00", 48, 700, 24), line("from £40.00 off", 440, 121, 24)):
        assert "price" not in understood(price, *stacked(*STACK)).skus[0].attributes


def test_few_labels_or_labels_in_several_columns_are_no_stack() -> None:
    assert not stacked_fields(stacked(*STACK[:3]), 1, ())
    assert not stacked_fields([*stacked(*STACK[:2]), *stacked(*STACK[2:], x=300)], 1, ())
    assert len(stacked_fields(stacked(*STACK), 1, ())) == 4


def test_labels_in_rows_are_one_products_where_its_code_is_among_them() -> None:
    pairs = [("型号 Model", "RT-K9"), ("电机 Motor", "4.0HP AC"), ("净重 N.W.", "168kg"), ("跑带 Belt", "1550×560mm"),
             ("尺寸 Size", "2120×920×1580mm"), ("颜色 Color", "银灰 Silver")]  # fmt: skip
    told = [
        line(text, 48 + 160 * (n % 3), 580 + 36 * (n // 3) + 13 * k, 8.5 + 3.5 * k)
        for n, pair in enumerate(pairs)
        for k, text in enumerate(pair)
    ]
    head = line("追风 K9 跑步机", 48, 60, 34)
    photo = picture("P1", (48, 120, 560, 540))
    cells = [Cell(2 * (n // 6) + n % 2, n // 2 % 3, one.text, one.box) for n, one in enumerate(told)]
    read = Table("G1", (48, 580, 530, 640), 4, 3, tuple(cells), ruled=False, method="text")
    price = line("US$1,180.00", 400, 660, 20)
    one = msgspec.structs.replace(page(head, *told, price, pictures=[photo]), tables=(read,))
    (sku,) = understand_page(one, (), DocumentFacts(), BY_RULES).skus
    assert {key: value.text for key, value in sku.attributes.items() if key not in ("price", "currency")} == {
        "model": "RT-K9",
        "product_name": "追风 K9 跑步机",
        "size": "2120×920×1580mm",
        "weight": "168kg",
        "color": "银灰 Silver",
    }
    assert {(c.name, c.value) for c in sku.custom} == {pairs[1], pairs[3]}
    assert not stacked_fields(told[2:], 1, ())


def test_a_dot_ends_the_code_behind_its_label() -> None:
    (field,) = line_fields(line("Item HK-900 · 12 pieces", 50, 50), 1)
    assert field.value is not None and field.value.text == "HK-900"
    assert not line_fields(line("Kitchen · Item room", 50, 50), 1)


def test_a_price_displayed_on_the_photo_is_the_products() -> None:
    head = line("Rice cooker", 60, 40, 24)
    pairs = [("Model", "RC-15"), ("Material", "steel"), ("Size", "21 x 16 cm"), ("Weight", "1.1 kg")]
    told = [line(f"{label}: {value}", 60, 470 + 20 * n) for n, (label, value) in enumerate(pairs)]
    photo = picture("P1", (60, 80, 535, 430))
    for price, given in ((line("$49.00", 450, 395, 24), True), (line("$49.00", 300, 700, 24), False)):
        found = understand_page(page(head, *told, price, pictures=[photo]), (), DocumentFacts(), BY_RULES)
        assert ("price" in found.skus[0].attributes) == given


def test_cards_of_which_one_has_a_further_known_label_are_stacked_all_the_same() -> None:
    cards = [stacked(("Weight", f"{n} kg"), ("Carton", f"{n}0 pcs"), x=40 + 180 * n) for n in (1, 2)]
    more = [line(text, 220, 131 + 11 * k, 8.5 + 1.5 * k) for k, text in enumerate(("Material", "Cast iron"))]
    far = [line(text, 220, 82 + 11 * k, 8.5 + 1.5 * k) for k, text in enumerate(("Bore", "25 mm"))]
    found = stacked_fields([*cards[0], *cards[1], *more, *far], 1, ())
    assert {(f.label, f.value.text) for f in found if f.value} == {
        ("Weight", "1 kg"),
        ("Weight", "2 kg"),
        ("Carton", "10 pcs"),
        ("Carton", "20 pcs"),
        ("Material", "Cast iron"),
        ("Bore", "25 mm"),
    }


def test_a_label_of_specifications_over_its_value_counts_as_one_that_is_known() -> None:
    cards = [stacked(("规格", f"{n}0cm"), ("材质", "PU革"), x=40 + 180 * n) for n in (1, 2)]
    assert len(stacked_fields([*cards[0], *cards[1]], 1, ())) == 4


TILES = (
    (("款号", "YG-400"), ("面料", "100% 长绒棉"), ("套件包含", "被套×1 床单×1")),
    (None, ("适用床", "1.8m 床"), ("颜色", "雾蓝")),
    (("批发价", "¥328.00"), ("净重", "2.6kg"), ("起订量", "60套")),
)


def tiles() -> list[Line]:
    """Under a photo; the code and the price stand out of the rows of the others in larger print."""
    found = []
    for row, pairs in enumerate(TILES):
        for col, pair in enumerate(pairs):
            size = 12.0 if col else 15.0
            for k, text in enumerate(pair or ()):
                found.append(
                    line(text, 36 + 160 * col, 436 + 46 * row + (0 if col else 6) + 13 * k, size if k else 9.0)
                )
    return found


def test_labels_over_values_in_columns_of_unlike_length_are_one_products() -> None:
    name, photo = line("云感四件套", 310, 40, 24), picture("P1", (0, 0, 595, 400))
    care, ways = line("洗护", 36, 610, 13), [line(t, 36 + 130 * n, 690, 9) for n, t in enumerate(("机洗", "不可漂白"))]
    one = page(name, *tiles(), care, *ways, pictures=[photo])
    (sku,) = understand_page(one, (), DocumentFacts(), BY_RULES).skus
    found = {key: value.text for key, value in sku.attributes.items()}
    assert (found["model"], found["product_name"], found["color"]) == ("YG-400", "云感四件套", "雾蓝")
    assert (found["material"], found["weight"], found["moq"]) == ("100% 长绒棉", "2.6kg", "60套")


def test_a_heading_under_the_fields_names_no_product_under_a_title_elsewhere() -> None:
    name, photo = line("云感四件套", 310, 40, 24), picture("P1", (0, 80, 595, 400))
    one = page(name, *tiles(), line("洗护", 36, 610, 13), pictures=[photo])
    assert "洗护" not in texts(understand_page(one, (), DocumentFacts(), BY_RULES), "product_name")


FRAMES = (("Ashby", "CO-1104", "49 mm", "Acetate", "24 g"), ("Marlow", "CO-2207", "54 mm", "TR-90", "27 g"))


def test_cards_of_labels_over_values_in_two_rows_are_told_by_their_titles() -> None:
    """A value that looks like a code is none, nor is a measure a title, nor the next card's code what a remark says."""
    lines, photos = [], []
    for n, (name, code, lens, material, weight) in enumerate(FRAMES):
        x = 60 + 370 * n
        photos.append(picture(f"P{n}", (x, 100, x + 300, 320)))
        lines += [line(name, x, 338, 24), line(f"${18 + n}.40", x + 240, 341, 20), line(code, x, 370, 11)]
        lines += [line("FOB, per piece", x + 246, 370, 8.5), line("LENS WIDTH", x, 414, 7), line(lens, x, 427, 11)]
        told = (("MATERIAL", material), ("WEIGHT", weight))
        lines += [
            line(text, x + 106 * at, 474 + 13 * k, 11 if k else 7)
            for at, pair in enumerate(told)
            for k, text in enumerate(pair)
        ]
    cells = [Cell(0, n, one.text, one.box) for n, one in enumerate(one for one in lines if one.box[1] == 370)]
    read = Table("G1", (60, 368, 740, 384), 1, 4, tuple(cells), ruled=False, method="text")
    one = msgspec.structs.replace(page(*lines, pictures=photos), width_pt=792, height_pt=612, tables=(read,))
    result = understand_page(one, (), DocumentFacts(), BY_RULES)
    assert texts(result, "product_name") == ["Ashby", "Marlow"] and texts(result, "model") == ["CO-1104", "CO-2207"]
    assert texts(result, "material") == ["Acetate", "TR-90"] and texts(result, "price") == ["$18.40", "$19.40"]
    assert [[c.value for c in sku.custom if c.name == "LENS WIDTH"] for sku in result.skus] == [["49 mm"], ["54 mm"]]
