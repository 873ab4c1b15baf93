"""A paper is uploaded as a study and reviewed in the browser: by keys alone, and by two people at once."""

import re
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.functional.conftest import Seen, Visit
from tests.functional.test_browser_screens import faults_of
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


def verdicts(stack: Stack, job: str) -> dict[str, str]:
    rows = stack.sql(
        "SELECT d.field, d.verdict FROM processing_decision d JOIN processing_record r ON r.id = d.record_id"
        " JOIN ingestion_job j ON j.id = r.job_id WHERE j.uuid = %s ORDER BY d.id",
        job,
    )
    return dict(rows)


LOOKED_AT = "[document.activeElement.dataset.field ?? '', document.activeElement.dataset.record ?? '']"


def looked_at(page: Page) -> tuple[str, str]:
    """Field and record that have the focus."""
    key, record = page.evaluate(LOOKED_AT)
    return key, record


def test_a_paper_is_reviewed_by_keys_alone(stack: Stack, visit: Visit, seen: Seen, study: str) -> None:
    page = visit(f"/studies/{study}/", user="annotator")
    press = page.keyboard.press
    expect(field(page, "study_id")).to_be_focused()
    press("e")
    page.keyboard.type("Hopper 2019")
    press("Enter")
    expect(field(page, "study_id")).to_have_attribute("data-verdict", "corrected")
    registration = field(page, "registration_number")
    expect(registration).to_be_focused()
    expect(page.locator("[data-study-view] [data-quote] rect")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?group=identification&field=registration_number$"))
    press("Enter")
    expect(registration).to_have_attribute("data-verdict", "confirmed")
    expect(field(page, "n_randomised_total")).to_be_focused()
    press("k")
    press("k")
    press("u")
    expect(registration).to_have_attribute("data-verdict", "")
    expect(registration).to_be_focused()
    press("Enter")
    expect(registration).to_have_attribute("data-verdict", "confirmed")
    expect(field(page, "n_randomised_total")).to_be_focused()

    press("k")
    design = field(page, "study_design")
    press("1")  # what is offered for a value of a list fills in where it stands: the person chooses
    expect(design.locator("[name=quote]")).to_have_value(re.compile("randomised controlled trial"))
    expect(design.locator("[data-said]")).to_be_focused()
    press("p")
    press("Enter")
    expect(design.locator("b")).to_have_text("Parallel groups")

    press("a")
    ask = page.locator("#study-ask")
    expect(ask).to_contain_text("Leave the rest out")
    assert not faults_of(page, "en")
    press("Escape")
    expect(ask).to_be_hidden()

    expect(field(page, "n_randomised_total")).to_be_focused()
    main = looked_at(page)[1]
    while (at := looked_at(page))[1] == main:
        press("n" if field(page, at[0]).get_attribute("data-stand") == "nothing" else "Enter")
        page.wait_for_function(f"at => JSON.stringify({LOOKED_AT}) !== JSON.stringify(at)", arg=list(at))
    press("a")
    expect(ask).to_contain_text("Leave the rest out")
    press("Shift+Tab")
    press("Enter")
    expect(page.get_by_text("Approved", exact=True).first).to_be_visible()
    said = verdicts(stack, study)
    assert (said["n_randomised_total"], said["study_design"], said["country"]) == (
        "confirmed", "corrected", "not_reported"
    )  # fmt: skip
    stack.wait_for(study, lambda state: state.status == "FULL_IMPORTED", 60)
    assert not seen.complaints


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
