"""Figures of days in the browser: counted by the scheduler's task, drawn, read as a table, narrowed and taken along."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import Seen, Visit
from tests.functional.test_browser_phone import FAULTS
from tests.functional.test_browser_screens import faults_of
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.req("TA-MET")]

WORK = """
from django.utils import timezone
from catalogsku.accounts.models import Merchant
from tests.support.figures import at, came, finished, moved
today = timezone.localdate()
for merchant in Merchant.objects.order_by("pk")[:2]:
    job = came(merchant, at(today, 0), pages=3, category="lamps of figures")
    for status in ("AI_COMPLETED", "HUMAN_COMPLETED", "SKIPPED"):
        finished(job, at(today, 0), status, products=2)
    moved(job, "FULL_IMPORTED", at(today, 0, 1))
"""
OF_IT = "SELECT id FROM ingestion_job WHERE category = 'lamps of figures'"


@pytest.fixture(scope="module")
def counted(stack: Stack) -> Iterator[None]:
    """Six pages of two merchants; gone before others count documents."""
    done = stack.manage("shell", "-c", WORK)
    assert done.returncode == 0, done.stderr
    done = stack.manage("periodic", "run", "figures")
    assert done.returncode == 0, done.stderr
    yield
    stack.sql(f"DELETE FROM core_transition WHERE job_id IN ({OF_IT})")
    stack.sql(f"DELETE FROM ingestion_page WHERE job_id IN ({OF_IT})")
    stack.sql(f"DELETE FROM ingestion_job WHERE id IN ({OF_IT})")
    stack.sql("DELETE FROM annotation_dayfigures")


def row_of(page: Page, name: str) -> str:
    return page.locator("tr", has=page.locator(".doc-name", has_text=name)).inner_text()


def test_an_operator_reads_today_the_weeks_and_one_merchant_by_keys(
    visit: Visit, seen: Seen, stack: Stack, counted: None
) -> None:
    page = visit("/ops/", user="admin")
    expect(page.locator("#chart-pages-head")).to_be_visible()
    page.get_by_role("link", name="Figures").click()
    expect(page.get_by_role("link", name="Four weeks")).to_have_attribute("aria-current", "true")
    expect(page.get_by_role("img", name="Finished by people")).to_be_visible()
    assert row_of(page, "lamps of figures").split("\t")[1:3] == ["6", "50.0 %"]
    page.get_by_role("link", name="Today", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".chart-column")).to_have_count(24)
    table = page.locator(".chart-table summary")
    table.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".chart-table tbody tr").first).to_contain_text("00:00")
    page.get_by_label("Merchant").select_option(index=1)
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".chart-column")).to_have_count(24)
    assert row_of(page, "lamps of figures").split("\t")[1] == "3"
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert download.value.suggested_filename.startswith("figures-today-")
    assert "category" in download.value.path().read_text("utf-8-sig")
    assert not seen.complaints


def test_a_lead_sees_the_own_merchant_alone(visit: Visit, counted: None) -> None:
    page = visit("/ops/figures/", user="lead")
    assert row_of(page, "lamps of figures").split("\t")[1] == "3"
    expect(page.get_by_label("Merchant")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "theme", "width", "kind"),
    [
        ("en", "dark", 390, "weeks"),
        ("zh", "light", 390, "today"),
        ("zh", "dark", 1440, "year"),
        ("en", "light", 1024, "year"),
    ],
)
def test_it_is_read_in_both_lights_and_languages_and_on_a_phone(
    visit: Visit, counted: None, language: str, theme: str, width: int, kind: str
) -> None:
    page = visit(f"/ops/figures/?range={kind}", user="admin", language=language, theme=theme, width=width)
    expect(page.locator(".chart").first).to_be_visible()
    assert not faults_of(page, language)
    if width == 390:
        assert not page.evaluate(FAULTS, None)
