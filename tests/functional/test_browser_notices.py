"""The bell in a browser: it rings on other screens without a reload, opens inside the window, leads to the work."""

import io
from pathlib import Path

import pikepdf
import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import Seen, Visit
from tests.functional.test_browser_menus import astray
from tests.functional.test_browser_screens import faults_of
from tests.functional.test_browser_together import live
from tests.support.matrix import gate_first
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.req("X-NOTICE")]


def blank_pages(count: int) -> bytes:
    """Goes to people, all of it, as one task."""
    pdf, kept = pikepdf.new(), io.BytesIO()
    for _ in range(count):
        pdf.add_blank_page(page_size=(595, 842))
    pdf.save(kept)
    return kept.getvalue()


@pytest.fixture
def silence(stack: Stack) -> None:
    """Of what other tests have left to be read and to be worked on."""
    at_work = "SELECT 1 FROM ingestion_job WHERE status IN ('UPLOADED', 'EVALUATING', 'EVALUATED', 'PROCESSING')"
    stack.until(lambda: not stack.sql(at_work), 60, "machines are still at work")
    stack.sql("DELETE FROM ingestion_notice")


def rings(page: Page, count: str, timeout_ms: int = 60_000) -> None:
    expect(page.locator("[data-bell-count]")).to_have_text(count, timeout=timeout_ms)


def test_a_document_that_needs_people_rings_on_other_screens_and_leads_there(
    visit: Visit, seen: Seen, stack: Stack, tmp_path: Path, silence: None
) -> None:
    queue, documents = visit("/tasks/", user="annotator"), visit("/", user="uploader")
    live(queue)
    rings(queue, "")
    (tmp_path / "Empty.pdf").write_bytes(blank_pages(3))
    job = stack.upload(tmp_path / "Empty.pdf")
    rings(queue, "1")
    rings(documents, "1")

    bell, panel = queue.locator(".bell"), queue.locator("#notices-menu")
    bell.focus()
    queue.keyboard.press("Enter")
    link = panel.locator("a.bell-row")
    expect(link).to_contain_text("A document needs you")
    expect(link.locator(".doc-name")).to_have_text("Empty.pdf")
    expect(panel.locator(".bell-day")).to_have_text("Today")
    assert not faults_of(queue, "en")
    queue.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(bell).to_be_focused()
    bell.click()
    link.click()
    expect(queue).to_have_url(f"{stack.address}/tasks/?document={job}")
    expect(queue.locator("tr[data-key]")).to_have_count(1)
    rings(queue, "")

    documents.locator(".bell").click()
    shown = documents.locator("#notices-menu")
    expect(shown.locator("a.bell-row")).to_contain_text("Waits for people")
    shown.get_by_role("button", name="Mark all read").click()
    rings(documents, "")
    expect(shown.get_by_role("button", name="Mark all read")).to_have_count(0)
    expect(shown).to_be_visible()
    shown.get_by_role("link", name="All notices").click()
    expect(documents).to_have_url(f"{stack.address}/notices/")
    expect(documents.locator("main a.bell-row")).to_have_count(1)
    assert not seen.complaints


@pytest.mark.parametrize(
    ("language", "theme", "width"), gate_first(("zh", "light", 1024), ("en", "dark", 390), ("zh", "dark", 1920))
)
def test_the_panel_and_the_list_of_all_fit_every_window(
    visit: Visit, seen: Seen, stack: Stack, language: str, theme: str, width: int, silence: None
) -> None:
    """With as many notices as the panel shows, one of them of a long name."""
    stack.sql(
        "INSERT INTO ingestion_notice (person_id, merchant_id, job_id, kind, facts)"
        ' SELECT u.id, j.merchant_id, j.id, k, \'{"products": 12, "checked": 3, "failed": 2}\''
        " FROM accounts_user u, (SELECT * FROM ingestion_job LIMIT 2) j,"
        " unnest(ARRAY['waiting', 'go', 'finished', 'partly', 'refused', 'held', 'stopped']) k"
        " WHERE u.username = 'uploader'"
    )
    page = visit("/notices/", user="uploader", language=language, theme=theme, width=width)
    assert not faults_of(page, language)
    page.locator(".bell").click()
    expect(page.locator("#notices-menu a.bell-row").first).to_be_visible()
    page.wait_for_timeout(50)
    assert not astray(page)
    assert not faults_of(page, language)
    page = visit("/notices/", user="lead", language=language, theme=theme, width=width)
    expect(page.locator("main .empty")).to_be_visible()
    page.locator("[name=needs]").check()
    page.locator("form[action='/notices/mail/'] button").click()
    expect(page.locator("[name=needs]")).to_be_checked()
    assert not faults_of(page, language)
    assert not seen.complaints


def test_a_panel_that_does_not_come_says_so(visit: Visit, silence: None) -> None:
    page = visit("/", user="uploader")
    page.wait_for_load_state()
    page.route("**/notices/?part=panel", lambda route: route.abort())
    page.locator(".bell").click()
    expect(page.locator("#notices-menu")).to_contain_text("That did not work")
    page.unroute("**/notices/?part=panel")
    page.keyboard.press("Escape")
    page.locator(".bell").click()
    expect(page.locator("#notices-menu")).to_contain_text("Nothing to tell")
