"""Boxes mark what is printed and hide none of it; whoever goes to one can read it."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.functional.conftest import Visit
from tests.functional.test_browser_large_table import A2, KNOWN, OWN, row_of
from tests.functional.test_browser_workbench import asked
from tests.support.catalogues import tables_pdf
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.alone]

ROWS = 14
# Of each row: its box, its tag, how strong its line is; and whether it is cased in white.
DRAWN = """() => {
  const box = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const rows = [...document.querySelectorAll(".bench-sku")].map((group) => ({
    row: box(group.querySelector(".line")), tag: box(group.querySelector(".bench-tag rect")),
    active: group.classList.contains("active"),
    width: parseFloat(getComputedStyle(group.querySelector(".line")).strokeWidth),
    cased: getComputedStyle(group.querySelector(".case")).stroke !== "none",
  }));
  return { rows, view: box(document.querySelector(".bench-view")) };
}"""
# Letters of most words are so many pixels high on the screen.
HIGH = """async () => {
  const { blocks } = await (await fetch(document.querySelector("[data-print-url]").dataset.printUrl)).json();
  const words = blocks.flatMap(([, , lines]) => lines.flatMap(([, , words]) => words));
  const heights = words.map(([, box]) => box[3] - box[1]).sort((a, b) => a - b);
  return heights[Math.floor(heights.length / 2)];
}"""
ZOOM = "1 / parseFloat(document.querySelector('.bench-sheet').style.getPropertyValue('--unzoom'))"


def drawn(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(DRAWN)
    return found


def overlap(a: list[float], b: list[float]) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


@pytest.mark.req("TA-T68")
def test_boxes_hide_nothing_and_whoever_goes_to_one_can_read_it(visit: Visit, stack: Stack, tmp_path: Path) -> None:
    """A table as wide as a large sheet: fitted to the view, its letters are four pixels high."""
    path = tmp_path / "wide.pdf"
    path.write_bytes(tables_pdf([[(*KNOWN, *OWN), *(row_of(n) for n in range(1, ROWS + 1))]], size=A2))
    job = stack.upload(path)
    stack.wait_for(job, lambda state: state.is_left_by_machines, 200)
    page = visit(f"/tasks/{asked(stack, job, 1)}/?claim=1", user="lead")
    page.wait_for_selector("[data-ready=true]")
    page.wait_for_function("document.querySelectorAll('.bench-sku.active').length === 1")
    high_pt = page.evaluate(HIGH)
    page.wait_for_function(f"{ZOOM} * {high_pt} > 8.9")
    first = drawn(page)
    rows, view = first["rows"], first["view"]
    assert len(rows) == ROWS
    active = next(one for one in rows if one["active"])
    assert view[0] <= active["row"][0] < view[2] and view[1] <= active["row"][1] < view[3], "it opens at its first row"
    for one in rows:
        assert overlap(one["row"], one["tag"]) <= 1, "its tag stands outside of the row"
    others = [one for one in rows if not one["active"]]
    assert not [one for one in others if one["cased"]]
    assert active["width"] > 1.5 * max(one["width"] for one in others), "one alone is strong"

    page.keyboard.press("z")
    page.wait_for_function(f"{ZOOM} * {high_pt} > 13.9")
    near = drawn(page)
    active = next(one for one in near["rows"] if one["active"])
    assert near["view"][0] <= active["row"][0] <= near["view"][0] + 40, "from its beginning on"
