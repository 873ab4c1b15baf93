"""What a screen says while a part of it is fetched, and when that fails (docs/people.md, checklist 32;
empty: tests/integration/test_screen_states.py)."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.functional.conftest import Documents, Visit
from tests.functional.test_browser_workbench import Sample, sample

__all__ = ["sample"]
pytestmark = [pytest.mark.browser, pytest.mark.alone]
SHOWN_AFTER_MS = 200


class Held:
    """Requests that wait for their answer; best begun before the page is: one was seen to pass."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.routes: list[Route] = []

    def begin(self, page: Page) -> None:
        self.page = page
        page.route(self.address, lambda route: self.routes.append(route))

    def fail(self) -> None:
        while not self.routes:  # the page shows that it waits before this process is told what for
            self.page.wait_for_timeout(20)
        self.routes[-1].fulfill(status=500, headers={"X-Request-Id": "request-7"}, body="")

    def let_go(self) -> None:
        self.page.unroute(self.address)


@pytest.mark.parametrize(("key", "part"), [("h", "past"), ("d", "around")])
def test_a_part_of_the_workbench_waits_fails_and_is_fetched_again(
    visit: Visit, sample: Sample, key: str, part: str
) -> None:
    held = Held(f"**/{part}/")
    page = visit(f"/tasks/{sample.task(8)}/", user="annotator", before=held.begin)
    expect(page.locator("[data-lock=free]")).to_be_visible()
    page.keyboard.press(key)
    place = page.locator(f"[data-{part}-part]")
    expect(place).to_have_attribute("aria-busy", "true")
    expect(place.locator(".skeleton")).to_have_css("opacity", "1", timeout=10 * SHOWN_AFTER_MS)
    held.fail()
    expect(place).to_contain_text("That did not work. Nothing was changed. request-7")
    expect(place).not_to_have_attribute("aria-busy", "true")
    held.let_go()
    place.get_by_role("button", name="Try again").click()
    expect(place.locator("li, figure, section, table").first).to_be_visible()
    expect(place.get_by_role("button", name="Try again")).to_have_count(0)


def test_a_proof_that_is_fetched_marks_its_cell_and_a_failure_is_told(visit: Visit, documents: Documents) -> None:
    held = Held("**/skus/**")
    page = visit(f"/jobs/{documents.en}/results/", before=held.begin)
    cell = page.locator("[data-evidence]").first
    cell.click()
    expect(cell).to_have_attribute("aria-busy", "true")
    held.fail()
    expect(page.locator(".toast")).to_contain_text("request-7")
    expect(cell).not_to_have_attribute("aria-busy", "true")
    held.let_go()
    cell.click()
    expect(page.locator("#evidence .hl")).to_be_visible()


def test_a_browser_that_never_chose_a_language_hears_the_one_it_reads(visit: Visit, documents: Documents) -> None:
    page = visit("/")
    page.context.clear_cookies(name="django_language")
    page.context.set_extra_http_headers({"Accept-Language": "en"})
    with page.expect_websocket() as socket:
        page.goto(f"/jobs/{documents.en}/")
    told = socket.value.wait_for_event("framereceived")
    assert '"sync"' in str(told)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert not re.search("[\u3400-\u9fff]", str(told)), told
