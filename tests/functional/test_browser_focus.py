"""The focus is seen; nothing that changes by itself takes it, the caret or what is typed (docs/people.md,
checklist 9, 10, 20)."""

from typing import Literal

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.functional.conftest import Documents, Visit
from tests.functional.test_browser_together import NAME, live
from tests.functional.test_browser_workbench import Sample, in_hand, sample, saved
from tests.support.matrix import gate_first
from tests.support.stack import Stack

__all__ = ["sample"]
pytestmark = [pytest.mark.browser, pytest.mark.alone]

# What was under way when changes of the page left the focus nowhere; two frames after the last of them, when browsers
# have settled it: what comes between two changes (a save that is answered) is a frame's, and nobody's loss.
WATCH = """() => {
  let changed = 0;
  Object.assign(window, { lost: [], doing: "" });
  const look = (then) => then === changed && document.activeElement === document.body && window.lost.push(window.doing);
  const soon = (then = ++changed) => requestAnimationFrame(() => requestAnimationFrame(() => look(then)));
  const changes = { subtree: true, childList: true, attributeFilter: ["hidden", "disabled"] };
  new MutationObserver(() => soon()).observe(document.body, changes);
}"""
# The page's first socket is refused; its region bears a mark from the beginning.
REFUSED = """
  let sockets = 0;
  window.WebSocket = class extends WebSocket {
    constructor(address) { super(sockets++ ? address : "ws://127.0.0.1:9/"); }
  };
  addEventListener("DOMContentLoaded", () => (document.querySelector("#job-region > *").dataset.old = 1));
"""
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
# Keys, and buttons that are pressed where they have the focus.
ACTS = (
    *("Control+Enter", "Enter", "Escape", "j", "k", "n", "Escape", "Delete", "Control+z", "Control+z", "Control+z"),
    *("Shift+D", "Escape", "Shift+M", "Shift+S", "Escape", "a", "Shift+A", "p", "p", "d", "m", "Escape", "h", "j"),
    *("[data-add-custom]", "[data-add-custom]", "[data-drop-custom]", "[data-drop-custom]", "[data-act=accept-sku]"),
    *("[data-undo]", "[data-undo]", "[data-undo]", "[data-undo]", "[data-redo]", "[data-act=reject]", "v", "Escape"),
    *("s", "Escape", "?", "Escape", "[data-act=skip]", "Escape"),
)
TABS = 70
CARET = "() => [document.activeElement.value, document.activeElement.selectionStart]"

# What the focus shows of itself and of its element, where it is drawn: a light that is none, or one that is covered.
FOCUSED = """() => {
  const element = document.activeElement;
  if (element === document.body) return null;
  const shown = element.closest("label, .export-format") ?? element;
  const lit = [element, shown].map((one) => getComputedStyle(one))
    .some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2);
  const box = element.getBoundingClientRect();
  const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
  const [wide, high] = [Math.min(box.right, innerWidth) - left, Math.min(box.bottom, innerHeight) - top];
  const places = [0.1, 0.5, 0.9].flatMap((x) => [0.2, 0.5, 0.8].map((y) => [left + x * wide, top + y * high]));
  const seen = wide > 0 && high > 0 && places.some(([x, y]) => {
    const there = document.elementFromPoint(x, y);
    return there && there !== document.body && (shown.contains(there) || there.contains(element));
  });
  const name = `${element.tagName} ${element.className} ${element.textContent.trim().slice(0, 30)}`;
  return { name, lit, seen };
}"""


@pytest.mark.parametrize(
    ("forced", "width"), gate_first(("active", 640), ("none", 640), ("none", 1440), ("active", 1440))
)
def test_focus_is_seen_wherever_the_key_takes_it(
    visit: Visit, sample: Sample, documents: Documents, forced: Literal["none", "active"], width: int
) -> None:
    """Also in colours that the system forces on a page, and where little has room (docs/people.md, 20 and 24)."""
    task = sample.task(8)
    for path, user in (
        ("/", "uploader"),
        (f"/jobs/{documents.en}/", "uploader"),
        (f"/jobs/{documents.en}/results/", "uploader"),
        ("/catalogue/", "uploader"),
        ("/tasks/", "lead"),
        (f"/tasks/{task}/?claim=1", "annotator"),
    ):
        page = visit(path, user=user, width=width, before=lambda page: page.emulate_media(forced_colors=forced))
        expect(page.locator("h1").first).to_be_attached()
        reached, faults = 0, []
        for _ in range(TABS):
            page.keyboard.press("Tab")
            found = page.evaluate(FOCUSED)
            if found is None:
                break
            reached += 1
            if not (found["lit"] and found["seen"]):
                faults.append(found)
        assert reached >= 8 and faults == [], (path, reached, faults)


def test_focus_is_somewhere_after_every_act_of_the_workbench(visit: Visit, sample: Sample) -> None:
    page = visit(f"/tasks/{sample.task(8)}/?claim=1", user="annotator")
    in_hand(page)
    expect(page.locator("[data-ready=true]")).to_be_visible()
    page.evaluate(WATCH)
    for act in ACTS:
        page.evaluate("act => (window.doing = act)", act)
        if act.startswith("["):
            if page.locator(act).first.is_disabled():
                continue
            page.locator(act).first.focus()
        page.keyboard.press("Enter" if act.startswith("[") else act)
        page.evaluate(SETTLED)
        assert page.evaluate("document.activeElement !== document.body"), act
    assert page.evaluate("window.lost") == []


def test_a_region_that_is_fetched_anew_leaves_focus_where_it_was(visit: Visit, documents: Documents) -> None:
    sockets: list[WebSocketRoute] = []

    def relay(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page = visit(f"/jobs/{documents.en}/", before=lambda page: page.route_web_socket("**/ws/**", relay))
    live(page)
    for place in ('.tile[data-page="2"]', "[data-show=delivered]", ".job-head a.btn"):
        page.locator(place).first.focus()
        page.evaluate("document.querySelector('#job-region > *').dataset.old = 1")
        sockets[-1].close(code=1011)
        expect(page.locator("[data-old]")).to_have_count(0)
        page.evaluate(SETTLED)
        assert page.evaluate("place => document.activeElement.matches(place)", place), place


def test_a_region_is_fetched_anew_where_the_pages_first_socket_never_opened(visit: Visit, documents: Documents) -> None:
    page = visit(f"/jobs/{documents.en}/", before=lambda page: page.add_init_script(REFUSED))
    expect(page.locator("[data-old]")).to_have_count(0)
    expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")


@pytest.mark.req("X-DRAFT", "X-PRES")
def test_what_is_typed_and_its_caret_stay_while_others_are_at_work(
    visit: Visit, sample: Sample, stack: Stack, documents: Documents
) -> None:
    task = sample.task(8)
    page = visit(f"/tasks/{task}/?claim=1", user="annotator")
    in_hand(page)
    page.locator(NAME).fill("Oak mirror")
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    lead = visit(f"/tasks/{task}/", user="lead")
    expect(lead.locator("[data-ready=true]")).to_be_visible()
    say(lead, "Which size is it?")
    stack.sql(
        "UPDATE annotation_humantask SET priority = 'HIGH', version = version + 1, changed = pg_current_xact_id()"
        " WHERE uuid = %s",
        task,
    )
    expect(page.locator(".toast")).to_contain_text("Which size is it?")
    expect(page.locator("[data-bench-people] .avatar")).to_have_count(1)
    saved(page)
    assert page.evaluate(CARET) == ["Oak mirror", 3]
    page.keyboard.type(" wood")
    expect(page.locator(NAME)).to_have_value("Oak wood mirror")
    expect(lead.locator(NAME)).to_have_value("Oak wood mirror")

    page.keyboard.press("Escape")
    page.keyboard.press("m")
    page.keyboard.type("Half a sentence")
    page.keyboard.press("Home")
    say(lead, "The large one?")
    expect(page.locator("[data-talk-list] li")).to_have_count(2)
    assert page.evaluate(CARET) == ["Half a sentence", 0]

    page.goto("/")
    page.locator("[data-search]").fill("chair")
    page.keyboard.press("ArrowLeft")
    with page.expect_response(lambda answer: answer.request.headers.get("x-fragment") == "rows"):
        page.evaluate("document.dispatchEvent(new CustomEvent('documents:changed'))")
    page.evaluate(SETTLED)
    assert page.evaluate(CARET) == ["chair", 4]


def say(page: Page, words: str) -> None:
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    page.keyboard.type(words)
    page.keyboard.press("Enter")
