"""An installation in which nothing was uploaded leads each person on, by what they may do."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from catalogsku.accounts.models import Merchant, User
from ingestion.first_steps import first_steps
from tests.support.people import People
from tests.support.rows import make_job

pytestmark = pytest.mark.django_db


def words(user: User | None) -> list[str]:
    assert user is not None
    with translation.override("en"):
        return [step.word for step in first_steps(user)]


def test_each_role_is_led_to_what_it_may_do(people: People) -> None:
    assert words(people.uploader) == [
        "Upload a catalogue or a paper",
        "Pages become SKUs, papers become studies",
        "Take the results",
    ]
    assert words(people.named("annotator")) == [
        "A catalogue or a paper is uploaded",
        "Pages become SKUs, papers become studies",
        "Work on what waits",
        "See the results",
    ]
    assert "Work on what waits" in words(people.named("lead"))
    assert words(people.admin)[:2] == ["Make a merchant", "Add people"]


def test_what_is_behind_an_administrator_is_ticked(people: People) -> None:
    assert people.admin is not None
    assert [step.done for step in first_steps(people.admin)][:2] == [True, True]
    Merchant.objects.update(is_active=False)
    User.objects.exclude(pk=people.admin.pk).update(is_active=False)
    assert [step.done for step in first_steps(people.admin)][:2] == [False, False]


def test_who_has_no_merchant_is_told_who_gives_them_one(people: People) -> None:
    annotator = people.named("annotator")
    assert annotator is not None
    annotator.merchants.clear()
    assert words(User.objects.get(pk=annotator.pk)) == ["You belong to no merchant yet"]


@pytest.mark.parametrize("who", ["uploader", "annotator", "lead", "admin"])
def test_the_steps_stand_where_no_document_is_and_go_with_the_first(people: People, who: str) -> None:
    client, user = Client(), people.named(who)
    assert user is not None
    client.force_login(user)
    client.cookies["django_language"] = "en"
    shown = client.get("/").content.decode()
    assert 'class="first-steps"' in shown and f'href="{reverse("all_results")}"' in shown
    assert "first-steps" not in client.get("/?q=nothing").content.decode()
    make_job(people.merchant)
    assert "first-steps" not in client.get("/").content.decode()
