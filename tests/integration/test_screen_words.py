"""Every screen in both languages, read as a person reads it."""

import pytest
from django.test import Client
from django.utils import timezone

from ingestion.models import Job
from tests.integration.test_screen_states import SCREENS
from tests.support.people import People
from tests.support.screen_words import faults_in
from tests.support.strangers import Document, cheap_passwords, own_document  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cheap_passwords")]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_says_no_code_and_no_wrong_plural(
    people: People, document: Document, screen: str, language: str
) -> None:
    judged = {"c_doc": 0.87, "route": "HYBRID", "checked_at": timezone.now(), "evaluated_at": timezone.now()}
    Job.objects.filter(pk=document.job.pk).update(**judged)
    client = Client()
    assert people.admin is not None
    client.force_login(people.admin)
    client.cookies["django_language"] = language
    found = client.get(document.url(screen))
    if "html" not in found.headers.get("Content-Type", ""):
        return
    assert sorted(set(faults_in(found.content.decode()))) == []
