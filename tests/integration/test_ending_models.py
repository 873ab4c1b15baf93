"""Models that their provider takes offline: said for sixty days before, and as if switched off from the day on."""

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from processing import facts
from processing.llm import gate
from processing.management.commands import doctor
from processing.models import LanguageModel
from processing.pages.services import consulting
from tests.support.people import People

pytestmark = pytest.mark.django_db
MODEL, OTHER = "gemini-3.8-flash", "qwen3.7-plus"


@pytest.fixture(autouse=True)
def keys(settings: Any) -> None:
    settings.GEMINI_API_KEY = settings.DASHSCOPE_API_KEY = "k"
    settings.GEMINI_API_KEY_FILE = settings.DASHSCOPE_API_KEY_FILE = ""


def ends(days: int) -> date:
    """``days`` from now, as PostgreSQL counts them."""
    day = datetime.now(UTC).date() + timedelta(days=days)
    LanguageModel.objects.filter(name=MODEL).update(retires_on=day)
    return day


def listed() -> str:
    out = StringIO()
    call_command("models", "list", stdout=out)
    return out.getvalue()


def shown(people: People, language: str = "en") -> str:
    client = Client()
    client.force_login(people.lead)
    client.cookies["django_language"] = language
    return " ".join(client.get(reverse("models")).content.decode().split())


def said() -> list[tuple[str, str]]:
    return [(one.level, one.text) for one in doctor.check_models() if MODEL in one.text]


def test_long_before_its_end_nothing_is_said(people: People) -> None:
    day = ends(61)
    assert said() == [("ok", f"{MODEL} is asked; 1 key")]
    assert str(day) not in listed() + shown(people)
    assert facts.llm_model_days_left() == {(MODEL,): 61.0}


@pytest.mark.parametrize("days", [60, 1])
def test_from_sixty_days_before_everybody_hears_of_it_and_it_is_asked_still(people: People, days: int) -> None:
    day = ends(days)
    assert [level for level, _ in said()] == ["ok", "warning"] and str(day) in said()[1][1]
    assert f"takes it offline on {day}, in {days} days" in listed()
    assert f"takes it offline on {day}, in {days} day" in shown(people)
    assert f"提供方将于 {day}（{days} 天后）将其下线" in shown(people, "zh-hans")
    assert gate.enter(MODEL, 1) == gate.Entered(0)
    assert {one.name for one in consulting.available_models()} == {MODEL, OTHER}


@pytest.mark.parametrize("days", [0, -40])
def test_from_the_day_on_it_is_as_if_switched_off(people: People, days: int) -> None:
    gate.enter(MODEL, 1)
    day = ends(days)
    found = gate.enter(MODEL, 1)
    assert isinstance(found, gate.Refused) and found.reason == "retired"
    assert {one.name for one in consulting.available_models()} == {OTHER}
    assert [level for level, _ in said()] == ["warning"] and f"took it offline on {day}" in said()[0][1]
    assert f"taken offline by its provider on {day}" in listed()
    assert f"Its provider took it offline on {day}" in shown(people)
    assert facts.llm_model_days_left() == {(MODEL,): float(days)}
    LanguageModel.objects.filter(name=MODEL).update(enabled=False)
    assert facts.llm_model_days_left() == {} and said() == [], "who has switched it off has heard of it"


def test_the_page_tells_what_a_model_is_asked_with(people: People) -> None:
    LanguageModel.objects.filter(name=MODEL).update(max_image_px=1024)
    text = shown(people)
    for words in ("thinks: low", "looks closely: high", "images up to 1024 px", "answers up to 16384 tokens"):
        assert words in text, words
    assert "thinks: not at all" in text, "of the other"


@pytest.mark.parametrize(
    "wrong", [{"thinking_level": "deep"}, {"media_resolution": "ultra"}, {"max_image_px": 255}], ids=str
)
def test_the_database_refuses_what_no_provider_knows(wrong: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        LanguageModel.objects.filter(name=MODEL).update(**wrong)


def test_the_doctor_is_red_for_a_model_that_its_provider_refuses() -> None:
    gate.enter(MODEL, 1)
    gate.refused_by_provider(MODEL, "http_404", "No more.", "")
    with pytest.raises(CommandError) as caught, suppress(StopIteration):
        call_command("doctor", stdout=StringIO())
    assert caught.value.returncode == 1 and [level for level, _ in said()] == ["error"]
