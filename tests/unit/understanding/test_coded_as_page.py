"""Data sheets whose label names the model of some thing: the code that heads the page tells whether it is theirs."""

import pytest

from catalogsku.core.box import Box
from processing.engine.page import Picture
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

REST = [["频率范围 Range", "1575 MHz"], ["天线尺寸 Dimension(mm)", "25x25x6.5"], ["天线颜色 Color", "银白色"]]


def sheet(head: str, label: str, value: str, *pictures: Picture) -> PageResult:
    fields = table([[label, value], *REST], x=80, y=140, widths=200)
    one = page(line(head, 430, 30, 11), line("1.1 Specifications", 80, 118, 14), tables=[fields], pictures=pictures)
    return understand_page(one, (), DocumentFacts(), BY_RULES)


@pytest.mark.parametrize("label", ["天线型号 Antenna type", "天线型号"])
def test_a_model_that_begins_as_the_page_is_headed_is_the_products(label: str) -> None:
    result = sheet("BWG25-25B1", label, "BWG25-25B1Y4L120")
    assert texts(result, "model") == ["BWG25-25B1Y4L120"] and texts(result, "size") == ["25x25x6.5"]
    assert texts(result, "product_name") == [None]


@pytest.mark.parametrize(
    ("head", "label"), [("KX-900", "电缆型号"), ("BWG25-25B1", "适用范围"), ("Antennas", "天线型号")]
)
def test_other_models_are_of_parts(head: str, label: str) -> None:
    assert "BWG25-25B1Y4L120" not in texts(sheet(head, label, "BWG25-25B1Y4L120"), "model")


@pytest.mark.parametrize(("box", "shown"), [((300, 80, 470, 210), []), ((490, 80, 590, 210), ["P1"])])
def test_what_is_stamped_over_a_table_shows_no_product(box: Box, shown: list[str]) -> None:
    (sku,) = sheet("BWG25-25B1", "天线型号", "BWG25-25B1Y4L120", picture("P1", box)).skus
    assert [binding.picture for binding in sku.bindings] == shown
