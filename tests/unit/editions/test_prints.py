"""What a page is called by: the same page has the same name, also moved; anything that reading would see changes it."""

from pathlib import Path

import pytest

from processing.engine.reading.prescan import PrescanPage, prescan_page
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.settings import ReadingSettings
from tests.support.pdfs import PdfImage, PdfPage, build_pdf, line, place, text

pytestmark = pytest.mark.req("X-DIFF", "GR-CACHE")

ROWS = text(60, 400, "Chair Alba  A-100") + text(60, 380, "oak") + text(300, 400, "129.00") + line(50, 390, 350, 390)
PHOTO = PdfImage(2, 2, bytes(range(12)))


def page(rows: str = ROWS, folio: str = "", photo: PdfImage = PHOTO) -> PdfPage:
    footer = text(190, 20, folio) if folio else ""
    return PdfPage(rows + place("Im0", 60, 450, 120, 120) + footer, images=[photo])


def look(tmp_path: Path, *pages: PdfPage, readers: tuple[str, ...] = ("pymupdf",)) -> list[PrescanPage]:
    path = tmp_path / "book.pdf"
    path.write_bytes(build_pdf(pages))
    settings = ReadingSettings(readers=readers)
    with OpenFile(path, readers) as documents:
        return [prescan_page(documents, number, settings) for number in range(1, len(pages) + 1)]


def test_the_same_page_has_the_same_name_wherever_it_stands(tmp_path: Path) -> None:
    first, other, second = look(tmp_path, page(folio="1"), page(text(60, 400, "About us")), page(folio="3"))
    assert first.fingerprint == second.fingerprint != other.fingerprint
    assert first.likeness == second.likeness


@pytest.mark.parametrize("folio", ["- %s -", "Page %s of 60", "%s | Alba Living", "Alba Living %s"])
def test_a_printed_page_number_moves_with_its_page(tmp_path: Path, folio: str) -> None:
    first, second = look(tmp_path, page(folio=folio % 11), page(folio=folio.replace("60", "61") % 12))
    assert first.fingerprint == second.fingerprint


@pytest.mark.parametrize(
    "changed",
    [
        page(ROWS.replace("129.00", "139.00")),
        page(ROWS.replace("(oak)", "(ash)")),
        page(ROWS.replace("300 400", "300 380")),
        page(ROWS.replace("350 390", "340 390")),
        page(photo=PdfImage(2, 2, bytes(range(1, 13)))),
        page(ROWS, folio="9"),
    ],
    ids=["price", "material", "place of a value", "drawing", "picture", "a number that is not the page's"],
)
def test_whatever_reading_would_see_changes_the_name(tmp_path: Path, changed: PdfPage) -> None:
    first, second = look(tmp_path, page(), changed)
    assert first.fingerprint != second.fingerprint


def test_a_price_in_the_margin_is_no_page_number(tmp_path: Path) -> None:
    first, second = look(tmp_path, page(folio="Alba 129.00"), page(folio="Alba 130.00"))
    assert first.fingerprint != second.fingerprint


def test_a_page_of_which_only_prices_changed_looks_alike(tmp_path: Path) -> None:
    first, second, third = look(
        tmp_path, page(), page(ROWS.replace("129.00", "139.00")), page(ROWS.replace("A-100", "A-200"))
    )
    assert first.likeness == second.likeness != third.likeness


def test_where_a_look_does_not_show_everything_there_is_no_name(tmp_path: Path) -> None:
    outlines = "".join(f"0 g {60 + 4 * n} 400 3 8 re f\n" for n in range(60))
    (drawn,) = look(tmp_path, PdfPage(outlines))
    assert (drawn.blank, drawn.fingerprint) == (False, "")
    (blank,) = look(tmp_path, PdfPage(""))
    assert (blank.blank, blank.fingerprint) == (True, "")
    assert look(tmp_path, page(), readers=("pypdfium2",))[0].fingerprint == ""
