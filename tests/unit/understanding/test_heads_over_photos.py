"""Products as columns: codes and names, a row of photos, and under them the table of what is said of each."""

import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

BODY = [["Length", "325 mm", "240 mm", "180 mm"], ["Weight", "680 g", "310 g", "265 g"],
        ["List price", "$14.90", "$9.80", "$12.40"]]  # fmt: skip
HEADS = [["Order no.", "KH-450", "KW-240", "KP-180"], ["Description", "Claw hammer", "Open wrench", "Pliers"]]


def sheet(heads: list[list[str]], photos: int = 3) -> ParsedPage:
    lines = [
        line(text, 52 + 120 * col, 60 + 20 * row, 8) for row, one in enumerate(heads) for col, text in enumerate(one)
    ]
    shown = [picture(f"P{n}", (175 + 120 * n, 104, 275 + 120 * n, 194)) for n in range(photos)]
    return page(*lines, tables=[table(BODY, y=200, widths=120)], pictures=shown)


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def test_codes_and_names_over_the_photos_are_those_of_the_columns_under_them() -> None:
    result = understood(sheet(HEADS))
    assert texts(result, "model") == ["KH-450", "KW-240", "KP-180"]
    assert texts(result, "product_name") == ["Claw hammer", "Open wrench", "Pliers"]
    assert texts(result, "price") == ["$14.90", "$9.80", "$12.40"]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"], ["P1"], ["P2"]]


@pytest.mark.parametrize("one", [sheet(HEADS, photos=2), sheet(HEADS[1:]), sheet([row[:3] for row in HEADS])])
def test_rows_that_fit_no_table_under_photos_begin_none(one: ParsedPage) -> None:
    assert texts(understood(one), "model") != ["KH-450", "KW-240", "KP-180"]
