"""A next edition in the browser: what changed, page beside page, the merchant's word; and the catalogue of all."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.functional.conftest import HEADERS, Seen, Visit
from tests.functional.test_browser_screens import KEPT_IN, faults_of, keep
from tests.support.catalogues import tables_pdf
from tests.support.stack import JobState, Stack

pytestmark = pytest.mark.browser

KINDS = {1: "橡木餐椅", 2: "胡桃木书桌", 3: "榉木衣柜", 4: "竹编摇椅", 5: "亚麻沙发"}
OLD, NEW = "青禾家居目录 2025.pdf", "青禾家居目录 2026.pdf"
Row = tuple[str, str, str, str, str, str]


def product(page: int, n: int, **printed: str) -> Row:
    model, price = f"BDFE-{page}0{n}", printed.get("price", f"{100 * page + n}.00")
    return model, f"{KINDS[page]} {n}", f"{400 + n}x500x800", printed.get("material", "橡木"), price, "20"


def book(pages: dict[int, list[Row]]) -> bytes:
    """Five pages of three products each; ``pages``: those that are printed otherwise."""
    sheets = [pages.get(page, [product(page, n) for n in (1, 2, 3)]) for page in KINDS]
    return tables_pdf([[HEADERS["zh"], *rows] for rows in sheets])


def next_year() -> bytes:
    """One dearer by a fifth, one a little cheaper, one of another material, one gone, one new; page 5 as it was."""
    return book({
        1: [product(1, 1), product(1, 2), product(1, 3, material="白蜡木")],
        2: [product(2, 1), product(2, 2, price="242.40"), product(2, 3)],
        3: [product(3, 1, price="295.00"), product(3, 2), product(3, 3)],
        4: [product(4, 1), product(4, 2), product(4, 4)],
    })  # fmt: skip


# Price changes first, the largest before the smaller ones.
TOLD = [
    ("BDFE-202", "202.00", "242.40", "+20.0 %"),
    ("BDFE-301", "301.00", "295.00", "−2.0 %"),
    ("BDFE-103", "橡木", "白蜡木"),
    ("BDFE-404", "404.00"),
    ("BDFE-403", "403.00"),
]


@dataclass(frozen=True)
class Editions:
    old: str
    file: Path


@pytest.fixture(scope="module")
def editions(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Editions:
    """The earlier edition, delivered; and the file of the later one."""
    folder = tmp_path_factory.mktemp("editions")
    (folder / OLD).write_bytes(book({}))
    (folder / NEW).write_bytes(next_year())
    old = stack.upload(folder / OLD)
    stack.wait_for(old, lambda state: state.status == "FULL_IMPORTED", 120)
    return Editions(old, folder / NEW)


def left(state: JobState) -> bool:
    return state.is_left_by_machines


@pytest.mark.req("X-DIFF")
def test_the_merchant_sees_what_a_new_edition_changes_and_lets_it_go(
    visit: Visit, seen: Seen, stack: Stack, editions: Editions
) -> None:
    page = visit("/", language="zh", theme="dark")
    page.set_input_files("[data-file]", editions.file)
    page.locator(".upload").filter(has_text=NEW).get_by_role("link", name="查看").click()
    page.get_by_role("link", name="查看变更").click()
    expect(page).to_have_url(re.compile("/edition/$"))
    new = page.url.rstrip("/").split("/")[-2]
    stack.wait_for(new, left, 60)
    rows = page.locator(".edition-table tbody tr")
    shows_the_newest(page, rows.nth(4))
    expect(rows).to_have_count(5)
    told = [" ".join(text.split()) for text in rows.all_inner_texts()]
    for text, parts in zip(told, TOLD, strict=True):
        assert all(part in text for part in parts), told
    look(page, "edition", "zh")
    assert stack.sql(PENDING, new) == [], "nothing goes out before"

    page.keyboard.press("j")
    page.keyboard.press("Enter")
    both_pages_show(page)
    look(page, "edition-change", "zh")
    page.keyboard.press("Escape")
    gone = rows.filter(has_text="BDFE-403")
    gone.get_by_role("button").click()
    expect(rows.filter(has_text="BDFE-403")).to_contain_text("将撤回")
    page.keyboard.press("Shift+A")
    expect(page.locator(".notice-title").filter(has_text=re.compile("^已批准$"))).to_be_visible(timeout=30_000)

    stack.wait_for(new, lambda state: state.status == "FULL_IMPORTED" and left(state), 60)
    sent = stack.sql(
        "SELECT i.sku_key, i.kind FROM processing_importrecord i JOIN ingestion_job j ON j.id = i.job_id"
        " WHERE j.uuid = %s AND i.sent_at IS NOT NULL",
        new,
    )
    assert len(sent) == 4 and {kind for _, kind in sent} == {"put"}, "unchanged products need no call"
    held = dict(stack.sql(HELD, f"{editions.old}"))
    assert (held["BDFE-202"], held["BDFE-301"], held["BDFE-501"]) == ("242.40", "295.00", "501.00")
    assert "BDFE-403" not in held
    assert not seen.complaints


PENDING = (
    """SELECT i.sku_key FROM processing_importrecord i JOIN ingestion_job j ON j.id = i.job_id WHERE j.uuid = %s"""
)
# Model and price of what the target holds under the ids of the earlier edition.
HELD = """
    SELECT s.attributes ->> 'model', s.attributes ->> 'price'
    FROM processing_localproduct p JOIN ingestion_job j ON p.merchant_id = j.merchant_id
    JOIN processing_importrecord i ON i.target = 'local' AND i.merchant_id = p.merchant_id AND i.sku_key = p.sku_key
        AND i.generation = p.generation JOIN processing_sku s ON s.id = i.sku_id
    WHERE j.uuid = %s AND NOT p.deleted AND p.sku_key LIKE j.hash8 || '%%'"""


def shows_the_newest(page: Page, last: Locator) -> None:
    """The page offers changes that are newer than its own, until it shows all of them, ``last`` among them."""
    approve, newer = page.locator("[data-approve]"), page.locator(".notice").get_by_role("link", name="显示")
    for _ in range(9):
        expect(last.or_(newer).first).to_be_visible(timeout=60_000)
        if not newer.is_visible():
            return expect(approve).to_be_visible()
        newer.click()


def both_pages_show(page: Page) -> None:
    dialog = page.locator("#change-dialog")
    expect(dialog).to_contain_text("+20.0 %")
    sides = dialog.locator(".edition-sides section")
    expect(sides).to_have_count(2)
    for side in sides.all():
        expect(side.locator("svg image")).to_be_visible()
        assert side.locator("image").evaluate(PICTURE_IS_THERE)


def look(page: Page, name: str, language: str) -> None:
    """Nothing foreign, clipped or unreadable; with SCREENS a picture is kept."""
    if KEPT_IN:
        keep(page, Path(KEPT_IN) / f"{name}-full-{language}-dark.webp")
    assert not faults_of(page, language)


@pytest.mark.req("TA-T43")
def test_the_catalogue_finds_part_of_a_name_filters_and_shows_what_is_there_twice(
    visit: Visit, seen: Seen, stack: Stack, editions: Editions, tmp_path: Path
) -> None:
    offer = tmp_path / "夏季特价.pdf"
    offer.write_bytes(tables_pdf([[HEADERS["zh"], product(1, 1, price="88.00"), product(5, 9)]]))
    again = stack.upload(offer)
    stack.wait_for(again, left, 60)
    page = visit("/catalogue/", language="zh")
    form, rows = page.locator(".catalogue-form"), page.locator(".catalogue-table tbody tr[data-key]")
    form.locator("[name=q]").fill("木书")
    page.keyboard.press("Enter")
    expect(rows.filter(has_text="BDFE-203")).not_to_have_count(0)
    expect(rows.filter(has_not_text="胡桃木书桌")).to_have_count(0)
    form.locator("[name=price_to]").fill("201.50")
    page.keyboard.press("Enter")
    expect(rows.filter(has_text="BDFE-201")).not_to_have_count(0)
    expect(rows.filter(has_text="BDFE-203")).to_have_count(0)

    form.locator("[name=q]").fill("橡木")
    form.locator("[name=price_to]").fill("")
    form.locator("[name=twice]").select_option("model")
    form.get_by_role("button").click()
    group = page.locator("tr.group-head").filter(has_text="BDFE-101")
    expect(group).to_contain_text(re.compile(r"价格.*88\.00"))
    look(page, "catalogue", "zh")
    rows.filter(has_text=offer.name).get_by_role("link", name="第 1 页").click()
    expect(page).to_have_url(re.compile(f"/jobs/{again}/#page-1$"))
    shown = page.locator("#page-dialog")
    expect(shown).to_be_visible()
    assert shown.locator("img, image").first.evaluate(PICTURE_IS_THERE)
    assert not seen.complaints


PICTURE_IS_THERE = "async shown => (await fetch(shown.href?.baseVal ?? shown.src)).ok"
