"""Finished work before a second person: what was done, what people say to each other, and back to its author."""

import json
import uuid

import pytest
from playwright.sync_api import expect

from tests.functional.conftest import Seen, Visit
from tests.functional.test_browser_workbench import Sample, in_hand, sample
from tests.support.stack import Stack

__all__ = ["sample"]

pytestmark = [pytest.mark.browser, pytest.mark.alone]
SECOND_LOOK = [{"code": "second_look", "params": {"by": "Annotator"}}]


def verdict_on(stack: Stack, task: str) -> str:
    """As though the draw had fallen on it."""
    verdict = str(uuid.uuid4())
    stack.sql(
        """INSERT INTO annotation_humantask (uuid, job_id, page_id, type, purpose, subject, status, priority, reasons,
           lock_token, came_from, rework_count, created_at, skip_reason, sla_level, result, worked_s, about_id)
           SELECT %s, job_id, page_id, type, 'verdict', 'verdict', 'CREATED', 'NORMAL', %s, 0, '', 0, now(), '', 0,
                  '{}', 0, id FROM annotation_humantask WHERE uuid = %s""",
        verdict,
        json.dumps(SECOND_LOOK),
        task,
    )
    return verdict


@pytest.mark.req("X-VERDICT", "TA-P1-4")
def test_a_second_person_sees_what_was_done_and_sends_it_back_by_keys(
    visit: Visit, seen: Seen, sample: Sample, stack: Stack
) -> None:
    task = sample.task(9)
    author = visit(f"/tasks/{task}/?claim=1", user="annotator")
    in_hand(author)
    author.keyboard.type("Oak mirror")
    author.keyboard.press("Control+Enter")
    stack.until(lambda: sample.status(task) == "COMPLETED", 20, "the first person is done")
    stack.sql(
        """DELETE FROM annotation_humantask WHERE purpose = 'verdict'
           AND about_id = (SELECT id FROM annotation_humantask WHERE uuid = %s)""",
        task,
    )
    verdict = verdict_on(stack, task)

    page = visit(f"/tasks/{verdict}/?claim=1", user="lead")
    in_hand(page)
    changes = page.locator("[data-difference]")
    expect(page.locator("[data-verdict-part] ins").first).to_have_text("Oak mirror")
    expect(page.locator("[data-submit-word]")).to_have_text("Accept and next")
    page.keyboard.press("]")
    expect(changes.first).to_be_focused()
    page.keyboard.press("Enter")
    name = page.locator("[data-field=product_name] input")
    expect(name).to_be_focused()
    page.keyboard.type("Oak mirror, large")
    expect(page.locator("[data-submit-word]")).to_have_text("Fix and accept")

    page.keyboard.press("Escape")
    page.keyboard.press("d")
    expect(page.locator("[data-around-part]")).to_contain_text("Page 8")
    page.keyboard.down(",")
    expect(page.locator("[data-peek] figcaption")).to_have_text("Page 8")
    page.keyboard.up(",")
    expect(page.locator("[data-peek]")).to_be_hidden()

    page.keyboard.press("m")
    page.keyboard.type("Is it the large one?")
    page.keyboard.press("Enter")
    expect(page.locator("[data-talk-list] li")).to_contain_text("Is it the large one?")
    expect(page.locator("[data-talk-count]")).to_have_text("1")
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.locator("#send-back-dialog textarea")).to_be_focused()
    page.keyboard.type("The second name is another product's")
    page.keyboard.press("Control+Enter")
    stack.until(lambda: sample.status(task) == "CREATED", 20, "it is its author's again")

    again = visit(f"/tasks/{task}/", user="annotator")
    expect(again.locator(".bench-reasons")).to_contain_text("Sent back: The second name is another product's")
    expect(again.locator("[data-talk-count]")).to_have_text("1")
    said = visit(f"/tasks/{task}/", user="lead")
    expect(said.locator("[data-ready=true]")).to_be_visible()
    said.keyboard.press("m")
    said.keyboard.type("Page 4 shows it too")
    said.keyboard.press("Enter")
    expect(again.locator(".toast")).to_contain_text("Page 4 shows it too")
    expect(again.locator("[data-talk-count]")).to_have_text("2")
    assert seen.complaints == []
