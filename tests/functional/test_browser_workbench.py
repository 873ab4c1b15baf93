"""A page in the hands of a person: taken, corrected by keys alone, submitted; nothing typed is lost."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import Seen, Visit
from tests.functional.test_browser_screens import faults_of
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.alone]

SAMPLE = Path(__file__).parents[2] / "samples/home-living.pdf"
# What is printed in the catalogue is shown as it is.
NAMES_HAVE_NO_LANGUAGE = """() => document.querySelectorAll(
    "[data-head-name], [data-head-model], [data-model], .crumbs li:nth-child(2) a"
  ).forEach((element) => element.setAttribute("lang", "und"))"""
CANNOT_TELL = {"code": "binding_ambiguous", "params": {"pictures": 2}}


def asked(stack: Stack, job: str, number: int) -> str:
    """The one open task of that page."""
    (page, job_id), *_ = stack.sql(
        "SELECT p.id, p.job_id FROM ingestion_page p JOIN ingestion_job j ON j.id = p.job_id"
        " WHERE j.uuid = %s AND number = %s",
        job,
        number,
    )
    task = str(uuid.uuid4())
    stack.sql("UPDATE annotation_humantask SET status = 'SKIPPED' WHERE page_id = %s", page)
    stack.sql(
        """INSERT INTO annotation_humantask (uuid, job_id, page_id, type, purpose, subject, status, priority,
           reasons, lock_token, came_from, rework_count, created_at, skip_reason, sla_level, result, worked_s)
           VALUES (%s, %s, %s, 'PAGE_REVIEW', 'work', '', 'CREATED', 'NORMAL', %s, 0, '', 0, now(), '', 0,
                   '{}', 0)""",
        task,
        job_id,
        page,
        json.dumps([CANNOT_TELL]),
    )
    stack.sql("UPDATE ingestion_page SET status = 'HUMAN_QUEUED', needs_review = true WHERE id = %s", page)
    return task


class Sample:
    """The sample catalogue, read by the workers; pages of it are made to wait for a person."""

    def __init__(self, stack: Stack, path: Path) -> None:
        """Without its last page, a scan, which takes as long to read as all others."""
        self.stack = stack
        with pymupdf.open(SAMPLE) as file:
            file.delete_page(-1)
            file.save(path)
        self.job = stack.upload(path)
        stack.wait_for(self.job, lambda state: state.is_left_by_machines, 200)
        self.forget()

    def task(self, number: int) -> str:
        """The one open task of that page. Its first SKU has a name that is not printed, its second no picture."""
        task = asked(self.stack, self.job, number)
        skus = [
            sku
            for (sku,) in self.stack.sql(
                """SELECT s.id FROM processing_sku s JOIN annotation_humantask t ON t.page_id = s.page_id
               WHERE t.uuid = %s AND NOT superseded ORDER BY sku_id""",
                task,
            )
        ]
        self.stack.sql(
            """UPDATE processing_sku SET evidence = evidence || jsonb_build_object('product_name',
               jsonb_build_object('quote', '', 'page_number', %s::int, 'match', 0, 'method', 'model',
                                  'bbox', jsonb_build_array(0, 0, 595, 842))) WHERE id = %s""",
            number, skus[0],
        )  # fmt: skip
        self.stack.sql("UPDATE processing_sku SET blockers = %s WHERE id = %s", json.dumps([CANNOT_TELL]), skus[1])
        self.stack.sql("DELETE FROM processing_skuimage WHERE sku_id = %s", skus[1])
        return task

    def skus(self, task: str) -> list[tuple[str, str | None, int, int]]:
        """(model, name, number of pictures, revision) of the page's SKUs as they stand."""
        return self.stack.sql(
            """SELECT s.attributes->>'model', s.attributes->>'product_name',
                      (SELECT count(*) FROM processing_skuimage i WHERE i.sku_id = s.id), s.revision
               FROM processing_sku s JOIN annotation_humantask t ON t.page_id = s.page_id
               WHERE t.uuid = %s AND NOT s.superseded ORDER BY s.sku_id""",
            task,
        )

    def status(self, task: str) -> str:
        return str(self.stack.sql("SELECT status FROM annotation_humantask WHERE uuid = %s", task)[0][0])

    def forget(self) -> None:
        """The next test finds only its own tasks, also where this one has failed or was given a next one, and where
        those of pages that are to be checked are only being opened."""
        to_open = """SELECT 1 FROM ingestion_page p WHERE p.needs_review AND p.status = 'HUMAN_QUEUED'
            AND NOT EXISTS (SELECT 1 FROM annotation_humantask t WHERE t.page_id = p.id)"""
        self.stack.until(lambda: not self.stack.sql(to_open), 30, "pages wait for their tasks")
        self.stack.sql("UPDATE annotation_humantask SET status = 'SKIPPED' WHERE status <> 'COMPLETED'")


_samples: dict[int, Sample] = {}


@pytest.fixture
def sample(stack: Stack, tmp_path: Path) -> Iterator[Sample]:
    """Read once for all that share the stack; no test leaves a task to the next."""
    if id(stack) not in _samples:
        _samples[id(stack)] = Sample(stack, tmp_path / SAMPLE.name)
    yield _samples[id(stack)]
    _samples[id(stack)].forget()


def in_hand(page: Page) -> None:
    expect(page.locator("[data-lock=mine]")).to_be_visible()


def saved(page: Page) -> None:
    expect(page.locator("[data-save-state]")).to_have_attribute("data-state", "saved")


@pytest.mark.req("LX-UNLOCK")
def test_a_page_is_done_by_keys_alone_and_the_next_one_opens(visit: Visit, sample: Sample, stack: Stack) -> None:
    first, second = sample.task(8), sample.task(9)
    before = sample.skus(first)
    page = visit("/tasks/", user="annotator")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{stack.address}/tasks/{first}/")
    in_hand(page)
    name = page.locator("[data-field=product_name] input")
    expect(name).to_be_focused()
    expect(page.locator("[data-left]")).to_have_text("1 left")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".toast")).to_contain_text("1 left to confirm, change or empty")

    page.keyboard.type("Mirror, oak frame")
    expect(page.locator("[data-left]")).to_have_text("Nothing left open")
    expect(page.locator("[data-field=product_name] [data-mark]")).to_have_text("edited")
    page.keyboard.press("Enter")
    expect(page.locator("[data-submit]")).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator("[data-head-tag]")).to_have_text("S2")
    page.keyboard.press("2")
    expect(page.locator("[data-card][aria-pressed=true] [data-digit]")).to_have_text("2")
    page.keyboard.press("Control+Enter")
    expect(page).to_have_url(f"{stack.address}/tasks/{second}/")
    in_hand(page)

    after = sample.skus(first)
    assert after[0][1:] == ("Mirror, oak frame", before[0][2], before[0][3] + 1)
    assert before[1][2] == 0 and after[1][2] == 1
    assert after[2:] == before[2:], "what nobody touched keeps its row"
    assert (sample.status(first), sample.status(second)) == ("COMPLETED", "PROCESSING")
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    expect(page).to_have_url(f"{stack.address}/tasks/")
    assert sample.status(second) == "CREATED"


@pytest.mark.req("X-DRAFT")
def test_closing_the_tab_keeps_what_was_typed(visit: Visit, sample: Sample) -> None:
    task = sample.task(7)
    page = visit(f"/tasks/{task}/?claim=1", user="annotator")
    in_hand(page)
    page.keyboard.type("Kept on the server")
    saved(page)
    page.keyboard.type(", and what came last")
    page.close(run_before_unload=True)

    again = visit(f"/tasks/{task}/", user="annotator")
    expect(again.locator("[data-lock=free]")).to_be_visible()
    name = again.locator("[data-field=product_name] input")
    expect(name).to_have_value("Kept on the server, and what came last")
    expect(name).to_have_js_property("readOnly", True)
    again.keyboard.press("c")
    in_hand(again)
    expect(name).to_have_js_property("readOnly", False)


@pytest.mark.req("X-DRAFT", "X-FENCE")
def test_who_loses_the_task_reads_on_and_keeps_the_draft(visit: Visit, sample: Sample, stack: Stack) -> None:
    task = sample.task(6)
    page = visit(f"/tasks/{task}/?claim=1", user="annotator")
    in_hand(page)
    lead = visit(f"/tasks/{task}/", user="lead")
    expect(lead.locator("[data-bench-banner]")).to_contain_text("has this page in hand")
    page.keyboard.type("Typed just before")
    lead.get_by_role("button", name="Take over").click()
    in_hand(lead)
    expect(page.locator("[data-lock=lost]")).to_be_visible()
    expect(page.locator("[data-bench-banner]")).to_contain_text("took this page over")
    expect(page.locator("[data-bench-banner]")).to_contain_text("What you typed is kept")
    expect(page.locator("[data-field=product_name] input")).to_have_js_property("readOnly", True)

    def is_kept() -> bool:
        kept = stack.sql(
            "SELECT d.body FROM annotation_draft d JOIN annotation_humantask t ON t.id = task_id WHERE t.uuid = %s",
            task,
        )
        return [body["skus"][0]["attributes"]["product_name"]["text"] for (body,) in kept] == ["Typed just before"]

    stack.until(is_kept, 10, "what was typed is on the server")


@pytest.mark.req("X-DRAFT")
def test_says_that_it_is_offline_and_saves_when_it_is_back(visit: Visit, seen: Seen, sample: Sample) -> None:
    task = sample.task(5)
    page = visit(f"/tasks/{task}/?claim=1", user="annotator")
    in_hand(page)
    page.context.set_offline(True)
    page.keyboard.type("Offline")
    state = page.locator("[data-save-state]")
    expect(state).to_have_attribute("data-state", "offline")
    expect(state).to_have_text("Not saved: offline, kept on this device")
    page.context.set_offline(False)
    saved(page)


def test_steps_are_undone_and_redone(visit: Visit, sample: Sample) -> None:
    task = sample.task(4)
    page = visit(f"/tasks/{task}/?claim=1", user="annotator")
    in_hand(page)
    tabs = page.locator("[data-index] li")
    count = tabs.count()
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+D")
    expect(tabs).to_have_count(count + 1)
    page.keyboard.press("Escape")
    page.keyboard.press("Delete")
    expect(tabs).to_have_count(count)
    page.keyboard.press("Control+z")
    expect(tabs).to_have_count(count + 1)
    page.keyboard.press("Control+z")
    expect(tabs).to_have_count(count)
    page.keyboard.press("Control+Shift+z")
    expect(tabs).to_have_count(count + 1)


def test_faults_of_a_submit_stand_at_their_fields(visit: Visit, sample: Sample) -> None:
    task = sample.task(12)
    page = visit(f"/tasks/{task}/?claim=1", user="annotator")
    in_hand(page)
    page.keyboard.press("Enter")
    price = page.locator("[data-field=price] input")
    price.fill("on the moon")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-field=price] [data-error]")).to_contain_text("This is no price")
    expect(price).to_be_focused()
    expect(price).to_have_attribute("aria-invalid", "true")


@pytest.mark.parametrize(("language", "words"), [("en", "A letter stands among the figures"), ("zh", "数字中混有字母")])
def test_a_price_that_is_none_is_told_as_it_is_left_and_kept_once_it_is_said_to_be_printed_so(
    visit: Visit, sample: Sample, language: str, words: str
) -> None:
    task = sample.task(12)
    page = visit(f"/tasks/{task}/?claim=1", user="annotator", language=language)
    in_hand(page)
    page.keyboard.press("Enter")  # what the page left to decide
    row, price = page.locator("[data-field=price]"), page.locator("[data-field=price] input")
    price.fill("1,86O.00")
    saved(page)
    expect(row.locator("[data-error]")).to_be_empty()  # while it is being typed nobody interrupts
    page.locator("[data-field=moq] input").focus()
    expect(row.locator("[data-error]")).to_contain_text(words)
    expect(price).to_have_value("1,86O.00")
    expect(price).to_have_attribute("aria-invalid", "true")
    page.keyboard.press("Control+Enter")
    expect(price).to_be_focused()
    assert sample.status(task) == "PROCESSING", "refused"
    row.locator("[data-confirm]").click()
    expect(row.locator("[data-error]")).to_be_empty()
    saved(page)
    page.locator("[data-field=moq] input").focus()
    expect(price).to_have_attribute("aria-invalid", "false")
    expect(row.locator("[data-decide]")).to_be_hidden()


def test_no_chord_while_an_input_method_composes(visit: Visit, sample: Sample) -> None:
    task = sample.task(12)
    page = visit(f"/tasks/{task}/?claim=1", user="annotator", language="zh")
    in_hand(page)
    for chord in (True, False):
        page.locator("[data-field=product_name] input").evaluate(
            """(input, ctrlKey) => input.dispatchEvent(new KeyboardEvent("keydown",
               {key: "Enter", ctrlKey, bubbles: true, isComposing: true}))""",
            chord,
        )
    assert page.locator(".toast").count() == 0
    expect(page.locator("[data-left]")).to_have_text("剩1项")


@pytest.mark.parametrize(
    ("language", "theme", "width"), [("en", "dark", 1280), ("zh", "light", 1440), ("en", "light", 1000)]
)
def test_the_workbench_is_clean(
    visit: Visit, seen: Seen, sample: Sample, language: str, theme: str, width: int
) -> None:
    task = sample.task(12)
    page = visit(f"/tasks/{task}/", user="annotator", language=language, theme=theme, width=width)
    expect(page.locator("[data-lock=free]")).to_be_visible()
    faults = []
    for act in ("free", "mine", "page", "skip"):
        if act == "mine":
            page.keyboard.press("c")
            in_hand(page)
            page.keyboard.press("Escape")
        elif act != "free":
            page.keyboard.press({"page": "p", "skip": "s"}[act])
        page.evaluate(NAMES_HAVE_NO_LANGUAGE)
        faults += [f"{act}: {fault}" for fault in faults_of(page, language)]
        if act == "page":
            page.keyboard.press("Escape")
    assert not faults, "\n".join(faults)
    assert not seen.complaints
