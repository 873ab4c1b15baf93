"""Models that their provider refuses: told apart from those that answer, and tried again now and then. That no page is
worse off for them than without a key is test_refused_pages.py."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F
from django.test import Client
from django.urls import reverse

from processing.facts import llm_gate_state
from processing.llm import calls, gate, sending
from processing.llm.keys import mark_of
from processing.models import LanguageModel, ModelGate
from processing.pages.services import consulting, reading, understanding
from tests.support.asked_pages import drawn_pages, job_for, waiting_page
from tests.support.model_server import ModelRequest, ModelServer, Mood, Reply
from tests.support.people import People
from tests.support.reading_model import ReadingModel
from tests.support.rows import make_worker

QWEN, GEMINI = "qwen3.7-plus", "gemini-3.8-flash"
REFUSALS = {
    Mood.UNAUTHORISED: "http_401",
    Mood.RETIRED: "http_404",
    Mood.ARREARS: "account",
    Mood.QUOTA_SPENT: "quota",
}
database = pytest.mark.django_db
committed = pytest.mark.usefixtures("committed")


def state(model: str = QWEN) -> gate.Gate:
    return next(one for one in gate.states() if one.model == model)


def refuse(model: str = QWEN, mark: str = "") -> None:
    assert isinstance(gate.enter(model, 1, mark), gate.Entered)
    gate.refused_by_provider(model, "http_404", "This model is no more.", mark)


def later(seconds: float) -> None:
    """As if that time had passed."""
    past = timedelta(seconds=seconds)
    ModelGate.objects.update(unusable_until=F("unusable_until") - past, window_started_at=F("window_started_at") - past)


def models() -> set[str]:
    return {model.name for model in consulting.available_models()}


# --- the gate ------------------------------------------------------------------------------------


@database
def test_it_is_tried_by_one_call_after_ten_minutes_then_after_twice_as_long_up_to_a_day() -> None:
    gate.enter(QWEN, 1)
    refuse()
    waits = []
    for _ in range(10):
        found = gate.enter(QWEN, 1)
        assert isinstance(found, gate.Refused) and found.reason == "unusable"
        waits.append(round(found.retry_after_s, -1))
        later(found.retry_after_s + 1)
        assert gate.enter(QWEN, 1) == gate.Entered(0, is_probe=True)
        gate.refused_by_provider(QWEN, "http_404", "Still no more.")
    assert waits == [600, 1200, 2400, 4800, 9600, 19200, 38400, 76800, 86400, 86400]
    assert (state().state, state().unusable_detail) == ("unusable", "Still no more.")


@database
def test_a_probe_that_is_answered_ends_it_and_one_that_is_lost_does_not() -> None:
    gate.enter(QWEN, 1)
    refuse()
    later(601)
    assert gate.enter(QWEN, 1) == gate.Entered(0, is_probe=True)
    gate.failed(QWEN, 0)  # no answer: nothing is known
    assert isinstance(gate.enter(QWEN, 1), gate.Refused)
    later(1201)
    gate.enter(QWEN, 1)
    gate.succeeded(QWEN, 0)
    gate.usable_again(QWEN)
    assert gate.enter(QWEN, 1) == gate.Entered(0)
    assert (state().state, state().unusable, state().unusable_since) == ("closed", "", None)


@database
@pytest.mark.parametrize(
    "change",
    [{"max_tokens": 77}, {"timeout_s": 11}, {"provider": "gemini"}, {"enabled": True}],
    ids=lambda change: next(iter(change)),
)
def test_it_is_tried_at_once_after_a_change_of_its_row_or_key(settings: Any, change: dict[str, Any]) -> None:
    settings.DASHSCOPE_API_KEY, settings.GEMINI_API_KEY = "old", ""
    settings.DASHSCOPE_API_KEY_FILE = settings.GEMINI_API_KEY_FILE = ""
    gate.enter(QWEN, 1)
    refuse(mark=mark_of(LanguageModel.objects.get(name=QWEN)))
    assert models() == set()
    LanguageModel.objects.filter(name=QWEN).update(**change)
    if "enabled" in change:
        settings.DASHSCOPE_API_KEY = "new"
    mark = mark_of(LanguageModel.objects.get(name=QWEN))
    assert models() == ({QWEN} if change != {"provider": "gemini"} else set())
    assert gate.enter(QWEN, 1, mark) == gate.Entered(0, is_probe=True)
    found = gate.enter(QWEN, 1, mark)
    assert isinstance(found, gate.Refused) and found.reason == "unusable", "one call finds out for all"
    assert "old" not in mark and "new" not in mark


@database
def test_a_person_lets_it_be_tried_at_once() -> None:
    gate.enter(QWEN, 1)
    refuse()
    gate.set_state(QWEN, "closed", "admin")
    assert gate.enter(QWEN, 1) == gate.Entered(0)


@database
def test_a_row_of_refusals_opens_no_breaker_and_counts_as_no_success() -> None:
    gate.enter(QWEN, 1)
    for _ in range(3):
        gate.failed(QWEN, 0)
    refuse()
    assert ModelGate.objects.get(model__name=QWEN).failures == 3, "a refusal is no success"


# --- who hears of it -----------------------------------------------------------------------------


@database
def test_doctor_page_list_and_metric_say_so_with_the_providers_reason(settings: Any, people: People) -> None:
    settings.DASHSCOPE_API_KEY, settings.DASHSCOPE_API_KEY_FILE = "sk-secret", ""
    gate.enter(QWEN, 1)
    refuse()
    out = StringIO()
    with suppress(CommandError):
        call_command("doctor", stdout=out)
    (line,) = [line for line in out.getvalue().splitlines() if line.split()[1:2] == ["models"]]
    assert line.startswith("error") and "http_404: This model is no more." in line and "models close" in line
    listed = StringIO()
    call_command("models", "list", stdout=listed)
    assert "unusable (http_404), tried again in" in listed.getvalue()
    call_command("models", "list", "--json", stdout=StringIO())
    client = Client()
    client.force_login(people.lead)
    for language, word in (("en", "Unusable"), ("zh-hans", "不可用")):
        client.cookies["django_language"] = language
        page = client.get(reverse("models")).content.decode()
        assert word in page and "This model is no more." in page
        assert "sk-secret" not in page + out.getvalue() + listed.getvalue()
    assert llm_gate_state()[(QWEN,)] == 3.0


# --- pages ---------------------------------------------------------------------------------------


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "API_DELAY_S", 0.01)
    worker = make_worker("cpu")
    for service in (reading, understanding, consulting, calls):
        monkeypatch.setattr(service, "current_worker", lambda: worker)


def in_mood(mood: Mood, **reply: Any) -> Callable[[ModelRequest], Reply]:
    good = ReadingModel()
    return lambda request: replace(good(request), mood=mood, **reply)


@committed
@pytest.mark.req("LA-CB", "PL-C13")
@pytest.mark.parametrize("mood", REFUSALS, ids=lambda mood: mood.name)
def test_a_refused_model_is_asked_once_and_the_other_ones_answer_counts(
    reading_models: ModelServer, people: People, workers: None, mood: Mood
) -> None:
    bad, good = in_mood(mood), ReadingModel()
    reading_models.answer = lambda request: (bad if request.model == QWEN else good)(request)
    job = job_for(people.merchant)
    for page in [waiting_page(job, drawn) for drawn in drawn_pages()[:2]]:
        consulting.consult_models([page.pk])
        page.refresh_from_db()
        assert (page.stage, page.analyst) == ("NONE", GEMINI)
    assert [call.model for call in reading_models.calls].count(QWEN) == 1
    assert (state().state, state().unusable, models()) == ("unusable", REFUSALS[mood], {GEMINI})
    reading_models.answer = good
    later(601)
    (again,) = [waiting_page(job_for(people.merchant, category="again"), drawn_pages()[0])]
    consulting.consult_models([again.pk])
    assert models() == {QWEN, GEMINI}, "the probe was answered"
