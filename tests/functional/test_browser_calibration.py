"""What people did becomes a proposed threshold in the browser: counted by a worker, read, and decided on."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import Seen, Visit
from tests.functional.test_browser_phone import FAULTS
from tests.functional.test_browser_screens import faults_of
from tests.support.matrix import gate_first
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.req("TA-CAL", "X-CALPROM", "X-WHATIF", "TA-T59")]

WORK = """
from catalogsku.accounts.models import Merchant, User
from tests.support.calibrated import doubted_document
doubted_document(Merchant.objects.order_by("pk").first(), User.objects.get(username="annotator"))
"""
PROFILE = "profiles_thresholdprofile"


@pytest.fixture(scope="module")
def document(stack: Stack) -> Iterator[None]:
    """Sixty doubtful pages on which somebody has worked, all that was worked on lately; gone before others count
    documents."""
    of_others = "UPDATE annotation_humantask SET closed_at = closed_at {} interval '400 days' WHERE closed_at {}"
    stack.sql(of_others.format("-", "IS NOT NULL"))
    done = stack.manage("shell", "-c", WORK)
    assert done.returncode == 0, done.stderr
    yield
    of_it = "SELECT id FROM ingestion_job WHERE category = 'lamps' AND starts_with(idempotency_key, 'key-')"
    pages = f"SELECT id FROM ingestion_page WHERE job_id IN ({of_it})"
    stack.sql(f"DELETE FROM annotation_annotation WHERE page_id IN ({pages})")
    for table in ("annotation_humantask", "processing_sku", "ingestion_page"):
        stack.sql(f"DELETE FROM {table} WHERE job_id IN ({of_it})")
    judged = of_it.replace("SELECT id", "SELECT (route_reason->>'evaluation')::bigint")
    stack.sql(f"DELETE FROM processing_evaluation WHERE id IN ({judged})")
    stack.sql(f"DELETE FROM ingestion_job WHERE id IN ({of_it})")
    stack.sql(of_others.format("+", "< now() - interval '300 days'"))


@pytest.fixture
def worked(stack: Stack, document: None) -> Iterator[None]:
    """PV is too high for them, and goes back to what it was."""
    stack.sql(f"UPDATE {PROFILE} SET threshold_pv = 0.85 WHERE key = 'default'")
    yield
    stack.sql("DELETE FROM annotation_calibrationproposal")
    stack.sql("DELETE FROM annotation_calibrationrecord")
    stack.sql(f"DELETE FROM {PROFILE} WHERE key = 'default' AND version > 1")
    stack.sql(f"UPDATE {PROFILE} SET threshold_pv = 0.7 WHERE key = 'default'")


def calibrated(visit: Visit, **look: str | int) -> Page:
    page = visit("/quality/calibration/", user="admin", **look)
    if page.locator("[data-proposal]").count() == 0:
        page.locator("form[action$='/run/'] button").click()
        page.locator("h1").first.click()  # what is in use is not replaced
    expect(page.locator("[data-proposal]")).to_have_count(1, timeout=60_000)
    return page


def test_a_threshold_is_proposed_by_a_worker_and_becomes_a_version_by_keys(
    visit: Visit, seen: Seen, stack: Stack, worked: None
) -> None:
    lead = visit("/quality/", user="lead")
    lead.get_by_role("link", name="Calibration").click()
    expect(lead.locator(".empty")).to_contain_text("Nothing has been calibrated yet")
    expect(lead.get_by_role("button", name="Calibrate now")).to_have_count(0)

    page = calibrated(visit)
    proposal = page.locator("[data-proposal]")
    expect(proposal).to_contain_text("A page passes from: 0.850 → 0.780")
    expect(proposal).to_contain_text("30 pages fewer would go to people")
    expect(proposal).to_contain_text("1.0 h less work of people")
    expect(page.get_by_role("heading", name="Routes")).to_be_visible()
    assert not faults_of(page, "en")

    lead.reload()
    expect(lead.locator("[data-proposal]")).to_contain_text("An administrator decides about it")
    proposal.get_by_role("button", name="Accept", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("default, version 2 has it")
    expect(page.locator("[data-proposal]")).to_have_count(0)
    ((pv, active),) = stack.sql(f"SELECT threshold_pv, active FROM {PROFILE} WHERE key = 'default' AND version = 2")
    assert (str(pv), active) == ("0.780", False)
    assert not seen.complaints


@pytest.mark.parametrize(
    ("language", "theme", "width"), gate_first(("en", "dark", 390), ("zh", "light", 1024), ("zh", "dark", 1440))
)
def test_it_is_read_in_both_lights_and_languages_and_on_a_phone(
    visit: Visit, worked: None, language: str, theme: str, width: int
) -> None:
    page = calibrated(visit, language=language, theme=theme, width=width)
    assert not faults_of(page, language)
    if width == 390:
        assert not page.evaluate(FAULTS, None)
