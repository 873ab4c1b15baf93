"""What three journeys of every working day take a person, by keys alone and by the mouse alone (docs/people.md, "How
long it takes"): a right page is confirmed, one price is mended, a table of 54 by 29 is checked. Acts are counted and
must stay what they are; seconds are printed only (`pytest -s`), as they are the machine's too."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.functional.conftest import Visit
from tests.functional.test_browser_large_table import KEYS, KNOWN, OWN, ROWS, LargeList, row_of
from tests.functional.test_browser_table import COLUMNS, PriceList, cell, pen, price_list
from tests.functional.test_browser_table import ROWS as PRODUCTS
from tests.functional.test_browser_table import row_of as product
from tests.functional.test_browser_together import live
from tests.functional.test_browser_workbench import asked
from tests.support.hands import Hands
from tests.support.stack import Stack

__all__ = ["price_list"]
pytestmark = [pytest.mark.browser, pytest.mark.alone]

# That task is in hand, with its picture, and takes acts.
OPEN = """(task) => location.pathname === `/tasks/${task}/`
  && document.querySelector("[data-lock=mine][data-ready=true]") !== null
  && performance.getEntriesByName(document.querySelector("[data-sheet] image")?.href.baseVal
    && new URL(document.querySelector("[data-sheet] image").href.baseVal, location).href).length > 0"""
FIFTH = 4  # the product whose price is wrong
# Of the large table: row, printed head, what was read there.
WRONG = ((19, "Price", "12.00"), (40, "Material", "Ash"))


def nothing_waits(stack: Stack) -> None:
    stack.sql("UPDATE annotation_humantask SET status = 'SKIPPED' WHERE status <> 'COMPLETED'")


@pytest.fixture
def queue(stack: Stack, price_list: PriceList) -> list[str]:
    """Two pages that wait, the first on top; nothing else does."""
    nothing_waits(stack)
    return [asked(stack, price_list.job, number) for number in (8, 9)]


@pytest.fixture(scope="module")
def large(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> LargeList:
    return LargeList(stack, tmp_path_factory.mktemp("large") / "large.pdf")


def hands_on(visit: Visit, by: str) -> Hands:
    page = visit("/tasks/", user="annotator")
    live(page)
    expect(page.locator(".next-card")).to_be_visible()
    return Hands(page, "keyboard" if by == "keyboard" else "mouse")


def open_row(hands: Hands, task: str) -> None:
    """From the queue; the row of the task is its first."""
    hands.decide()
    with hands.waiting():
        if hands.is_mouse:
            hands.click(hands.page.locator(f'tr[data-key="{task}"] a.doc-name'))
        else:
            hands.press("j", "Enter")
        is_open(hands.page, task)


def send_on(hands: Hands, onward: str) -> None:
    hands.decide()
    with hands.waiting():
        if hands.is_mouse:
            hands.click(hands.page.locator("[data-submit]"))
        else:
            hands.press("Control+Enter")
        is_open(hands.page, onward)


def is_open(page: Page, task: str) -> None:
    page.wait_for_function(OPEN, arg=task)


def told(name: str, hands: Hands) -> dict[str, int]:
    print(f"\n| {name}, {hands.first} {hands.effort.row}")
    return hands.effort.acts


def test_rows_stay_where_somebody_points_at_them(visit: Visit, queue: list[str]) -> None:
    """What is next for the reader comes after the list, above it."""
    held: list[Route] = []

    def late(page: Page) -> None:
        page.route("**/tasks/next/", lambda route: held.append(route))

    page = visit("/tasks/", user="annotator", before=late)
    live(page)
    before = page.locator(f'tr[data-key="{queue[0]}"]').bounding_box()
    expect(page.locator(".next-card")).to_have_count(0)
    held[0].continue_()
    expect(page.locator(".next-card")).to_be_visible()
    assert page.locator(f'tr[data-key="{queue[0]}"]').bounding_box() == before


def test_the_name_of_a_page_in_another_tab_only_looks(visit: Visit, queue: list[str]) -> None:
    page = visit("/tasks/", user="annotator")
    live(page)
    expect(page.locator(".next-card")).to_be_visible()
    with page.context.expect_page() as opened:
        page.locator(f'tr[data-key="{queue[0]}"] a.doc-name').click(modifiers=["Control"])
    expect(opened.value.locator("[data-lock=free]")).to_be_visible()


@pytest.mark.parametrize(("by", "acts"), [("keyboard", {"keys": 4}), ("mouse", {"clicks": 2})])
def test_a_right_page_is_confirmed(
    visit: Visit, price_list: PriceList, queue: list[str], by: str, acts: dict[str, int]
) -> None:
    task, onward = queue
    hands = hands_on(visit, by)
    open_row(hands, task)
    hands.decide(PRODUCTS)
    send_on(hands, onward)
    assert price_list.status(task) == "COMPLETED"
    assert told("a right page", hands) == acts


@pytest.mark.parametrize(
    ("by", "acts"),
    [("keyboard", {"keys": 16}), ("mouse", {"keys": 6, "clicks": 4, "switches": 2})],
)
def test_one_price_is_mended(
    visit: Visit, price_list: PriceList, queue: list[str], by: str, acts: dict[str, int]
) -> None:
    task, onward = queue
    right = product(8, FIFTH + 1)
    price_list.stack.sql(
        """UPDATE processing_sku SET attributes = attributes || jsonb_build_object('price', '150.00')
           WHERE NOT superseded AND attributes->>'model' = %s""",
        right[0],
    )
    hands = hands_on(visit, by)
    page = hands.page
    open_row(hands, task)
    hands.decide(PRODUCTS)
    hands.decide()
    if hands.is_mouse:
        hands.click(page.locator(f'[data-index] [data-at="{FIFTH}"]'))
    else:
        hands.press(*["j"] * FIFTH)
    expect(page.locator("[data-head-model]")).to_have_text(right[0])
    if hands.is_mouse:
        hands.click(page.locator("[data-boxes] [data-key=price] rect"))
    else:
        hands.press("e", "p")
    expect(page.locator("#value-price")).to_be_focused()
    hands.decide()
    hands.type(right[4])
    send_on(hands, onward)
    assert [row[0]["price"] for row in price_list.rows(task)] == [product(8, n)[4] for n in range(1, PRODUCTS + 1)]
    assert told("one price", hands) == acts


@pytest.mark.long
@pytest.mark.parametrize(
    ("by", "acts"),
    [
        ("keyboard", {"keys": 108}),
        ("mouse", {"keys": 9, "clicks": 86, "notches": 23, "switches": 4}),
    ],
)
def test_a_table_of_54_by_29_is_checked(
    visit: Visit, large: LargeList, price_list: PriceList, by: str, acts: dict[str, int]
) -> None:
    """Each row and each column is gone to once, so that the page shows where it is printed."""
    nothing_waits(large.stack)
    task, onward = asked(large.stack, large.job, 1), asked(large.stack, price_list.job, 9)
    for row, head, read in WRONG:
        large.stack.sql(
            """UPDATE processing_sku SET attributes = attributes || jsonb_build_object(%s::text, %s::text)
               WHERE NOT superseded AND attributes->>'model' = %s""",
            KEYS[head],
            read,
            row_of(row + 1)[0],
        )
    hands = hands_on(visit, by)
    page = hands.page
    open_row(hands, task)
    hands.decide()
    if hands.is_mouse:
        hands.click(page.locator("[data-show-part=table]"))
    else:
        hands.press("Shift+T")
    expect(pen(page)).to_be_focused()
    heads = page.evaluate(COLUMNS)
    wrong = {row: head for row, head, _ in WRONG}
    for row in range(ROWS):
        hands.decide()
        if hands.is_mouse and row:
            hands.click(cell(page, row, heads[0]))
        elif row and row - 1 not in wrong:
            hands.press("ArrowDown")
        if row not in wrong:
            continue
        hands.decide(2)  # which cell, and what it must say
        if hands.is_mouse:
            hands.click(cell(page, row, wrong[row]))
        else:
            hands.press(*["ArrowRight"] * heads.index(wrong[row]))
        hands.type(said(row, wrong[row]))
        if not hands.is_mouse:
            hands.press("Enter", "Home")  # the next row, where it begins
    for head in heads[1:]:
        if hands.is_mouse:
            hands.click(cell(page, ROWS - 1, head))
        else:
            hands.press("Tab")
    send_on(hands, onward)
    for n, (attributes, *_) in enumerate(large.rows(task)):
        assert all(attributes[KEYS[head]] == said(n, head) for _, head, _ in WRONG)
    assert told("54 by 29", hands) == acts


def said(row: int, head: str) -> str:
    """What the page says there."""
    return row_of(row + 1)[(*KNOWN, *OWN).index(head)]
