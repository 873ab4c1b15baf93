"""A value is put right in the results, in the browser: where it is allowed, checked, insisted on, taken back."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.functional.conftest import Documents, Seen, Visit, catalogue, sent_and_read
from tests.functional.test_browser_screens import faults_of
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.req("TA-ATONCE")]
SERIES = {"en": "COR", "zh": "BDFC"}
LAST = {"en": "COR-106", "zh": "BDFC-106"}


@pytest.fixture(scope="module")
def own(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Documents:
    """Of this module alone: what becomes of them is seen on no other's screens."""
    files = {f"{series}.pdf": catalogue(language, series, pages=1) for language, series in SERIES.items()}
    return Documents(*sent_and_read(stack, tmp_path_factory.mktemp("own"), files), refused="")


@pytest.fixture
def allowed(stack: Stack, own: Documents) -> Iterator[None]:
    """As long as the test goes on; other tests see the screens as they are by default."""
    stack.sql(
        "INSERT INTO processing_correctionrule (merchant_id, at_once) SELECT merchant_id, true FROM ingestion_job"
        " WHERE uuid = %s ON CONFLICT DO NOTHING RETURNING 1",
        own.en,
    )
    yield
    stack.sql("DELETE FROM processing_correctionrule RETURNING 1")


def dialog_of(page: Page, model: str) -> Locator:
    page.locator(".result-table .model").get_by_text(model, exact=True).click()
    dialog = page.locator("#sku-dialog")
    expect(dialog.get_by_role("heading", level=2)).to_have_text(model)
    return dialog


def sent(stack: Stack, model: str) -> list[tuple[int, str]]:
    """Of each import of the product: its generation, and the price that it tells."""
    return stack.sql(
        "SELECT i.generation, s.attributes ->> 'price'"
        " FROM processing_importrecord i JOIN processing_sku s ON s.id = i.sku_id"
        " WHERE s.attributes ->> 'model' = %s AND i.state = 'CONFIRMED' ORDER BY 1",
        model,
    )


def test_where_it_is_not_allowed_it_is_not_offered_and_a_lead_allows_it(
    visit: Visit, seen: Seen, stack: Stack, own: Documents
) -> None:
    dialog = dialog_of(visit(f"/jobs/{own.en}/results/"), LAST["en"])
    expect(dialog.get_by_role("button", name="Correct: Price")).to_have_count(0)
    expect(dialog.locator(".report summary")).to_be_visible()
    page = visit("/", user="lead", language="zh", theme="dark")
    page.locator("[popovertarget=person-menu]").click()
    page.get_by_role("link", name="改正", exact=True).click()
    if page.get_by_role("combobox", name="商户").count():
        expect(page.get_by_role("combobox", name="商户")).to_be_visible()
    expect(page.get_by_label("先报告，由做任务的人改正")).to_be_checked()
    assert not faults_of(page, "zh")
    page.get_by_label("上传员和组长可以直接改正").check()
    page.get_by_role("button", name="保存").click()
    expect(page.locator(".toast, .message, [role=status]").filter(has_text="已保存").first).to_be_visible()
    expect(page.get_by_label("上传员和组长可以直接改正")).to_be_checked()
    try:
        dialog = dialog_of(visit(f"/jobs/{own.en}/results/"), LAST["en"])
        expect(dialog.get_by_role("button", name="Correct: Price")).to_be_visible()
    finally:
        stack.sql("DELETE FROM processing_correctionrule RETURNING 1")
    assert not seen.complaints


@pytest.mark.parametrize(
    ("theme", "address"), [("light", "/jobs/{}/results/?sort=-model"), ("dark", "/catalogue/?document={}&order=model")]
)
def test_a_value_is_checked_insisted_on_shown_with_who_and_taken_back(
    visit: Visit, seen: Seen, stack: Stack, own: Documents, allowed: None, theme: str, address: str
) -> None:
    page = visit(address.format(own.en), theme=theme)
    dialog = dialog_of(page, LAST["en"])
    before = sent(stack, LAST["en"])
    price = dialog.locator("[data-mark-for=price]")
    was = price.locator(".field-value").inner_text()
    price.get_by_role("button", name="Correct: Price").press("Enter")
    value = price.get_by_label("Price, as it is right")
    expect(value).to_be_focused()
    value.fill("cheap")
    value.press("Enter")
    expect(price.get_by_role("alert")).to_contain_text("This is no price: cheap")
    value.fill("777.00")
    value.press("Enter")
    expect(price.get_by_role("alert")).to_contain_text("This is not printed on the page: 777.00")
    assert not faults_of(page, "en")
    price.get_by_label("It is right nevertheless").check()
    value.press("Enter")
    expect(price.get_by_role("alert")).to_contain_text("Say why it is right nevertheless")
    price.get_by_label("Reason", exact=True).fill("By the price list of May")
    value.press("Enter")
    expect(price.locator(".field-value")).to_contain_text("777.00")
    expect(price).to_contain_text("By the price list of May")
    expect(price.get_by_text("Corrected by")).to_be_visible()
    row = page.locator(".result-table tr").filter(has_text=LAST["en"])
    expect(row).to_contain_text("777.00")
    assert not faults_of(page, "en")
    stack.until(lambda: sent(stack, LAST["en"])[len(before) :] == [(len(before) + 1, "777.00")], 30, "the new price")
    price.get_by_role("button", name="Take it back").click()
    expect(price.locator(".field-value")).to_have_text(was)
    expect(price.get_by_text("Corrected by")).to_have_count(0)
    expect(row).not_to_contain_text("777.00")
    stack.until(lambda: len(sent(stack, LAST["en"])) == len(before) + 2, 30, "the earlier price")
    assert sent(stack, LAST["en"])[-1][1] == sent(stack, LAST["en"])[0][1]
    assert not seen.complaints


def test_a_page_that_waits_for_a_person_takes_a_report_with_what_was_typed(
    visit: Visit, seen: Seen, stack: Stack, own: Documents, allowed: None
) -> None:
    page = visit(f"/jobs/{own.zh}/results/", language="zh", width=390)
    dialog = dialog_of(page, LAST["zh"])
    stack.sql(
        "UPDATE ingestion_page p SET needs_review = true, blockers = %s::jsonb FROM ingestion_job j"
        " WHERE j.id = p.job_id AND j.uuid = %s RETURNING 1",
        '[{"code": "coverage_low", "params": {}}]',
        own.zh,
    )
    price = dialog.locator("[data-mark-for=price]")
    price.get_by_role("button", name="改正：价格").click()
    price.get_by_role("button", name="不改").click()
    expect(price.get_by_role("button", name="改正：价格")).to_be_focused()
    price.get_by_role("button", name="改正：价格").click()
    price.get_by_label("价格的正确值").fill("105.00")
    price.get_by_role("button", name="改正", exact=True).click()
    expect(price.get_by_role("alert")).to_contain_text("该页正等人处理。您填写的内容没有丢失")
    expect(price.get_by_role("textbox")).to_have_value("价格：206.00 应为 105.00")
    assert not faults_of(page, "zh")
    assert not seen.complaints
