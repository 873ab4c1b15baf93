"""Rows whose cell of codes prints several of them under each other: a product each."""

import pytest

from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, page, table, texts


def read(*rows: list[str | None]) -> PageResult:
    return understand_page(page(tables=[table(rows, height=40)]), (), DocumentFacts(), BY_RULES)


def test_each_code_is_a_product_that_shares_the_row() -> None:
    result = read(
        ["名称", "型号", "包装", "材质"],
        ["刀头", "KD-F14\nKD-F23\nKD-F36", "5把/箱", "钛合金"],
        ["主机", "KD-100", "1台/箱", "钢"],
    )
    assert texts(result, "model") == ["KD-F14", "KD-F23", "KD-F36", "KD-100"]
    assert texts(result, "packing") == ["5把/箱"] * 3 + ["1台/箱"]
    assert [sku.attributes["model"].evidence.quote for sku in result.skus][1] == "KD-F23"


def test_as_many_prices_beside_them_are_their_own_and_a_single_one_is_doubted() -> None:
    head: list[str | None] = ["Model", "Name", "Price"]
    own = read(head, ["AB-10\nAB-20", "Valve", "$4\n$6"], ["AB-30", "Lever", "$8"])
    assert texts(own, "price") == ["$4", "$6", "$8"] and own.skus[0].confidence == own.skus[2].confidence
    one = read(head, ["AB-10\nAB-20", "Valve", "$4"], ["AB-30", "Lever", "$8"])
    assert one.skus[0].confidence == one.skus[1].confidence < one.skus[2].confidence


@pytest.mark.parametrize("cell", ["AB-10-\n200", "AB-10\nSX200", "AB-10\nAB-10", "AB-10\nblack"])
def test_other_texts_of_several_lines_are_one(cell: str) -> None:
    result = read(["Model", "Name", "Price"], [cell, "Valve", "$4"], ["AB-30", "Lever", "$8"])
    assert len(result.skus) == 2


def test_codes_that_reach_down_over_several_rows_are_not_told_apart() -> None:
    rows: list[list[str | None]] = [["AB-10\nAB-20", "Valve", "$4"], [None, "Lever", "$8"]]
    assert len(read(["Model", "Name", "Price"], *rows).skus) == 2
