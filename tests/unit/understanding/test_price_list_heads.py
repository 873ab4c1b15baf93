"""Heads of plain price lists: short codes, units under other words, the column that a list is sorted by."""

from collections.abc import Sequence

import pytest

from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.rules.labels import label_kind
from tests.unit.understanding.pages import BY_RULES, page, table, texts


def read(rows: Sequence[Sequence[str | None]]) -> PageResult:
    one = page(tables=[table(rows, widths=500 / len(rows[0]))])
    return understand_page(one, (), DocumentFacts(), BY_RULES)


HEAD = ["Code", "Particulars", "Price", "As Per"]


def test_particulars_of_a_price_list_are_names() -> None:
    result = read([HEAD, ["T-40", "Red kite", "146", "Box"], ["T-41", "Paper kite", "258", "Piece"]])
    assert texts(result, "product_name") == ["Red kite", "Paper kite"]


def test_particulars_of_accounts_are_none() -> None:
    rows = [["Date", "Particulars", "Debit", "Balance"], ["03.04.2024", "Red kite", "146", "258"]]
    assert read(rows).skus == ()


def test_short_numbers_under_a_label_of_codes_are_codes() -> None:
    result = read([HEAD, ["40", "Red kite", "146", "Box"], ["41", "Paper kite", "258", "Box"]])
    assert texts(result, "model") == ["40", "41"]


@pytest.mark.parametrize("numbers", [["1", "2"], ["40", "40"]], ids=["of rows", "repeated"])
def test_other_short_numbers_are_none(numbers: list[str]) -> None:
    result = read([HEAD, *([n, name, "146", "Box"] for n, name in zip(numbers, ["Red kite", "Owl"], strict=True))])
    assert [sku.attributes.get("model") for sku in result.skus] == [None, None]


def test_a_column_of_nothing_but_units_tells_them() -> None:
    result = read([HEAD, ["T-40", "Red kite", "146", "Box"], ["T-41", "Paper kite", "258", "PKT"]])
    assert texts(result, "unit") == ["Box", "PKT"]


@pytest.mark.parametrize(
    ("label", "kind"), [("Models", "model"), ("Products+", "product_name"), ("Price ▲", "price"), ("W+", None)]
)
def test_the_sign_of_the_column_that_a_list_is_sorted_by_is_no_part_of_its_label(label: str, kind: str | None) -> None:
    assert label_kind(label) == kind
