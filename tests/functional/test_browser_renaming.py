"""A next edition in which products have got other codes and others are gone: one press each, with its undo."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import HEADERS, Seen, Visit
from tests.functional.test_browser_editions import shows_the_newest
from tests.functional.test_browser_screens import faults_of
from tests.support.catalogues import tables_pdf
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.req("X-DIFF")]
KINDS = {1: "橡木餐椅", 2: "胡桃木书桌", 3: "榉木衣柜", 4: "竹编摇椅", 5: "亚麻沙发", 6: "松木床", 7: "樱桃木柜"}
Row = tuple[str, ...]


def product(page: int, n: int, code: str = "") -> Row:
    return code or f"BDFR-{page}0{n}", f"{KINDS[page]} {n}", f"{400 + n}x500x800", "橡木", f"{100 * page + n}.00", "20"


def book(pages: dict[int, list[Row]]) -> bytes:
    sheets = [pages.get(page, [product(page, n) for n in (1, 2, 3)]) for page in KINDS]
    return tables_pdf([[HEADERS["zh"], *rows] for rows in sheets])


@pytest.fixture(scope="module")
def new(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> str:
    """BDFR-103 is BDFR-105 now and BDFR-203 is BDFR-205; two of page 4 are gone."""
    folder = tmp_path_factory.mktemp("renamed")
    for name, data in (
        ("改码目录 2025.pdf", book({})),
        (
            "改码目录 2026.pdf",
            book(
                {
                    1: [product(1, 1), product(1, 2), product(1, 3, "BDFR-105")],
                    2: [product(2, 1), product(2, 2), product(2, 3, "BDFR-205")],
                    4: [product(4, 1)],
                }
            ),
        ),
    ):
        (folder / name).write_bytes(data)
        job = stack.upload(folder / name)
        stack.wait_for(job, lambda state: state.is_left_by_machines, 120)
    return job


def edition(visit: Visit, job: str, last: str = "[data-approve]", **how: object) -> Page:
    """Once it shows ``last``, which may come with changes that are newer than the page."""
    page = visit(f"/jobs/{job}/edition/", language="zh", **how)
    shows_the_newest(page, page.locator(last))
    return page


def test_a_pair_is_taken_or_left_by_one_press(visit: Visit, seen: Seen, new: str) -> None:
    page = edition(visit, new, "[data-renaming]", theme="dark")
    pairs = page.locator("[data-renaming]")
    expect(pairs).to_have_count(2)
    expect(pairs.filter(has_text="BDFR-103")).to_contain_text("BDFR-105")
    assert not faults_of(page, "zh")
    pairs.filter(has_text="BDFR-103").get_by_role("button", name="同一产品").click()
    changes = page.locator("tr[data-key]")
    renamed = changes.filter(has_text="BDFR-105")
    expect(renamed).to_contain_text("已改码")
    expect(renamed).to_contain_text("BDFR-103")
    expect(pairs).to_have_count(1)
    pairs.get_by_role("button", name="两个产品").click()
    expect(pairs).to_have_count(0)
    expect(changes.filter(has_text="BDFR-203")).to_contain_text("删除")
    expect(changes.filter(has_text="BDFR-205")).to_contain_text("新增")
    assert not seen.complaints


def test_all_removed_are_taken_back_and_that_is_undone(visit: Visit, seen: Seen, new: str) -> None:
    page = edition(visit, new, width=390)
    gone = page.locator("tr[data-key]").filter(has_text="删除")
    stays = gone.filter(has_text="保持已入库")
    expect(gone).not_to_have_count(0)
    count = gone.count()
    page.get_by_role("button", name=re.compile("撤回全部")).click()
    expect(gone.filter(has_text="将撤回")).to_have_count(count)
    assert not faults_of(page, "zh")
    page.locator("[data-noted-together]").get_by_role("button").click()
    expect(stays).to_have_count(count)
    expect(page.locator("[data-noted-together]")).to_have_count(0)
    assert not seen.complaints


def test_who_may_only_look_has_nothing_to_press(visit: Visit, new: str) -> None:
    page = visit(f"/jobs/{new}/edition/", user="annotator", language="zh")
    expect(page.locator("tr[data-key]").first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("撤回全部"))).to_have_count(0)
