"""The job page while things change: seen by everybody at once, through restarts and without a websocket."""

import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.functional.conftest import ROWS, Documents, Visit, catalogue
from tests.support.promises import within
from tests.support.stack import Person, Stack

pytestmark = [pytest.mark.browser, pytest.mark.alone]

# Notes when each tile took each version, by the clock of this machine.
WATCH_TILES = """() => {
  const versions = () => new Map([...document.querySelectorAll(".tile")].map((t) => [t.dataset.page, t.dataset.v]));
  let last = versions();
  window.noted = [];
  new MutationObserver(() => {
    const now = versions();
    for (const [page, v] of now) if (last.get(page) !== v) window.noted.push([Date.now() / 1000, page, Number(v)]);
    last = now;
  }).observe(document.querySelector("[data-live-body]"),
    { subtree: true, childList: true, attributeFilter: ["data-v"] });
}"""
TILES = """() => Object.fromEntries([...document.querySelectorAll(".tile")].map((tile) => [tile.dataset.page, [
  tile.dataset.state, tile.dataset.v, tile.querySelector(".tile-skus").textContent]]))"""
# How full each bar of the phase strip was, change by change, and what was said in places that are read aloud.
WATCH_PROGRESS = """addEventListener("DOMContentLoaded", () => {
  Object.assign(window, { bars: {}, said: [] });
  const live = "[aria-live], [role=status], [role=alert]";
  const look = (records) => {
    for (const bar of document.querySelectorAll("[data-figure-attr^='width:phase.']")) {
      const widths = window.bars[bar.dataset.figureAttr.split(".")[1]] ??= [];
      if (widths.at(-1) !== parseFloat(bar.getAttribute("width"))) widths.push(parseFloat(bar.getAttribute("width")));
    }
    for (const { target } of records) {
      const place = (target.nodeType === 1 ? target : target.parentElement)?.closest(live);
      if (!place) continue;
      const isLoud = place.ariaLive === "assertive" || place.getAttribute("role") === "alert";
      window.said.push([performance.now(), place.matches("[data-progress-said]"), isLoud, place.textContent.trim()]);
    }
  };
  const changes = { subtree: true, childList: true, characterData: true, attributeFilter: ["width"] };
  new MutationObserver(look).observe(document.body, changes);
});"""
# Each colour of the footer of tile 2 while it is wet, and whether anything is animated.
WATCH_INK = """() => {
  window.inks = [];
  const tile = document.querySelector('.tile[data-page="2"]'), foot = tile.querySelector(".tile-foot");
  const look = () => window.inks.push([tile.dataset.wet ?? "dry", getComputedStyle(foot).backgroundImage,
    getComputedStyle(tile).boxShadow, document.getAnimations().length]);
  new MutationObserver(look).observe(tile, { attributeFilter: ["data-wet"] });
}"""
# Of the document: how many tasks wait is each person's own.
FIGURES = """() => Object.fromEntries([...document.querySelectorAll("[data-figure]:not([data-figure=tasks])")].map(
  (figure) => [figure.dataset.figure, figure.textContent]))"""


def committed(stack: Stack, job: str) -> dict[str, str]:
    """Version of each page by number, as the database has it."""
    rows = stack.sql(
        "SELECT p.number, p.version FROM ingestion_page p JOIN ingestion_job j ON j.id = p.job_id WHERE j.uuid = %s",
        job,
    )
    return {str(number): str(version) for number, version in rows}


def shown(page: Page) -> dict[str, str]:
    return {number: version for number, (_state, version, _skus) in page.evaluate(TILES).items()}


def until(page: Page, condition: Callable[[], bool], within_s: float, what: str) -> float:
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < within(within_s), what
        page.wait_for_timeout(50)
    return time.monotonic() - began


def is_live(page: Page) -> bool:
    return page.locator("[data-live-state]").get_attribute("data-live") == "live"


def touch(stack: Stack, job: str, number: int) -> None:
    """A commit that changes what a tile shows and that nobody hints at."""
    stack.sql(
        "UPDATE ingestion_page SET sku_count = sku_count + 1, version = version + 1, changed = pg_current_xact_id()"
        " WHERE number = %s AND job_id = (SELECT id FROM ingestion_job WHERE uuid = %s)",
        number,
        job,
    )


class Commits(threading.Thread):
    """When each version of page 1 became visible to others, looked at every few milliseconds."""

    def __init__(self, stack: Stack, job: str) -> None:
        super().__init__(daemon=True)
        assert stack.services is not None
        self.url, self.job = stack.services.services.database_url, job
        self.seen_at: dict[int, float] = {}
        self.over = threading.Event()

    def run(self) -> None:
        query = (
            "SELECT p.version FROM ingestion_page p JOIN ingestion_job j ON j.id = p.job_id"
            " WHERE p.number = 1 AND j.uuid = %s"
        )
        with psycopg.connect(self.url, autocommit=True) as connection:
            while not self.over.wait(0.01):
                for (version,) in connection.execute(query, (self.job,)):
                    self.seen_at.setdefault(version, time.time())


@pytest.mark.long
@pytest.mark.req("TA-PROG")
def test_two_browsers_show_the_same_within_a_second_of_each_commit(
    visit: Visit, stack: Stack, documents: Documents
) -> None:
    pages = [visit(f"/jobs/{documents.en}/"), visit(f"/jobs/{documents.en}/", user="lead", width=1280)]
    for page in pages:
        expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")
        page.evaluate(WATCH_TILES)
    commits = Commits(stack, documents.en)
    commits.start()
    done = stack.manage("pages", "retry", documents.en, "1", "--json")
    assert '"pages_sent": 1' in done.stdout, done.stdout + done.stderr
    stack.wait_for(documents.en, lambda state: state.is_left_by_machines, 60)
    for page in pages:
        until(page, lambda page=page: shown(page) == committed(stack, documents.en), 5, "the last commit is shown")
    commits.over.set()
    commits.join()
    assert pages[0].evaluate(TILES) == pages[1].evaluate(TILES)
    until(pages[0], lambda: pages[0].evaluate(FIGURES) == pages[1].evaluate(FIGURES), 5, "the figures are the same")
    versions = sorted(commits.seen_at)[1:]
    assert len(versions) >= 3, "queued, claimed, read: more than one commit was seen"
    for page in pages:
        noted = page.evaluate("window.noted")
        assert {number for _at, number, _version in noted} == {"1"}, "no other tile moves"
        late = {v: min(at for at, _n, shown_v in noted if shown_v >= v) - commits.seen_at[v] for v in versions}
        assert max(late.values()) <= 1.0, late


@pytest.mark.req("TA-PROG")
def test_progress_never_goes_back_and_is_said_politely_every_five_seconds(
    visit: Visit, stack: Stack, tmp_path: Path
) -> None:
    (tmp_path / "Progress.pdf").write_bytes(catalogue("en", "PRG", pages=4))

    def watch(page: Page) -> None:
        page.clock.install()
        page.add_init_script(WATCH_PROGRESS)

    with stack.standing_still("cpu"):
        job = stack.upload(tmp_path / "Progress.pdf")
        page = visit(f"/jobs/{job}/", before=watch)
        expect(page.locator(".skeleton")).to_be_visible()
    expect(page.locator('.tile[data-state="IMPORTED_CONFIRMED"]')).to_have_count(4, timeout=60_000)
    stack.wait_for(job, lambda state: state.is_left_by_machines, 60)
    until(page, lambda: shown(page) == committed(stack, job), 5, "the last commit is shown")
    page.clock.run_for(6_000)
    expect(page.locator("[data-progress-said]")).to_contain_text(f"4 / 4 pages read, {4 * ROWS} SKU")
    bars = page.evaluate("window.bars")
    assert all(widths == sorted(widths) for name, widths in bars.items() if name != "people"), bars
    assert bars["deliver"][-1] == bars["understand"][-1] == 100 and len(bars["deliver"]) > 1, bars
    said = page.evaluate("window.said")
    progress = [at for at, is_progress, _loud, _words in said if is_progress]
    assert progress and not any(loud for _at, _progress, loud, _words in said), said
    # Each is noted a little after it is said.
    assert all(later - earlier > 4_000 for earlier, later in pairwise(progress)), said


@pytest.mark.req("TA-PROG")
def test_a_socket_that_falls_silent_is_shown_within_25_seconds(visit: Visit, documents: Documents) -> None:
    """It stays open and nothing comes: no error tells the page, only its own clock, which is turned on here."""
    mute: list[int] = []
    opened: list[WebSocketRoute] = []

    def relay(socket: WebSocketRoute) -> None:
        number = len(opened)
        opened.append(socket.connect_to_server())
        opened[-1].on_message(lambda message: None if number in mute else socket.send(message))

    def listen(page: Page) -> None:
        page.clock.install()
        page.route_web_socket("**/ws/**", relay)

    page = visit(f"/jobs/{documents.en}/", before=listen)
    until(page, lambda: bool(opened) and is_live(page), 10, "the socket is open")
    page.wait_for_timeout(300)
    mute.append(0)
    page.evaluate("""() => {
      const [state, from] = [document.querySelector("[data-live-state]"), performance.now()];
      const look = () => state.dataset.live !== "live" && (window.cutAfter ??= performance.now() - from);
      new MutationObserver(look).observe(state, { attributes: true });
    }""")
    page.clock.run_for(26_000)
    assert 10_000 < page.evaluate("window.cutAfter") <= 25_000, "not at the first beat that is late, and in time"
    until(page, lambda: len(opened) > 1 and is_live(page), 10, "another socket is open")


@pytest.mark.req("LX-NOTIFY")
def test_a_commit_without_a_hint_is_shown_within_two_seconds(visit: Visit, stack: Stack, documents: Documents) -> None:
    page = visit(f"/jobs/{documents.zh}/", language="zh")
    expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")
    page.wait_for_timeout(500)
    before = page.evaluate(TILES)["2"]
    touch(stack, documents.zh, 2)
    until(page, lambda: page.evaluate(TILES)["2"][1] == str(int(before[1]) + 1), 3, "the tile has the new version")
    assert page.evaluate(TILES)["2"][2] == str(int(before[2]) + 1)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_what_changed_is_tinted_and_dries_without_an_animation(
    visit: Visit, stack: Stack, documents: Documents, motion: Any
) -> None:
    page = visit(f"/jobs/{documents.zh}/", language="zh")
    page.emulate_media(reduced_motion=motion)
    expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")
    page.evaluate(WATCH_INK)
    touch(stack, documents.zh, 2)
    until(page, lambda: "dry" in [ink[0] for ink in page.evaluate("window.inks")], 8, "the tile is dry again")
    wetness, tints, marks, moving = zip(*page.evaluate("window.inks"), strict=True)
    assert wetness == ("4", "3", "2", "1", "0", "dry")
    assert set(moving) == {0}
    if motion == "reduce":
        assert len(set(tints[:-1])) == 1 and tints[-1] == "none"
        assert len(set(marks[:-1])) == 1 and marks[0] != marks[-1] == "none"
    else:
        assert len(set(tints)) == 6 and set(marks) == {"none"}


@pytest.mark.req("TA-PROG")
def test_a_page_is_whole_again_after_the_process_with_its_socket_was_killed(
    visit: Visit, stack: Stack, documents: Documents
) -> None:
    heard: list[str | bytes] = []

    def listen(page: Page) -> None:
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))

    page = visit(f"/jobs/{documents.zh}/", before=listen)
    until(page, lambda: bool(heard), 10, "the socket has said something")
    killed = stack.kill_unit("live")
    touch(stack, documents.zh, 1)
    until(page, lambda: not is_live(page), 2, "the page says that it is cut off")
    stack.until(lambda: stack.units().get("live") not in (None, killed), 60, "its process is up again")
    until(page, lambda: is_live(page) and shown(page) == committed(stack, documents.zh), 3, "the page is whole again")


def serves(stack: Stack) -> bool:
    try:
        return Person(stack.address).ask("/healthz")[0] == 200
    except OSError:
        return False


@pytest.mark.req("TA-PROG")
def test_without_a_websocket_the_page_asks_by_itself(visit: Visit, stack: Stack, documents: Documents) -> None:
    def block(page: Page) -> None:
        page.route_web_socket("**/ws/**", refuse)

    def refuse(socket: WebSocketRoute) -> None:
        socket.close(code=1011)

    page = visit(f"/jobs/{documents.zh}/", before=block)
    expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "reconnecting")
    touch(stack, documents.zh, 2)
    until(page, lambda: shown(page) == committed(stack, documents.zh), 5, "the page asked by itself")
    assert not is_live(page)


def test_after_signing_out_elsewhere_one_signs_in_on_the_page_and_goes_on(
    visit: Visit, stack: Stack, documents: Documents
) -> None:
    page = visit("/login/", user="")
    page.get_by_label("User name").fill("lead")
    page.get_by_label("Password").fill("demo-lead")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{stack.address}/")
    page.goto(f"/jobs/{documents.en}/")
    expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")
    other = page.context.new_page()
    other.goto("/")
    other.locator("[popovertarget=person-menu]").click()
    other.get_by_role("button", name="Sign out").click()
    page.bring_to_front()
    dialog = page.get_by_role("dialog", name="You have been signed out")
    expect(dialog).to_be_visible()
    dialog.get_by_label("Password").fill("not this one")
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text("The password is not right")
    dialog.get_by_label("Password").fill("demo-lead")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")
    page.locator("[popovertarget=person-menu]").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(f"{stack.address}/login/")
