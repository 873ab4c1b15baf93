"""A paper is uploaded as a study and reviewed in the browser by two people at once."""

import re
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.functional.conftest import Seen, Visit
from tests.functional.test_browser_phone import CARDS, FAULTS, on_phone
from tests.support.papers import paper_pdf
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.req("LX-SYS", "LX-QUOTE", "LX-UNLOCK")]

_number = count(1)


@pytest.fixture
def study(stack: Stack, visit: Visit, tmp_path: Path) -> str:
    """Id of a drawn paper that was uploaded as a study at the documents' page."""
    path = tmp_path / f"paper{next(_number)}.pdf"
    path.write_bytes(paper_pdf(registration=f"NCT0123456{next(_number)}"))
    page = visit("/", user="uploader")
    page.get_by_label("What the files are").select_option("study:rct")
    page.locator("[data-file]").set_input_files(path)
    link = page.locator(".upload").get_by_role("link", name="Open")
    expect(link).to_be_visible()
    job = re.findall(r"[0-9a-f-]{36}", link.get_attribute("href") or "")[0]
    stack.wait_for(job, lambda state: state.status == "PARTIAL_IMPORTED", 120)
    return str(job)


def field(page: Page, key: str) -> Locator:
    return page.locator(f'[data-field="{key}"]')


def test_two_people_at_once_see_each_other_and_lose_nothing(stack: Stack, visit: Visit, seen: Seen, study: str) -> None:
    one, other = (
        visit(f"/studies/{study}/?group=identification&field=country", user=who) for who in ("lead", "annotator")
    )
    for page in (one, other):
        expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")
        expect(page.locator('[data-field="country"]')).to_be_focused()
    one.keyboard.press("e")
    one.keyboard.type("Denm")
    other.keyboard.press("e")
    other.keyboard.type("Norway")
    other.keyboard.press("Enter")
    moved = one.locator('[data-field="country"] [data-moved]')
    expect(moved).to_be_visible()
    expect(one.locator('[data-field="country"] [data-said]')).to_be_focused()
    one.keyboard.type("ark")
    one.keyboard.press("Enter")
    row = field(one, "country")
    expect(row).to_contain_text("Somebody has decided on this value meanwhile")
    expect(row.locator("b")).to_have_text("Norway")
    expect(row.locator("[data-said]")).to_have_value("Denmark")
    one.keyboard.press("Enter")
    expect(row.locator("b")).to_have_text("Denmark")
    expect(other.locator('[data-field="country"] b')).to_have_text("Denmark")
    expect(other.locator("[data-progress]")).to_contain_text("1 of")
    other.get_by_label("Another arm").fill("Waiting list")
    other.get_by_role("button", name="Add").first.click()
    expect(one.get_by_role("heading", name="Waiting list")).to_be_visible()
    assert not seen.complaints


def test_what_two_people_said_is_compared_and_one_of_both_is_taken(visit: Visit, seen: Seen, study: str) -> None:
    address = f"/studies/{study}/?group=identification&field=country"
    for who, said in (("annotator", "Denmark"), ("lead", "Norway")):
        page = visit(address, user=who)
        expect(field(page, "country")).to_be_focused()
        page.keyboard.press("e")
        field(page, "country").locator("[data-said]").fill(said)
        page.keyboard.press("Enter")
        expect(field(page, "country").locator("b")).to_have_text(said)
    expect(page.get_by_role("link", name="Compare")).to_be_visible()
    page.get_by_role("link", name="Compare").click()
    row = page.locator(".study-pairs tbody tr")
    expect(row).to_contain_text("They differ")
    sides = row.locator(".study-side")
    expect(sides.filter(has_text="Norway")).to_contain_text("Counts")
    sides.filter(has_text="Denmark").get_by_role("button").click()
    expect(page).to_have_url(re.compile(r"one=annotator&other=lead#pair-[0-9a-f-]+-country$"))
    expect(row).to_contain_text("They agree")
    assert not seen.complaints
    on_phone(page)
    page.reload()
    expect(page.locator("#main[data-started]")).to_be_attached()
    assert page.evaluate(FAULTS) == [] == page.evaluate(CARDS)
    row.get_by_role("link", name="Country").click()
    expect(field(page, "country")).to_be_visible()
