"""A drawn paper of two columns, read in the sandbox as every document is, and quotes looked up in it."""

import msgspec
import pytest

from catalogsku.core.sandbox import Limits, Sandbox
from processing.engine.kinds.printed import PrintedText
from processing.engine.kinds.proving import prove
from processing.engine.page import unpack_page
from processing.engine.reading.settings import ReadingSettings
from tests.support.pdfs import PdfPage, build_pdf, line, text

WIDE, HIGH = 595.0, 842.0
LEFT, RIGHT, SIZE, STEP = 50.0, 310.0, 9.0, 12.0
LIMITS = Limits(memory_bytes=3 << 30, cpu_s=60, wall_s=60.0, page_s=30.0)


FIRST = [
    "Pain was measured on a scale of 0 to 100. We ran-",
    "domised 240 adults aged 18–65 years to exercise or",
    "to usual care. Of these 1,204 had been asked.",
    "After a year the mean change of pain was –12.5",
    "(95% CI –15.0 to –10.1) with exercise, and in those",
    "who were given the usual care of their doctors",
]
TABLE = [
    ["Outcome", "Exercise", "Usual care"],
    ["Adults", "120", "120"],
    ["Fell", "18 (15.0)", "31 (25.8)"],
    ["Died", "2 (1.7)", "3 (2.5)"],
]
NOTE = ["* Numbers are those of adults, with shares in per cent."]
ON = ["it was –3.2 points. Walking to and from the hospital", "was harder for 44 of the adults, and for 12 of"]
OVER = ["them it was not possible at any time of the year.", "The trial is registered, ISRCTN01234567."]
LAST = ["All 240 adults were told of their group, and so", "nobody was blind to it."]


def column(x: float, y: float, lines: list[str]) -> str:
    """``y``: the first line's baseline, points from the foot of the page. In the encoding of the drawn fonts."""
    coded = [words.encode("cp1252").decode("latin-1") for words in lines]
    return "".join(text(x, y - STEP * n, words, SIZE) for n, words in enumerate(coded))


def table(x: float, y: float, rows: list[list[str]]) -> str:
    """Between three rules and without others, as journals print tables."""
    foot = y - STEP * len(rows)
    rules = "".join(line(x, at, x + 235, at, 0.5) for at in (y + 10, y - 3, foot + 9))
    return rules + "".join(
        text(x + 85 * n, y - STEP * row, words, 8) for row, cells in enumerate(rows) for n, words in enumerate(cells)
    )


def paper() -> bytes:
    head = text(200, 815, "Journal of Drawn Trials 2026; 12: 45", 7)
    first = column(LEFT, 740, FIRST) + table(RIGHT, 740, TABLE) + column(RIGHT, 670, NOTE) + column(RIGHT, 620, ON)
    pages = [first, column(LEFT, 740, OVER) + column(RIGHT, 740, LAST)]
    return build_pdf(
        [
            PdfPage(head + content + text(295, 30, str(n), 7), media=(0, 0, WIDE, HIGH))
            for n, content in enumerate(pages, 1)
        ]
    )


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> PrintedText:
    folder = tmp_path_factory.mktemp("paper")
    source, out = folder / "paper.pdf", folder / "out"
    source.write_bytes(paper())
    settings = msgspec.to_builtins(ReadingSettings(ocr=False))
    request = {"path": str(source), "pages": [1, 2], "out": str(out), "settings": settings, "recognises": False}
    with Sandbox(["processing.engine.children"]) as box:
        outcome = box.run("processing.engine.reading.children:read_pages", request, [1, 2], out, [source], LIMITS)
    assert outcome.ok, outcome
    return PrintedText([unpack_page(data) for _, data in sorted(outcome.finished.items())])


@pytest.mark.req("LX-QUOTE", "LX-EXACT")
@pytest.mark.parametrize(
    ("value", "quote", "pages"),
    [
        ("240", "We randomised 240 adults aged 18-65 years to exercise or to usual care", [1]),
        ("65", "We randomised 240 adults aged 18–65 years", [1]),
        ("1204", "Of these 1204 had been asked.", [1]),
        ("-12.5", "the mean change of pain was −12.5 (95% CI −15.0 to −10.1) with exercise", [1]),
        ("-3.2", "in those who were given the usual care of their doctors it was −3.2 points", [1]),
        ("12", "for 44 of the adults, and for 12 of them it was not possible", [1, 2]),
        ("18", "Fell | 18 (15.0) | 31 (25.8)", [1]),
        ("2.5", "Died 2 (1.7) 3 (2.5)", [1]),
        ("ISRCTN01234567", "The trial is registered, ISRCTN01234567.", [2]),
        ("nobody was blind", "All 240 adults were told of their group, and so nobody was blind to it.", [2]),
    ],
)
def test_a_quote_of_the_paper_is_proved_where_it_stands(
    printed: PrintedText, value: str, quote: str, pages: list[int]
) -> None:
    found = prove(printed, value, quote)
    assert (found.grade, found.reason) == ("green", "proved")
    (place,) = found.places
    assert [spot.page for spot in place] == pages


@pytest.mark.req("LX-EXACT", "LX-UNLOCK")
@pytest.mark.parametrize(
    ("value", "quote", "reason"),
    [
        ("12.5", "the mean change of pain was −12.5 (95% CI −15.0 to −10.1) with exercise", "value_not_in_quote"),
        ("-3.1", "in those who were given the usual care of their doctors it was −3.1 points", "quote_not_found"),
        ("-65", "We randomised 240 adults aged 18–65 years", "value_not_in_quote"),
        ("31", "Fell | 31 (25.8) | 18 (15.0)", "quote_not_found"),
        ("120", "Of these 1,240 had been asked", "quote_not_found"),
        ("44", "for 44 of the adults, and for 12 of nobody", "quote_not_found"),
    ],
)
def test_what_the_paper_does_not_say_is_locked(printed: PrintedText, value: str, quote: str, reason: str) -> None:
    assert (prove(printed, value, quote).grade, prove(printed, value, quote).reason) == ("red", reason)


@pytest.mark.req("LX-QUOTE")
def test_its_boxes_hold_the_words_and_no_others(printed: PrintedText) -> None:
    (place,) = prove(printed, "1204", "Of these 1,204 had been asked").places
    ((x0, y0, x1, y1),) = place[0].boxes
    # Drawn from the left edge of its column on the third baseline, 740 - 2 * 12 points above the foot.
    assert LEFT + 40 < x0 < LEFT + 80 and x1 < RIGHT - 30
    assert y0 < HIGH - (740 - 2 * STEP) < y1 < y0 + 2 * STEP


def test_the_running_head_stands_on_both_pages(printed: PrintedText) -> None:
    assert prove(printed, "2026", "Journal of Drawn Trials 2026; 12: 45").reason == "several_places"
