"""Where quotes stand in a paper: over lines, columns, pages and what lies between, along rows, and how often."""

import time

import msgspec
import pytest

from processing.engine.kinds.folding import fold_text
from processing.engine.kinds.printed import PrintedText
from processing.engine.kinds.proving import prove
from processing.engine.page import ParsedPage
from tests.support.promises import within
from tests.unit.kinds.papers import page, printed

LEFT, RIGHT, TOP, FOOT = 50.0, 310.0, 40.0, 810.0


def grade(pages: list[ParsedPage], value: str, quote: str) -> tuple[str, str]:
    found = prove(PrintedText(pages), value, quote)
    return found.grade, found.reason


def on_pages(pages: list[ParsedPage], quote: str) -> list[int]:
    return [spot.page for place in prove(PrintedText(pages), "45", quote).places for spot in place]


GREEN = ("green", "proved")


@pytest.mark.req("LX-QUOTE")
@pytest.mark.parametrize(
    "quote",
    ["45 randomised patients had", "45 ran- domised patients had", "45 randomised\npatients  had"],
)
def test_a_word_hyphenated_at_the_end_of_a_line_is_whole(quote: str) -> None:
    assert prove(printed("In all 45 ran-", "domised patients had died"), "45", quote).grade == "green"


@pytest.mark.req("LX-EXACT")
def test_a_dash_at_the_end_of_a_line_stays_what_it_is_beside_a_number() -> None:
    text = printed("Serum of 45 with COVID-", "19 rose from 12-", "20 units")
    assert prove(text, "45", "Serum of 45 with COVID-19 rose").grade == "green"
    assert prove(text, "45", "Serum of 45 with COVID19 rose").reason == "quote_not_found"
    assert prove(text, "20", "rose from 12-20 units").grade == "green"
    assert prove(text, "-20", "rose from 12-20 units").grade == "red"
    assert prove(text, "1220", "rose from 1220 units").reason == "quote_not_found"


@pytest.mark.req("LX-QUOTE")
def test_a_sentence_goes_on_in_the_next_column_and_on_the_next_page_past_running_lines() -> None:
    def paper(n: int, left: list[str], right: list[str]) -> ParsedPage:
        head, foot = (LEFT, TOP, ["Journal of Made Trials"]), (300, FOOT, [str(n)])
        return page(head, (LEFT, 400, left), (RIGHT, 100, right), foot, number=n)

    pages = [
        paper(1, ["The active group had 45"], ["events in the first", "year, and the placebo"]),
        paper(2, ["group had 61 of them"], ["in the same time of"]),
        paper(3, ["observation at home."], ["Nothing else was seen."]),
    ]
    assert grade(pages, "45", "The active group had 45 events in the first year") == GREEN
    assert grade(pages, "61", "and the placebo group had 61 of them in the same time of observation at home") == GREEN
    assert on_pages(pages, "events in the first year, and the placebo group had 61 of them") == [1, 2]
    assert grade(pages, "1", "Journal of Made Trials") == ("red", "value_not_in_quote")
    assert len(prove(PrintedText(pages), "Made", "Journal of Made Trials").places) == 3


BROKEN = [
    (LEFT, 300, ["Of those in the active group 45 died"]),
    (RIGHT, 100, ["Table 2. Deaths and", "causes of death"]),
    (RIGHT, 200, ["* of any cause"]),
    (RIGHT, 400, ["in the first year of treatment.", "Later none did."]),
]


@pytest.mark.req("LX-QUOTE")
def test_a_sentence_goes_on_behind_what_stands_in_its_midst() -> None:
    quote = "Of those in the active group 45 died in the first year of treatment"
    assert grade([page(*BROKEN)], "45", quote) == GREEN
    assert grade([page(*BROKEN[:3]), page(BROKEN[3], number=2)], "45", quote) == GREEN
    assert grade([page(*BROKEN)], "2", "Table 2. Deaths and causes of death * of any cause") == GREEN


@pytest.mark.req("LX-QUOTE")
def test_a_column_that_was_read_with_the_table_beside_it_goes_on_in_the_next_one() -> None:
    mixed = page((LEFT, 300, ["Nothing was seen in them but"]), (RIGHT, 400, ["in the first year of treatment."]))
    cells = page((RIGHT, 300, ["Died", "Alive"]))
    lines = [*mixed.blocks[0].lines, *page((LEFT, 312, ["in the active group 45 died"])).blocks[0].lines]
    lines = [line for pair in zip(lines, cells.blocks[0].lines, strict=True) for line in pair]
    table = msgspec.structs.replace(mixed.blocks[0], lines=tuple(lines))
    paper = msgspec.structs.replace(mixed, blocks=(table, mixed.blocks[1]))
    assert grade([paper], "45", "them but in the active group 45 died in the first year of treatment") == GREEN


@pytest.mark.req("LX-QUOTE")
def test_a_sentence_goes_on_at_the_left_below_a_table_across_both_columns() -> None:
    pieces = [
        (LEFT, 200, ["All came home."]),
        (RIGHT, 200, ["In the active group 45 died"]),
        (LEFT, 300, ["Table 3. Deaths"]),
        (LEFT, 400, ["in the first year of treatment."]),
        (RIGHT, 400, ["None did later."]),
    ]
    assert grade([page(*pieces)], "45", "In the active group 45 died in the first year of treatment") == GREEN


@pytest.mark.req("LX-EXACT")
@pytest.mark.parametrize(
    "quote",
    [
        "Of those in the active group 45 died of any cause",  # no block begins so
        "Of those in the active group 45 died Later none did",  # in the midst of a block
        "those in the active group 45 died in the first year of treat",
        "hose in the active group 45 died in the first year",  # within a word
        "Of those in the active group 46 died in the first year",
    ],
)
def test_pieces_that_do_not_go_on_in_one_another_are_no_sentence(quote: str) -> None:
    assert grade([page(*BROKEN)], "45", quote)[1] == "quote_not_found"


@pytest.mark.req("LX-EXACT")
def test_nothing_is_left_out_between_two_sentences() -> None:
    pieces = [(LEFT, 300, ["All 45 were well."]), (LEFT, 400, ["None was."]), (LEFT, 500, ["Later they came home"])]
    assert grade([page(*pieces)], "45", "All 45 were well. None was. Later they came home") == GREEN
    assert grade([page(*pieces)], "45", "All 45 were well. Later they came home")[1] == "quote_not_found"


def cells(*rows: tuple[float, list[str]]) -> list[tuple[float, float, list[str]]]:
    """Columns without rules, which readers take for blocks."""
    columns = zip(*(texts for _, texts in rows), strict=True)
    return [(LEFT + 110.0 * n, rows[0][0], list(column)) for n, column in enumerate(columns)]


TABLE = cells(
    (300, ["Outcome", "Active", "Placebo"]),
    (312, ["Deaths", "45 (12.5)", "61 (17.0)"]),
    (324, ["Change in score", "− 0.38", "0.12"]),
)


@pytest.mark.req("LX-QUOTE")
def test_rows_of_a_table_are_read_across_it() -> None:
    assert grade([page(*TABLE)], "45", "Deaths | 45 (12.5) | 61 (17.0)") == GREEN
    assert grade([page(*TABLE)], "61", "Deaths 45 (12.5) 61 (17.0)") == GREEN
    assert grade([page(*TABLE)], "-0.38", "Change in score | -0.38 | 0.12") == GREEN
    assert grade([page(*TABLE)], "0.38", "Change in score | −0.38 | 0.12")[0] == "red"
    assert grade([page(*TABLE)], "61", "Deaths | 61 (17.0) | 45 (12.5)")[1] == "quote_not_found"
    assert grade([page(*TABLE)], "45", "Deaths | 45 (17.0)")[1] == "quote_not_found"


@pytest.mark.req("LX-QUOTE")
def test_rows_are_read_across_a_table_beside_print_of_another_height() -> None:
    beside = (430, 305, ["which was re-", "calculated by", "intention"])
    assert grade([page(*TABLE, beside)], "45", "Deaths | 45 (12.5) | 61 (17.0)") == GREEN
    assert grade([page(*TABLE, beside)], "0.12", "Change in score | −0.38 | 0.12") == GREEN


def test_a_place_seen_in_two_ways_is_one() -> None:
    single = [page((LEFT, 300, ["Deaths 45 in all"]))]
    assert len(prove(PrintedText(single), "45", "Deaths 45 in all").places) == 1


def test_a_page_that_lies_on_its_side_has_rows_too() -> None:
    upright = page(*TABLE)
    wide, high = upright.height_pt, upright.width_pt

    def turn(box):
        x0, y0, x1, y1 = box
        return (wide - y1, x0, wide - y0, x1)

    blocks = tuple(
        msgspec.structs.replace(
            block,
            box=turn(block.box),
            lines=tuple(
                msgspec.structs.replace(
                    line,
                    box=turn(line.box),
                    vertical=True,
                    words=tuple(msgspec.structs.replace(word, box=turn(word.box)) for word in line.words),
                )
                for line in block.lines
            ),
        )
        for block in upright.blocks
    )
    turned = msgspec.structs.replace(upright, blocks=blocks, width_pt=wide, height_pt=high, turn=1)
    assert grade([turned], "45", "Deaths | 45 (12.5) | 61 (17.0)") == GREEN


def test_an_empty_paper_proves_nothing() -> None:
    for pages in ([], [ParsedPage(1, 595, 842, 0, "made")]):
        assert grade(pages, "45", "Deaths 45 in all") == ("red", "quote_not_found")
        assert grade(pages, "of", "A text without any digits in it at all") == ("red", "quote_not_found")


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("12–20 and 12%–20%", "12–20 and 12%–20%"),
        ("(-20) − 0.3 (– 0.6, +1)", "(−20) −0.3 (−0.6, +1)"),
        ("3.4 - 0.3 or - 5", "3.4 ‒ 0.3 or ‒ 5"),
        ("pre- and post-test", "preand posttest"),
        ("IL-6 5-HT COVID- 19", "il-6 5-ht covid- 19"),
        ("1,234 12,34 1234,567 1,234.5 1,234,56", "1234 12,34 1234,567 1234.5 1,234,56"),
        ("0·84 10⁹ m² ½ ﬁ ´x’ “y”", "0.84 10⁹ m2 ½ fi 'x' \"y\""),
        ("a|b | c", "a b c"),
        ("\u00ad so\u00adft \u200b", "soft"),
    ],
)
def test_folding(text: str, folded: str) -> None:
    assert " ".join(fold_text(text)) == folded


def test_two_hundred_quotes_are_looked_up_in_thirty_pages_in_less_than_a_second() -> None:
    lines = [f"Group {n} of the trial had {n * 7 % 1000} events in {n} patients and years" for n in range(1500)]
    pages = [page((LEFT, 100, lines[50 * n : 50 * n + 50]), number=n + 1) for n in range(30)]
    began = time.process_time()
    text = PrintedText(pages)
    for n in range(100):
        assert prove(text, str(n), lines[n]).grade == "green"
        assert prove(text, str(n), lines[n].replace("trial", "study")).grade == "red"
    assert time.process_time() - began < within(1)
