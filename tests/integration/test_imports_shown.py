"""The pages of imports: what became of each, what the target said, and sending it again."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from processing.imports import presenters
from processing.imports.lifecycle import Delivery
from processing.models import ImportRecord, Sku
from tests.support.imports import importable
from tests.support.people import People

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    return Client(headers={"Accept-Language": "en"})


@pytest.fixture
def job(people: People) -> Any:
    """A document with an import in each state."""
    job, _, skus = importable(people, skus=len(Delivery))
    for sku, state in zip(skus, Delivery, strict=True):
        answer = "HTTP 422: <b>no category</b>" if state == Delivery.REFUSED else ""
        ImportRecord.objects.filter(sku=sku).update(state=state, response=answer, attempt=3)
    return job


def shown(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def press(client: Client, **fields: Any) -> list[str]:
    response = client.post(reverse("imports_retry"), fields, follow=True)
    assert response.status_code == 200
    return [str(message) for message in response.context["messages"]]


def row(state: str) -> ImportRecord:
    return ImportRecord.objects.get(state=state)


def test_a_documents_imports_show_state_attempts_and_answer(people: People, client: Client, job: Any) -> None:
    client.force_login(people.uploader)
    html = shown(client, reverse("job_imports", args=[job.uuid]))
    for state in Delivery:
        assert str(state.label) in html
    assert "HTTP 422: &lt;b&gt;no category&lt;/b&gt;" in html
    assert "imports/retry" in html and "Send again" not in html, "an uploader looks on"


def test_the_filters_count_and_choose(people: People, client: Client, job: Any) -> None:
    client.force_login(people.lead)
    url = reverse("job_imports", args=[job.uuid])
    html = shown(client, url)
    counts = dict(re.findall(r'href="\?(?:show=(\w*))?"[^>]*>(?:(?!</a>).)*<b>(\d+)</b>', html))
    assert counts == {"": "8", "failed": "2", "open": "3", "assumed": "1", "drifted": "0"}
    assert shown(client, f"{url}?show=failed").count("<tr data-key") == 2
    assert "No import is in this state" in shown(client, f"{url}?show=drifted")


def test_a_lead_sees_what_needs_somebody_in_all_documents(people: People, client: Client, job: Any) -> None:
    client.force_login(people.lead)
    html = shown(client, reverse("imports"))
    assert html.count("<tr data-key") == 6, "neither the confirmed nor the replaced ones"
    ImportRecord.objects.update(state="CONFIRMED")
    assert "All imports are confirmed" in shown(client, reverse("imports"))


def test_a_document_without_imports_says_so(people: People, client: Client, job: Any) -> None:
    ImportRecord.objects.all().delete()
    client.force_login(people.lead)
    assert "Nothing of this document has gone out yet" in shown(client, reverse("job_imports", args=[job.uuid]))


@pytest.mark.req("TA-RECON")
def test_a_lead_sends_one_again(people: People, client: Client, job: Any) -> None:
    client.force_login(people.lead)
    refused = row("REFUSED")
    Sku.objects.filter(pk=refused.sku_id).update(status="IMPORT_FAILED")
    assert press(client, only=refused.pk, job=job.uuid) == ["1 import goes out again"]
    refused.refresh_from_db()
    assert (refused.state, Sku.objects.get(pk=refused.sku_id).status) == ("PENDING", "BOUND")
    assert press(client, only=row("CONFIRMED").pk) == ["0 imports go out again"]


def test_a_lead_sends_all_again_that_failed_or_differ(people: People, client: Client, job: Any) -> None:
    client.force_login(people.lead)
    ImportRecord.objects.filter(state="CONFIRMED").update(drift="missing")
    assert press(client, all=1, job=job.uuid) == ["3 imports go out again"]
    assert ImportRecord.objects.filter(state="ASSUMED").count() == 1, "that one somebody must have looked for"
    assert ImportRecord.objects.filter(generation=2, state="PENDING").count() == 1
    assert not ImportRecord.objects.exclude(drift="").exists()


def test_a_lead_says_that_one_has_arrived(people: People, client: Client, job: Any) -> None:
    client.force_login(people.lead)
    assumed = row("ASSUMED")
    ImportRecord.objects.filter(pk=assumed.pk).update(uncertain=True)
    assert "It arrived" in shown(client, reverse("imports"))
    assert press(client, confirm=assumed.pk) == ["1 import counts as arrived"]
    assumed.refresh_from_db()
    assert (assumed.state, assumed.uncertain) == ("CONFIRMED", False)


@pytest.mark.parametrize("fields", [{}, {"only": "x"}, {"only": "9" * 30}, {"job": "x", "only": "0"}])
def test_nothing_chosen_sends_nothing(people: People, client: Client, job: Any, fields: dict[str, str]) -> None:
    client.force_login(people.lead)
    assert press(client, **fields) == ["0 imports go out again"]


@pytest.mark.req("X-MATRIX")
@pytest.mark.parametrize("name", ["uploader", "annotator"])
def test_whoever_may_not_supervise_sends_nothing(people: People, client: Client, job: Any, name: str) -> None:
    user = people.named(name)
    assert user is not None
    client.force_login(user)
    assert client.post(reverse("imports_retry"), {"all": 1}).status_code == 403
    assert ImportRecord.objects.filter(state="REFUSED").exists()


def test_a_lead_of_others_sends_nothing_of_ours(people: People, client: Client, job: Any) -> None:
    people.lead.merchants.set([people.other])
    people.lead.refresh_from_db()
    client.force_login(people.lead)
    assert press(client, only=row("REFUSED").pk) == ["0 imports go out again"]
    assert client.post(reverse("imports_retry"), {"all": 1, "job": str(job.uuid)}).status_code == 404
    assert row("REFUSED")


def test_a_sku_shows_its_imports(people: People, client: Client, job: Any) -> None:
    client.force_login(people.uploader)
    refused = row("REFUSED")
    html = shown(client, reverse("sku", args=[job.uuid, refused.sku_key]))
    assert "3 attempts" in html and "no category" in html


@pytest.mark.req("TA-G1")
def test_of_all_documents_no_more_are_counted_than_can_be_leafed_through(
    people: People, client: Client, job: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presenters, "MOST_SHOWN", 2)
    client.force_login(people.lead)
    html = shown(client, reverse("imports"))
    counts = dict(re.findall(r'href="\?(?:show=(\w*))?"[^>]*>(?:(?!</a>).)*<b>(\d+\+?)</b>', html))
    assert counts == {"": "2+", "failed": "2", "open": "2+", "assumed": "1", "drifted": "0"}
    newest = ImportRecord.objects.exclude(state__in=("CONFIRMED", "SUPERSEDED")).order_by("-pk")[:2]
    assert re.findall(r'<tr data-key="(\d+)"', html) == [str(row.pk) for row in newest]
    everything = reverse("job_imports", args=[job.uuid])
    assert shown(client, everything).count("<tr data-key") == len(Delivery), "of one document all of them"
