"""Whoever may upload sees what models would cost, and says whether they are asked: page, REST, command, settings."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from catalogsku.accounts.models import User
from ingestion import models_shown
from ingestion.events import Told
from ingestion.models import Job, Page
from ingestion.page_groups import groups_of
from ingestion.services.settle import settle_job
from ingestion.standing import standing
from processing.llm import money
from processing.models import AskingRule, ModelCall
from processing.pages.figures import job_figures
from processing.pages.services.offering import rule_of
from processing.webhooks.events import event_of
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job, make_pages
from tests.support.strangers import cheap_passwords  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cheap_passwords")]


@pytest.fixture
def asking(people: People) -> Job:
    """120 pages, of which 34 would be asked about for 0.31 USD."""
    job = make_job(
        people.merchant,
        "AWAITING_GO",
        total_pages=120,
        models_state="asking",
        models_pages=34,
        models_estimated_micro=311_000,
        models_priced_at=timezone.now(),
    )
    make_pages(job, range(1, 35), stage="PRICE")
    make_pages(job, range(35, 121), "AI_COMPLETED", import_state="confirmed")
    return job


def signed_in(user: User, language: str = "en") -> Client:
    client = Client(headers={"Accept-Language": language})
    client.force_login(user)
    return client


def shown(user: User, job: Job, language: str = "en") -> str:
    client = signed_in(user, language)
    return client.get(reverse("job", args=[job.uuid])).content.decode()


def test_the_merchant_sees_what_it_would_cost_and_two_buttons(people: People, asking: Job) -> None:
    page = shown(people.uploader, asking)
    assert "34 of 120 pages would be asked, about 0.31 USD" in page
    assert "Ask the models" in page and "Leave to people" in page and "Awaits a go-ahead" in page
    assert "Not asked" in page, "the tiles of the pages that wait"
    page = shown(people.lead, asking)
    assert "about 0.31 USD" in page and "Ask the models" not in page and "Whoever may upload" in page
    page = shown(people.uploader, asking, "zh-hans")
    assert "共 120 页，其中 34 页将询问模型，约 0.31 美元" in page and "留给人工" in page


@pytest.mark.parametrize(("said", "state", "stage"), [("yes", "go", "UNDERSTAND"), ("no", "left", "UNDERSTAND_RULES")])
def test_a_button_decides_once(people: People, asking: Job, said: str, state: str, stage: str) -> None:
    client = signed_in(people.uploader)
    address = reverse("job_models", args=[asking.uuid])
    client.post(address, {"go": "perhaps"})
    asking.refresh_from_db()
    assert asking.models_state == "asking"
    client.post(address, {"go": said})
    asking.refresh_from_db()
    assert (asking.models_state, asking.models_decided_by, asking.status) == (state, "uploader", "PROCESSING")
    assert Page.objects.filter(job=asking, stage=stage).count() == 34
    answer = client.post(address, {"go": "yes"}, follow=True).content.decode()
    assert "somebody has answered already" in answer


def test_the_page_says_what_is_being_found_out_and_what_was_decided(people: People, asking: Job) -> None:
    Job.objects.filter(pk=asking.pk).update(models_state="none", status="PROCESSING")
    assert "is told once the rules have done with all pages" in shown(people.uploader, asking)
    Job.objects.filter(pk=asking.pk).update(models_state="left", models_decided_by="ada")
    page = shown(people.uploader, asking)
    assert "34 pages were left to people instead of models" in page and "decided by ada" in page


def test_programs_see_it_and_answer(people: People, asking: Job) -> None:
    program = Program(people.uploader)
    found = program("GET", f"/jobs/{asking.uuid}").json()
    models = {
        "state": "asking", "pages_to_ask": 34, "pages": 120, "estimated_usd": 0.311, "spent_usd": 0.0,
        "waiting_in_batches": 0,
    }  # fmt: skip
    assert (found["models"], found["status"], found["user_status"]) == (models, "AWAITING_GO", "needs_manual")
    assert found["message"] == "34 of 120 pages would be asked, about 0.31 USD"
    assert found["action_hint"] == "Say whether models are asked"
    assert program("GET", "/jobs").json()["items"][0]["models"] == models
    address = f"/jobs/{asking.uuid}/models"
    assert Program(people.lead)("POST", address, {"go": True}).status_code == 403
    assert program("POST", address, {"go": "perhaps"}).status_code == 422
    assert program("POST", address, {}).status_code == 422
    assert program("POST", address, {"go": True}).json()["models"]["state"] == "go"
    refused = program("POST", address, {"go": False})
    assert (refused.status_code, refused.json()["code"]) == (409, "models_not_asked")


@pytest.mark.usefixtures("english")
def test_what_was_spent_stands_beside_what_was_told(people: People, asking: Job) -> None:
    Job.objects.filter(pk=asking.pk).update(models_state="go")
    asking.refresh_from_db()
    page = Page.objects.filter(job=asking).first()
    about = {"merchant": people.merchant, "job": asking, "model": "m", "state": "ANSWERED", "sent_at": timezone.now()}
    about |= {
        "operation": "classify_page",
        "day": money.today(),
        "tokens_in": 1,
        "tokens_out": 1,
        "reserved_micro": 0,
        "worker": 1,
    }
    ModelCall.objects.create(page=page, settled_micro=250_000, request_key="a" * 64, **about)
    ModelCall.objects.create(page=None, settled_micro=40_000, request_key="b" * 64, **about)
    figures = job_figures(asking)
    assert figures["cost"] == "0.2900 USD" and figures["cost_detail"].startswith("expected: about 0.31 USD, 2 calls")
    spent = models_shown.spent_micro([asking.pk])
    assert spent == {asking.pk: 250_000}, "the questions about its pages alone"
    assert models_shown.models_shown(asking, groups_of(asking), spent[asking.pk]).spent_usd == 0.25


def test_an_estimate_is_told_to_the_cent() -> None:
    with translation.override("en"):
        assert models_shown.about_usd(0) == models_shown.about_usd(9_999) == "less than 0.01 USD"
        assert models_shown.about_usd(12_345_678) == "about 12.35 USD"


@pytest.mark.usefixtures("english")
def test_listeners_are_told_that_a_word_is_wanted(people: People, asking: Job) -> None:
    figures = {"status": "AWAITING_GO", "reason": standing(asking, groups_of(asking)).reason}
    (text,) = Told().news({"figures": figures})
    assert text.startswith("event: go_needed") and "about 0.31 USD" in text
    assert event_of("job", "PROCESSING", "AWAITING_GO") == "job.needs_go"
    assert event_of("job", "AWAITING_GO", "DEGRADED_HUMAN") is None, "that was told when it was routed"


def test_an_operator_answers_by_command(people: People, asking: Job) -> None:
    def run(*arguments: str) -> Any:
        written = io.StringIO()
        call_command("jobs", *arguments, "--json", stdout=written)
        return json.loads(written.getvalue())

    (waiting,) = run("list", "--status", "AWAITING_GO")
    assert waiting["job"] == str(asking.uuid)
    (told,) = run("models", str(asking.uuid))
    assert (told["models"], told["pages_to_ask"], told["estimated_usd"]) == ("asking", 34, 0.311) and told["priced"]
    (done,) = run("models", str(asking.uuid), "--go", "no")
    assert (done["pages_sent"], done["models"], done["decided_by"]) == (34, "left", "operator")
    with pytest.raises(CommandError, match="somebody has answered"):
        run("models", str(asking.uuid), "--go", "yes")


def test_settling_follows_the_question(people: People, asking: Job) -> None:
    Job.objects.filter(pk=asking.pk).update(status="PROCESSING")
    assert settle_job(asking.pk) == "AWAITING_GO" and settle_job(asking.pk) is None
    Job.objects.filter(pk=asking.pk).update(models_state="go")
    assert settle_job(asking.pk) == "PROCESSING"


class TestSettings:
    def test_a_merchant_says_how_models_are_asked(self, people: People) -> None:
        client = signed_in(people.uploader)
        page = client.get(reverse("asking")).content.decode()
        assert 'value="ask_first" required checked' in page and 'value="1.00"' in page, "the defaults"
        given = {"ask_models": "ask_first", "above_usd": "0.25", "merchant": people.merchant.pk}
        assert client.post(reverse("asking"), given).status_code == 302
        row = rule_of(people.merchant.pk)
        assert (row.ask_models, row.ask_first_above_micro_usd) == ("ask_first", 250_000)
        assert 'value="0.25"' in client.get(reverse("asking")).content.decode()

    @pytest.mark.parametrize(
        "bad", [{"above_usd": "-1"}, {"above_usd": "x"}, {"ask_models": "often"}, {"above_usd": ""}]
    )
    def test_what_is_no_answer_is_refused_beside_its_field(self, people: People, bad: dict[str, str]) -> None:
        client = signed_in(people.uploader)
        answer = client.post(reverse("asking"), {"ask_models": "never", "above_usd": "1", **bad})
        assert answer.status_code == 200 and "field-error" in answer.content.decode()
        assert not AskingRule.objects.exists()

    def test_another_merchants_rule_is_out_of_reach(self, people: People) -> None:
        client = signed_in(people.uploader)
        foreign = {"ask_models": "never", "above_usd": "1", "merchant": people.other.pk}
        assert client.post(reverse("asking"), foreign).status_code == 404
        assert not AskingRule.objects.exists(), "nor is one's own changed in its place"

    def test_an_administrator_chooses_the_merchant(self, people: People) -> None:
        client = signed_in(people.admin)
        page = client.get(reverse("asking"), {"merchant": people.other.pk}).content.decode()
        assert f'name="merchant" value="{people.other.pk}"' in page and "North" in page and "South" in page

    def test_who_belongs_to_no_merchant_is_told(self, people: People) -> None:
        people.uploader.merchants.clear()
        client = signed_in(User.objects.get(pk=people.uploader.pk))  # with it a session ends
        assert "You belong to no merchant" in client.get(reverse("asking")).content.decode()
