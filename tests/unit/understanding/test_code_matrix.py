"""A thing in the sizes of the rows and the kinds of the columns: nothing but codes in a small table under photos."""

import pytest

from processing.engine.page import Line
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import line, page, picture, table, texts

pytestmark = pytest.mark.req("TA-CLS", "PL-METHODS")
ROWS = [["up to 10 people", "KT 18", "-"], ["10 to 20 people", "KT 26", "NK 25"], ["20 and above", "KT 35", "NK 32"]]


def understood(rows: list[list[str]], *more: Line) -> PageResult:
    heads = [line("Room", 55, 150, 12), line("for", 55, 163, 12), line("KT series", 190, 163, 12),
             line("NK series", 320, 163, 12)]  # fmt: skip
    shown = [picture("P1", (190, 180, 290, 280)), picture("P2", (320, 180, 420, 280))]
    return understand_page(
        page(*heads, *more, tables=[table(rows, y=375, widths=130)], pictures=shown),
        (),
        DocumentFacts(),
        AnalystConfig(),
    )


def test_each_code_is_a_product_with_its_row_its_column_and_that_one_s_photo() -> None:
    result = understood(ROWS)
    assert texts(result, "model") == ["KT 18", "KT 26", "NK 25", "KT 35", "NK 32"]
    assert texts(result, "series") == [f"{sku.attributes['model'].text[:2]} series" for sku in result.skus]
    assert [(c.name, c.value) for c in result.skus[0].custom] == [("Room for", "up to 10 people")]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P1"], ["P1"], ["P2"], ["P1"], ["P2"]]
    assert result.page_type == "A" and "page_type_uncertain" in [one.code for one in result.blockers]


@pytest.mark.parametrize(
    "rows",
    [
        [*ROWS[:2], ["20 and above", "KT 35", "on request only"]],
        [*ROWS[:2], ["20 and above", "KT 26", "NK 32"]],  # one code twice
        [["KT 9", "KT 18", "-"], ["KT 8", "KT 26", "NK 25"]],  # no head of its row
    ],
)
def test_other_tables_with_codes_are_none(rows: list[list[str]]) -> None:
    result = understood(rows)
    assert result.skus == () and result.blockers


def test_beside_figures_codes_are_pins() -> None:
    assert understood(ROWS, line("Figure 3: Pins", 55, 600, 10)).skus == ()
