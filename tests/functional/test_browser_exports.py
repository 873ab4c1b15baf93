"""The export panel in the browser: fields in an order, a saved layout, a file made by the worker, a renewed link."""

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import Documents, Visit

pytestmark = pytest.mark.browser


def open_panel(page: Page) -> None:
    page.keyboard.press("Shift+E")
    expect(page.locator("#export-form")).to_be_visible()


@pytest.mark.req("TA-JSON", "TA-STORE", "LX-RESIGN")
def test_a_file_is_prepared_in_a_layout_and_an_expired_link_renews_itself(visit: Visit, documents: Documents) -> None:
    page = visit(f"/jobs/{documents.en}/results/")
    open_panel(page)
    page.locator(".export-fields summary").click()
    fields = page.locator("#export-form [name=columns]")
    for key in fields.evaluate_all("fields => fields.map((one) => one.value)"):
        fields.and_(page.locator(f'[value="{key}"]')).set_checked(key in ("sku_id", "revision", "model"))
    expect(page.locator("[data-picked]")).to_have_text("3")
    page.get_by_role("button", name="Revision further up").press("Enter")
    page.get_by_placeholder("Name of a layout").fill("Shop")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#export-layout")).to_have_value(
        page.locator("#export-layout option", has_text="Shop").get_attribute("value") or ""
    )
    page.locator(".export-format", has=page.locator("[name=kind][value=csv]")).click()
    page.get_by_role("button", name="Prepare the export").click()
    link = page.locator("#exports a[data-renew]").filter(has_text="Shop")
    expect(link).to_have_count(1, timeout=60_000)
    link.evaluate("link => (link.href = '/files/none/')")
    with page.expect_download() as download:
        link.click()
    rows = list(csv.reader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"))))
    assert rows[0] == ["revision", "sku_id", "model"] and len(rows) > 2
    assert download.value.suggested_filename.startswith("Shop ")
    open_again = visit("/results/")
    open_panel(open_again)
    expect(open_again.locator("#export-layout")).to_contain_text("Shop")
    expect(open_again.locator("#exports a[data-renew]").filter(has_text="Shop")).to_have_count(0)
