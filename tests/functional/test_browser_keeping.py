"""Keeping and deleting in the browser: a rule by keys, and a document that is deleted on request, with its proof."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.functional.conftest import Seen, Visit, catalogue, sent_and_read
from tests.functional.test_browser_screens import faults_of
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.req("TA-CLEAN", "TA-KEEP")]


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    """Of its own: what is deleted here is missed by nobody."""
    with Stack() as own:
        yield own


def test_a_rule_is_set_by_keys_in_both_languages(visit: Visit, seen: Seen) -> None:
    page = visit("/ops/", user="admin")
    page.get_by_role("link", name="Keeping and deleting").click()
    assert not faults_of(page, "en")
    field = page.get_by_label("Source files and their copies")
    expect(field).to_have_attribute("placeholder", "30")
    field.focus()
    page.keyboard.type("45")
    page.keyboard.press("Enter")
    expect(field).to_have_value("45")
    for theme, width in (("dark", 1440), ("light", 390)):
        page = visit("/keeping/", user="admin", language="zh", theme=theme, width=width)
        expect(page.get_by_label("源文件及其副本")).to_have_value("45")
        assert not faults_of(page, "zh"), (theme, width)
    assert not seen.complaints


def test_a_document_is_deleted_and_nothing_of_it_is_left(
    visit: Visit, seen: Seen, stack: Stack, tmp_path: Path
) -> None:
    files = {"Gone chairs.pdf": catalogue("en", "GON"), "Kept chairs.pdf": catalogue("en", "KEP", pages=1)}
    gone, kept = sent_and_read(stack, tmp_path, files)
    for job in (gone, kept):
        stack.wait_for(job, lambda state: state.status == "FULL_IMPORTED", 120)
    (merchant, sha256), *_ = stack.sql("SELECT merchant_id, file_sha256 FROM ingestion_job WHERE uuid = %s", gone)
    folder = stack.var / "storage" / f"m{merchant}" / sha256[:2] / sha256
    assert (folder / "source.pdf").exists()

    page = visit(f"/jobs/{gone}/", user="admin")
    page.get_by_role("link", name="Delete", exact=True).click()
    page.get_by_role("button", name="Show what would go").click()
    expect(page.get_by_role("heading", name="Delete Gone chairs.pdf?")).to_be_visible()
    assert not faults_of(page, "en")
    page.get_by_role("button", name="Delete for good").click()
    assert re.search("/keeping/delete/$", page.url), "the browser wants the tick first"
    page.get_by_label("I am sure").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Delete for good").click()
    record = page.get_by_role("row").filter(has_text="document").first
    expect(record).to_contain_text("deleted", timeout=60_000)

    assert not folder.exists()
    assert stack.sql("SELECT 1 FROM ingestion_job WHERE uuid = %s", gone) == []
    (found,), *_ = stack.sql("SELECT found - 'logs' FROM ingestion_deletion ORDER BY id DESC LIMIT 1")
    assert found == {}
    assert page.request.get(f"/jobs/{gone}/").status == 404
    assert page.request.get(f"/jobs/{kept}/").status == 200
    catalogue_page = visit("/catalogue/?q=GON-101", user="admin")
    expect(catalogue_page.get_by_text("GON-101", exact=True)).to_have_count(0)
    assert not [complaint for complaint in seen.complaints if "404" not in complaint]


def test_a_document_whose_files_have_gone_is_still_shown_with_its_proofs(
    visit: Visit, seen: Seen, stack: Stack, tmp_path: Path
) -> None:
    (job,) = sent_and_read(stack, tmp_path, {"Old chairs.pdf": catalogue("en", "OLD")})
    stack.wait_for(job, lambda state: state.status == "FULL_IMPORTED", 120)
    stack.sql("UPDATE ingestion_job SET finished_at = now() - interval '400 days' WHERE uuid = %s RETURNING id", job)
    stack.sql("UPDATE django_migrations SET applied = '2020-01-01' WHERE name = '0005_keeping' RETURNING id")
    stack.manage("periodic", "run", "keeping")
    (emptied,), *_ = stack.sql(
        "SELECT count(*) FROM ingestion_emptied e JOIN ingestion_job j ON j.id = e.job_id WHERE j.uuid = %s", job
    )
    assert emptied == 2
    page = visit(f"/jobs/{job}/")
    page.locator(".tile").first.click()
    picture = page.locator("#page-dialog [data-page-image]")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") == 240, "the thumbnail, which outlives the picture"
    page = visit(f"/jobs/{job}/results/")
    page.get_by_text("OLD-101").first.click()
    expect(page.locator("svg.proof").first).to_be_visible()
    assert not seen.complaints


def test_nothing_that_a_running_product_keeps_is_without_a_rule(stack: Stack) -> None:
    told = json.loads(stack.manage("doctor", "--json").stdout)
    of_keeping = [finding["text"] for finding in told if finding["name"] == "keeping" and finding["level"] != "ok"]
    of_tests = "VAR_DIR/run.log"
    assert [text for text in of_keeping if not text.startswith(of_tests)] == []
