"""A merchant sees in the browser in which other documents the pictures of a product stand."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Route, expect

from tests.functional.conftest import Seen, Visit, sent_and_read
from tests.functional.test_browser_screens import faults_of
from tests.support.looks import jpeg, photo
from tests.support.matrix import gate_first
from tests.support.pdfs import PdfImage, PdfPage, build_pdf, grid, place, text
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.req("X-PHASH", "TA-BR28")]
HEAD = ("Model", "Product Name", "Picture", "Size", "Price")
XS, TOP, ROW = (40, 120, 250, 350, 450, 555), 700, 90
LOGO = photo(50, 200, 80)
SHARED, *OWN = (photo(seed, 900, 800) for seed in (51, 52, 53, 54))


def embedded(image: Image.Image, quality: int = 95, scale: float = 1.0) -> PdfImage:
    data = jpeg(image, quality, scale)
    return PdfImage(round(image.width * scale), round(image.height * scale), data, jpeg=True)


def price_list(series: str, logos: list[PdfImage], pictures: list[PdfImage]) -> bytes:
    """A page a logo, each with one product whose picture stands in its row."""
    pages = []
    for n, (logo, picture) in enumerate(zip(logos, pictures, strict=True), 1):
        row = (f"{series}-{n:03d}", f"Oak chair {n}", "", f"{40 + n}x50x80 cm", f"$ {100 + n}.00")
        content = grid(XS, (TOP, TOP - 24, TOP - 24 - ROW)) + place("Im0", 40, 760, 100, 40)
        content += "".join(text(x + 4, TOP - 16, word, 10) for x, word in zip(XS, HEAD, strict=False))
        content += "".join(text(x + 4, TOP - 70, word, 10) for x, word in zip(XS, row, strict=False) if word)
        content += place("Im1", XS[2] + 6, TOP - 24 - ROW + 6, 88, 78)
        pages.append(PdfPage(content, (0, 0, 595, 842), images=[logo, picture]))
    return build_pdf(pages)


def files() -> Mapping[str, bytes]:
    """Each has a picture of its own, and both one: encoded anew in the second."""
    logo, small = embedded(LOGO), embedded(LOGO, 60, 0.5)
    return {
        "Spring.pdf": price_list("SPR", [logo, logo, small], [embedded(one) for one in (SHARED, *OWN[:2])]),
        "Autumn.pdf": price_list("AUT", [logo, small], [embedded(SHARED, 70, 0.9), embedded(OWN[2])]),
    }


@dataclass(frozen=True)
class Sent:
    spring: str
    autumn: str


@pytest.fixture(scope="module")
def sent(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Sent:
    """Of this module alone."""
    return Sent(*sent_and_read(stack, tmp_path_factory.mktemp("also"), files()))


def dialog_of(page: Page, model: str) -> Locator:
    page.locator(".result-table .model").get_by_text(model, exact=True).click()
    dialog = page.locator("#sku-dialog")
    expect(dialog.get_by_role("heading", level=2)).to_have_text(model)
    return dialog


def test_a_logo_that_is_printed_on_every_page_counts_once(stack: Stack, sent: Sent) -> None:
    rows = stack.sql(
        "SELECT p.number, i.role, i.duplicate_reason, f.number FROM processing_image i"
        " JOIN ingestion_page p ON p.id = i.page_id JOIN ingestion_job j ON j.id = i.job_id"
        " LEFT JOIN processing_image o ON o.id = i.duplicate_of_id LEFT JOIN ingestion_page f ON f.id = o.page_id"
        " WHERE j.uuid = %s AND i.role IN ('LOGO', 'DECORATION') ORDER BY 1",
        sent.spring,
    )
    assert [row[0] for row in rows] == [1, 2, 3]
    assert [tuple(row[2:]) for row in rows] == [("", None), ("same_file", 1), ("same_look", 1)]


def test_the_dialog_of_a_product_tells_of_the_other_document_and_leads_there(
    visit: Visit, seen: Seen, sent: Sent
) -> None:
    page = visit(f"/jobs/{sent.autumn}/results/")
    also = dialog_of(page, "AUT-001").locator(".also")
    expect(also.get_by_role("heading", name="Also in")).to_be_visible()
    expect(also.get_by_role("link", name="Spring.pdf")).to_be_visible()
    stands = also.locator(".also-stands li")
    expect(stands).to_have_count(1)
    expect(stands).to_contain_text("looks the same")
    expect(stands.get_by_role("link", name="Page 1")).to_be_visible()
    expect(also.get_by_role("link", name="Autumn.pdf")).to_have_count(0)
    stands.get_by_role("link", name="SPR-001").click()
    page.wait_for_url(re.compile(f"/jobs/{sent.spring}/results/"))
    dialog = page.locator("#sku-dialog")
    expect(dialog.get_by_role("heading", level=2)).to_have_text("SPR-001")
    expect(dialog.locator(".also").get_by_role("link", name="Autumn.pdf")).to_be_visible()
    assert not seen.complaints


@pytest.mark.parametrize(
    ("language", "theme", "width"), gate_first(("zh", "light", 390), ("en", "light", 1440), ("zh", "dark", 1440))
)
def test_it_reads_well(visit: Visit, sent: Sent, language: str, theme: str, width: int) -> None:
    page = visit(f"/jobs/{sent.autumn}/results/?sort=-model", language=language, theme=theme, width=width)
    also = dialog_of(page, "AUT-001").locator(".also")
    expect(also.locator(".also-stands li")).to_have_count(1)
    also.scroll_into_view_if_needed()
    expect(also.get_by_role("heading")).to_have_text("也出现在" if language == "zh" else "Also in")
    assert not [fault for fault in faults_of(page, language) if not fault.startswith("foreign word")]  # the document's


def test_a_picture_that_stands_nowhere_else_says_so(visit: Visit, seen: Seen, sent: Sent) -> None:
    also = dialog_of(visit(f"/jobs/{sent.autumn}/results/"), "AUT-002").locator(".also")
    expect(also).to_contain_text("These pictures stand nowhere else.")
    assert not seen.complaints


def test_while_it_is_looked_for_it_says_so_and_a_failure_can_be_tried_again(visit: Visit, sent: Sent) -> None:
    held: list[Route] = []
    page = visit(f"/jobs/{sent.autumn}/results/")
    page.route("**/also-in/", lambda route: held.append(route))
    also = dialog_of(page, "AUT-001").locator(".also")
    expect(also.get_by_text("Looking in all documents …")).to_be_visible()
    expect(also.get_by_role("button", name="Try again")).to_be_hidden()
    held[0].fulfill(status=503, body="")
    expect(also.get_by_text("It could not be looked for.")).to_be_visible()
    page.unroute("**/also-in/")
    also.get_by_role("button", name="Try again").click()
    expect(also.get_by_role("link", name="Spring.pdf")).to_be_visible()
