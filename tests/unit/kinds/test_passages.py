"""A paper as passages, and which of them a question is shown."""

import pytest

from processing.engine.kinds.passages import Passage, chosen, passages_of
from tests.unit.understanding.pages import line, page

pytestmark = pytest.mark.req("LX-SYS")
WORDS = ("Number randomised", "随机人数")


def said(number: int, *texts: str, table: bool = False) -> list[Passage]:
    return [Passage(number, text, table) for text in texts]


def test_what_a_paper_cites_is_left_out_and_its_tables_behind_are_not() -> None:
    body = [page(line(f"Sentence {n} of the study.", 60, 100), number=n) for n in range(1, 5)]
    cited = page(line("References", 60, 100), line("1. Smith J. A trial of 900 adults.", 60, 140), number=5)
    texts = [passage.text for passage in passages_of([*body, cited])]
    assert texts == [f"Sentence {n} of the study." for n in range(1, 5)]


def test_a_heading_of_that_name_in_the_beginning_is_another_one() -> None:
    first = page(line("References", 60, 100), line("were chosen by two readers.", 60, 140), number=1)
    rest = [page(line(f"Sentence {n} of the study.", 60, 100), number=n) for n in range(2, 6)]
    assert passages_of([first, *rest])[0].text == "References"


def test_all_of_a_paper_is_shown_where_it_fits() -> None:
    passages = [*said(1, "Title"), *said(2, "x" * 50), *said(3, "Number randomised: 90")]
    assert chosen(passages, WORDS, sum(len(one.text) for one in passages), tables=False) == passages


def test_of_a_longer_one_the_first_page_then_what_speaks_of_the_fields_in_its_order() -> None:
    title, filler = said(1, "A trial"), said(2, "lorem " * 20, "ipsum " * 20)
    number, rows = said(3, "In all, the number randomised was 90."), said(4, "Table 2\nAge | 45 | 47", table=True)
    passages = [*title, *filler, *rows, *number]
    assert chosen(passages, WORDS, 60, tables=False) == [*title, *number]
    assert chosen(passages, WORDS, 30, tables=True) == [*title, *rows]
    assert chosen([*said(1, "A trial of " + "t" * 27), *number], WORDS, 40, tables=False)[0].page == 1, "the first page"
    assert chosen([*said(1, "T"), *rows, *number], WORDS, 38, tables=False) == [*said(1, "T"), *number]


def test_a_rare_word_of_a_field_weighs_more_than_one_that_stands_everywhere() -> None:
    usual = said(2, *[f"number {letter * 20}" for letter in "abcdef"])
    rare = said(3, "randomised " + "z" * 16)
    assert rare[0] in chosen([*said(1, "T"), *usual, *rare], WORDS, 60, tables=False)
