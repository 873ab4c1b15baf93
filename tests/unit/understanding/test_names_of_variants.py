"""Tables of a product's variants: the name stands in a section row, over the table or beside its picture."""

import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import page, table, texts

HEAD = ["型号", "规格", "单价"]
SMALL, LARGE = ["TG-20", "20cm", "¥78"], ["TG-24", "24cm", "¥96"]
OTHER = ["JG-24", "24cm", "¥69"]


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), AnalystConfig())


@pytest.mark.req("GR-EVID")
def test_a_section_row_names_the_products_below_it_where_no_column_does() -> None:
    rows = [HEAD, ["复底汤锅（材质：304不锈钢）", "", ""], SMALL, LARGE, ["不锈钢煎锅", "", ""], OTHER]
    result = understood(page(tables=[table(rows)]))
    assert texts(result, "product_name") == ["复底汤锅", "复底汤锅", "不锈钢煎锅"]
    assert texts(result, "material") == ["304不锈钢", "304不锈钢", None]
    name = result.skus[1].attributes["product_name"]
    assert (name.source, name.evidence.method, name.evidence.bbox) == (
        "section_inherited",
        "section",
        (50, 120, 130, 140),
    )


@pytest.mark.parametrize(
    "section",
    ["米兰系列", "Oslo Series", "产品分类", "其他", "Black", "304不锈钢", "20cm", "¥78", "适用于电磁炉，燃气灶。",
     "With connector M12", "Soap the thread in oak.", "适用于燃气灶"],
)  # fmt: skip
def test_section_rows_that_say_something_else_are_no_names(section: str) -> None:
    result = understood(page(tables=[table([HEAD, [section, "", ""], SMALL, LARGE])]))
    assert texts(result, "product_name") == [None, None]


def test_a_row_of_words_below_the_first_products_is_no_name() -> None:
    result = understood(page(tables=[table([HEAD, SMALL, LARGE, ["加厚", "", ""], OTHER])]))
    assert texts(result, "product_name") == [None] * 3


def test_a_section_row_replaces_neither_a_row_s_own_values_nor_a_column_of_names() -> None:
    rows = [["型号", "材质", "单价"], ["复底汤锅(材质：304不锈钢，颜色：银色)", "", ""], ["TG-20", "316不锈钢", "¥78"]]
    result = understood(page(tables=[table([*rows, ["TG-24", "", "¥96"]])]))
    assert texts(result, "material") == ["316不锈钢", "304不锈钢"] and texts(result, "color") == ["银色", "银色"]
    named = [["型号", "品名", "单价"], ["锅具", "", ""], ["TG-20", "汤锅", "¥78"], ["TG-24", "", "¥96"]]
    assert texts(understood(page(tables=[table(named)])), "product_name") == ["汤锅", None]
