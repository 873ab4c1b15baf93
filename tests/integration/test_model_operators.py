"""What operators see and set of language models: the command, the admin pages, the figures, the doctor."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from catalogsku.core.periodic import CRON_TASKS, SWEEPS
from processing import facts
from processing.llm import calls, gate, money
from processing.management.commands import doctor
from processing.models import BudgetLimit, LanguageModel, ModelCall, ModelGate
from tests.support.people import People

pytestmark = pytest.mark.django_db
MODEL = "gemini-3.8-flash"


def models(*arguments: str) -> str:
    out = StringIO()
    call_command("models", *arguments, stdout=out)
    return out.getvalue()


def sent(people: People, bound_micro: int = 2_500_000) -> int:
    found = calls.begin(calls.Facts(people.merchant.pk, "read_page", MODEL, "v1", "a" * 64, bound_micro))
    assert isinstance(found, calls.Sent) and calls.sending(found.call_id)
    return found.call_id


@pytest.mark.req("LA-CB", "LA-RATE")
def test_a_fresh_database_knows_two_models_their_prices_and_limits() -> None:
    assert list(LanguageModel.objects.order_by("name").values_list("name", "qpm", "tpm", "timeout_s")) == [
        (MODEL, 60, 2_000_000, 120),
        ("qwen3.7-plus", 100, 5_000_000, 90),
    ]
    gemini, qwen = LanguageModel.objects.order_by("name")
    assert (gemini.cost_micro(1_000_000, 0), gemini.cost_micro(0, 1_000_000)) == (1_500_000, 7_500_000)
    assert (gemini.cost_micro(1_000_000, 0, 1_000_000), qwen.cost_micro(1_000_000, 0, 1_000_000)) == (150_000, 80_000)
    told = [(one.thinking_level, one.media_resolution, one.temperature, one.retires_on) for one in (gemini, qwen)]
    assert told == [("low", "high", None, None), ("off", "", 0.1, None)]
    assert (qwen.cost_micro(1, 0), qwen.cost_micro(0, 0)) == (1, 0), "rounded up"
    assert dict(BudgetLimit.objects.values_list("scope", "limit_micro")) == {"day": 500_000_000, "merchant": 50_000_000}


@pytest.mark.req("LA-CB")
def test_the_command_shows_opens_and_closes_a_breaker() -> None:
    assert "is open" in models("open", MODEL)
    assert isinstance(gate.enter(MODEL, 1), gate.Refused)
    shown = {one["model"]: one for one in json.loads(models("list", "--json"))["models"]}
    assert (shown[MODEL]["state"], shown["qwen3.7-plus"]["state"]) == ("open", "closed")
    assert shown[MODEL]["set_by"].startswith("command line: ")
    assert "closed" in models("close", MODEL)
    assert gate.enter(MODEL, 1) == gate.Entered(0)
    assert f"{MODEL}" in models("list") and "1/60 calls" in models("list")
    with pytest.raises(CommandError, match="There is no model 'nobody'"):
        models("open", "nobody")


@pytest.mark.req("LA-RATE")
def test_the_command_changes_limits_and_refuses_nonsense() -> None:
    models("limits", MODEL, "--qpm", "7", "--timeout-s", "30")
    found = LanguageModel.objects.get(name=MODEL)
    assert (found.qpm, found.tpm, found.timeout_s) == (7, 2_000_000, 30)
    for wrong in (
        ["--qpm", "0"],
        ["--timeout-s", "301"],
        ["--max-image-px", "10"],
        ["--thinking-level", "deep"],
        ["--media-resolution", "ultra"],
        ["--retires-on", "soon"],
        [],
    ):
        with pytest.raises(CommandError):
            models("limits", MODEL, *wrong)


@pytest.mark.req("LA-RATE")
def test_the_command_changes_what_a_model_is_asked_with_and_takes_it_back() -> None:
    given = {"thinking_level": "high", "media_resolution": "low", "max_image_px": 1024, "max_tokens": 900}
    models("limits", MODEL, *[text for k, v in given.items() for text in (f"--{k.replace('_', '-')}", str(v))])
    shown = next(one for one in json.loads(models("list", "--json"))["models"] if one["model"] == MODEL)
    assert {name: shown[name] for name in given} == given
    models("limits", MODEL, "--thinking-level", "none", "--media-resolution", "none", "--max-image-px", "none")
    found = LanguageModel.objects.get(name=MODEL)
    assert (found.thinking_level, found.media_resolution, found.max_image_px) == ("", "", None)


@pytest.mark.req("LA-BUDGET")
def test_the_command_shows_what_was_spent_today(people: People) -> None:
    calls.answered(sent(people), "text", calls.Usage(1, 1, 1_500_000, 10))
    assert "Today: 1.50 USD spent, 0.00 reserved, of 500.00." in models("list")
    assert json.loads(models("list", "--json"))["today"]["settled_micro"] == 1_500_000


@pytest.mark.req("LA-CB", "LA-BUDGET")
def test_the_figures_show_breakers_money_and_calls_on_their_way(people: People) -> None:
    gate.set_state(MODEL, "open", "ann")
    sent(people)
    assert facts.llm_gate_state() == {(MODEL,): 2.0, ("qwen3.7-plus",): 0.0}
    assert facts.llm_spent_today() == {("settled",): 0.0, ("reserved",): 2.5, ("limit",): 500.0}
    assert facts.llm_calls_in_flight() == {(): 1.0}


@pytest.fixture
def admin(people: People) -> Client:
    client = Client()
    client.force_login(people.admin)
    return client


@pytest.mark.req("LA-CB")
def test_an_admin_holds_a_breaker_open_and_closes_it(admin: Client, people: People) -> None:
    page = reverse("admin:processing_modelgate_changelist")
    admin.get(page)
    row = ModelGate.objects.get(model__name=MODEL)
    admin.post(page, {"action": "hold_open", "_selected_action": [row.pk]})
    row.refresh_from_db()
    assert (row.held_open, row.set_by) == (True, people.admin.username)
    shown = admin.get(page, headers={"accept-language": "en"}).content.decode()
    assert "open: no call goes through" in shown and "closed: calls go through" in shown
    admin.post(page, {"action": "close", "_selected_action": [row.pk]})
    assert gate.enter(MODEL, 1) == gate.Entered(0)


@pytest.mark.req("LA-RATE", "LA-BUDGET")
def test_an_admin_edits_limits_but_the_two_for_all_stay(admin: Client) -> None:
    model = LanguageModel.objects.get(name=MODEL)
    address = reverse("admin:processing_languagemodel_change", args=[model.pk])
    fields = {name: value for name, value in LanguageModel.objects.values().get(pk=model.pk).items() if name != "id"}
    form: dict[str, Any] = {name: "" if value is None else value for name, value in fields.items()}
    form |= {"enabled": "on", "qpm": 9}
    assert admin.post(address, form).status_code == 302
    model.refresh_from_db()
    assert model.qpm == 9
    limit = BudgetLimit.objects.get(scope="day")
    assert (
        admin.post(reverse("admin:processing_budgetlimit_delete", args=[limit.pk]), {"post": "yes"}).status_code == 403
    )
    form = {"scope": "day", "merchant": "", "limit_micro": 3_000_000}
    assert admin.post(reverse("admin:processing_budgetlimit_change", args=[limit.pk]), form).status_code == 302
    assert money.spent(None, money.today()).limit_micro == 3_000_000


@pytest.mark.req("LA-TRACE")
def test_the_ledger_is_shown_without_what_was_answered(admin: Client, people: People) -> None:
    call_id = sent(people)
    calls.answered(call_id, "SECRET-ANSWER", calls.Usage(1, 1, 5, 10))
    for name, arguments in (("changelist", []), ("change", [call_id])):
        page = admin.get(reverse(f"admin:processing_modelcall_{name}", args=arguments))
        assert page.status_code == 200
        assert b"read_page" in page.content and b"SECRET" not in page.content
        assert bytes(ModelCall.objects.get(pk=call_id).answer)[:8].hex() not in page.content.decode()


def test_the_doctor_says_which_models_have_keys(settings: Any) -> None:
    settings.GEMINI_API_KEY = settings.DASHSCOPE_API_KEY = settings.GEMINI_API_KEY_FILE = ""
    settings.DASHSCOPE_API_KEY_FILE = ""
    assert [one.text for one in doctor.check_models()] == ["no model can be asked: everything is understood by rules"]
    settings.GEMINI_API_KEY, settings.DASHSCOPE_API_KEY_FILE = "one", "/nowhere/dashscope"
    assert [(one.level, one.text) for one in doctor.check_models()] == [
        ("ok", f"{MODEL} is asked; 1 key"),
        ("error", "DASHSCOPE_API_KEY_FILE holds no key: /nowhere/dashscope"),
    ]


def test_abandoned_calls_are_swept_and_old_answers_forgotten() -> None:
    assert SWEEPS["model_calls"].every_s == 30 and SWEEPS["model_calls"].run() == {"ended": 0}
    assert CRON_TASKS["model_answers"].run() == {"answers": 0}
