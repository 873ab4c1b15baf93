"""An installation without a key of a model: nothing is asked about models while pages are understood."""

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogsku.core import storage
from ingestion.models import Page
from processing.llm.keys import SETTINGS
from processing.models import AskingRule, LanguageModel, ModelGate, Sku
from processing.pages.services import reading, understanding
from tests.support.catalogues import make_catalogue
from tests.support.people import People
from tests.support.rows import make_job, make_worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    for name in SETTINGS.values():
        setattr(settings, name, "")
        setattr(settings, f"{name}_FILE", "")
    worker = make_worker("cpu")
    for service in (reading, understanding):
        monkeypatch.setattr(service, "current_worker", lambda: worker)


def test_no_statement_of_a_chunk_is_about_models(sandbox: None, people: People, tmp_path: Path) -> None:
    source = tmp_path / "one.pdf"
    truth = make_catalogue(source, 4, 7)
    job = make_job(people.merchant, file_sha256="ab" * 32)
    storage.put_file(job.source_key, source)
    page = Page.objects.create(
        job=job, number=truth[0].page_number, status="AI_QUEUED", stage="READ", prescan={"blank": False}
    )
    reading.read_pages([page.pk])
    with CaptureQueriesContext(
        connection,
    ) as asked:
        understanding.understand_pages([page.pk])
    assert Sku.objects.filter(page=page).exists()
    tables = [model._meta.db_table for model in (LanguageModel, ModelGate, AskingRule)]
    assert [query["sql"] for query in asked if any(table in query["sql"] for table in tables)] == []
