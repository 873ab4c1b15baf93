"""The administrator's screen of keeping and deleting: rules by merchant, what would go, what is refused, the record."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ingestion.keeping.selectors import days
from ingestion.keeping.services import deleting
from ingestion.models import Deletion, Job, KeepingRule
from tests.support.kept import at_work, ended, process
from tests.support.people import People
from tests.support.rows import make_job

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-CLEAN", "TA-KEEP")]


@pytest.fixture
def admin(people: People) -> Client:
    client = Client(HTTP_ACCEPT_LANGUAGE="en")
    client.force_login(people.admin)
    return client


def read(client: Client, **asked: Any) -> str:
    return client.get(reverse("keeping"), asked).content.decode()


def test_a_rule_is_set_for_all_and_for_one_merchant(admin: Client, people: People) -> None:
    assert 'placeholder="30"' in read(admin) and 'placeholder="until deleted"' in read(admin)
    admin.post(reverse("keeping"), {"sources": "12", "traces": "0"})
    assert days()["sources"] == 12 and days()["traces"] is None
    page = read(admin, merchant=people.merchant.pk)
    assert 'placeholder="12"' in page, "what holds for all is what holds where nothing is said"
    answer = admin.post(reverse("keeping"), {"merchant": people.merchant.pk, "sources": "90"})
    assert answer.url == f"/keeping/?merchant={people.merchant.pk}"
    assert (days(people.merchant.pk)["sources"], days(people.other.pk)["sources"]) == (90, 12)
    assert 'name="sources" value="90"' in read(admin, merchant=people.merchant.pk)


@pytest.mark.parametrize("wrong", ["-1", "36501", "many"])
def test_what_is_no_number_of_days_is_refused_beside_its_field(admin: Client, wrong: str) -> None:
    answer = admin.post(reverse("keeping"), {"sources": wrong})
    assert answer.status_code == 400 and 'class="field-error"' in answer.content.decode()
    assert not KeepingRule.objects.exists()


def test_a_merchant_that_is_none_is_404(admin: Client) -> None:
    assert admin.get(reverse("keeping"), {"merchant": "999"}).status_code == 404
    assert admin.post(reverse("keeping"), {"merchant": "999", "sources": "1"}).status_code == 404
    assert not KeepingRule.objects.exists()


def test_only_administrators_come_here(people: People) -> None:
    for user in (people.uploader, people.lead, people.annotator):
        client = Client()
        client.force_login(user)
        assert client.get(reverse("keeping")).status_code == 403
        wish = {"subject": "document", "which": "1", "sure": "1"}
        assert client.post(reverse("keeping_delete"), wish).status_code == 403


def test_what_would_go_is_shown_and_goes_once_it_is_sure(
    admin: Client, people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    at_work(monkeypatch, settings, tmp_path / "media")
    job = ended(process(people, tmp_path / "Chairs.pdf", ["AB"]), 1)
    wish = {"subject": "document", "which": f"http://localhost/jobs/{job.uuid}/"}
    shown = admin.post(reverse("keeping_delete"), wish).content.decode()
    assert "Delete Chairs.pdf?" in shown and "Documents with their results" in shown and "I am sure" in shown
    assert Job.objects.filter(pk=job.pk).exists() and not Deletion.objects.exists()
    assert f'href="/keeping/?which={job.uuid}"' in admin.get(f"/jobs/{job.uuid}/").content.decode()
    assert admin.post(reverse("keeping_delete"), {**wish, "sure": "1"}).url == "/keeping/"
    assert "under way" in read(admin)
    deleting.carry_out(Deletion.objects.get().pk)
    record = admin.get(reverse("keeping"), headers={"X-Fragment": "region"}).content.decode()
    assert f"document {job.pk}" in record and "deleted" in record and people.admin.display_name in record
    assert "Chairs" not in record and "<html" not in record


def test_what_is_under_way_or_not_there_is_refused_with_a_sentence(admin: Client, people: People) -> None:
    job = make_job(people.merchant, "PROCESSING")
    for which, subject, status, words in (
        (str(job.uuid), "document", 409, "This document is under way"),
        (people.merchant.name, "merchant", 409, "Documents of this merchant are under way"),
        ("admin", "person", 409, "Nobody else is an administrator"),
        ("nothing", "document", 404, "There is none of that name"),
        ("9" * 40, "merchant", 404, "There is none of that name"),
        ("x", "planet", 400, ""),
    ):
        for sure in ({}, {"sure": "1"}):
            answer = admin.post(reverse("keeping_delete"), {"subject": subject, "which": which, **sure})
            assert answer.status_code == status and words in answer.content.decode(), (which, answer.status_code)
    assert not Deletion.objects.exists()
