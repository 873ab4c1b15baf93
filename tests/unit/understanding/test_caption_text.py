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
