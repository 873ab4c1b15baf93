"""How long a person waits in the workbench: measured in the page, from the key to the paint (docs/people.md,
checklist 15, 17)."""

import json
from statistics import median

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import Visit
from tests.functional.test_browser_together import live
from tests.functional.test_browser_workbench import Sample, in_hand, sample
from tests.support.stack import Stack

__all__ = ["sample"]
pytestmark = [pytest.mark.browser, pytest.mark.long]

# Where nothing else runs. Two cores that also run the workers, and import what is submitted, take BUSY times as long.
HIGHLIGHT_MS, CLAIM_MS, NEXT_MS = 100, 1500, 800
BUSY = 4
TIMES = 30
# From the focus on a field to the second frame with its place on the page lit; in ms, the shortest first.
HIGHLIGHTS = """async (times) => {
  const frame = () => new Promise(requestAnimationFrame);
  const lit = () => document.querySelectorAll("[data-marks] .hl").length;
  const rows = [...document.querySelectorAll("[data-fields] [data-field]")];
  const proved = rows.filter((row) => !row.querySelector("[data-proof]").hidden);
  const took = [];
  for (let n = 0; n < times; n += 1) {
    document.querySelector("[data-form]").focus();
    await frame();
    const [before, input] = [performance.now(), proved[n % proved.length].querySelector("input")];
    const was = document.querySelector("[data-marks] .hl");
    input.focus();
    do await frame(); while (!lit() || document.querySelector("[data-marks] .hl") === was);
    await frame();
    took.push(performance.now() - before);
  }
  return took.sort((a, b) => a - b);
}"""
# From the last of these keys to the second frame with the task in hand and its page painted, in ms; over pages.
MARKS = """(() => {
  const press = ({ key }) => ["c", "Enter"].includes(key) && sessionStorage.setItem("pressed", Date.now());
  addEventListener("keydown", press, true);
  let painted = false;
  document.addEventListener("load", ({ target }) => target.closest?.("[data-sheet]") && (painted = true), true);
  const look = () => {
    const bench = document.querySelector("[data-behaviour~=bench]");
    if (bench?.dataset.lock !== "mine" || !painted) return requestAnimationFrame(look);
    const pressed = Number(sessionStorage.getItem("pressed"));
    requestAnimationFrame(() => requestAnimationFrame(() => (window.took_ms = Date.now() - pressed)));
  };
  requestAnimationFrame(look);
})()"""


def test_a_field_lights_its_place_on_the_page_at_once(visit: Visit, sample: Sample) -> None:
    page = visit(f"/tasks/{sample.task(8)}/?claim=1", user="annotator")
    in_hand(page)
    expect(page.locator("[data-ready=true]")).to_be_visible()
    took = page.evaluate(HIGHLIGHTS, TIMES)
    assert median(took) <= HIGHLIGHT_MS and took[int(len(took) * 0.95)] <= BUSY * HIGHLIGHT_MS, took


def test_a_task_is_painted_soon_after_the_key_and_the_next_one_sooner(
    visit: Visit, sample: Sample, stack: Stack
) -> None:
    tasks = [sample.task(number) for number in (4, 5, 6, 7, 8)]
    stack.sql(  # one chord submits them
        """UPDATE processing_sku SET evidence = evidence - 'product_name' WHERE NOT superseded AND page_id IN
           (SELECT page_id FROM annotation_humantask WHERE uuid = ANY(%s::uuid[]))""",
        tasks,
    )
    page = visit("/tasks/", user="annotator", before=lambda page: page.add_init_script(MARKS))
    claims, nexts = [], []
    for _ in range(3):
        live(page)
        page.keyboard.press("j")
        page.keyboard.press("c")
        claims.append(took_ms(page))
        page.keyboard.press("Escape")
        page.keyboard.press("r")
        expect(page).to_have_url(f"{stack.address}/tasks/")
    live(page)
    page.keyboard.press("n")
    in_hand(page)
    for _ in tasks[1:]:
        before = page.url
        page.keyboard.press("Control+Enter")
        expect(page).not_to_have_url(before)
        nexts.append(took_ms(page))
    print(json.dumps({"claims_ms": claims, "nexts_ms": nexts}))
    # The best of them: a machine that is shared with others takes seconds away from some.
    assert min(claims) <= BUSY * CLAIM_MS and min(nexts) <= BUSY * NEXT_MS, (claims, nexts)


def took_ms(page: Page) -> float:
    return float(page.wait_for_function("() => window.took_ms").json_value())
