"""Results in the browser: columns that stay chosen, a list that is its address, what it shows as a file."""

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import ROWS, Documents, Visit, catalogue, sent_and_read
from tests.functional.test_browser_screens import faults_of
from tests.support.matrix import gate_first
from tests.support.stack import Stack

pytestmark = pytest.mark.browser
SERIES = {"en": "MIS", "zh": "BDFM"}


def models(page: Page) -> list[str]:
    return page.locator(".result-table .model").all_inner_texts()


@pytest.mark.req("TA-JSON")
def test_columns_stay_chosen_and_a_list_is_its_address(visit: Visit, documents: Documents) -> None:
    here = f"/jobs/{documents.en}/results/"
    page = visit(here)
    page.get_by_role("button", name="Columns").click()
    choices = page.get_by_role("form", name="Columns")
    expect(choices.get_by_role("checkbox", name="Price")).to_be_checked()
    choices.get_by_role("checkbox", name="Material").uncheck()
    choices.get_by_role("checkbox", name="Brand").check()
    choices.get_by_role("button", name="Show these").press("Enter")
    heads = page.locator(".result-table thead")
    expect(heads).to_contain_text("Brand")
    expect(heads).not_to_contain_text("Material")
    page.locator(".list-filter summary").click()
    page.get_by_label("Column", exact=True).select_option("Size")
    page.get_by_label("Value").fill("03X500")
    page.get_by_role("button", name="Filter", exact=True).click()
    expect(page.locator(".chip-acc")).to_contain_text("Size contains 03X500")
    assert models(page) == ["ACE-103", "ACE-203"]
    page.get_by_role("columnheader", name="Price").get_by_role("link").click()
    page.get_by_role("columnheader", name="Price").get_by_role("link").click()
    expect(page.locator("th[aria-sort=descending]")).to_contain_text("Price")
    assert models(page) == ["ACE-203", "ACE-103"]
    copied = page.url
    again = visit(copied, user="lead")
    assert models(again) == ["ACE-203", "ACE-103"]
    expect(again.locator(".result-table thead")).to_contain_text("Material")  # columns are each person's own
    page.get_by_role("link", name="Without the filter: Size contains 03X500").click()
    expect(page.locator(".result-table .model")).to_have_count(2 * ROWS)
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("button", name="The usual ones").click()
    expect(heads).to_contain_text("Material")


@pytest.mark.parametrize(("language", "said"), gate_first(("zh", "需要数字"), ("en", "needs a number")))
def test_a_filter_that_cannot_be_says_why_with_its_code(
    visit: Visit, documents: Documents, language: str, said: str
) -> None:
    for here in (f"/jobs/{documents.en}/results/", "/catalogue/"):
        page = visit(f"{here}?where=price:from:cheap", language=language)
        expect(page.get_by_role("alert")).to_contain_text(said)
        expect(page.get_by_role("alert")).to_contain_text("filter_number")
        expect(page.locator(".result-table .model")).to_have_count(0)
        page.get_by_role("alert").get_by_role("link").click()
        expect(page.locator(".result-table .model").first).to_be_visible()


@pytest.mark.req("TA-JSON")
def test_what_the_catalogue_shows_is_exported_and_the_export_says_which_list(
    visit: Visit, documents: Documents
) -> None:
    page = visit(f"/catalogue/?document={documents.en}&where=size:has:02x500&order=model")
    assert models(page) == ["ACE-102", "ACE-202"]
    page.keyboard.press("Shift+E")
    expect(page.locator(".export-which")).to_contain_text(
        "Only those of the list: Only one document, Size contains 02x500"
    )
    page.locator(".export-format", has=page.locator("[name=kind][value=csv]")).click()
    page.get_by_role("button", name="Prepare the export").click()
    link = page.locator("#exports a[data-renew]").filter(has_text="(filtered)")
    expect(link).to_have_count(1, timeout=60_000)
    expect(page.locator("#exports li").first).to_contain_text("Size contains 02x500")
    with page.expect_download() as download:
        link.click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"))))
    assert sorted(row["model"] for row in rows) == ["ACE-102", "ACE-202"]


def test_from_one_product_to_the_next_closer_and_a_report_keeps_the_place(visit: Visit, documents: Documents) -> None:
    page = visit(f"/jobs/{documents.en}/results/?where=size:has:x500&sort=-price")
    first, second = models(page)[:2]
    page.locator(".result-table .model").first.click()
    dialog = page.locator("#sku-dialog")
    expect(dialog.get_by_role("heading", level=2)).to_have_text(first)
    expect(dialog.locator("[data-place]")).to_have_text(f"1 / {2 * ROWS}")
    expect(dialog.get_by_role("button", name="Previous SKU")).to_be_disabled()
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("heading", level=2)).to_have_text(second)
    dialog.get_by_role("button", name="Previous SKU").click()
    expect(dialog.get_by_role("heading", level=2)).to_have_text(first)
    page.keyboard.press("j")
    expect(dialog.get_by_role("heading", level=2)).to_have_text(second)
    proof = dialog.locator(".zoom-sheet svg.proof")
    whole = proof.get_attribute("viewBox") or ""
    page.keyboard.press("+")
    expect(proof).not_to_have_attribute("viewBox", whole)
    dialog.get_by_role("button", name="All of it").click()
    expect(proof).not_to_have_class(re.compile("closer"))
    dialog.locator(".report summary").click()
    dialog.get_by_label("What is wrong").fill("¥ 102.00 ≠ ¥ 120.00")  # in no language: other tests read these screens
    dialog.get_by_role("button", name="Send report").click()
    expect(dialog.get_by_role("status")).to_contain_text("Reported: a person looks at page")
    address = page.url
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert page.url == address and models(page)[:2] == [first, second]
    expect(page.locator(".result-table tr.at .model")).to_have_text(second)


@pytest.fixture(scope="module")
def own(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Documents:
    """Of this module alone: what becomes of them is seen on no other's screens."""
    files = {f"{series}.pdf": catalogue(language, series, pages=1) for language, series in SERIES.items()}
    return Documents(*sent_and_read(stack, tmp_path_factory.mktemp("own"), files), refused="")


@pytest.mark.req("TA-REPORT")
@pytest.mark.parametrize(
    ("language", "theme", "width"), gate_first(("en", "light", 390), ("zh", "dark", 1440), ("en", "light", 1440))
)
def test_a_missing_product_is_reported_from_the_head_of_its_list(
    visit: Visit, own: Documents, language: str, theme: str, width: int
) -> None:
    page = visit(f"/jobs/{own.of(language)}/results/?page_number=1", language=language, theme=theme, width=width)
    words = {"en": ("Report a missing SKU", "Send report", "Reported"), "zh": ("报告漏掉的 SKU", "提交报告", "已报告")}
    opener, send, reported = words[language]
    head = page.locator(".job-head")
    head.get_by_role("button", name=opener).press("Enter")
    form = page.locator("#report-missing")
    expect(form.locator("[name=page_number]")).to_have_value("1")
    box = form.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= width
    assert not faults_of(page, language)
    page.keyboard.press("Escape")
    expect(form).to_be_hidden()
    expect(page.locator(".result-table .model").first).to_be_visible()
    head.get_by_role("button", name=opener).click()
    form.locator("[name=page_number]").fill("1")
    form.locator("[name=text]").fill("999 ≠ 0")  # in no language: other tests read these screens
    form.get_by_role("button", name=send).click()
    expect(form.get_by_role("status")).to_contain_text(reported)
    expect(form).to_be_visible()
