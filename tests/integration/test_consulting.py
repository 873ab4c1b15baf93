"""Pages that models are asked about, over real HTTP: what comes of good answers, bad ones, and none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from catalogsku.core import storage
from ingestion.models import Page
from processing.models import ModelCall, RuleResult, Sku
from processing.services import consulting, reading, sandboxes, understanding
from tests.support.catalogues import make_catalogue
from tests.support.model_server import ModelServer
from tests.support.people import People
from tests.support.rows import make_job, make_worker

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    from processing.llm import calls

    started: dict[bool, sandboxes.Sandbox] = {}
    monkeypatch.setattr(sandboxes, "_sandboxes", started)
    worker = make_worker("cpu")
    for service in (reading, understanding, consulting, calls):
        monkeypatch.setattr(service, "current_worker", lambda: worker)
    yield
    for one in started.values():
        one.close()


@pytest.fixture
def page(people: People, tmp_path: Path, workers: None) -> Page:
    """A page that the rules have understood."""
    source = tmp_path / "one.pdf"
    truth = make_catalogue(source, 4, 7)
    job = make_job(people.merchant, file_sha256="ab" * 32)
    storage.put_file(job.source_key, source)
    number = truth[0].page_number
    made = Page.objects.create(job=job, number=number, status="AI_QUEUED", stage="READ", prescan={"blank": False})
    reading.read_pages([made.pk])
    return made


def test_a_page_is_classified_and_extracted_by_the_models(reading_models: ModelServer, page: Page) -> None:
    understanding.understand_pages([page.pk])
    page.refresh_from_db()
    assert page.stage == "UNDERSTAND" and RuleResult.objects.filter(page=page).exists()
    consulting.consult_models([page.pk])
    page.refresh_from_db()
    assert [call.operation for call in reading_models.calls][-2:] == ["BoundariesAnswer", "AttributesAnswer"]
    assert (page.stage, page.status) == ("NONE", "AI_COMPLETED"), page.blockers
    assert page.extraction_method == "model.two_stage" and page.analyst == "qwen-vl-max"
    assert Sku.objects.filter(page=page, superseded=False).count() >= 4
    assert set(ModelCall.objects.filter(page=page).values_list("state", flat=True)) == {"ANSWERED"}
    assert not RuleResult.objects.exists()


def test_without_a_key_the_rules_finish_the_page(page: Page) -> None:
    understanding.understand_pages([page.pk])
    page.refresh_from_db()
    assert (page.stage, page.analyst.split("/")[0]) == ("NONE", "rules")
