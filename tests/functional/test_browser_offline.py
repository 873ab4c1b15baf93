"""A connection that is gone is told on every screen within four seconds, with what is safe meanwhile; and every
time is told by one clock in one zone, which each screen states."""

import re
import time
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, Request, WebSocketRoute, expect

from tests.functional.conftest import Documents, Seen, Visit
from tests.functional.test_browser_workbench import Sample, sample
from tests.support.matrix import gate_first
from tests.support.promises import within
from tests.support.stack import Stack, stopped

__all__ = ["sample"]
pytestmark = [pytest.mark.browser, pytest.mark.alone]

TOLD_WITHIN_MS = within(4000)
LOST, BACK = "[data-reach=lost]", "[data-reach=back]"
# name: (address, who, what is said to be safe)
FORMS = "has to be sent again when the connection is back"
NOTHING = "nothing is lost"
FILES = "What has arrived of a file is kept"
SCREENS: dict[str, tuple[str, str, str]] = {
    "sign-in": ("/login/", "", FORMS),
    "documents": ("/", "uploader", FILES),
    "documents of who only looks": ("/", "annotator", NOTHING),
    "document": ("/jobs/{job}/", "uploader", ""),
    "results": ("/jobs/{job}/results/", "uploader", ""),
    "all results": ("/results/", "lead", NOTHING),
    "catalogue": ("/catalogue/", "lead", NOTHING),
    "reports": ("/reports/", "uploader", ""),
    "notices": ("/notices/", "uploader", FORMS),
    "imports": ("/imports/", "admin", ""),
    "tasks": ("/tasks/", "lead", ""),
    "closed tasks": ("/tasks/closed/", "lead", ""),
    "people": ("/tasks/people/", "lead", NOTHING),
    "attributes": ("/tasks/attributes/", "admin", ""),
    "models": ("/models/", "lead", ""),
    "quality": ("/quality/", "lead", NOTHING),
    "calibration": ("/quality/calibration/", "lead", NOTHING),
    "keeping": ("/keeping/", "admin", FORMS),
    "find a person": ("/keeping/people/", "lead", FORMS),
    "words": ("/words/", "lead", FORMS),
    "operations": ("/ops/", "admin", ""),
    "figures": ("/ops/figures/", "admin", ""),
    "webhooks": ("/webhooks/", "lead", FORMS),
    "models and cost": ("/asking/", "uploader", FORMS),
    "password": ("/password/", "uploader", FORMS),
    "API": ("/api/v1/docs", "admin", NOTHING),
    "missing": ("/jobs/00000000-0000-0000-0000-000000000000/", "uploader", NOTHING),
}


def in_sight(page: Page) -> None:
    """Whole in the window, above what it tells of, and in a place that is read aloud."""
    faults = page.evaluate("""() => {
      const banner = document.querySelector("[data-reach]"), box = banner.getBoundingClientRect();
      const met = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return [box.height > 20 && box.top >= 0 && box.bottom <= innerHeight, box.left >= 0 && box.right <= innerWidth,
        banner.contains(met), banner.closest("[role=status][aria-live=polite]") !== null];
    }""")
    assert faults == [True] * 4, (page.url, faults)


def test_every_screen_tells_within_four_seconds_that_the_network_is_gone(visit: Visit, documents: Documents) -> None:
    pages: dict[str, Page] = {}
    late: list[str] = []
    for name, (address, user, safe) in SCREENS.items():
        path = address.format(job=documents.en)
        if user not in pages:
            pages[user] = visit(path, user=user)
        page = pages[user]
        page.goto(path)
        expect(page.locator("[data-behaviour=reach][data-started]")).to_be_attached()
        expect(page.locator(LOST)).to_have_count(0)
        page.context.set_offline(True)
        began = time.monotonic()
        try:
            page.locator(LOST).wait_for(timeout=TOLD_WITHIN_MS)
        except Exception as error:  # all screens are told, not the first alone
            late.append(f"{name}: {error}")
        else:
            expect(page.locator(LOST)).to_contain_text(
                re.compile(r"No connection to the server since \d\d:\d\d:\d\d\.")
            )
            expect(page.locator(LOST)).to_contain_text(safe)
            in_sight(page)
        page.context.set_offline(False)
        expect(page.locator(BACK)).to_contain_text("The connection is back.", timeout=TOLD_WITHIN_MS)
        assert time.monotonic() - began < 2 * TOLD_WITHIN_MS / 1000 + within(2)
    assert not late, "\n".join(late)


def test_it_is_said_in_the_language_of_the_screen(visit: Visit, documents: Documents) -> None:
    page = visit("/tasks/people/", user="lead", language="zh")
    page.context.set_offline(True)
    expect(page.locator(LOST)).to_contain_text("连不上服务器", timeout=TOLD_WITHIN_MS)


@pytest.mark.parametrize("path", gate_first("/jobs/{job}/", "/results/"))
def test_a_server_that_stands_still_is_told_within_four_seconds(
    visit: Visit, stack: Stack, documents: Documents, path: str
) -> None:
    """Whether a socket falls silent or there is none."""
    page = visit(path.format(job=documents.en), user="lead")
    page.wait_for_timeout(2500)
    with stopped([stack.units()[unit] for unit in ("web", "live")]):
        expect(page.locator(LOST)).to_be_visible(timeout=TOLD_WITHIN_MS + 300)
    expect(page.locator(BACK)).to_be_visible(timeout=TOLD_WITHIN_MS)


def test_tabs_ask_for_nothing_while_the_socket_of_one_lives(visit: Visit, documents: Documents) -> None:
    asked: list[str] = []

    def count(request: Request) -> None:
        if request.url.endswith("/healthz"):
            asked.append(request.frame.url)

    page = visit(f"/jobs/{documents.en}/", user="lead")
    expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")
    other = page.context.new_page()
    other.goto("/results/")
    page.context.on("request", count)
    other.wait_for_timeout(9000)
    assert len(asked) <= 1, (
        "what one tab hears holds for the others of the browser; on a busy machine a beat may be late"
    )
    asked.clear()
    page.close()
    other.wait_for_timeout(9000)
    assert 2 <= len(asked) <= 5, asked


def test_a_socket_that_is_cut_while_the_server_answers_is_no_alarm(visit: Visit, documents: Documents) -> None:
    opened: list[WebSocketRoute] = []

    def relay(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        opened.append(socket)

    page = visit(f"/jobs/{documents.en}/", before=lambda page: page.route_web_socket("**/ws/**", relay))
    expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")
    opened[0].close(code=1012)
    page.wait_for_timeout(3000)
    expect(page.locator("[data-behaviour=reach]")).to_be_hidden()


def test_a_form_that_cannot_be_sent_stays_says_so_and_goes_once_the_connection_is_back(
    visit: Visit, documents: Documents
) -> None:
    page = visit("/webhooks/", user="lead")
    page.locator('[name="url"]').fill("https://hooks.invalid/offline")
    page.locator('[value="job.partly_failed"]').check()
    page.context.set_offline(True)
    expect(page.locator(LOST)).to_contain_text(FORMS)
    send = page.locator('form[action="/webhooks/"] .btn-primary')
    send.click()
    expect(page.locator("[data-unsent]")).to_contain_text("Not sent: no connection.")
    expect(page.locator('[name="url"]')).to_have_value("https://hooks.invalid/offline")
    page.context.set_offline(False)
    expect(page.locator(BACK)).to_be_visible()
    expect(page.locator("[data-unsent]")).to_have_count(0)
    send.click()
    expect(page.locator(".hook-secret")).to_contain_text("whsec_")


def typed(page: Page) -> None:
    expect(page.locator("[data-lock=free]")).to_be_visible()
    page.keyboard.press("c")
    expect(page.locator("[data-lock=mine]")).to_be_visible()
    field = page.locator("[data-field=product_name] input").first
    field.fill("Typed without a connection")


def test_a_draft_that_is_typed_offline_is_said_to_be_kept_and_is(visit: Visit, sample: Sample) -> None:
    page = visit(f"/tasks/{sample.task(8)}/", user="annotator")
    page.context.set_offline(True)
    expect(page.locator(LOST)).to_contain_text("What you type is saved here until the connection is back.")
    in_sight(page)
    page.context.set_offline(False)
    expect(page.locator(BACK)).to_be_visible()
    typed(page)
    page.context.set_offline(True)
    expect(page.locator("[data-save-state]")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("[data-save-state]")).to_have_attribute("data-state", "saved")


FULL = """Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }"""
FORBIDDEN = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get: () => { throw new DOMException("no", "SecurityError"); } });"""


@pytest.mark.parametrize("storage", [FULL, FORBIDDEN], ids=["full", "forbidden"])
def test_a_browser_that_keeps_nothing_breaks_nothing_and_says_so(
    visit: Visit, sample: Sample, seen: Seen, storage: str
) -> None:
    page = visit(
        f"/tasks/{sample.task(9)}/", user="annotator", before=lambda page: page.context.add_init_script(storage)
    )
    typed(page)
    expect(page.locator("[data-save-state]")).to_have_attribute("data-state", "saved")
    page.context.set_offline(True)
    page.locator("[data-field=product_name] input").first.fill("And more")
    expect(page.locator("[data-save-state]")).to_have_attribute("data-state", "unkept")
    expect(page.locator(".toast", has_text="This browser keeps nothing on this device")).to_have_count(1)
    expect(page.locator(LOST)).to_contain_text("This browser keeps nothing: leave this page open")
    page.context.set_offline(False)
    expect(page.locator("[data-save-state]")).to_have_attribute("data-state", "saved")
    scripts = [complaint for complaint in seen.complaints if complaint.startswith("script")]
    assert not scripts
    page.goto("/")
    expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")
    scripts = [complaint for complaint in seen.complaints if complaint.startswith("script")]
    assert not scripts


WHOLE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\+8")
TITLES = """() => [...document.querySelectorAll("time")].filter((time) => time.textContent)
  .map((time) => time.title)"""


def far_away(page: Page) -> None:
    """A machine whose own clock is in another zone."""
    page.context.new_cdp_session(page).send("Emulation.setTimezoneOverride", {"timezoneId": "America/New_York"})


@pytest.mark.parametrize("language", gate_first("zh", "en"))
def test_every_time_has_its_date_and_zone_and_each_screen_says_the_zone(
    visit: Visit, documents: Documents, language: str
) -> None:
    pages: dict[str, Page] = {}
    titles: list[str] = []
    for name, (address, user, _safe) in SCREENS.items():
        if name in ("sign-in", "password", "missing"):  # of one card, without a time
            continue
        path = address.format(job=documents.of(language))
        if user in pages:
            pages[user].goto(path)
        else:
            pages[user] = visit(path, user=user, language=language, before=far_away)
        told = pages[user].evaluate(TITLES)
        assert all(WHOLE.fullmatch(title) for title in told), (name, told)
        titles += told
        expect(pages[user].locator("[data-zone]"), name).to_have_text(re.compile(r".*Asia/Shanghai.*UTC\+8$"))
    assert len(titles) > 10


def test_a_script_tells_the_time_of_the_installation_not_of_the_machine(visit: Visit, sample: Sample) -> None:
    page = visit(f"/tasks/{sample.task(8)}/", user="annotator", before=far_away)
    page.context.set_offline(True)
    told = expect(page.locator(LOST))
    told.to_contain_text("No connection")
    here = datetime.now(ZoneInfo("Asia/Shanghai"))
    told.to_contain_text(re.compile("|".join(f"{here - timedelta(minutes=n):%H:%M}" for n in (0, 1))))
