"""Tables of labels and values under a title each, on pages that print no code, price or name behind a label."""

import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, table, texts

Rows = list[list[str]]
OILS: dict[str, Rows] = {
    "SP 5W-40 Engine Oil": [["Viscosity Grade", "SAE 5W-40"], ["API Level", "SP"], ["Packing", "1L / 4L"]],
    "GF-6 5W-30 Motor Oil": [["Viscosity Grade", "SAE 5W-30"], ["API Level", "SP"], ["Packing", "4L / 200L"]],
}
BRANCHES: dict[str, Rows] = {
    "Shanghai": [["Address", "12 Long Road"], ["Phone", "021 5555"], ["Opening hours", "9 to 5"]],
    "Beijing": [["Address", "7 Ring Road"], ["Phone", "010 5555"], ["Opening hours", "9 to 6"]],
}
UNLIKE: dict[str, Rows] = {
    "Power supply": [["Input", "230 V"], ["Current", "2 A"], ["Fuse", "T4A"]],
    "Display": [["Diagonal", "7 in"], ["Contrast", "800:1"], ["Backlight", "LED"]],
}


def titled(tables: dict[str, Rows], number: int = 1, size: float = 13) -> ParsedPage:
    lines, drawn = [], []
    for n, (title, rows) in enumerate(tables.items()):
        y = 130 + 200 * n
        lines.append(line(title, 60, y, size))
        drawn.append(table([["Specification", "Details"], *rows], x=60, y=y + 18, widths=200, id=f"G{n + 1}"))
    return page(*lines, tables=drawn, number=number)


def understood(one: ParsedPage, *earlier: ParsedPage) -> PageResult:
    return understand_page(one, earlier, DocumentFacts(), BY_RULES)


def test_each_table_is_a_product_under_its_title() -> None:
    result = understood(titled(OILS))
    assert result.page_type == "B" and texts(result, "product_name") == list(OILS)
    assert texts(result, "packing") == ["1L / 4L", "4L / 200L"]
    assert [(c.name, c.value) for c in result.skus[0].custom] == [("Viscosity Grade", "SAE 5W-40"), ("API Level", "SP")]


def test_a_table_alone_on_its_page_is_one_where_a_page_before_has_others_like_it() -> None:
    first, second = ({title: OILS[title]} for title in OILS)
    assert not understood(titled(first)).skus
    assert texts(understood(titled(second, 2), titled(first)), "product_name") == list(second)


@pytest.mark.parametrize(("tables", "size"), [(BRANCHES, 13), (UNLIKE, 13), (OILS, 8)])
def test_addresses_unlike_tables_and_tables_without_titles_are_no_products(
    tables: dict[str, Rows], size: float
) -> None:
    assert not understood(titled(tables, size=size)).skus
