"""Each screen without anything to show says so; one that fails names the request and tries again (docs/people.md,
checklist 32; waiting: tests/functional/test_browser_states.py)."""

from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse

from annotation.models import HumanTask
from tests.support.people import People
from tests.support.rows import make_job, make_page
from tests.support.strangers import ADDRESSES, Document, cheap_passwords, own_document  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cheap_passwords")]

EMPTY = 'class="empty'
# Screen: who reads it, the words of having nothing.
LISTS = {
    "documents": ("annotator", EMPTY), "all_results": ("lead", EMPTY), "catalogue": ("lead", EMPTY),
    "notices": ("uploader", EMPTY), "reports": ("uploader", EMPTY), "tasks": ("annotator", EMPTY),
    "tasks_closed": ("lead", EMPTY),
    "attribute_proposals": ("admin", EMPTY), "operations": ("admin", EMPTY),
    "imports": ("admin", EMPTY), "keeping": ("admin", EMPTY), "webhooks": ("lead", EMPTY), "quality": ("lead", EMPTY),
    "calibration": ("lead", EMPTY), "dictionary": ("lead", "muted"), "figures": ("lead", EMPTY),
    "study_templates": ("lead", EMPTY), "studies": ("uploader", EMPTY),
    "models": ("lead", "muted"), "export_panel": ("uploader", "muted"),
}  # fmt: skip
# The same of one document, or one task, that has nothing yet.
OF_A_JOB = {
    "job": ("uploader", EMPTY), "results": ("uploader", EMPTY), "evaluation": ("uploader", EMPTY),
    "edition": ("uploader", EMPTY), "job_imports": ("lead", EMPTY),
}  # fmt: skip
FILES = {"page_thumb", "page_image", "picture", "quality_picture", "export", "export_link", "task_print", "task_next"}
SCREENS = [
    name
    for name, door in ADDRESSES.items()
    if "get" in door.rights and name not in FILES and door.rights["get"] not in ("anybody", "program")
]


def read(people: People, who: str, address: str, **options: Any) -> Any:
    client = Client(**options)
    user = people.named(who)
    assert user is not None
    client.force_login(user)
    return client.get(address)


@pytest.mark.parametrize("screen", LISTS)
def test_a_list_of_nothing_says_so(people: People, screen: str) -> None:
    who, words = LISTS[screen]
    found = read(people, who, reverse(screen))
    assert found.status_code == 200 and words in found.content.decode(), found.content.decode()[-3000:]


@pytest.mark.parametrize("screen", OF_A_JOB)
def test_a_document_of_nothing_says_so(people: People, screen: str) -> None:
    who, words = OF_A_JOB[screen]
    found = read(people, who, reverse(screen, args=[make_job(people.merchant, "PROCESSING").uuid]))
    assert found.status_code == 200 and words in found.content.decode()


def test_a_document_whose_pages_are_not_known_yet_shows_that_they_come(people: People) -> None:
    address = reverse("job", args=[make_job(people.merchant, "UPLOADED").uuid])
    assert 'class="skeleton"' in read(people, "uploader", address).content.decode()


def test_a_page_without_products_or_past_says_so(people: People) -> None:
    job = make_job(people.merchant)
    task = HumanTask.objects.create(job=job, page=make_page(job, 1, "HUMAN_QUEUED"), type="PAGE_REVIEW")
    for screen, words in {"task": EMPTY, "task_past": "muted", "task_around": "muted"}.items():
        assert words in read(people, "annotator", reverse(screen, args=[task.uuid])).content.decode(), screen


@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_that_fails_names_the_request_and_tries_again(people: People, document: Document, screen: str) -> None:
    """Everybody's own rows can be read; what the screen itself asks for cannot."""

    def fail(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if any(app in sql for app in ("ingestion_", "processing_", "annotation_", "profiles_")):
            raise OperationalError("the disk is gone")
        return execute(sql, params, many, context)

    address = document.url(screen)
    with connection.execute_wrapper(fail):
        found = read(people, "admin", address, raise_request_exception=False)
    text = found.content.decode()
    assert found.status_code == 500 and found.headers["X-Request-ID"] in text, text[:600]
    assert f'href="{address}"' in text and "disk" not in text
