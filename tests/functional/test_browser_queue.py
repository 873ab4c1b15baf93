"""The queue in a browser: a page is one row whatever is asked of it, and a lead decides about many at once."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import Documents, Seen, Visit
from tests.functional.test_browser_screens import faults_of
from tests.functional.test_browser_together import live
from tests.functional.test_browser_workbench import Sample, asked, in_hand, sample
from tests.support.stack import Stack

__all__ = ["sample"]

pytestmark = [pytest.mark.browser, pytest.mark.alone]

PHONE = 640  # there the bar comes with the first tick
DOUBTFUL = {"code": "sku_doubtful", "params": {"confidence": 0.5, "minimum": 0.7}, "severity": "review"}
NAMES_HAVE_NO_LANGUAGE = """() => document.querySelectorAll("[data-behaviour~=task-queue] .lead, .next-what")
  .forEach((element) => element.setAttribute("lang", "und"))"""


@pytest.fixture
def waiting(sample: Sample, documents: Documents, stack: Stack) -> Iterator[dict[str, str]]:
    """Tasks by name: three pages of the sample, one of another document, which is due first."""
    found = {"chairs": asked(stack, documents.en, 1)}
    stack.sql("UPDATE annotation_humantask SET clock_from = now() - interval '1 h' WHERE uuid = %s", found["chairs"])
    for number in (3, 5, 8):
        found[f"sample {number}"] = asked(stack, sample.job, number)
    yield found
    stack.sql("UPDATE ingestion_page SET status = 'AI_COMPLETED', needs_review = false WHERE status = 'HUMAN_QUEUED'")


def doubt_every_sku(stack: Stack, job: str, number: int) -> int:
    """As the rules leave a page of which each SKU is doubtful; the workers open what a person is needed for."""
    (page,) = stack.sql(
        "SELECT p.id FROM ingestion_page p JOIN ingestion_job j ON j.id = p.job_id WHERE j.uuid = %s AND number = %s",
        job,
        number,
    )[0]
    stack.sql("DELETE FROM annotation_humantask WHERE page_id = %s", page)
    skus = stack.sql("SELECT id FROM processing_sku WHERE page_id = %s AND NOT superseded ORDER BY sku_id", page)
    blockers = [{**DOUBTFUL, "sku": index} for index in range(len(skus))]
    for (sku,), blocker in zip(skus, blockers, strict=True):
        stack.sql("UPDATE processing_sku SET blockers = %s WHERE id = %s", json.dumps([blocker]), sku)
    stack.sql(
        "UPDATE ingestion_page SET status = 'AI_COMPLETED', needs_review = true, blockers = %s,"
        " version = version + 1, changed = pg_current_xact_id() WHERE id = %s",
        json.dumps(blockers),
        page,
    )
    return len(skus)


@pytest.mark.req("TA-ONEHOLDER", "X-PRES")
def test_a_page_of_many_doubtful_skus_is_one_row_and_its_lock_is_seen_before_it_is_opened(
    visit: Visit, sample: Sample, documents: Documents, stack: Stack
) -> None:
    count = doubt_every_sku(stack, documents.en, 2)
    assert count == 6
    lead = visit("/tasks/", user="lead")
    row = lead.locator("tr[data-key]")
    for _ in range(40):  # the sweep finds the page
        if row.count():
            break
        lead.wait_for_timeout(500)
        lead.reload()
    live(lead)
    expect(row).to_have_count(1)
    expect(row.locator(".task-skus")).to_have_text("6 SKUs")
    expect(row.locator(".reasons")).to_have_text("A product is doubtful: 0.5 is below 0.7 (6 SKUs)")
    expect(lead.locator("[data-figure='filter.all']")).to_have_text("1")
    expect(lead.locator("[data-figure=tasks]").first).to_have_text("1")

    job_page = visit(f"/jobs/{documents.en}/", user="lead")
    holder = visit("/tasks/", user="annotator")
    live(holder)
    holder.keyboard.press("j")
    holder.keyboard.press("c")
    in_hand(holder)
    expect(row.locator(".task-who")).to_have_text("Zhao Ning")
    tile = job_page.locator('.tile[data-page="2"]')
    expect(tile.locator("[data-field=label]")).to_contain_text("Zhao Ning")
    tile.hover()
    expect(job_page.locator("#page-card")).to_contain_text("Zhao Ning has it in hand")
    holder.keyboard.press("Control+Enter")
    expect(lead.locator("tr[data-key]")).to_have_attribute("data-state", "COMPLETED")
    history = visit("/tasks/closed/", user="lead")
    closed = history.locator("tr[data-key]").first
    expect(closed).to_contain_text("Page 2")
    still = (
        "SELECT count(*) FROM annotation_humantask WHERE purpose = 'work' AND status NOT IN ('COMPLETED', 'SKIPPED')"
    )
    assert stack.sql(still) == [(0,)], "one chord closed all of it"

    closed.locator(".check").check()
    history.get_by_role("button", name="Take back").click()
    history.get_by_label("What was wrong with them?").fill("The price list is of last year")
    history.locator("#decide-revert").get_by_role("button", name="Take back").click()
    expect(history.get_by_text("1 task changed").first).to_be_visible()
    assert stack.sql(still) == [(1,)], "the page waits again, as one"


def in_sight(page: Page) -> None:
    expect(page.locator(".queue-panel .supervise")).to_be_in_viewport(ratio=1)


@pytest.mark.req("TA-T79")
def test_a_lead_narrows_the_queue_down_and_gives_a_document_away(
    visit: Visit, seen: Seen, waiting: dict[str, str], stack: Stack
) -> None:
    lead = visit("/tasks/", user="lead")
    live(lead)
    heads = lead.locator(".group-head .doc-name")
    assert heads.all_inner_texts()[0] == "Chairs.pdf" and heads.count() == 2, (
        "a document once, the one due first on top"
    )
    in_sight(lead)
    expect(lead.get_by_role("button", name="Give to")).to_be_disabled()

    lead.locator("select[name=document]").select_option(index=2)
    lead.locator("select[name=reason]").select_option("pictures")
    lead.get_by_role("button", name="Narrow down").click()
    expect(lead.locator("tr[data-key]")).to_have_count(3)
    assert re.search(r"\?document=[0-9a-f-]{36}&reason=pictures", lead.url)
    live(lead)

    lead.keyboard.press("j")
    lead.keyboard.press("x")
    expect(lead.locator(".supervise [data-picked]")).to_have_text("1 ticked")
    lead.keyboard.press("x")
    expect(lead.locator(".supervise [data-picked]")).to_have_text("Nothing is ticked")
    lead.locator("[data-pick-all]").check()
    expect(lead.locator(".supervise [data-picked]")).to_have_text("3 ticked")
    lead.locator("tr[data-key] .check").first.uncheck()
    expect(lead.locator("[data-pick-all]")).to_have_js_property("indeterminate", True)
    lead.locator("[data-pick-document]").check()

    lead.get_by_role("button", name="Put off").click()
    dialog = lead.locator("#decide-postpone")
    expect(dialog.get_by_text("What are these pages waiting for?")).to_be_visible()
    dialog.get_by_role("button", name="Put off").click()
    expect(dialog).to_be_visible()  # it asks why
    lead.keyboard.press("Escape")

    lead.get_by_role("button", name="Give to").click()
    dialog = lead.locator("#decide-assign")
    dialog.locator("select").select_option("annotator")
    dialog.get_by_label("Why do they go to this person?").fill("Knows these sofas")
    faults = faults_of(lead, "en")
    assert not faults, faults
    dialog.get_by_role("button", name="Give", exact=True).click()
    expect(lead.locator(".toast, .notice, [role=status]").filter(has_text="3 tasks changed").first).to_be_visible()
    assert "reason=pictures" in lead.url, "the same list again"
    kept = stack.sql(
        """SELECT u.username, t.reason->>'reason' FROM annotation_humantask h
           JOIN accounts_user u ON u.id = h.assigned_to_id
           JOIN core_transition t ON t.entity = 'task' AND t.entity_id = h.id AND t.trigger = 'assigned'"""
    )
    assert kept == [("annotator", "Knows these sofas")] * 3


@pytest.mark.parametrize(("language", "theme", "width"), [("en", "light", 390), ("zh", "dark", 1440)])
def test_the_queue_is_clean_on_narrow_and_wide_screens(
    visit: Visit, seen: Seen, waiting: dict[str, str], language: str, theme: str, width: int
) -> None:
    lead = visit("/tasks/", user="lead", language=language, theme=theme, width=width)
    live(lead)
    if width > PHONE:
        in_sight(lead)
    lead.evaluate(NAMES_HAVE_NO_LANGUAGE)
    faults = faults_of(lead, language)
    lead.locator("[data-pick-all]").check()
    in_sight(lead)
    lead.locator("[data-opens=decide-skip]").click()
    faults += faults_of(lead, language)
    lead.goto("/tasks/?due=over")
    expect(lead.locator(".empty")).to_be_visible()
    faults += faults_of(lead, language)
    assert not faults, "\n".join(faults)
    assert not seen.complaints
