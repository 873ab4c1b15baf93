"""Heads and labels that no dictionary knows; never values, sentences or what the schema names."""

from processing.engine.understanding.config import AnalystConfig, SchemaAttribute, Word
from processing.engine.understanding.unknown_labels import unknown_labels
from tests.unit.understanding.pages import line, page, table

ROWS = [["Ref. forn.", "Price", "Alt. assento", "12 mm"], ["AB-10", "1.00", "40", "x"], ["AB-20", "2.00", "45", "y"]]
LINES = [line("Borda lateral: fosco", 30, 300), line("Model: L-1", 30, 320), line("http://a.b", 30, 340)]
ONE = page(*LINES, tables=[table(ROWS)])


def test_what_nobody_knows_is_told_with_a_value() -> None:
    assert unknown_labels(ONE, AnalystConfig()) == {
        "Ref. forn.": "AB-10",
        "Alt. assento": "40",
        "Borda lateral": "fosco",
    }


def test_what_the_merchant_or_the_schema_says_is_known() -> None:
    words = (Word("label", "Ref. forn.", "model"), Word("label", "Borda lateral", "extra"))
    config = AnalystConfig(words=words, attributes=(SchemaAttribute("seat_height", "", "Alt. assento"),))
    assert unknown_labels(ONE, config) == {}


def test_a_table_that_goes_on_has_no_head() -> None:
    assert unknown_labels(page(tables=[table([["Alfa", "12.50"]] * 4)]), AnalystConfig()) == {}
