"""What the lines of a caption say, line by line."""

import pytest

from processing.engine.understanding.caption_text import read_caption
from tests.unit.understanding.pages import line


def said(*texts: str) -> dict[str, str]:
    """Attributes of a caption of these lines, and what it says beside them under its printed labels."""
    attributes, _, custom = read_caption(tuple(line(text, 50, 100 + 14 * n) for n, text in enumerate(texts)), 1)
    return {key: value.text for key, value in attributes.items()} | {one.name: one.value for one in custom}


@pytest.mark.parametrize("text", ["304不锈钢", "925银", "24色", "5年", "3件套", "16 pcs", "100%"])
def test_what_is_counted_and_what_is_a_grade_are_no_size(text: str) -> None:
    found = said("保温壶", "CC-501", text)
    assert "size" not in found and found["product_name"] == "保温壶"


@pytest.mark.parametrize("text", ["650毫升", "350ml", "12 W", "10-12 kg", "1.5m", "20×25cm", "高18cm"])
def test_an_amount_with_its_unit_is_a_size(text: str) -> None:
    assert said("保温壶", "CC-501", text)["size"] == text


def test_a_number_of_things_is_no_name() -> None:
    assert said("24色", "水彩笔", "CC-501")["product_name"] == "水彩笔"


@pytest.mark.parametrize(
    "text",
    ["304不锈钢", "925银", "珐琅铸铁", "高温白瓷", "大马士革钢", "纯棉", "绒布、白蜡木", "95%羊毛 5%羊绒", "Cast iron",
     "Enamelled steel", "Solid oak", "18/8 stainless steel", "100% cotton", "Powder-coated steel / White oak"],
)  # fmt: skip
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
