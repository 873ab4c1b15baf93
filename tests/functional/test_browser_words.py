"""A lead teaches the product a merchant's heads: tried on a stored page first, saved, and read by the next document."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.functional.conftest import Seen, Visit, sent_and_read
from tests.functional.test_browser_screens import faults_of
from tests.support.catalogues.small import one_table_pdf
from tests.support.own_words import HEAD, MEANS, SHEET
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.req("TA-DICT")]


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    """Of its own: the words that are set here hold for nobody else's documents."""
    with Stack() as own:
        yield own


def prices(stack: Stack, job: str) -> list[str]:
    rows = stack.sql(
        "SELECT s.attributes->>'price' FROM processing_sku s JOIN ingestion_job j ON j.id = s.job_id"
        " WHERE j.uuid = %s AND s.attributes->>'price' IS NOT NULL ORDER BY s.id",
        job,
    )
    return [price for (price,) in rows]


def test_heads_are_tried_saved_and_read(visit: Visit, seen: Seen, stack: Stack, tmp_path: Path) -> None:
    (before,) = sent_and_read(stack, tmp_path, {"Lista Porto.pdf": one_table_pdf(SHEET)})
    page = visit("/", user="lead")
    page.locator("[popovertarget=person-menu]").click()
    page.get_by_role("link", name="Words", exact=True).click()
    expect(page.get_by_text("No words yet")).to_be_visible()
    for n, (head, means) in enumerate(zip(HEAD, MEANS, strict=True)):
        page.get_by_label("Word", exact=True).nth(n).fill(head)
        page.locator("select[name=means]").nth(n).select_option(f"label:{means}")
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.locator("#tried")).to_contain_text("1 page, 1 changed")
    expect(page.get_by_role("row").filter(has_text="AB-10").filter(has_text="12,50")).to_be_visible()
    assert not faults_of(page, "en") and prices(stack, before) != ["12,50", "99,00", "49,00"]

    page.get_by_label("Reason").fill("Porto's price lists")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("row").filter(has_text="Porto's price lists")).to_be_visible()
    (after,) = sent_and_read(stack, tmp_path, {"Lista Lisboa.pdf": one_table_pdf(SHEET, title="Lista")})
    assert prices(stack, after) == ["12,50", "99,00", "49,00"]
    assert prices(stack, before) != prices(stack, after)
    assert not seen.complaints


def test_the_screen_is_clean_and_a_pattern_at_fault_is_told(visit: Visit, seen: Seen) -> None:
    page = visit("/words/", user="lead", language="zh", theme="dark", width=390)
    assert not faults_of(page, "zh")
    page.get_by_label("词", exact=True).first.fill("(a+)+(")
    page.locator("select[name=means]").first.select_option("pattern:model")
    page.get_by_role("button", name="应用到上表").click()
    expect(page.get_by_role("alert")).to_contain_text("pattern_not_closed")
    expect(page.locator("#word-3")).to_have_text("(a+)+(")
    assert not [complaint for complaint in seen.complaints if "400" not in complaint]
