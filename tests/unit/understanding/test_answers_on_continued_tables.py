"""A model's answers to a table that goes on over the end of a page: its head and its rules stand on the page before."""

import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.answers import AnsweredSku, ModelAnswers
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, table, texts
from tests.unit.understanding.test_answers import answers, sku

HEAD = ["Model", "Name", "Size", "MOQ", "Price"]
BEFORE = [["A-1", "Mug", "9 cm", "50 pcs", "$5"], ["A-2", "Cup", "7 cm", "60 pcs", "$4"]]
ROWS = [["B-1", "Bowl", "12 cm", "70 pcs", "$6"], ["B-2", "Dish", "15 cm", "80 pcs", "$8"]]
KEYS = ("model", "product_name", "size", "moq", "price")
FIRST = page(line("Brand: ACME", 50, 60, 16), tables=[table([HEAD, *BEFORE], id="G4")], number=1)
HEADLESS = page(tables=[table(ROWS)], number=2)


def understood(said: ModelAnswers | None, one: ParsedPage = HEADLESS, *earlier: ParsedPage) -> PageResult:
    return understand_page(one, earlier or (FIRST,), DocumentFacts(), BY_RULES, said)


def row(n: int, at: int | None = None, **otherwise: tuple[str, str]) -> AnsweredSku:
    """As the model tells one of ROWS; ``at``: where the table has it."""
    named = {
        key: (text, f"G1:{n if at is None else at}:{col}")
        for col, (key, text) in enumerate(zip(KEYS, ROWS[n], strict=True))
    }
    return sku(**{**named, **otherwise})  # type: ignore[arg-type]


@pytest.mark.req("X-MERGE", "LX-QUOTE")
def test_products_of_a_table_without_a_head_are_confirmed_by_the_head_of_the_page_before() -> None:
    said, rules = answers(row(0), row(1)), understood(None)
    result = understood(said)
    assert texts(rules, "model") == ["B-1", "B-2"] and rules.merges[0].reason == "head_inherited"
    assert [one.attributes for one in result.skus] == [one.attributes for one in rules.skus]
    assert [one.confidence for one in result.skus] == [one.confidence for one in rules.skus]
    assert (result.merges, result.tallies, result.blockers) == (rules.merges, rules.tallies, ())
    assert [(one.table, one.row) for one in result.skus] == [("G1", 0), ("G1", 1)]


@pytest.mark.req("X-MERGE", "GR-SUM")
def test_a_row_of_it_that_the_model_forgot_is_missing() -> None:
    result = understood(answers(row(1)))
    (tally,) = result.tallies
    assert (tally.rows, tally.skus, tally.unresolved) == (2, 1, 1)
    assert "rows_unresolved" in {blocker.code for blocker in result.blockers}


@pytest.mark.req("X-MERGE", "LX-QUOTE")
def test_the_quantity_given_as_the_price_is_marked_where_the_head_stands_on_the_page_before() -> None:
    result = understood(answers(row(0, price=("70 pcs", "G1:0:3")), row(1)))
    assert ("value_mislabelled", 0) in {(blocker.code, blocker.sku) for blocker in result.blockers}


@pytest.mark.req("X-MERGE", "LX-QUOTE")
def test_a_value_of_the_next_row_is_marked() -> None:
    result = understood(answers(row(0, price=("$8", "G1:1:4")), row(1)))
    assert ("value_of_another", 0) in {(blocker.code, blocker.sku) for blocker in result.blockers}


@pytest.mark.req("LX-QUOTE")
def test_a_value_of_the_page_before_is_no_value_of_this_one() -> None:
    result = understood(answers(row(0, price=("$5", "G4:1:4")), row(1)))
    assert ("value_not_found", 0) in {(blocker.code, blocker.sku) for blocker in result.blockers}


@pytest.mark.req("TA-BR13", "GR-EVID")
def test_what_is_printed_once_for_many_products_is_inherited_by_those_of_a_model() -> None:
    heading = line("Milano Collection", 50, 60, 16)
    result = understood(answers(row(0), row(1)), page(heading, tables=[table(ROWS)], number=2), FIRST)
    assert inherited(result) == [("Milano Collection", "page_inherited")] * 2


@pytest.mark.req("TA-BR13", "GR-EVID")
def test_a_section_row_of_a_table_names_the_series_of_a_models_products_too() -> None:
    wide = [["Milano Collection", "", "", "", ""], ROWS[0], ["Oslo Series", "", "", "", ""], ROWS[1]]
    moved = [row(0, at=1), row(1, at=3)]
    shown = page(tables=[table(wide)], number=2)
    expected = [("Milano Collection", "section_inherited"), ("Oslo Series", "section_inherited")]
    assert inherited(understood(None, shown, FIRST)) == expected
    assert inherited(understood(answers(*moved), shown, FIRST)) == expected


def inherited(result: PageResult) -> list[tuple[str, str] | None]:
    values = [one.attributes.get("series") for one in result.skus]
    return [(value.text, value.source) if value else None for value in values]
