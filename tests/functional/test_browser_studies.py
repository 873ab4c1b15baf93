"""A paper is uploaded as a study and reviewed in the browser by two people at once."""

import re
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.functional.conftest import Seen, Visit
from tests.functional.test_browser_phone import CARDS, FAULTS, on_phone
from tests.support.papers import OUTCOMES, paper_pdf
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.req("LX-SYS", "LX-QUOTE", "LX-UNLOCK")]

_number = count(1)


def uploaded(stack: Stack, visit: Visit, folder: Path, papers: int = 1) -> list[str]:
    """Ids of drawn papers that were uploaded as studies at the documents' page, all at once."""
    numbers = [next(_number) for _ in range(papers)]
    for n in numbers:
        (folder / f"paper{n}.pdf").write_bytes(paper_pdf(registration=f"NCT012345{n:02}", outcomes=OUTCOMES[:1]))
    page = visit("/", user="uploader")
    page.get_by_label("What the files are").select_option("study:rct")
    page.locator("[data-file]").set_input_files([folder / f"paper{n}.pdf" for n in numbers])
    links = page.locator(".upload").get_by_role("link", name="Open")
    expect(links).to_have_count(papers)
    jobs = [re.findall(r"[0-9a-f-]{36}", link.get_attribute("href") or "")[0] for link in links.all()]
    for job in jobs:
        stack.wait_for(job, lambda state: state.status == "PARTIAL_IMPORTED", 120)
    return jobs


@pytest.fixture
def study(stack: Stack, visit: Visit, tmp_path: Path) -> str:
    return uploaded(stack, visit, tmp_path)[0]


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


def test_a_study_is_reviewed_by_keys_alone_from_the_list_to_the_approval_and_on_to_the_next(
    stack: Stack, visit: Visit, seen: Seen, tmp_path: Path
) -> None:
    """Whoever reviews never touches the mouse: each key is pressed where the one before has led."""
    first, second = uploaded(stack, visit, tmp_path, papers=2)
    page = visit("/studies/?show=open&q=Exercise", user="annotator")
    keys, looked = page.keyboard, page.locator("[data-field]:focus")
    expect(page.locator("#main[data-started], body[data-started]").first).to_be_attached()

    def at(name: str) -> None:
        expect(looked).to_have_attribute("data-field", name)

    keys.press("j")
    expect(page.locator("tr.at a:focus")).to_have_attribute("href", re.compile(f"{first}|{second}"))
    keys.press("Enter")
    at("study_id")
    began = page.url
    keys.press("e")
    keys.type("Okoro 2021")
    keys.press("Tab")
    keys.type("three towns")
    keys.press("Enter")  # in the quote, too
    at("registration_number")
    keys.press("k")
    at("study_id")
    expect(looked).to_contain_text("p. 1")
    keys.press("u")
    expect(looked).to_have_attribute("data-verdict", "")
    keys.press("n")
    at("registration_number")
    keys.press("Enter")
    at("study_design")
    keys.press("1")
    keys.press("ArrowDown")
    keys.press("Enter")
    at("n_randomised_total")
    keys.press(".")
    expect(page.locator("[data-number]")).to_have_attribute("data-number", "2")
    keys.press("Enter")
    at("funding_source")
    keys.press("]")
    at("condition")
    keys.press("[")
    at("funding_source")
    keys.press("i")
    keys.type("Waiting list")
    keys.press("Enter")
    at("arm_name")
    expect(page).not_to_have_url(began)
    keys.press("Shift+X")
    expect(page.locator("details[open] .chip")).to_have_text("Left out")
    keys.press("a")
    expect(page.get_by_role("button", name="Go on reviewing")).to_be_focused()
    keys.press("Enter")
    at("outcome_name")
    done = page.locator(".toast", has_text="Everything that was found or is required is decided")
    for _ in range(20):
        if done.count():
            break
        row = looked.element_handle()
        keys.press("Enter" if looked.locator("[data-act=confirm]").count() else "n")
        moved = "at !== row && !at.dataset.verdict"
        page.wait_for_function(
            f"row => {{ const at = document.activeElement; return document.querySelector('.toast') || ({moved}); }}",
            arg=row,
        )
    expect(done).to_be_visible()
    keys.press("a")
    expect(page.locator(".notice-message")).to_contain_text("Approved: Exercise for older adults")
    at("study_id")
    expect(page).to_have_url(re.compile(f"/studies/{second if first in began else first}/"))
    assert not seen.complaints


def test_whoever_types_ahead_of_the_answer_decides_on_the_next_field_and_nothing_twice(
    visit: Visit, seen: Seen, study: str
) -> None:
    """What is typed while a value is on its way is meant for the field that comes after it."""
    page = visit(f"/studies/{study}/?group=identification&field=study_id", user="annotator")
    expect(page.locator('[data-field="study_id"]')).to_be_focused()
    quoted = field(page, "n_randomised_total").locator("[name=quote]").input_value()
    page.route("**/decide/", lambda route: (page.wait_for_timeout(600), route.continue_()))
    page.keyboard.press("e")
    page.keyboard.type("Okoro 2021")
    page.keyboard.press("Enter")
    for key in (
        "Enter",
        "e",
    ):  # the number of registration as it is offered; then the design, which is chosen from a list
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    for key in ("j", "e"):
        page.keyboard.press(key)
    page.keyboard.type("193")
    page.keyboard.press("Backspace")
    page.keyboard.press("Tab")
    page.keyboard.type("Nina")
    expect(field(page, "n_randomised_total").locator("[name=quote]")).to_be_focused(timeout=15_000)
    assert field(page, "n_randomised_total").locator("[data-said]").input_value() == "19"
    assert field(page, "n_randomised_total").locator("[name=quote]").input_value() == f"Nina{quoted}"
    expect(field(page, "study_id").locator("b")).to_have_text("Okoro 2021")
    expect(field(page, "registration_number")).to_have_attribute("data-verdict", "confirmed")
    assert field(page, "study_design").get_attribute("data-verdict") == ""
    assert not seen.complaints


def test_what_others_decide_comes_into_the_comparison_by_itself(visit: Visit, seen: Seen, study: str) -> None:
    address = f"/studies/{study}/?group=identification&field=country"
    pages = {who: visit(address, user=who) for who in ("annotator", "lead")}
    for page, said in zip(pages.values(), ("Denmark", "Norway"), strict=True):
        expect(field(page, "country")).to_be_focused()
        page.keyboard.press("e")
        field(page, "country").locator("[data-said]").fill(said)
        page.keyboard.press("Enter")
        for each in pages.values():  # who decides next has to have seen it
            expect(field(each, "country").locator("b")).to_have_text(said)
    compared = visit(f"/studies/{study}/compare/", user="uploader")
    row = compared.locator(".study-pairs tbody tr")
    expect(row).to_contain_text("They differ")
    expect(compared.locator("[data-live-state]")).to_have_attribute("data-live", "live")
    page = pages["annotator"]
    expect(field(page, "country").locator("b")).to_have_text("Norway")
    page.locator('[data-field="country"]').focus()
    page.keyboard.press("n")
    expect(row).to_contain_text("Not reported")
    assert not seen.complaints
