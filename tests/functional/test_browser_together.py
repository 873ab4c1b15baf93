"""Two people at the same tasks: each sees at once what the other does, and nothing that was typed is lost."""

import re
import time

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.functional.conftest import Seen, Visit
from tests.functional.test_browser_live import is_live, serves, until
from tests.functional.test_browser_screens import faults_of
from tests.functional.test_browser_workbench import NAMES_HAVE_NO_LANGUAGE, Sample, in_hand, sample, saved
from tests.support.promises import within
from tests.support.stack import Stack

__all__ = ["sample"]

pytestmark = [pytest.mark.browser, pytest.mark.alone]

NAME = "[data-field=product_name] input"
# Notes when the row of the task shows its holder, by the clock of this machine.
WATCH_HOLDER = """(task) => new MutationObserver(() => {
  const row = document.querySelector(`tr[data-key="${task}"]`);
  if (row.dataset.state === "PROCESSING") window.heldAt ??= Date.now() / 1000;
}).observe(document.querySelector("tbody"), {subtree: true, attributeFilter: ["data-state"], childList: true})"""


def live(page: Page) -> None:
    """Told as live, which a page says from its first bytes on, and with its keys bound."""
    page.wait_for_load_state()
    page.wait_for_function("""() => ["bench", "task-queue"].every(
        (name) => document.querySelector(`[data-behaviour~=${name}]:not([data-ready])`) === null)""")
    expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")


@pytest.mark.req("X-PRES", "TA-LOCK", "X-DRAFT")
def test_a_lead_sees_who_has_what_looks_on_and_takes_over(
    visit: Visit, seen: Seen, sample: Sample, stack: Stack
) -> None:
    task = sample.task(8)
    holder, lead = visit("/tasks/", user="annotator"), visit("/tasks/", user="lead")
    for page in (holder, lead):
        live(page)
    lead.evaluate(WATCH_HOLDER, task)
    holder.keyboard.press("j")
    pressed = time.time()
    holder.keyboard.press("c")
    in_hand(holder)
    expect(lead.locator(f'tr[data-key="{task}"] .task-who')).to_have_text("Zhao Ning")
    expect(lead.locator(f'tr[data-key="{task}"] .avatar')).to_have_count(1)
    assert lead.evaluate("window.heldAt") - pressed < within(1)

    lead.keyboard.press("j")
    lead.keyboard.press("c")
    expect(lead.locator(".toast")).to_contain_text("Zhao Ning has this task in hand")
    lead.goto(f"/tasks/{task}/")
    expect(lead.locator("[data-lock=other]")).to_be_visible()
    expect(holder.locator("[data-bench-people] .avatar")).to_have_attribute("title", "Wang Lei")
    for page in (holder, lead):
        page.evaluate(NAMES_HAVE_NO_LANGUAGE)
        assert not faults_of(page, "en")
    holder.keyboard.type("Seen while it is typed")
    expect(lead.locator(NAME)).to_have_value("Seen while it is typed")
    expect(lead.locator(NAME)).to_have_js_property("readOnly", True)

    lead.get_by_role("button", name="Take over").click()
    in_hand(lead)
    expect(lead.locator(NAME)).to_have_value("Seen while it is typed")
    expect(holder.locator("[data-bench-banner]")).to_contain_text("Wang Lei took this page over")
    expect(holder.locator(NAME)).to_have_js_property("readOnly", True)
    lead.locator(NAME).fill("Finished by the lead")
    saved(lead)
    holder.reload()
    expect(holder.locator(NAME)).to_have_value("Seen while it is typed")
    assert not seen.complaints


@pytest.mark.req("X-DRAFT", "X-FENCE")
def test_a_page_that_changed_meanwhile_is_not_written_over_and_the_draft_is_shown_beside_it(
    visit: Visit, sample: Sample, stack: Stack
) -> None:
    task = sample.task(8)
    page = visit(f"/tasks/{task}/?claim=1", user="annotator")
    in_hand(page)
    page.keyboard.type("Oak mirror")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.keyboard.type("NEW-7")
    saved(page)
    (page_id, sku), *_ = stack.sql(
        "SELECT s.page_id, s.id FROM processing_sku s JOIN annotation_humantask t ON t.page_id = s.page_id"
        " WHERE t.uuid = %s AND NOT superseded ORDER BY sku_id",
        task,
    )
    # As though the page had been read again: another value, and a draft of before.
    change = "UPDATE processing_sku SET attributes = attributes || jsonb_build_object('product_name', %s::text)"
    stack.sql(f"{change} WHERE id = %s", "Read anew", sku)
    stack.sql("UPDATE ingestion_page SET finished_at = now() WHERE id = %s", page_id)
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-bench-banner]")).to_contain_text("The page has changed meanwhile")
    assert sample.status(task) == "PROCESSING" and "Oak mirror" not in [name for _, name, _, _ in sample.skus(task)]

    page.get_by_role("button", name="Load the page again").click()
    in_hand(page)
    left = page.locator("[data-left-over]")
    lines = left.locator("tbody tr")
    expect(lines).to_have_text([re.compile("S1.*Oak mirror.*Read anew", re.S), re.compile("New SKU.*NEW-7", re.S)])
    expect(page.locator(NAME)).to_have_value("Read anew")
    page.evaluate(NAMES_HAVE_NO_LANGUAGE)
    assert not faults_of(page, "en")
    lines.first.get_by_role("button", name="Put it in").press("Enter")
    expect(page.locator(NAME)).to_have_value("Oak mirror")
    saved(page)
    page.reload()  # what is left of the earlier draft is kept with the new one
    in_hand(page)
    expect(page.locator(NAME)).to_have_value("Oak mirror")
    lines.get_by_role("button", name="Put it in").press("Enter")
    expect(page.locator("[data-field=model] input")).to_have_value("NEW-7")
    expect(left).to_be_hidden()
    page.keyboard.press("Control+Enter")
    stack.until(lambda: sample.status(task) == "COMPLETED", 20, "it is submitted")
    assert {("Oak mirror"), ("NEW-7")} <= {one for model, name, _, _ in sample.skus(task) for one in (model, name)}


@pytest.mark.req("X-DRAFT", "TA-LOCK")
def test_a_session_that_ends_and_a_server_that_dies_lose_nothing(visit: Visit, sample: Sample, stack: Stack) -> None:
    task = sample.task(9)
    page = visit("/login/", user="")
    page.get_by_label("User name").fill("annotator")
    page.get_by_label("Password").fill("demo-annotator")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{stack.address}/")
    page.goto(f"/tasks/{task}/?claim=1")
    in_hand(page)
    live(page)
    page.keyboard.type("Before")
    saved(page)
    cookie = next(one["value"] for one in page.context.cookies() if one["name"] == "sessionid")
    stack.sql("DELETE FROM django_session WHERE session_key = %s", cookie)
    page.keyboard.type(" and after")
    dialog = page.get_by_role("dialog", name="You have been signed out")
    expect(dialog).to_be_visible()
    dialog.get_by_label("Password").fill("demo-annotator")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    saved(page)
    live(page)

    killed = [stack.kill_unit(unit) for unit in ("live", "web")]
    until(page, lambda: not is_live(page), 2, "the page says that it is cut off")
    page.locator(NAME).press("End")
    page.keyboard.type(", cut off")
    back = lambda: not {stack.units().get(unit) for unit in ("live", "web")} & {None, *killed}  # noqa: E731
    stack.until(lambda: serves(stack) and back(), 60, "both are up again")
    until(page, lambda: is_live(page), 3, "the page is live again")
    saved(page)
    in_hand(page)
    typed = stack.sql(
        "SELECT d.body FROM annotation_draft d JOIN annotation_humantask t ON t.id = task_id WHERE t.uuid = %s", task
    )
    name = typed[0][0]["skus"][0]["attributes"]["product_name"]["text"]
    assert name == "Before and after, cut off" and sample.status(task) == "PROCESSING"


@pytest.mark.req("TA-IDLE")
def test_without_a_key_for_long_one_is_warned_then_the_task_is_handed_back(visit: Visit, sample: Sample) -> None:
    task = sample.task(7)
    page = visit(f"/tasks/{task}/?claim=1", user="annotator", before=lambda page: page.clock.install())
    in_hand(page)
    page.keyboard.type("Typed long ago")
    page.clock.run_for(2000)
    saved(page)
    warning = page.get_by_role("alertdialog", name="Are you still there?")
    page.clock.fast_forward("14:05")
    expect(warning).to_contain_text("handed back in")
    page.keyboard.press("r")
    expect(warning).to_be_hidden()
    in_hand(page)
    page.clock.fast_forward("14:30")
    expect(warning).to_be_visible()
    page.clock.fast_forward("00:40")
    expect(page.locator("[data-bench-banner]")).to_contain_text("Handed back after a long time")
    assert sample.status(task) == "CREATED"
    page.keyboard.press("c")
    in_hand(page)
    expect(page.locator(NAME)).to_have_value("Typed long ago")


@pytest.mark.req("TA-LOCK")
def test_without_a_websocket_the_queue_asks_and_commands_are_posted(visit: Visit, sample: Sample, stack: Stack) -> None:
    task = sample.task(6)

    def block(page: Page) -> None:
        page.route_web_socket("**/ws/**", refuse)

    def refuse(socket: WebSocketRoute) -> None:
        socket.close(code=1011)

    lead = visit("/tasks/", user="lead", before=block)
    expect(lead.locator("[data-live-state]")).to_have_attribute("data-live", "reconnecting")
    holder = visit("/tasks/", user="annotator", before=block)
    expect(holder.locator("[data-live-state]")).to_have_attribute("data-live", "reconnecting")
    holder.keyboard.press("n")
    in_hand(holder)
    expect(holder).to_have_url(f"{stack.address}/tasks/{task}/")
    expect(lead.locator(f'tr[data-key="{task}"] .task-who')).to_have_text("Zhao Ning", timeout=5000)
    assert not is_live(lead)
