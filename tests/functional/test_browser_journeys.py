"""Whole journeys on the running product: a document that machines were unsure of, brought to its end by three people
who lose the network, the browser and the lock on the way; a hidden tab, a server that hangs, and no Redis."""

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pymupdf
import pytest
from playwright.sync_api import Error, Page, expect

from tests.functional.conftest import Visit
from tests.functional.test_browser_live import is_live, until
from tests.functional.test_browser_together import NAME, live
from tests.functional.test_browser_workbench import SAMPLE, Sample, in_hand, sample, saved
from tests.support.stack import Stack, stopped

__all__ = ["sample"]
pytestmark = [pytest.mark.browser, pytest.mark.alone]

# Of the sample: a table, three pages of pictures, one product alone, a table.
PAGES = (4, 7, 8, 9, 10, 12)
# Surer than machines are of this document: it goes the hybrid way and the pages of pictures go to people.
STRICT = {"threshold_a": 0.999, "threshold_pv": 0.9}
LOST_AT_MOST_S = 2.0
TYPED = "Nobody waits while somebody types this sentence"
EACH_KEY_S = 0.1
# Where it is typed without a pause, and where without a network.
ONLINE, OFFLINE = TYPED[:32], TYPED[32:40]
# From one's own tab that is gone; a minute later it is free.
TAKE = re.compile("Take (over|it)")


@pytest.fixture
def unsure(stack: Stack, tmp_path: Path) -> Iterator[str]:
    """A document in the hands of people, and no other task beside its own."""
    with pymupdf.open(SAMPLE) as file:
        file.select([number - 1 for number in PAGES])
        for (
            page
        ) in file:  # else they would be those of an earlier document: a new edition of it, which waits for approval
            page.insert_text((300, page.rect.height - 12), "Autumn", fontsize=6)
        file.save(tmp_path / "Autumn.pdf")
    columns = ", ".join(STRICT)
    ((before),) = stack.sql(f"SELECT {columns} FROM profiles_thresholdprofile WHERE active AND category = ''")
    set_to = ", ".join(f"{name} = %s" for name in STRICT)
    change = f"UPDATE profiles_thresholdprofile SET {set_to} WHERE active AND category = ''"
    stack.sql(change, *STRICT.values())
    try:
        job = stack.upload(tmp_path / "Autumn.pdf")
        stack.wait_for(job, lambda state: state.is_left_by_machines, 120)
    finally:
        stack.sql(change, *before)
    yield job
    stack.sql("UPDATE annotation_humantask SET status = 'SKIPPED' WHERE status NOT IN ('COMPLETED', 'SKIPPED')")


def left_open(stack: Stack, job: str) -> list[str]:
    rows = stack.sql(
        "SELECT t.uuid FROM annotation_humantask t JOIN ingestion_job j ON j.id = t.job_id"
        " WHERE j.uuid = %s AND t.purpose = 'work' AND t.status IN ('CREATED', 'PROCESSING')",
        job,
    )
    return [str(task) for (task,) in rows]


def draft_name(stack: Stack, task: str, user: str) -> str:
    """What the server keeps of that person's typing."""
    rows = stack.sql(
        """SELECT d.body->'skus'->0->'attributes'->'product_name'->>'text' FROM annotation_draft d
           JOIN annotation_humantask t ON t.id = d.task_id JOIN accounts_user u ON u.id = d.user_id
           WHERE t.uuid = %s AND u.username = %s""",
        task,
        user,
    )
    return str(rows[0][0]) if rows else ""


def task_of(page: Page) -> str:
    return page.url.split("/tasks/")[1].split("/")[0]


def hire(stack: Stack, name: str, shown: str) -> None:
    """One more annotator of the demo merchant, who has the demo annotator's password."""
    if stack.sql("SELECT 1 FROM accounts_user WHERE username = %s", name):
        return
    stack.sql(
        """INSERT INTO accounts_user (password, is_superuser, username, first_name, last_name, email, is_staff,
             is_active, date_joined, role, display_name, language, sessions_ended)
           SELECT password, false, %s, '', '', '', false, true, now(), role, %s, language, sessions_ended
           FROM accounts_user WHERE username = 'annotator'""",
        name,
        shown,
    )
    stack.sql(
        """INSERT INTO accounts_user_merchants (user_id, merchant_id)
           SELECT n.id, m.merchant_id FROM accounts_user n, accounts_user_merchants m
           JOIN accounts_user a ON a.id = m.user_id WHERE a.username = 'annotator' AND n.username = %s""",
        name,
    )


def sign_in_by_keys(page: Page, name: str) -> None:
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.type("demo-annotator")
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(re.compile("/login/"))
    live(page)


def take_next(page: Page) -> str:
    """By the key of the list; the task's id."""
    page.keyboard.press("n")
    in_hand(page)
    return task_of(page)


def submit_by_keys(page: Page) -> None:
    """Confirms what is locked, one field after the other, and submits; the next task, or the list, has opened."""
    before = page.url
    while page.locator("[data-left]").inner_text() != "Nothing left open":
        page.keyboard.press("Enter")
    page.keyboard.press("Control+Enter")
    expect(page).not_to_have_url(before)


@pytest.mark.req("TA-P1-5", "X-DRAFT", "TA-LOCK", "LX-UNLOCK", "X-PRES")
def test_three_people_bring_a_hybrid_document_to_its_end(visit: Visit, stack: Stack, unsure: str) -> None:
    assert (stack.state(unsure).route, len(left_open(stack, unsure))) == ("HYBRID", 4)
    hire(stack, "second", "Sun Yi")
    by_keys, other, lead = visit("/login/", user=""), visit("/login/", user=""), visit("/tasks/", user="lead")
    for page, name in ((by_keys, "annotator"), (other, "second")):
        sign_in_by_keys(page, name)
        page.keyboard.press("g")
        page.keyboard.press("q")
        expect(page).to_have_url(f"{stack.address}/tasks/")
        live(page)
    first, task = take_next(by_keys), take_next(other)
    assert first != task
    expect(lead.locator(f'tr[data-key="{task}"] .task-who')).to_have_text("Sun Yi")

    other = loses_network_browser_and_lock(visit, stack, other, lead, task)
    submit_by_keys(other)  # which opens the next free task
    in_hand(other)
    submit_by_keys(by_keys)
    for page in (by_keys, other):
        while "/tasks/" in page.url and page.locator("[data-lock]").count():
            in_hand(page)
            submit_by_keys(page)
    for hard in left_open(stack, unsure):  # more likely wrong than right: not offered to who is new here
        lead.goto(f"/tasks/{hard}/")
        live(lead)
        lead.keyboard.press("c")
        in_hand(lead)
        submit_by_keys(lead)
    stack.wait_for(unsure, lambda state: state.status == "FULL_IMPORTED", 60)
    assert not left_open(stack, unsure)
    names = stack.sql(
        """SELECT i.state FROM processing_sku s JOIN processing_importrecord i ON i.sku_id = s.id
           JOIN annotation_humantask t ON t.page_id = s.page_id
           WHERE t.uuid = %s AND NOT s.superseded AND s.attributes->>'product_name' = %s""",
        task,
        TYPED,
    )
    assert names == [("CONFIRMED",)], "what was typed through all of it has reached the target"
    lead.goto(f"/jobs/{unsure}/")
    expect(lead.locator('.tile[data-state="HUMAN_COMPLETED"]')).to_have_count(4)
    expect(lead.locator('.tile[data-state="IMPORTED_CONFIRMED"]')).to_have_count(len(PAGES) - 4)


def loses_network_browser_and_lock(visit: Visit, stack: Stack, page: Page, lead: Page, task: str) -> Page:
    """Types one sentence meanwhile. The page where it stands whole in the end, in the same person's hands."""
    page.locator(NAME).fill("")
    type_without_a_pause(page, stack, task, ONLINE)

    page.context.set_offline(True)
    page.keyboard.type(OFFLINE)
    expect(page.locator("[data-save-state]")).to_have_attribute("data-state", "offline")
    page.context.set_offline(False)
    saved(page)
    assert draft_name(stack, task, "second") == ONLINE + OFFLINE

    crash(page)
    page = visit("/login/", user="")  # another machine: nothing of the lost browser's own memory
    sign_in_by_keys(page, "second")
    page.goto(f"/tasks/{task}/")
    expect(page.locator(NAME)).to_have_value(ONLINE + OFFLINE)
    page.get_by_role("button", name=TAKE).click()
    in_hand(page)
    page.locator(NAME).press("End")
    page.keyboard.type(TYPED[len(ONLINE + OFFLINE) :])

    lead.goto(f"/tasks/{task}/")
    lead.get_by_role("button", name="Take over").click()
    in_hand(lead)
    expect(page.locator("[data-bench-banner]")).to_contain_text("Wang Lei took this page over")
    stack.until(lambda: draft_name(stack, task, "second") == TYPED, 5, "what was typed is on the server")
    assert TYPED.startswith(lead.locator(NAME).input_value()), "what had reached the server when it was taken over"
    lead.keyboard.press("Escape")
    lead.keyboard.press("r")
    expect(lead).to_have_url(f"{stack.address}/tasks/")
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    in_hand(page)
    expect(page.locator(NAME)).to_have_value(TYPED)
    return page


def type_without_a_pause(page: Page, stack: Stack, task: str, text: str) -> None:
    """At no moment does the server lack what was typed more than two seconds before."""
    typed_at: list[float] = []
    for key in text:
        page.keyboard.type(key)
        typed_at.append(time.monotonic())
        looked_at = time.monotonic()
        kept = len(draft_name(stack, task, "second"))
        due = sum(looked_at - at > LOST_AT_MOST_S for at in typed_at)
        assert kept >= due, f"{kept} of {due} keystrokes are kept"
        page.wait_for_timeout(EACH_KEY_S * 1000)


def crash(page: Page) -> None:
    """The tab is gone without a word to its page."""
    with page.expect_event("crash"), suppress(Error):
        page.goto("chrome://crash")


# --- what holds while something stands still ------------------------------------------------------


@pytest.fixture
def hanging(stack: Stack) -> Iterator[Callable[[int], None]]:
    """Signals what answers browsers: SIGSTOP, SIGCONT. It goes on at the end whatever comes."""
    pids = [stack.units()[unit] for unit in ("web", "live")]

    def send(number: int) -> None:
        for pid in pids:
            os.kill(pid, number)

    yield send
    send(signal.SIGCONT)


@pytest.mark.req("TA-PROG", "X-DRAFT")
def test_a_server_that_hangs_is_shown_and_nothing_typed_meanwhile_is_lost(
    visit: Visit, sample: Sample, stack: Stack, hanging: Callable[[int], None]
) -> None:
    """Its sockets stay open and say nothing: no error tells the page, only its own clock."""
    task = sample.task(8)
    page = visit(f"/tasks/{task}/?claim=1", user="annotator", before=lambda page: page.clock.install())
    in_hand(page)
    live(page)
    hanging(signal.SIGSTOP)
    page.locator(NAME).fill("Typed while the server hangs")
    page.clock.run_for(2_000)
    state = page.locator("[data-save-state]")
    expect(state).to_have_attribute("data-state", "saving")
    page.clock.run_for(9_000)  # no answer by the socket, which is dropped
    until(page, lambda: not is_live(page), 2, "the page says that it is cut off")
    page.clock.run_for(9_000)  # nor by POST
    expect(state).to_have_attribute("data-state", "offline")
    page.clock.run_for(20_000)  # it goes on asking, one question at a time
    hanging(signal.SIGCONT)
    until(page, lambda: page.clock.run_for(1_000) or is_live(page), 20, "the page is live again")
    until(page, lambda: page.clock.run_for(500) or state.get_attribute("data-state") == "saved", 10, "it is saved")
    assert draft_name(stack, task, "annotator") == "Typed while the server hangs"
    assert sample.status(task) == "PROCESSING"


# A hidden tab: its timers fire once a minute, and it says so.
HIDE = """() => {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
  Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
SHOW = """() => {
  delete document.visibilityState;
  delete document.hidden;
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@contextmanager
def asleep(page: Page) -> Iterator[None]:
    """The tab's process is stopped, as in a laptop's sleep. (CDP's frozen state lets a page run that it looks at.)"""
    assert page.context.browser is not None
    devtools = page.context.browser.new_browser_cdp_session()
    found = devtools.send("SystemInfo.getProcessInfo")["processInfo"]
    with stopped(int(process["id"]) for process in found if process["type"] == "renderer"):
        yield


def lease(stack: Stack, task: str) -> float:
    ((until_s,),) = stack.sql("SELECT extract(epoch FROM lease_until) FROM annotation_humantask WHERE uuid = %s", task)
    return float(until_s)


@pytest.mark.req("TA-IDLE", "X-DRAFT")
def test_a_hidden_tab_saves_keeps_its_lease_without_timers_and_is_right_again_after_a_sleep(
    visit: Visit, sample: Sample, stack: Stack
) -> None:
    task = sample.task(8)
    page = visit(f"/tasks/{task}/?claim=1", user="annotator", before=lambda page: page.clock.install())
    in_hand(page)
    live(page)
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    page.locator(NAME).fill("Typed and then hidden")
    page.evaluate(HIDE)
    stack.until(lambda: draft_name(stack, task, "annotator") == "Typed and then hidden", 5, "hiding the tab saves")
    before = lease(stack, task)
    stack.until(lambda: lease(stack, task) > before, 15, "the answer to the server's ping renews the lease")

    with asleep(page):
        stack.sql(
            "UPDATE annotation_humantask SET lease_until = now() - interval '1 s', version = version + 1,"
            " changed = pg_current_xact_id() WHERE uuid = %s",
            task,
        )
        stack.until(lambda: sample.status(task) == "CREATED", 20, "the sweep gives the task back")
    page.clock.resume()
    page.evaluate(SHOW)
    in_hand(page)
    stack.until(lambda: sample.status(task) == "PROCESSING", 10, "it is taken up again, as nobody else had it")
    expect(page.locator(NAME)).to_have_value("Typed and then hidden")


@pytest.fixture
def no_redis(stack: Stack) -> Iterator[None]:
    stack.stop_redis()
    yield
    stack.start_redis()


@pytest.mark.req("TA-LOCK", "TA-PROG")
def test_without_redis_tasks_are_claimed_and_submitted_and_the_list_asks(
    visit: Visit, sample: Sample, stack: Stack, no_redis: None
) -> None:
    first, second = sample.task(8), sample.task(9)
    lead, holder = visit("/tasks/", user="lead"), visit("/tasks/", user="annotator")
    for page in (lead, holder):
        live(page)  # the hub asks the database every two seconds
    assert take_next(holder) == first
    row = lead.locator(f'tr[data-key="{first}"]')
    expect(row.locator(".task-who")).to_have_text("Zhao Ning")
    holder.keyboard.type("Submitted without Redis")
    submit_by_keys(holder)
    expect(holder).to_have_url(f"{stack.address}/tasks/{second}/")
    in_hand(holder)
    assert sample.status(first) == "COMPLETED"
    expect(lead.locator(f'tr[data-key="{second}"] .task-who')).to_have_text("Zhao Ning")
    expect(row).to_have_attribute("data-state", "COMPLETED")
    stack.start_redis()
    live(lead)
