"""A thing in the sizes of the rows and the kinds of the columns: nothing but codes in a small table under photos."""

import msgspec
import pytest

from processing.engine.page import Line, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

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
        BY_RULES,
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


HEADED = [["Element", "Bulb\n37 mm", "Bulb\n51 mm", "Peak"], ["Sb", "PK802S", "PK902S", "217.6"],
          ["As", "PK803S", "PK903S", "193.7"], ["Fe", "PK826S", "PK926S", "248.3"]]  # fmt: skip


def listed(rows: list[list[str]], *earlier: ParsedPage) -> PageResult:
    lines = [line(text, 55 + 120 * n, 405 + 24 * k + 10 * m, 8) for k, row in enumerate(rows)
             for n, cell in enumerate(row) for m, text in enumerate(cell.split("\n"))]  # fmt: skip
    content = page(*lines, tables=[table(rows, y=402, widths=120, height=24)], number=2)
    return understand_page(
        msgspec.structs.replace(content, blocks=content.blocks[: len(lines)]), earlier, DocumentFacts(), BY_RULES
    )


def test_codes_under_measures_beside_other_columns_share_what_these_say() -> None:
    result = listed(HEADED)
    assert sorted(filter(None, texts(result, "model"))) == [
        "PK802S", "PK803S", "PK826S", "PK902S", "PK903S", "PK926S"
    ]  # fmt: skip
    first = next(sku for sku in result.skus if sku.attributes["model"].text == "PK902S")
    assert first.attributes["size"].text == "51 mm"
    assert [(c.name, c.value) for c in first.custom] == [("Element", "Sb"), ("Peak", "217.6")]
    assert "page_type_uncertain" in [one.code for one in result.blockers]


def test_the_codes_of_other_makers_are_no_variants() -> None:
    makers = [["Element", "Norvik", "Corvane", "Peak"], *HEADED[1:]]
    assert listed(makers).skus == ()


def test_a_table_with_a_head_of_its_own_does_not_go_on_with_another_one() -> None:
    """Unknown words over codes are no row of the list before."""
    before = [["Element", "Model", "Wave", "Peak"], ["Zn", "PK101S", "213", "9.1"], ["Cd", "PK102S", "228", "1"]]
    result = listed(HEADED, page(tables=[table(before, widths=120)]))
    assert "Bulb 37 mm" not in texts(result, "model") and not result.merges
