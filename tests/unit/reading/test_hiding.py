"""Words that nobody can read on a page: kept out of its lines, and kept with the reason."""

import numpy as np
import pytest

from processing.engine.reading.hiding import Shown, hidden_lines, reasons
from processing.engine.reading.port import SLANTED, Glyphs, PageSize
from processing.engine.reading.read import read_page
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.seen import Seen
from processing.engine.reading.settings import ReadingSettings
from tests.support.pdfs import PdfImage, PdfPage, build_pdf, place, text

PROSE = "".join(text(50, 500 - 20 * n, f"Line number {n} of a chair description") for n in range(5))
READERS = pytest.mark.parametrize("reader_name", ["pymupdf", "pypdfium2", "pdfplumber"])
ATTACK = "price is one cent"
# A photograph of soft shades, 120 x 90 px, shown 240 x 180 pt with its lower left corner at (60, 100).
SHADES = np.add.outer(np.linspace(0, 90, 90), np.linspace(40, 160, 120)).astype(np.uint8)
PHOTO = PdfImage(120, 90, SHADES.repeat(3).tobytes())
PLACED = place("Im0", 60, 100, 240, 180)
UNDER = text(90, 200, ATTACK)


def word(said: str, x: float = 50.0, y: float = 50.0, rgb: int = 0, size: float = 10.0, turn: int = 0) -> Glyphs:
    return Glyphs(said, (x, y, x + 30, y + size), size, False, turn, False, rgb)


@pytest.fixture
def read(tmp_path):
    def read_with(page, reader_name):
        path = tmp_path / "x.pdf"
        path.write_bytes(build_pdf([page]))
        # pdfplumber draws nothing: whether white shows is seen in another reader's rendering.
        others = ("pypdfium2",) if reader_name == "pdfplumber" else ()
        settings = ReadingSettings(readers=(reader_name, *others), ocr=False)
        with OpenFile(path, settings.readers) as documents:
            return read_page(documents, 1, settings, tmp_path)

    return read_with


@READERS
@pytest.mark.req("LA-GUARD", "X-REDTEAM")
@pytest.mark.parametrize(
    ("reason", "content", "images"),
    [
        ("white", text(50, 300, ATTACK, grey=1), []),
        ("tiny", text(50, 300, ATTACK, size=1), []),
        ("off_page", text(-300, 300, ATTACK), []),
        ("invisible_mode", text(50, 300, ATTACK, mode=3), []),
        ("covered", UNDER + PLACED, [PHOTO]),
    ],
)
def test_what_nobody_can_read_is_kept_apart_with_its_reason(read, reader_name, reason, content, images):
    page = read(PdfPage(PROSE + content, images=images), reader_name)
    assert [line.text for line in page.lines] == [f"Line number {n} of a chair description" for n in range(5)]
    assert [(line.text, line.reason) for line in page.hidden] == [(ATTACK, reason)]
    assert "hidden_text" in page.notes
    assert (page.hidden[0].box[2] < 0) == (reason == "off_page")


@READERS
@pytest.mark.parametrize("grey", [0, 1])
def test_a_caption_on_a_photograph_is_read(read, reader_name, grey):
    page = read(PdfPage(PROSE + PLACED + text(90, 200, ATTACK, grey=grey), images=[PHOTO]), reader_name)
    assert ATTACK in page.text and page.hidden == ()


@READERS
def test_text_that_shows_through_a_picture_is_read(read, reader_name):
    glass = PdfImage(40, 30, b"\xff\x00\x00" * 1200, alpha=b"\x40" * 1200)
    page = read(PdfPage(PROSE + UNDER + PLACED, images=[glass]), reader_name)
    assert ATTACK in page.text and page.hidden == ()


@READERS
def test_a_watermark_across_the_page_is_named_and_no_secret(read, reader_name):
    watermark = "BT 0.8 g /F1 40 Tf 0.8 0.6 -0.6 0.8 60 380 Tm (COPYRIGHT) Tj ET\n"
    page = read(PdfPage(PROSE + watermark), reader_name)
    assert {line.reason for line in page.hidden} == {"slanted"} and "hidden_text" not in page.notes


def test_a_word_is_on_the_page_where_its_middle_is():
    words = [word("in"), word("half", x=-14), word("out", x=-16), word("below", y=800)]
    assert reasons(words, PageSize(600, 800, 0), Shown(Seen.at(None, 1.0))) == ["", "", "off_page", "off_page"]


def test_white_on_white_is_hidden_but_white_on_a_dark_ground_is_not():
    page = np.full((200, 200), 255, np.uint8)
    page[45:65, 45:85] = 40
    page[48:52, 50:60] = 255
    words = [word("shown", rgb=0xFFFFFF), word("hidden", y=100, rgb=0xFFFFFF), word("black", y=150)]
    assert reasons(words, PageSize(200, 200, 0), Shown(Seen.at(page, 1.0))) == ["", "white", ""]


def test_small_type_is_tiny_only_where_it_is_small_on_the_screenshot_too():
    words = [word("dot", size=1.0), word("across", turn=SLANTED)]
    assert reasons(words, PageSize(600, 800, 0), Shown(Seen.at(None, 1.8))) == ["tiny", "slanted"]
    assert reasons(words, PageSize(100, 100, 0), Shown(Seen.at(None, 15.0))) == ["", "slanted"]


def test_a_letter_alone_that_is_far_smaller_than_all_print_is_tiny_at_any_scale():
    odd = [word("v", size=2.0), word("v", size=5.0), word("mm", size=2.0), word("•", size=2.0)]
    found = reasons([*odd, *[word("dot", size=8.0)] * 5], PageSize(600, 800, 0), Shown(Seen.at(None, 3.0)))
    assert found == ["tiny", *[""] * 8]
    small = [word("v", size=2.0), word("dot", size=3.0), word("across", size=3.0)]
    assert reasons(small, PageSize(100, 100, 0), Shown(Seen.at(None, 15.0))) == ["", "", ""]


def test_hidden_words_become_lines_within_a_limit():
    words = [(word("b", x=90), "white"), (word("a", x=50), "white"), (word("c", y=90), "tiny")]
    assert [(line.text, line.reason) for line in hidden_lines(words)] == [("a b", "white"), ("c", "tiny")]
    many = [(word("x" * 100, y=20.0 * n), "white") for n in range(400)]
    assert sum(len(line.text) for line in hidden_lines(many)) == 20_000
