"""A price list with a form's scripts in the browser: read from a copy by one press, or by a rule."""

from pathlib import Path

import pikepdf
import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import Seen, Visit, catalogue
from tests.functional.test_browser_screens import faults_of
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.req("TA-T23")]


def scripted(folder: Path, name: str, series: str) -> Path:
    """As spreadsheets save their forms: a script in each price, one at opening, and the sheet attached."""
    (folder / "plain.pdf").write_bytes(catalogue("en", series, pages=1))
    with pikepdf.open(folder / "plain.pdf") as pdf:
        script = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="AFNumber_Format(2, 0, 0, 0, '', true);")
        field = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot,
            Subtype=pikepdf.Name.Widget,
            FT=pikepdf.Name.Tx,
            T="discount",
            Rect=[500, 20, 560, 34],
            AA=pikepdf.Dictionary(K=script, F=script),
        )
        field = pdf.make_indirect(field)
        pdf.pages[0].Annots = pikepdf.Array([field])
        pdf.Root.AcroForm = pikepdf.Dictionary(Fields=[field])
        pdf.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert('Hello')")
        pdf.attachments["prices.xls"] = b"\xd0\xcf\x11\xe0 a sheet"
        pdf.save(folder / name)
    return folder / name


def refused(page: Page) -> None:
    notice = page.locator(".notice-fault")
    expect(notice).to_contain_text("The file contains scripts.", timeout=60_000)
    expect(notice).to_contain_text("Read it without its scripts here, or print the document to a new PDF")


def test_a_scripted_price_list_is_read_from_a_copy_by_one_press(
    visit: Visit, seen: Seen, stack: Stack, tmp_path: Path
) -> None:
    job = stack.upload(scripted(tmp_path, "Form.pdf", "SCR"))
    stack.wait_for(job, lambda state: state.status == "REJECTED", 60)
    listed = visit("/").locator(f'tr[data-key="{job}"]')
    expect(listed).to_contain_text("The file contains scripts.")
    expect(listed).to_contain_text("Read it without its scripts here")
    page = visit(f"/jobs/{job}/", width=390)
    refused(page)
    assert not faults_of(page, "en")
    page.get_by_role("button", name="Read it without its scripts").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".tile").first).to_be_visible(timeout=60_000)
    stack.wait_for(job, lambda state: state.is_left_by_machines, 120)
    page = visit(f"/jobs/{job}/")
    expect(page.locator("[data-live-side]")).to_contain_text("A copy without scripts, actions and attachments was read")
    models = stack.sql(
        "SELECT s.attributes ->> 'model' FROM processing_sku s JOIN ingestion_job j ON j.id = s.job_id"
        " WHERE j.uuid = %s AND NOT s.superseded ORDER BY 1",
        job,
    )
    assert [model for (model,) in models] == [f"SCR-10{n}" for n in range(1, 7)]
    assert not seen.complaints


def test_a_merchants_rule_reads_copies_without_asking(visit: Visit, seen: Seen, stack: Stack, tmp_path: Path) -> None:
    page = visit("/", language="zh", theme="dark")
    page.locator("[popovertarget=person-menu]").click()
    page.get_by_role("link", name="带脚本的文件").click()
    choice = page.get_by_label("直接读取去除了这些内容的副本")
    expect(page.get_by_label("拒绝；可由人要求读取副本")).to_be_checked()
    assert not faults_of(page, "zh")
    choice.check()
    page.get_by_role("button", name="保存").click()
    expect(page.locator(".toast, .message, [role=status]").filter(has_text="已保存").first).to_be_visible()
    expect(choice).to_be_checked()
    try:
        job = stack.upload(scripted(tmp_path, "Always.pdf", "ALW"))
        state = stack.wait_for(job, lambda state: state.status == "REJECTED" or state.is_left_by_machines, 120)
        assert (state.failure_code, state.pages) == ("", 1)
    finally:
        page.get_by_label("拒绝；可由人要求读取副本").check()
        with page.expect_navigation():
            page.get_by_role("button", name="保存").click()
    assert not seen.complaints
