"""On a phone, 390 by 844: lists are cards, nothing covers anything, what is pressed is large enough; pages are done."""

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import Documents, Visit
from tests.functional.test_browser_workbench import Sample, in_hand, sample
from tests.support.matrix import gate_first

__all__ = ["sample"]
pytestmark = [pytest.mark.browser, pytest.mark.alone]

LISTS: dict[str, tuple[str, str]] = {
    "documents": ("/", "uploader"),
    "document": ("/jobs/{job}/", "uploader"),
    "tasks": ("/tasks/", "lead"),
    "closed tasks": ("/tasks/closed/", "lead"),
    "people": ("/tasks/people/", "lead"),
    "attributes": ("/tasks/attributes/", "admin"),
    "results": ("/jobs/{job}/results/", "uploader"),
    "all results": ("/results/", "lead"),
    "catalogue": ("/catalogue/?document={job}", "uploader"),
    "reports": ("/reports/", "uploader"),
    "notices": ("/notices/", "uploader"),
    "edition": ("/jobs/{job}/edition/", "uploader"),
    "evaluation": ("/jobs/{job}/evaluation/", "uploader"),
    "imports": ("/imports/", "admin"),
    "imports of a document": ("/jobs/{job}/imports/", "lead"),
    "webhooks": ("/webhooks/", "lead"),
    "models": ("/models/", "admin"),
    "quality": ("/quality/", "lead"),
    "calibration": ("/quality/calibration/", "lead"),
    "keeping": ("/keeping/", "admin"),
    "find a person": ("/keeping/people/", "lead"),
    "words": ("/words/", "lead"),
    "operations": ("/ops/", "admin"),
    "figures": ("/ops/figures/", "admin"),
    "models and cost": ("/asking/", "uploader"),
    "API": ("/api/v1/docs", "admin"),
}
# What is pressed and cannot be: covered at its middle, or smaller than 24 px (not so links in sentences: WCAG 2.5.8).
FAULTS = """(within) => {
  const pressed = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button]";
  const name = (e) => `${e.tagName} ${e.className} "${(e.textContent || e.name || "").trim().slice(0, 30)}"`;
  const faults = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) faults.push(`scrolls sideways: ${wide}`);
  const main = document.querySelector("#main");
  if (main.scrollWidth > main.clientWidth) {
    const far = [...main.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1);
    faults.push(`main scrolls sideways: ${far.slice(0, 3).map(name).join(" | ")}`);
  }
  for (const one of document.querySelector(within ?? "body").querySelectorAll(pressed)) {
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || one.matches(".skip")) continue;
    one.scrollIntoView({ block: "center", inline: "center" });
    const box = one.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const met = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const label = one.closest("label");
    const fits = met && (one.contains(met) || label?.contains(met) || met.closest("label")?.control === one);
    // A name over two lines has its middle between them.
    const wraps = one.getClientRects().length > 1;
    if (!fits && !wraps) faults.push(`covered ${name(one)} by ${met ? name(met) : "nothing"}`);
    const { width, height } = label?.getBoundingClientRect() ?? box;
    const isText = one.matches("a") && getComputedStyle(one).display === "inline";
    if (!isText && (width < 24 || height < 24)) faults.push(`small ${name(one)} ${width}x${height}`);
  }
  return faults;
}"""
CARDS = """() => [...document.querySelectorAll("table.table")]
  .filter((table) => table.tHead?.textContent.trim() && table.tBodies[0]?.rows.length)
  .filter((table) => getComputedStyle(table.tBodies[0].rows[0]).display === "table-row"
    || ![...table.querySelectorAll("tbody td[data-label]")].length).map((table) => table.className)"""


def on_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})


@pytest.mark.parametrize("language", gate_first("zh", "en"))
def test_on_every_list_nothing_covers_anything_and_rows_are_cards(
    visit: Visit, documents: Documents, language: str
) -> None:
    pages: dict[str, Page] = {}
    faults: list[str] = []
    for name, (address, user) in LISTS.items():
        path = address.format(job=documents.of(language))
        if user in pages:
            pages[user].goto(path)
        else:
            pages[user] = visit(path, user=user, language=language, width=390, before=on_phone)
        page = pages[user]
        expect(page.locator("#main[data-started]")).to_be_attached()
        page.wait_for_load_state("networkidle")
        faults += [f"{name}: {fault}" for fault in page.evaluate(FAULTS)]
        faults += [f"{name}: no cards {table}" for table in page.evaluate(CARDS)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("language", gate_first("en", "zh"))
def test_a_page_is_confirmed_talked_about_and_skipped_on_a_phone(visit: Visit, sample: Sample, language: str) -> None:
    task = sample.task(8)
    page = visit(f"/tasks/{task}/", user="annotator", language=language, width=390, before=on_phone)
    expect(page.locator("[data-lock=free]")).to_be_visible()
    page.locator("[data-act=take]").click()
    in_hand(page)
    in_window = """() => [
      ".topbar", ".bench-view", "[data-index]", ".bench-form", ".bench-actions", ".rail"
    ].filter((part) => {
      const { top, bottom, left, right, height } = document.querySelector(part).getBoundingClientRect();
      return height < 40 || top < 0 || bottom > innerHeight || left < 0 || right > innerWidth;
    })"""
    assert page.evaluate(in_window) == [], "picture, SKUs, form and bar are in sight together"
    faults = page.evaluate(FAULTS, ".bench-actions")
    assert not faults, "\n".join(faults)
    bar = page.locator(".bench-actions")
    confirmed = page.locator("[data-index] .bench-tab-item").filter(has=page.locator(".tone-done"))
    before = confirmed.count()
    page.locator("[data-index] button").nth(3).click()
    bar.locator("[data-act=accept-sku]").click()
    expect(page.locator("[data-undo]")).to_be_enabled()
    assert confirmed.count() >= before
    bar.locator("[data-show-part=talk]").click()
    page.locator("#talk-text").fill("Seen on the way")
    page.locator("[data-talk-form] button").click()
    expect(page.locator("[data-talk-list]")).to_contain_text("Seen on the way")
    bar.locator("[data-act=skip]").click()
    page.locator("#skip-dialog [data-reason]").first.click()
    page.wait_for_url(lambda url: task not in url)
    assert sample.status(task) == "SKIPPED"


def test_the_first_act_of_a_list_lies_under_the_thumb(visit: Visit, documents: Documents) -> None:
    for path, user in (("/", "uploader"), (f"/jobs/{documents.en}/", "uploader"), ("/tasks/", "lead")):
        page = visit(path, user=user, width=390, before=on_phone)
        act = page.locator(".thumb .btn-primary")
        expect(act).to_be_visible()
        box = act.bounding_box()
        assert box is not None and box["y"] > 844 * 0.75 and box["height"] >= 44, (path, box)
