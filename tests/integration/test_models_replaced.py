"""What an update makes of the two first models of an installation that has them."""

import importlib
from datetime import date, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone

from processing.models import LanguageModel, ModelCall, Shadow
from tests.support.people import People

pytestmark = pytest.mark.django_db
update = importlib.import_module("processing.migrations.0022_models_of_today")
GEMINI, QWEN, FLASH, PLUS = "gemini-2.5-pro", "qwen-vl-max", "gemini-3.8-flash", "qwen3.7-plus"


@pytest.fixture
def before() -> None:
    """As the versions before have left it."""
    LanguageModel.objects.all().delete()
    for former in update.FORMER:
        columns = {name: value for name, value in former.items() if name not in ("retires_on", "follower")}
        LanguageModel.objects.create(**columns)


def called(people: People, *names: str) -> None:
    for n, name in enumerate(names):
        ModelCall.objects.create(
            merchant=people.merchant, operation="read_page", model=name, prompt_version="1", worker=1,
            request_key=f"{n:064d}", day=timezone.now().date(), reserved_micro=0,
        )  # fmt: skip


def updated() -> dict[str, tuple[bool, date | None]]:
    update.say_what_the_name_said(apps, None)
    update.bring_up_to_date(apps, None)
    return {one.name: (one.enabled, one.retires_on) for one in LanguageModel.objects.all()}


def test_rows_that_nothing_was_asked_of_make_room(before: None) -> None:
    assert updated() == {FLASH: (True, None), PLUS: (True, None)}
    assert updated() == {FLASH: (True, None), PLUS: (True, None)}, "and once more"


def test_what_was_asked_stays_with_its_end_and_what_is_offline_is_switched_off(before: None, people: People) -> None:
    called(people, GEMINI, QWEN)
    is_over = timezone.now().date() >= update.GOOGLE_ENDS
    assert updated() == {
        GEMINI: (not is_over, date(2026, 12, 1)), QWEN: (False, date(2026, 10, 10)), FLASH: (True, None),
        PLUS: (True, None),
    }  # fmt: skip


def test_what_a_shadow_asks_stays(before: None) -> None:
    Shadow.objects.create(model=LanguageModel.objects.get(name=QWEN))
    assert updated()[QWEN] == (False, date(2026, 10, 10))


@pytest.mark.parametrize("change", [{"qpm": 7}, {"price_in_micro": 1}, {"temperature": 0.0}, {"failures_to_open": 9}])
def test_a_row_that_somebody_changed_stays_as_it_is(before: None, change: dict[str, Any]) -> None:
    LanguageModel.objects.filter(name=QWEN).update(**change)
    assert updated()[QWEN] == (True, None) and updated()[PLUS] == (True, None)


@pytest.mark.parametrize("how", ["switched off", "of shadows alone", "gone"])
def test_who_asked_nothing_of_a_provider_is_not_made_to(before: None, how: str) -> None:
    row = LanguageModel.objects.filter(name=QWEN)
    _ = (
        row.delete()
        if how == "gone"
        else row.update(enabled=False)
        if how == "switched off"
        else row.update(shadow_only=True)
    )
    assert updated()[PLUS] == (False, None) and updated()[FLASH] == (True, None)


def test_an_own_row_of_the_new_name_stays(before: None) -> None:
    LanguageModel.objects.filter(name=GEMINI).update(name=FLASH)
    updated()
    assert LanguageModel.objects.get(name=FLASH).max_tokens == 8192


def test_a_model_of_the_series_3_keeps_being_told_not_to_think(before: None) -> None:
    LanguageModel.objects.filter(name=QWEN).update(name="qwen3-vl-plus")
    updated()
    assert LanguageModel.objects.get(name="qwen3-vl-plus").thinking_level == "off"


def test_every_new_row_is_one_that_the_form_takes() -> None:
    for one in LanguageModel.objects.all():
        one.full_clean()
        assert one.retires_on is None or one.retires_on > timezone.now().date() + timedelta(days=1)
