"""The document's page, its row in the list and what programs are told of it, where the document is a study."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from ingestion import selectors
from ingestion.models import Job
from tests.integration.test_studies import _worker, given  # noqa: F401
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_pages
from tests.support.studies import make_study

pytestmark = [pytest.mark.django_db, pytest.mark.req("LX-ONEURL", "X-MATRIX")]

# What only catalogues have.
OF_PRODUCTS = re.compile(r"deliver|import|SKU|products|catalogue|入库|商品|目录", re.IGNORECASE)


def browser(user: Any, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    client.force_login(user)
    client.cookies["django_language"] = language
    return client


def words_in(html: str) -> str:
    """What is read or read aloud, without the shell around it."""
    main = html[html.index("<main") : html.index("</main>")] if "<main" in html else html
    main = re.sub(r"<(script|style).*?</\1>", "", main, flags=re.DOTALL)
    attributes = re.findall(r'(?:aria-label|title|placeholder)="([^"]*)"', main)
    return " ".join([re.sub(r"<[^>]*>", " ", main), *attributes])


STATES = {
    "checking": {"status": "UPLOADED", "stage": "INSPECT", "total_pages": None},
    "being read": {"status": "PROCESSING"},
    "being extracted": {"status": "PROCESSING", "stage": "EXTRACT"},
    "models are asked": {"status": "PROCESSING", "stage": "ASK", "models_state": "go"},
    "awaits a go-ahead": {
        "status": "AWAITING_GO", "models_state": "asking", "models_pages": 2, "models_estimated_micro": 50_000,
    },
    "left to people": {"status": "PARTIAL_IMPORTED", "models_state": "left", "models_pages": 2},
    "to be reviewed": {"status": "PARTIAL_IMPORTED"},
    "finished": {"status": "FULL_IMPORTED", "completion_source": "people"},
    "cancelled": {"status": "CANCELLED"},
    "refused": {"status": "REJECTED", "failure_code": "encrypted"},
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("name", STATES)
def test_its_page_speaks_of_reading_and_of_values(people: People, name: str, language: str) -> None:
    job = make_study(people.merchant, **STATES[name])
    job.source_name = "paper.pdf"
    job.save(update_fields=["source_name"])
    if name not in ("checking", "refused"):
        make_pages(job, [1], "AI_COMPLETED", stage="NONE", import_state="confirmed")
        make_pages(job, [2], "AI_QUEUED" if name == "being read" else "AI_COMPLETED", stage="READ", import_state="none")
    client = browser(people.uploader, language)
    page = client.get(reverse("job", args=[job.uuid])).content.decode()
    side = client.get(reverse("job_region", args=[job.uuid]) + "?part=side").content.decode()
    (row,) = selectors.job_cards([job])
    assert not (found := OF_PRODUCTS.findall(words_in(page) + words_in(side) + f" {row.word} {row.reason}")), found
    assert row.skus is None
    if name == "to be reviewed":
        assert row.pages_done == 2 and {state for _page, state in row.edge} == {"AI_COMPLETED"}
        word = "已识别" if language == "zh-hans" else "Read"
        assert f"{word} <b" in page and page.count(word) > 1, "one word on tiles and in the filter"


@pytest.mark.parametrize("go", ["yes", "no"])
def test_whether_models_are_asked_is_asked_about_the_whole(people: People, go: str) -> None:
    job = make_study(people.merchant, **STATES["awaits a go-ahead"])
    make_pages(job, [1, 2], "AI_COMPLETED", stage="NONE", import_state="confirmed")
    client, url = browser(people.uploader), reverse("job", args=[job.uuid])
    page = client.get(url).content.decode()
    assert "2 of 2 pages would be asked, about 0.05 USD" in page and "for the value of every field" in page
    assert 'name="go" value="yes"' in page and 'name="go" value="no"' in page
    answered = client.post(reverse("job_models", args=[job.uuid]), {"go": go})
    (said,) = get_messages(answered.wsgi_request)
    assert str(said) == ("Models are asked about this document" if go == "yes" else "This document is left to people")
    again = client.get(url).content.decode()
    assert ("It was left to people: no model was asked" in again) is (go == "no")
    job.refresh_from_db()
    assert job.stage == ("ASK" if go == "yes" else "NONE")


def test_programs_are_told_that_its_pages_are_read(people: People, tmp_path: Path) -> None:
    job = given(people, tmp_path / "paper.pdf")
    program = Program(people.uploader)
    assert {page["status"] for page in program("GET", f"/jobs/{job.uuid}/pages").json()["items"]} == {"AI_COMPLETED"}
    told = program("GET", f"/jobs/{job.uuid}").json()
    assert (told["completed_pages"], told["progress_percent"]) == (2, 100)
    assert program("GET", f"/jobs/{job.uuid}/progress").json()["current_phase"] == "human_pending"


def test_a_page_of_it_has_no_products_to_show(people: People) -> None:
    job: Job = make_study(people.merchant)
    make_pages(job, [1], "AI_COMPLETED", stage="NONE")
    page = browser(people.uploader).get(reverse("job", args=[job.uuid])).content.decode()
    assert 'id="page-dialog"' in page and "data-page-results" not in page and "data-page-models" not in page


def test_a_refused_paper_is_not_offered_for_review(people: People) -> None:
    job: Job = make_study(people.merchant)
    for status, is_offered in (("PARTIAL_IMPORTED", True), ("REJECTED", False)):
        Job.objects.filter(pk=job.pk).update(status=status, failure_code="embedded_file" if not is_offered else "")
        page = browser(people.uploader).get(reverse("job", args=[job.uuid])).content.decode()
        assert ("Review the study" in page) == is_offered
