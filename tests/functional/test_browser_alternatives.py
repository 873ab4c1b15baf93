"""A page that nobody dared to call one of products: what another extractor found on it is looked at, taken by one key,
taken back by another, and submitted."""

from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import Seen, Visit
from tests.functional.test_browser_screens import faults_of
from tests.functional.test_browser_workbench import NAMES_HAVE_NO_LANGUAGE, in_hand, saved
from tests.support.stack import Stack
from tests.unit.understanding.records.test_alternatives import GOODS

pytestmark = [pytest.mark.browser, pytest.mark.alone]


def names_alone() -> bytes:
    with pymupdf.open() as file:
        page = file.new_page(width=595, height=842)
        page.insert_text((50, 74), "Our solvents and acids", fontsize=18)
        for n, name in enumerate(GOODS):
            page.insert_text((50, 119 + 24 * n), name, fontsize=11)
        return bytes(file.tobytes())


@pytest.fixture
def task(stack: Stack, tmp_path: Path) -> Iterator[str]:
    """The check of the page's skip: the product itself asks for it."""
    (tmp_path / "Solvents.pdf").write_bytes(names_alone())
    job = stack.upload(tmp_path / "Solvents.pdf")
    stack.wait_for(job, lambda state: state.is_left_by_machines, 200)
    wanted = """SELECT t.uuid FROM annotation_humantask t JOIN ingestion_job j ON j.id = t.job_id
        WHERE j.uuid = %s AND t.status = 'CREATED' AND t.reasons::text LIKE '%%skip_doubtful%%'"""
    stack.until(lambda: stack.sql(wanted, job), 60, "a person is asked about the page")
    yield str(stack.sql(wanted, job)[0][0])
    stack.sql("UPDATE annotation_humantask SET status = 'SKIPPED' WHERE status <> 'COMPLETED'")


def products(page: Page, count: int) -> None:
    expect(page.locator("[data-sku-count]")).to_have_text(str(count))


@pytest.mark.req("X-OTHERS")
def test_what_another_extractor_found_is_taken_and_taken_back(
    visit: Visit, task: str, stack: Stack, seen: Seen
) -> None:
    watching = visit(f"/tasks/{task}/", user="lead")
    page = visit(f"/tasks/{task}/?claim=1", user="annotator")
    in_hand(page)
    bar, places = page.locator("[data-alternatives]"), page.locator(".bench-offers .line")
    expect(bar).to_contain_text("22 products by lines")
    expect(bar.locator("[data-product]")).to_have_count(22)
    expect(watching.locator("[data-alternatives]")).to_contain_text("22 products by lines")
    expect(watching.get_by_role("button", name="Take them")).to_be_hidden()
    expect(places).to_have_count(0)
    bar.locator("[data-product]", has_text="Acetone technical").hover()
    expect(places).to_have_count(22)
    expect(page.locator(".bench-offers .chosen")).to_have_count(1)
    page.mouse.move(400, 600)
    expect(places).to_have_count(0)
    bar.locator("ol").focus()
    expect(places).to_have_count(22)
    page.evaluate(NAMES_HAVE_NO_LANGUAGE)
    assert faults_of(page, "en") == []

    page.keyboard.press("Shift+G")
    products(page, 22)
    expect(bar).to_be_hidden()
    expect(places).to_have_count(0)
    expect(page.locator("[data-field=product_name] input")).to_be_focused()
    expect(page.locator("[data-field=product_name] input")).to_have_value("Acetone pure")
    expect(page.locator(".toast")).to_contain_text("22 SKUs taken")
    products(watching, 22)
    expect(watching.locator("[data-alternatives]")).to_be_hidden()
    page.keyboard.press("Control+Z")
    products(page, 0)
    expect(bar).to_contain_text("22 products by lines")
    bar.get_by_role("button", name="Take them").click()
    products(page, 22)
    page.locator("[data-field=product_name] input").fill("Acetone, pure")
    saved(page)

    page.reload()
    in_hand(page)
    products(page, 22)
    expect(bar).to_be_hidden()
    page.keyboard.press("Control+Enter")
    expect(page).not_to_have_url(f"{stack.address}/tasks/{task}/")
    kept = stack.sql(
        """SELECT s.attributes->>'product_name', s.decisions->>'offered', s.evidence->'product_name'->>'method'
           FROM processing_sku s JOIN annotation_humantask t ON t.page_id = s.page_id
           WHERE t.uuid = %s AND NOT s.superseded ORDER BY s.sku_id""",
        task,
    )
    assert kept[0] == ("Acetone, pure", "repeat.lines.across", "person")
    assert kept[1:] == [(name, "repeat.lines.across", "offered") for name in GOODS[1:]]
    assert seen.complaints == []
