"""A page is read from a small drawing; it is drawn closer only where that does not tell."""

import numpy as np
import pytest

from processing.engine.reading.pymupdf_reader import PyMuPdfDocument
from processing.engine.reading.read import read_page
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.seen import Seen
from processing.engine.reading.settings import ReadingSettings
from processing.engine.reading.trust import has_contrast_inside
from tests.support.pdfs import PdfImage, PdfPage, build_pdf, place, text

PROSE = "".join(text(50, 500 - 20 * n, f"Line number {n} of a chair description") for n in range(5))
GREY = PdfImage(40, 30, b"\x80\x80\x80" * 1200)
CLOSE, SMALL = 1536, 768


@pytest.fixture
def drawn(tmp_path, monkeypatch):
    """The longest sides of the drawings that reading a page takes."""
    sides = []
    real = PyMuPdfDocument.render

    def render(self, number, px_per_pt, clip=None):
        image = real(self, number, px_per_pt, clip)
        sides.append(max(image.size))
        return image

    monkeypatch.setattr(PyMuPdfDocument, "render", render)

    def of(page):
        path = tmp_path / "x.pdf"
        path.write_bytes(build_pdf([page]))
        settings = ReadingSettings(ocr=False)
        with OpenFile(path, settings.readers) as documents:
            read_page(documents, 1, settings, tmp_path)
        return sides

    return of


def test_print_and_pictures_are_read_from_the_small_drawing(drawn):
    assert drawn(PdfPage(PROSE + place("Im0", 50, 50, 80, 60), images=[GREY])) == [SMALL]


def test_white_print_that_shows_needs_no_closer_look(drawn):
    assert drawn(PdfPage(PROSE + "0 g 40 290 200 40 re f\n" + text(50, 300, "shown", grey=1))) == [SMALL]


def test_white_print_that_does_not_show_is_looked_for_closer(drawn):
    assert drawn(PdfPage(PROSE + text(50, 300, "hidden", grey=1))) == [SMALL, CLOSE]


def test_pictures_that_abut_are_looked_at_closer_once(drawn):
    side_by_side = place("Im0", 50, 50, 80, 60) + place("Im0", 130, 50, 80, 60) + place("Im0", 210, 50, 80, 60)
    assert drawn(PdfPage(PROSE + side_by_side, images=[GREY]))[:2] == [SMALL, CLOSE]


def test_what_stands_in_a_box_is_cut_from_the_close_drawing():
    close = np.arange(100, dtype=np.uint8).reshape(10, 10)
    seen = Seen(close[::2, ::2], 1.0, 2.0, lambda: close)
    assert seen.part((1, 2, 3, 4)).tolist() == close[4:8, 2:6].tolist()
    undrawn = Seen(None, 1.0, 2.0, lambda: close)
    assert undrawn.close is None and undrawn.part((1, 2, 3, 4)).size == 0


def test_a_small_drawing_tells_of_a_box_by_what_lies_wholly_in_it():
    page = np.full((10, 10), 255, np.uint8)
    page[:, 5] = 0
    assert has_contrast_inside(page, (3.0, 0.0, 6.0, 9.0), 1.0)
    assert not has_contrast_inside(page, (1.2, 0.0, 5.8, 9.0), 1.0), "the dark pixels reach beyond it"
    assert not has_contrast_inside(page, (1.2, 1.2, 1.8, 1.8), 1.0), "no pixel lies in it"
