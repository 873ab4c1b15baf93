"""Personal data in a document: told to who uploaded it, named before it is deleted, and in no trace and no log."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from processing.pages.services import tracing
from tests.functional.conftest import Seen, Visit, catalogue, sent_and_read
from tests.functional.test_browser_screens import faults_of
from tests.support.model_server import ModelServer
from tests.support.personal import BARE, COUNTS, VALUES, left_in, personal_pdf
from tests.support.reading_model import ReadingModel
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.req("TA-PII")]


@pytest.fixture(scope="module")
def models() -> Iterator[ModelServer]:
    with ModelServer(ReadingModel()) as server:
        yield server


@pytest.fixture(scope="module")
def stack(models: ModelServer) -> Iterator[Stack]:
    with Stack({"GEMINI_API_KEY": "k", "GEMINI_BASE_URL": models.gemini_url}) as own:
        # Every document goes to people, and models are asked before: all that is ever kept of a page is kept.
        own.sql("UPDATE profiles_thresholdprofile SET threshold_a = 0.999, threshold_pv = 0.998, threshold_b = 0.997")
        yield own


@pytest.fixture(scope="module")
def jobs(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """One with personal data, one without."""
    files = {"A-101.pdf": personal_pdf(), "PLN-101.pdf": catalogue("en", "PLN", pages=1)}
    return sent_and_read(stack, tmp_path_factory.mktemp("files"), files)


def faults(page: Page, language: str) -> list[str]:
    """But for the word of what models are paid by, which stands beside it."""
    return [fault for fault in faults_of(page, language) if "token" not in fault]


def test_who_uploaded_it_is_told_what_it_shows(visit: Visit, seen: Seen, stack: Stack, jobs: list[str]) -> None:
    page = visit(f"/jobs/{jobs[0]}/")
    panel = page.get_by_role("region", name="Personal data")
    expect(panel).to_contain_text("3 telephone numbers on page 1")
    expect(panel).to_contain_text("1 card number on page 1")
    assert left_in(panel.inner_text()) == []
    assert not faults(page, "en")
    for theme, width in (("dark", 1440), ("light", 390)):
        page = visit(f"/jobs/{jobs[0]}/", language="zh", theme=theme, width=width)
        expect(page.get_by_role("region", name="个人信息")).to_contain_text("第 1 页有 3 个电话号码")
        assert not faults(page, "zh"), (theme, width)
    page = visit(f"/jobs/{jobs[1]}/")
    expect(page.get_by_role("heading", name="Problems")).to_be_visible()
    expect(page.get_by_role("region", name="Personal data")).to_have_count(0)
    assert not seen.complaints


def test_no_trace_replay_or_log_holds_it_and_results_do(
    stack: Stack, models: ModelServer, jobs: list[str], tmp_path: Path
) -> None:
    told = json.loads(stack.manage("replay", jobs[0], "--json").stdout)
    assert [entry["page"] for entry in told] == [1]
    saved = tmp_path / "page.trace"
    again = json.loads(stack.manage("replay", jobs[0], "1", "--save", str(saved), "--json").stdout)
    assert (again["same"], again["masked"]) == (True, COUNTS)
    traces = [*(stack.var / "storage").rglob("*.trace"), saved]
    assert len(traces) >= 2
    for path in traces:
        bundle = tracing.unpack(path.read_bytes())
        rest = json.dumps([bundle.facts, bundle.error, bundle.answers, bundle.result.decode()], ensure_ascii=False)
        assert left_in(rest) == [], path
        for packed in bundle.pages.values():
            page = tracing.unpack_page(packed)
            assert left_in(repr(page)) == [], path
    logs = [path for path in stack.var.rglob("*.log") if path.is_file()]
    assert len(logs) >= 3
    for path in logs:
        assert left_in(path.read_text(errors="replace")) == [], path
    ((values,),) = stack.sql("SELECT string_agg(attributes::text || custom_attributes::text, '') FROM processing_sku")
    assert BARE in values, "a merchant's results are as printed"


def test_the_deletion_names_it_before_and_finds_who_asks(visit: Visit, stack: Stack, jobs: list[str]) -> None:
    merchant = stack.sql("SELECT m.name FROM accounts_merchant m JOIN ingestion_job j ON j.merchant_id = m.id LIMIT 1")
    found = json.loads(
        stack.manage("personal_data", "--find", VALUES[0], "--merchant", merchant[0][0], "--json").stdout
    )
    assert found["documents"] == [{"job": jobs[0], "pages": [1]}]
    page = visit("/keeping/people/", user="lead")
    page.get_by_label("Number or address").fill(f"0086 {VALUES[0]}")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="A-101.pdf")).to_be_visible()
    assert not faults_of(page, "en") and VALUES[0] not in page.url
    stack.manage("jobs", "cancel", jobs[0])
    page = visit(f"/keeping/?which={jobs[0]}", user="admin")
    page.get_by_role("button", name="Show what would go").click()
    expect(page.get_by_text("Personal data in it: 3 telephone numbers, 1 mail address")).to_be_visible()
    assert not faults_of(page, "en")
