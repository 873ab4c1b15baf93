"""A model of one's own behind the OpenAI protocol: added by an operator, asked without a key, and nobody else is."""

import json
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from ingestion.models import Page
from processing.llm import calls, gate, keys, providers, sending
from processing.llm.keys import is_ready, key_for
from processing.llm.services import probes
from processing.llm.services.language_models import OWN_MODEL
from processing.management.commands import doctor
from processing.models import LanguageModel, ModelCall, Sku
from processing.pages.services import consulting
from tests.support.asked_pages import drawn_pages, job_for, waiting_page
from tests.support.model_server import ModelRequest, ModelServer, Mood, Reply
from tests.support.people import People
from tests.support.reading_model import ReadingModel
from tests.support.rows import make_worker

OWN = "Qwen/Qwen3-VL-8B-Instruct"
committed = pytest.mark.usefixtures("committed")
database = pytest.mark.django_db


@pytest.fixture
def own_server(settings: Any) -> Iterator[ModelServer]:
    """The only provider that is set up, without a key."""
    for name in keys.SETTINGS.values():
        setattr(settings, name, "")
        setattr(settings, f"{name}_FILE", "")
    with ModelServer(ReadingModel()) as server:
        place = {**settings.MODEL_PROVIDERS["openai"], "base_url": server.openai_url}
        settings.MODEL_PROVIDERS = {**settings.MODEL_PROVIDERS, "openai": place}
        providers.provider_named.cache_clear()
        yield server
        providers.provider_named.cache_clear()


@pytest.fixture
def page(people: People, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """A page that waits for models; those that are added stay no longer than it."""
    worker = make_worker("llm")
    for service in (consulting, calls):
        monkeypatch.setattr(service, "current_worker", lambda: worker)
    monkeypatch.setattr(sending, "API_DELAY_S", 0.01)
    yield waiting_page(job_for(people.merchant), drawn_pages()[0])
    LanguageModel.objects.filter(name=OWN).delete()


def models(*arguments: str) -> str:
    out = StringIO()
    call_command("models", *arguments, stdout=out)
    return out.getvalue()


def consulted(page: Page) -> Page:
    consulting.consult_models([page.pk])
    page.refresh_from_db()
    return page


@committed
@pytest.mark.req("LA-PROV", "LA-KEYROT")
def test_does_a_page_without_any_key_and_without_anybody_else(own_server: ModelServer, page: Page) -> None:
    assert consulting.available_models() == []
    assert models("add", OWN) == f"{OWN} is asked.\n"
    assert [model.name for model in consulting.available_models()] == [OWN]
    consulted(page)
    assert (page.stage, page.analyst) == ("NONE", OWN) and Sku.objects.filter(page=page).exists()
    asked = ModelCall.objects.filter(page=page)
    assert set(asked.values_list("model", "state", "settled_micro")) == {(OWN, "ANSWERED", 0)}
    assert {(call.provider, call.model) for call in own_server.calls} == {("openai", OWN)}
    assert key_for("openai") == () and is_ready("openai"), "what is sent in place of a key is none"


@committed
@pytest.mark.req("LA-PROV")
def test_what_the_server_does_not_take_is_found_out_once(own_server: ModelServer, page: Page) -> None:
    good = ReadingModel()

    def plain(request: ModelRequest) -> Reply:
        if b'"response_format"' in request.body:
            told = {"error": {"message": "response_format is not supported", "code": 400}}
            return Reply(status=400, body=json.dumps(told).encode())
        return good(request)

    own_server.answer = plain
    models("add", OWN)
    consulted(page)
    assert (page.stage, page.analyst) == ("NONE", OWN)
    refused = [call for call in own_server.calls if b'"response_format"' in call.request.body]
    assert len(refused) == 2 and len(own_server.calls) == 3
    assert set(ModelCall.objects.values_list("state", flat=True)) == {"ANSWERED"}, "a refused form is no call"
    assert next(one for one in gate.states() if one.model == OWN).failures == 0


@committed
@pytest.mark.req("LA-BUDGET")
@pytest.mark.parametrize("counts", [True, False])
def test_answers_that_nobody_counted_cost_their_upper_bound(own_server: ModelServer, page: Page, counts: bool) -> None:
    """A server that tells no usage may have used all that it was given; where it costs nothing that is nothing."""
    good = ReadingModel()
    own_server.answer = good if counts else lambda request: replace(good(request), tokens_in=0, tokens_out=0)
    models("add", OWN, "--price-in", "1", "--price-out", "2")
    consulted(page)
    assert page.analyst == OWN
    for call in ModelCall.objects.filter(page=page):
        bound = 4096 * 2
        assert call.settled_micro == call.tokens_in + 2 * call.tokens_out if counts else call.settled_micro > bound


@committed
@pytest.mark.req("LA-PROV")
def test_a_server_that_does_not_know_the_model_is_told_to_operators_in_its_words(
    own_server: ModelServer, page: Page, people: People
) -> None:
    own_server.answer = lambda request: Reply(mood=Mood.RETIRED)
    models("add", OWN)
    consulted(page)
    assert page.stage == "NONE" and page.analyst.startswith("rules")
    (warning,) = [one.text for one in doctor.check_models()]
    assert f"{OWN} cannot be used" in warning and "model_not_found: The model does not exist" in warning
    client = Client()
    client.force_login(people.admin)
    shown = client.get(reverse("models"), headers={"accept-language": "en"}).content.decode()
    assert "OpenAI protocol" in shown and "The model does not exist" in shown


@database
@pytest.mark.req("LA-PROV")
class TestAdding:
    def test_by_the_command_with_sensible_figures(self, own_server: ModelServer) -> None:
        models("add", OWN)
        row = LanguageModel.objects.values().get(name=OWN)
        assert {name: row[name] for name in OWN_MODEL} == dict(OWN_MODEL)
        assert (row["provider"], row["enabled"], row["shadow_only"]) == ("openai", True, False)

    def test_by_the_command_with_other_figures(self, own_server: ModelServer) -> None:
        told = models(
            *("add", "another", "--provider", "qwen", "--price-in", "0.4", "--price-out", "1.2", "--qpm", "7"),
            *("--tpm", "9", "--timeout-s", "30", "--max-images", "2", "--max-tokens", "99", "--temperature", "0"),
            "--shadow-only",
        )
        assert told == "another is asked by shadows alone, once a key is set: DASHSCOPE_API_KEY.\n"
        row = LanguageModel.objects.get(name="another")
        assert (row.provider, row.price_in_micro, row.price_out_micro) == ("qwen", 400_000, 1_200_000)
        assert (row.qpm, row.tpm, row.timeout_s, row.max_images, row.max_tokens) == (7, 9, 30, 2, 99)
        assert (row.temperature, row.shadow_only) == (0, True)

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["gemini-3.8-flash"], "model_known: There is a model gemini-3.8-flash already."),
            (["x", "--qpm", "0"], "model_fields: A model cannot be like this: qpm: "),
            (["x", "--timeout-s", "301"], "timeout_s: "),
            (["x", "--temperature", "2.5"], "temperature: "),
            (["x", "--price-in", "-1"], "price_in_micro: "),
            (["x", "--price-out", "nan"], "model_fields: a price is a number of USD"),
            (["x" * 61], "name: "),
            ([""], "name: "),
        ],
    )
    def test_refuses_nonsense_with_a_code(self, own_server: ModelServer, arguments: list[str], told: str) -> None:
        before = LanguageModel.objects.count()
        with pytest.raises(CommandError) as caught:
            models("add", *arguments)
        assert told in str(caught.value) and caught.value.returncode == 2
        assert LanguageModel.objects.count() == before

    def test_by_an_administrator(self, own_server: ModelServer, people: People) -> None:
        client = Client(headers={"accept-language": "zh-hans"})
        client.force_login(people.admin)
        address = reverse("admin:processing_languagemodel_add")
        form = client.get(address).context["adminform"].form
        assert form.initial["provider"] == "openai" and form.initial["max_tokens"] == OWN_MODEL["max_tokens"]
        fields = {name: form[name].value() for name in form.fields}
        sent = {name: value for name, value in fields.items() if value is not None and value is not False}
        assert client.post(address, {**sent, "name": OWN}).status_code == 302
        assert [model.name for model in consulting.available_models()] == [OWN]
        listed = client.get(reverse("admin:processing_languagemodel_changelist")).content.decode()
        assert "OpenAI 协议" in listed and "有密钥或不需要" in listed


@database
def test_lists_and_doctor_tell_ready_from_keyed(own_server: ModelServer, settings: Any) -> None:
    models("add", OWN)
    shown = {one["model"]: one for one in json.loads(models("list", "--json"))["models"]}
    assert (shown[OWN]["keys"], shown[OWN]["ready"]) == (0, True)
    assert (shown["gemini-3.8-flash"]["keys"], shown["gemini-3.8-flash"]["ready"]) == (0, False)
    assert "no key" not in next(line for line in models("list").splitlines() if line.startswith(OWN))
    assert [one.text for one in doctor.check_models()] == [f"{OWN} is asked; no key"]
    settings.OPENAI_API_KEY_FILE = "/nowhere/openai"
    assert "OPENAI_API_KEY_FILE holds no key: /nowhere/openai" in [one.text for one in doctor.check_models()]


@committed
def test_a_model_of_ones_own_is_probed_without_a_key(
    own_server: ModelServer, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers: list[str] = []
    drawn = probes.drawn
    monkeypatch.setattr(probes, "drawn", lambda text: numbers.append(text) or drawn(text))
    own_server.answer = lambda request: Reply(f'{{"number": "{numbers[-1]}"}}')
    models("add", OWN)
    assert "answers" in models("probe", OWN) and len(own_server.calls) == 1
