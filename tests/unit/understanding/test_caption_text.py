"""What the lines of a caption say, line by line."""

import msgspec
import pytest

from processing.engine.understanding.captions.text import read_caption
from tests.unit.understanding.pages import line


def said(*texts: str) -> dict[str, str]:
    """Attributes of a caption of these lines, and what it says beside them under its printed labels."""
    attributes, _, custom = read_caption(tuple(line(text, 50, 100 + 14 * n) for n, text in enumerate(texts)), 1)
    return {key: value.text for key, value in attributes.items()} | {one.name: one.value for one in custom}


@pytest.mark.parametrize("text", ["304不锈钢", "925银", "24色", "5年", "3件套", "16 pcs", "100%"])
def test_what_is_counted_and_what_is_a_grade_are_no_size(text: str) -> None:
    found = said("保温壶", "CC-501", text)
    assert "size" not in found and found["product_name"] == "保温壶"


@pytest.mark.parametrize("text", ["650毫升", "350ml", "12 W", "10-12 kg", "1.5m", "20×25cm", "高18cm", "4.5 qt"])
def test_an_amount_with_its_unit_is_a_size(text: str) -> None:
    assert said("保温壶", "CC-501", text)["size"] == text


@pytest.mark.parametrize("text", ["Case 24", "Pack of 6", "Inner Box 12 pcs", "12 pcs/ctn", "48支/箱", "6 per case"])
def test_how_many_a_package_holds_is_the_packing(text: str) -> None:
    found = said("Cup Ida", "CC-501", text)
    assert found["packing"] == text and "description" not in found


@pytest.mark.parametrize("text", ["Case 24 cm", "Box", "Case study 3", "12 pcs"])
def test_other_words_about_packages_are_no_packing(text: str) -> None:
    assert "packing" not in said("Cup Ida", "CC-501", text)


def test_a_package_in_place_of_a_name_is_none() -> None:
    assert "packing" not in said("Pack 6", "$12.50")


@pytest.mark.parametrize(
    ("text", "name", "size"),
    [("Bowl Ida - SIZE : 17 x 18 cm", "Bowl Ida", "17 x 18 cm"), ("汤碗 – 尺寸：18cm", "汤碗", "18cm")],
)
def test_a_label_may_follow_the_name_behind_a_dash(text: str, name: str, size: str) -> None:
    found = said(text)
    assert (found["product_name"], found["size"]) == (name, size)


def test_behind_a_dash_without_a_known_label_all_is_one() -> None:
    assert "product_name" not in said("Bowl Ida - by hand: 18 cm")


def test_a_number_of_things_is_no_name() -> None:
    assert said("24色", "水彩笔", "CC-501")["product_name"] == "水彩笔"


@pytest.mark.parametrize(
    "text",
    [
        "304不锈钢",
        "不锈钢 Stainless",
        "瓷质 Porcelain",
        "925银",
        "珐琅铸铁",
        "高温白瓷",
        "大马士革钢",
        "纯棉",
        "绒布、白蜡木",
        "95%羊毛 5%羊绒",
        "Cast iron",
        "Enamelled steel",
        "Solid oak",
        "18/8 stainless steel",
        "100% cotton",
        "Powder-coated steel / White oak",
    ],
)
def test_a_material_may_be_graded(text: str) -> None:
    found = said("保温壶", "CC-501", text, "¥88")
    assert (found["material"], found["product_name"], "size" in found) == (text, "保温壶", False)


@pytest.mark.parametrize(
    "text", ["不锈钢锅", "彩积木", "太空银", "守护一生的陶瓷", "Oak chair", "Wine glass", "Steam iron"]
)
def test_what_only_ends_like_a_material_is_none(text: str) -> None:
    assert "material" not in said("新品", "CC-501", text)


@pytest.mark.parametrize("text", ["纯棉", "Brushed Steel"])
def test_the_first_words_of_a_caption_are_its_name_whatever_they_end_in(text: str) -> None:
    assert said(text, "CC-501", "¥88")["product_name"] == text


def test_a_graded_material_follows_its_label() -> None:
    assert said("保温壶", "CC-501", "材质 304不锈钢")["material"] == "304不锈钢"


@pytest.mark.parametrize(
    ("text", "price", "beside"),
    [
        ("¥39 ¥59", "¥39", {}),
        ("¥59  ¥39", "¥39", {}),
        ("¥39/件 ¥59/件", "¥39/件", {}),
        ("Now $29.00 Was $39.00", "$29.00", {"Was": "$39.00"}),
        ("$39.00 Sale $45.00", "$45.00", {}),
        ("原价¥59 现价¥39", "¥39", {"原价": "¥59"}),
        ("原价：¥59 现价：¥39", "¥39", {"原价": "¥59"}),
        ("RRP £39.00 £29.00", "£29.00", {"RRP": "£39.00"}),
        ("售价¥39", "¥39", {}),
        ("Price: $5.00 $4.00", "$4.00", {}),
        ("$1,299.00 $1,599.00", "$1,299.00", {}),
        ("¥39 - ¥59", "¥39 - ¥59", {}),
        ("1-9: $5.00, 10+: $4.00", "1-9: $5.00, 10+: $4.00", {}),
        ("¥39 (US$5.50)", "¥39 (US$5.50)", {}),
    ],
)
def test_of_an_old_and_a_new_price_the_one_to_pay_is_the_price(text: str, price: str, beside: dict[str, str]) -> None:
    assert said("保温壶", "CC-501", text) == {"product_name": "保温壶", "model": "CC-501", "price": price} | beside


def test_of_two_prices_the_larger_or_bolder_print_holds() -> None:
    one = line("¥59 ¥39", 50, 100)
    for words in (
        (msgspec.structs.replace(one.words[0], size=16.0), one.words[1]),
        (msgspec.structs.replace(one.words[0], bold=True), one.words[1]),
    ):
        attributes, _, _ = read_caption((msgspec.structs.replace(one, words=words),), 1)
        assert attributes["price"].text == "¥59"
        assert attributes["price"].evidence.bbox[2] < one.box[2]


def test_a_former_price_above_the_price_is_not_taken_for_it() -> None:
    assert said("保温壶", "原价¥59", "¥39") == {"product_name": "保温壶", "原价": "¥59", "price": "¥39"}


def test_an_old_price_printed_beside_the_new_one_as_a_line_of_its_own_is_not_the_price() -> None:
    lines = (line("保温壶", 50, 100), line("¥59", 50, 118, 8), line("¥39", 90, 117, 10))
    attributes, _, _ = read_caption(lines, 1)
    assert attributes["price"].text == "¥39"


@pytest.mark.parametrize("sign", ["|", "｜", "·", "•", "/"])
def test_values_between_signs_are_lines_of_their_own(sign: str) -> None:
    found = said("Low Sofa", f"HS-880 {sign} W210 x D92 x H80 cm", "$88")
    assert found == {"product_name": "Low Sofa", "model": "HS-880", "size": "W210 x D92 x H80 cm", "price": "$88"}


def test_slashes_behind_a_code_part_values_too() -> None:
    found = said("保温壶", "CC-501 / 304不锈钢 / 500ml", "¥88")
    assert (found["model"], found["material"], found["size"]) == ("CC-501", "304不锈钢", "500ml")


@pytest.mark.parametrize("text", ["Muji · Aroma diffuser", "Nord | Chair", "Salt•Pepper"])
def test_a_name_may_have_such_signs(text: str) -> None:
    assert said(text, "CC-501", "$88")["product_name"] == text


def test_a_size_keeps_its_own_signs() -> None:
    assert said("卫衣", "CC-501", "20 x 30cm / 40 x 50cm")["size"] == "20 x 30cm / 40 x 50cm"


def test_what_follows_a_code_is_read_as_a_line_of_its_own() -> None:
    assert said("拾光灯带", "SG-14 长5m", "¥65")["size"] == "长5m"
    assert said("保温壶", "CC-501 304不锈钢", "¥65")["material"] == "304不锈钢"
    assert said("A-10", "USB charger", "$5")["product_name"] == "USB charger"


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("直径22cm", "size", "直径22cm"),
        ("口径20cm", "size", "口径20cm"),
        ("长5m", "size", "长5m"),
        ("高18cm", "size", "高18cm"),
        ("净重1.2kg", "weight", "1.2kg"),
        ("容量3.0L", "容量", "3.0L"),
        ("功率12W", "功率", "12W"),
        ("容量 3.0L", "容量", "3.0L"),
        ("材质竹", "material", "竹"),
        ("颜色黑色", "color", "黑色"),
        ("尺寸140×46cm", "size", "140×46cm"),
        ("产品尺寸140×46cm", "size", "140×46cm"),
    ],
)
def test_a_chinese_label_may_stand_right_at_its_value(text: str, key: str, value: str) -> None:
    found = said("鸣笛水壶", "LX-2012", text, "¥126")
    assert found == {"product_name": "鸣笛水壶", "model": "LX-2012", "price": "¥126", key: value}


def test_what_is_told_of_a_price_in_a_sentence_is_none() -> None:
    assert said("鸣笛水壶", "批发价 ¥12.50")["price"] == "¥12.50"
    assert "price" not in said("鸣笛水壶", "批发价 50 套起；可激光刻字，每套加 3 元。以上价格单位为元。")


def test_a_labels_code_may_stand_right_at_it() -> None:
    assert said("鸣笛水壶", "规格 Size Φ105cm") == {"product_name": "鸣笛水壶", "size": "Φ105cm"}
    assert said("鸣笛水壶", "型号A-10", "材质竹") == {"product_name": "鸣笛水壶", "model": "A-10", "material": "竹"}
    assert said("便携电钻", "货号Z.754", "¥908")["model"] == "Z.754"
    assert said("编号5342-69", "材料橡木", "¥908") == {"model": "5342-69", "material": "橡木", "price": "¥908"}


def test_a_material_that_ends_like_a_colour_is_a_material() -> None:
    assert said("加厚锅", "KB-204", "640*780*250mm，铝合金", "¥70")["material"] == "铝合金"


@pytest.mark.parametrize("sign", ["·", "•", " / ", ", "])
def test_values_of_several_kinds_on_one_line_are_told_apart(sign: str) -> None:
    found = said("Mixing bowl", "KB-204", f"Φ40x26cm{sign}ivory", "$12")
    assert (found["size"], found["color"]) == ("Φ40x26cm", "ivory")


@pytest.mark.parametrize(
    ("text", "colours"),
    [
        ("颜色：● 黑色  ○ 白色", "黑色 白色"),
        ("颜色：●黑色 ●米白", "黑色 米白"),
        ("颜色：  红色  湖蓝  松绿", "红色 湖蓝 松绿"),
        ("Colour: ● Graphite  ● Moss", "Graphite Moss"),
        ("Colour: Black, White", "Black, White"),
    ],
)
def test_a_list_of_colours_is_whole_and_without_its_dots(text: str, colours: str) -> None:
    found = said("速干短袖", "货号：QC-11", text, "¥59")
    assert found == {"product_name": "速干短袖", "model": "QC-11", "color": colours, "price": "¥59"}


def test_what_stands_beside_colours_and_is_none_is_no_part_of_them() -> None:
    assert said("速干短袖", "QC-11", "颜色：黑色  ABS塑料")["color"] == "黑色"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("177×83×70cm / 塑料", {"size": "177×83×70cm", "material": "塑料"}),
        ("L41 x W26 x H28 cm, natural", {"size": "L41 x W26 x H28 cm", "color": "natural"}),
        ("Φ55×26cm，橡木，白色", {"size": "Φ55×26cm", "material": "橡木", "color": "白色"}),
        ("黑色/白色", {"color": "黑色/白色"}),
        ("橡木、白蜡木", {"material": "橡木、白蜡木"}),
    ],
)
def test_values_of_different_kinds_on_one_line_are_each_its_own(text: str, values: dict[str, str]) -> None:
    found = said("便携餐椅", "CC-501", text)
    assert found == {"product_name": "便携餐椅", "model": "CC-501", **values}


def test_edges_with_letters_before_them_are_no_code() -> None:
    assert said("便携餐椅", "L154 x W86 x H18 cm", "CC-501")["model"] == "CC-501"


def test_a_text_about_the_product_goes_on_in_the_next_line() -> None:
    found = said("Quill desk", "HB-410", "Cable duct along the whole width and doors", "that close softly.", "White")
    assert found["description"] == "Cable duct along the whole width and doors that close softly."
    assert found["color"] == "White"


@pytest.mark.parametrize("text", ["棒球帽 FS-A01 ¥15.50", "FS-A01 棒球帽 ¥15.50"])
def test_name_code_and_price_may_share_a_line(text: str) -> None:
    assert said(text) == {"product_name": "棒球帽", "model": "FS-A01", "price": "¥15.50"}


def test_a_code_before_a_price_is_no_amount_of_its_own() -> None:
    assert said("Casserole OV-210 €89") == {"product_name": "Casserole", "model": "OV-210", "price": "€89"}
    assert said("Bowl", "Set of six · OV-130 · €42")["model"] == "OV-130"


def test_words_before_a_price_without_a_code_stay_with_it() -> None:
    assert said("Cap", "FS-A01", "3 pairs for $15.50")["price"] == "3 pairs for $15.50"


def test_what_a_label_names_behind_a_price_is_no_part_of_it() -> None:
    found = said("抱抱熊公仔", "TQ-P01", "¥18.50 / 起订 100只")
    assert (found["price"], found["moq"]) == ("¥18.50", "100只")
    assert said("Bear", "TQ-P01", "¥18.50 / pair")["price"] == "¥18.50 / pair"


def test_a_word_for_the_price_may_stand_behind_it() -> None:
    assert said("Bear", "TQ-P01", "¥29.00 建议零售价")["price"] == "¥29.00"
    assert said("Bear", "TQ-P01", "¥29.00 起批")["price"] == "¥29.00 起批"


@pytest.mark.parametrize(
    ("step", "material", "more"), [(11, "304不锈钢 Stainless steel", None), (15, "304不锈钢", "Stainless steel")]
)
def test_a_labelled_value_goes_on_in_the_line_close_under_it(step: float, material: str, more: str | None) -> None:
    placed = (
        ("保温壶 Vacuum flask", 100, 12),
        ("Size 规格: 750 ml", 116, 9),
        ("Material 材质: 304不锈钢", 131, 9),
        ("Stainless steel", 131 + step, 9),
        ("N.W. 净重: 0.38 kg", 146 + step, 9),
        ("$5.30", 161 + step, 13),
    )
    attributes, _, _ = read_caption(tuple(line(text, 50, y, size) for text, y, size in placed), 1)
    found = {key: value.text for key, value in attributes.items()}
    assert (found["material"], found.get("description")) == (material, more)
    assert (found["size"], found["weight"], found["price"]) == ("750 ml", "0.38 kg", "$5.30")


def test_what_a_price_is_for_is_no_colour() -> None:
    assert said("高压灯带", "GY-DT05", "¥4.2/米") == {
        "product_name": "高压灯带",
        "model": "GY-DT05",
        "price": "¥4.2/米",
    }


@pytest.mark.parametrize(
    ("lines", "model"),
    [
        (("Outdoor | AB-H8C R100-", "1K2WKFL"), "AB-H8C R100-1K2WKFL"),
        (("AB-H8C R100-", "1K2WKFL | Sound"), "AB-H8C R100-1K2WKFL"),
        (("AB-H8C R100", "1K2WKFL"), "AB-H8C R100"),  # two codes
        (("Outdoor | AB-H8C R100-", "and more"), None),
    ],
)
def test_a_code_broken_at_its_hyphen_is_one(lines: tuple[str, ...], model: str | None) -> None:
    assert said("Camera", *lines).get("model") == model


def test_a_size_with_letters_may_be_glued_to_its_code() -> None:
    assert said("S1-C4-1200W1200XD750XH730") == {"model": "S1-C4-1200", "size": "W1200XD750XH730"}
    assert said("AB-12W40") == {"model": "AB-12W40"}


def test_figures_with_single_letters_are_no_name() -> None:
    assert "product_name" not in said("CC-501", "G2B 25312121 475,000")
    assert said("CC-501", "A4 板")["product_name"] == "A4 板"


def test_a_heading_in_wide_spaced_print_says_nothing_of_the_product_below_it() -> None:
    assert said("F R E E W EI GHTS", "Rowing machine", "TB-102") == {
        "product_name": "Rowing machine",
        "model": "TB-102",
    }
    assert said("Oak table", "L 180 x W 90 x H 75 cm")["size"] == "L 180 x W 90 x H 75 cm"


@pytest.mark.parametrize("text", ["250g/500g", "1 kg / 2.5 kg", "S,M,L,XL,XXL", "S / M / L"])
def test_amounts_and_sizes_of_clothes_to_choose_from_are_a_size(text: str) -> None:
    found = said("Honey Ida", text)
    assert (found["product_name"], found["size"]) == ("Honey Ida", text) and "model" not in found
