"""A head on a band of colour over a grid that has no rules there."""

import pytest

from processing.engine.page import Line
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, table, texts

pytestmark = pytest.mark.req("TA-AROUTE")
ROWS = [
    ["YC-917", "商用沙发", "24", "410.00"],
    ["YC-918", "轻奢餐椅", "12", "91.00"],
    ["YC-919", "商用书桌", "48", "57.00"],
]


def understood(*over: Line) -> PageResult:
    return understand_page(page(*over, tables=[table(ROWS, y=200)]), (), DocumentFacts(), BY_RULES)


def head(*labels: str, y: float = 184) -> list[Line]:
    return [line(text, 55 + 80 * n, y) for n, text in enumerate(labels)]


def test_labels_right_over_the_columns_are_its_head() -> None:
    result = understood(*head("型号", "产品名称", "装箱数", "单价"))
    assert texts(result, "packing") == ["24", "12", "48"] and texts(result, "price") == ["410.00", "91.00", "57.00"]
    assert texts(result, "model") == ["YC-917", "YC-918", "YC-919"]


@pytest.mark.parametrize(
    "over",
    [
        head("型号", "产品名称", "装箱数", "单价", y=120),  # far above
        head("本页", "所有", "产品", "现货"),  # no labels
        [line("型号 产品名称 装箱数 单价 均见下表所列各行内容说明", 55, 184)],  # one line of text
    ],
)
def test_other_print_over_it_is_not(over: list[Line]) -> None:
    assert texts(understood(*over), "packing") in ([], [None] * 3)


def test_the_title_of_the_first_rows_may_stand_under_it() -> None:
    result = understood(*head("型号", "产品名称", "装箱数", "单价", y=168), line("商用家具", 55, 186))
    assert texts(result, "price") == ["410.00", "91.00", "57.00"]


SENSORS = [["RK-12", "2 mm", "NPN", "open", "36.00"], ["RK-18", "5 mm", "PNP", "closed", "48.00"],
           ["RK-50", "9 mm", "NPN", "open", "68.00"], ["RK-55", "9 mm", "PNP", "open", "72.00"]]  # fmt: skip


def sensed(*labels: str) -> PageResult:
    """Labels beside such of two lines, of which the lower ones stand half a line below, and a row of units."""
    first = [line(text, 55 + 60 * n, 168, 8) for n, text in ((0, labels[0]), (1, labels[1]), (4, labels[4]))]
    lower = [line(text, 55 + 60 * n, 175, 8) for n, text in ((2, labels[2]), (3, labels[3]))]
    units = [line("mm", 115, 188, 8), line("USD", 295, 188, 8)]
    whole = page(*first, *lower, *units, tables=[table(SENSORS, y=200, widths=60)])
    return understand_page(whole, (), DocumentFacts(), BY_RULES)


def test_labels_half_a_line_higher_and_units_under_them_are_the_heads_too() -> None:
    result = sensed("Model", "Range", "Output", "Contact", "Price")
    assert texts(result, "model") == ["RK-12", "RK-18", "RK-50", "RK-55"]
    assert texts(result, "price") == ["36.00", "48.00", "68.00", "72.00"]
    said = [(one.name, one.value) for one in result.skus[0].custom]
    assert ("Output", "NPN") in said and ("Contact", "open") in said


def test_numbers_and_codes_over_the_columns_are_no_labels() -> None:
    assert not sensed("Model", "Contact", "RK-11", "12", "Price").skus


BAGS = [
    ["Dry size", "400 x 600 mm", "400 x 360 mm"],
    ["Colour", "white", "black"],
    ["Material", "PP", "PE"],
    ["Packing", "50 / carton", "40 / carton"],
]


def sheet(*over: Line) -> PageResult:
    whole = table(BAGS, y=200, widths=160)
    return understand_page(page(*over, tables=[whole]), (), DocumentFacts(), BY_RULES)


def test_codes_over_all_columns_behind_the_labels_head_products() -> None:
    over = [line("FB-400 (no handle)", 215, 184), line("FB-436 (with handle)", 375, 184)]
    result = sheet(*over)
    assert texts(result, "model") == ["FB-400 (no handle)", "FB-436 (with handle)"]
    assert texts(result, "color") == ["white", "black"] and texts(result, "packing") == ["50 / carton", "40 / carton"]


@pytest.mark.parametrize(
    "over",
    [
        [line("FB-400", 215, 184)],  # over one column of two
        [line("FB-400", 215, 184), line("FB-400", 375, 184)],  # no two
        [line("No handle", 215, 184), line("With handle", 375, 184)],  # no codes
    ],
)
def test_other_print_over_columns_of_values_heads_none(over: list[Line]) -> None:
    assert texts(sheet(*over), "model") == []
