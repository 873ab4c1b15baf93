"""One tiny question of a person to a model, by command and by button."""

import threading
from collections.abc import Iterator
from io import BytesIO, StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from PIL import Image

from processing.llm import calls, gate
from processing.llm.services import probes
from processing.llm.services.probes import Probed, probe
from processing.models import LanguageModel, ModelCall, ModelGate
from tests.support.model_server import ModelRequest, ModelServer, Mood, Reply
from tests.support.people import People
from tests.support.rows import make_worker

MODEL, OTHER = "qwen3.7-plus", "gemini-3.8-flash"
pytestmark = [pytest.mark.usefixtures("committed"), pytest.mark.req("LA-CB")]


@pytest.fixture(autouse=True)
def drawn(committed: None, reading_models: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The numbers that were drawn; the model answers with the last one, as if it saw it."""
    numbers: list[str] = []

    def drawing(text: str) -> bytes:
        numbers.append(text)
        return draw(text)

    draw = probes.drawn
    monkeypatch.setattr(probes, "drawn", drawing)
    worker = make_worker("web")
    monkeypatch.setattr(calls, "current_worker", lambda: worker)
    reading_models.answer = lambda request: Reply(f'{{"number": "{numbers[-1]}"}}', tokens_in=120, tokens_out=9)
    return numbers


def later() -> None:
    """As if the pause after a probe had passed."""
    ModelGate.objects.update(next_probe_at=None)


def test_it_shows_a_number_and_hears_it_and_the_ledger_has_it(reading_models: ModelServer, drawn: list[str]) -> None:
    found = probe(MODEL, "ann")
    (sent,) = reading_models.calls
    ((mime, data),) = sent.request.images
    assert mime == "image/jpeg" and max(Image.open(BytesIO(data)).size) < 400
    assert drawn[0] not in "".join(sent.request.texts) + sent.request.system, "the picture alone tells it"
    cost_micro = LanguageModel.objects.get(name=MODEL).cost_micro(120, 9)
    assert found == Probed(MODEL, latency_ms=found.latency_ms, cost_micro=cost_micro)
    row = ModelCall.objects.get()
    assert (row.operation, row.model, row.state, row.settled_micro) == ("probe_model", MODEL, "ANSWERED", cost_micro)
    assert row.merchant.name == probes.MERCHANT and not row.merchant.is_active
    later()
    assert not probe(MODEL, "ann").code and len(reading_models.calls) == 2, "no kept answer takes its place"


@pytest.mark.parametrize(
    ("mood", "code"),
    [
        (Mood.UNAUTHORISED, "http_401"),
        (Mood.RETIRED, "http_404"),
        (Mood.ARREARS, "account"),
        (Mood.QUOTA_SPENT, "quota"),
    ],
)
def test_what_the_provider_refuses_is_unusable_and_an_answer_ends_it(
    reading_models: ModelServer, mood: Mood, code: str
) -> None:
    answers = reading_models.answer
    reading_models.answer = lambda request: Reply(mood=mood)
    found = probe(MODEL, "ann")
    assert (found.code, bool(found.detail), found.cost_micro) == (code, True, 0)
    state = next(one for one in gate.states() if one.model == MODEL)
    assert (state.state, state.unusable) == ("unusable", code)
    before = ModelGate.objects.values("unusable_until", "probes").get()
    later()
    probe(MODEL, "ann")
    assert ModelGate.objects.values("unusable_until", "probes").get() == before, "its own trial is not put off"
    later()
    reading_models.answer = answers
    assert probe(MODEL, "ann").code == ""
    assert next(one for one in gate.states() if one.model == MODEL).state == "closed"


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply('{"number": "1"}'), "unread"),
        (Reply("{}", mood=Mood.GARBAGE), "answer_unusable"),
        (Reply(mood=Mood.SERVER_ERROR), "http_500"),
        (Reply(mood=Mood.RATE_LIMITED), "http_429"),
    ],
)
def test_other_ends_have_their_code_and_leave_it_usable(reading_models: ModelServer, reply: Reply, code: str) -> None:
    reading_models.answer = lambda request: reply
    assert probe(MODEL, "ann").code == code
    assert len(reading_models.calls) == 1, "a person asks again, if at all"
    assert next(one for one in gate.states() if one.model == MODEL).unusable == ""


def test_one_that_is_switched_off_or_at_its_end_can_be_probed_but_not_one_that_a_person_holds(
    reading_models: ModelServer,
) -> None:
    LanguageModel.objects.filter(name=MODEL).update(enabled=False, retires_on="2020-01-01")
    try:
        assert probe(MODEL, "ann").code == ""
        later()
        gate.set_state(MODEL, "open", "bob")
        assert probe(MODEL, "ann").code == "open" and len(reading_models.calls) == 1
        assert ModelCall.objects.count() == 1, "nothing is left of what did not leave"
    finally:
        LanguageModel.objects.filter(name=MODEL).update(enabled=True, retires_on=None)


def test_one_at_a_time_and_with_a_pause(reading_models: ModelServer) -> None:
    answers, asked, go = reading_models.answer, threading.Event(), threading.Event()

    def slowly(request: ModelRequest) -> Reply:
        said = answers(request)
        asked.set()
        go.wait(20)
        return said

    reading_models.answer = slowly
    found: list[Probed] = []

    def run() -> None:
        found.append(probe(MODEL, "ann"))
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    assert asked.wait(20)
    assert probe(MODEL, "bob").code == "probed_already", "while it is asked"
    go.set()
    thread.join()
    assert found[0].code == "" and probe(MODEL, "bob").code == "probed_already", "and right after it"
    assert probe(OTHER, "bob").code == "", "another model is another matter"
    assert len(reading_models.calls) == 2
    later()
    assert probe(MODEL, "bob").code == ""


def test_without_a_key_nothing_is_sent(reading_models: ModelServer, settings: Any) -> None:
    settings.DASHSCOPE_API_KEY = ""
    assert probe(MODEL, "ann") == Probed(MODEL, "no_key")
    assert reading_models.calls == [] and not ModelCall.objects.exists()


def test_pictures_are_made_as_small_as_the_row_says(
    reading_models: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = BytesIO()
    Image.new("RGB", (1024, 512), "white").save(large, "JPEG")
    monkeypatch.setattr(probes, "drawn", lambda text: large.getvalue())
    reading_models.answer = lambda request: Reply('{"number": "1"}')
    LanguageModel.objects.filter(name=MODEL).update(max_image_px=256, max_tokens=600, thinking_level="low")
    try:
        assert probe(MODEL, "ann").code == "unread"
    finally:
        LanguageModel.objects.filter(name=MODEL).update(max_image_px=None, max_tokens=8192, thinking_level="off")
    asked = reading_models.calls[0].request
    assert Image.open(BytesIO(asked.images[0][1])).size == (256, 128)
    assert asked.thinking == {"enable_thinking": True, "thinking_budget": 150} and asked.max_tokens == 450


def probed(*arguments: str) -> str:
    out = StringIO()
    try:
        call_command("models", "probe", *arguments, stdout=out)
    except CommandError as error:
        return f"{out.getvalue()}{error} {error.returncode}"
    return out.getvalue()


def test_the_command_asks_all_or_one(reading_models: ModelServer) -> None:
    answers = reading_models.answer
    text = probed()
    assert f"{MODEL} answers: " in text and f"{OTHER} answers: " in text and " USD" in text
    later()
    reading_models.answer = lambda request: Reply(mood=Mood.RETIRED) if request.model == MODEL else answers(request)
    text = probed()
    assert f"{MODEL} does not answer: http_404 (ModelNotFound" in text and text.endswith("Not every model answers. 1")
    assert len(reading_models.calls) == 4
    assert probed("nobody") == "There is no model 'nobody'. 2"


def test_the_button_is_an_administrators_and_says_what_came_of_it(reading_models: ModelServer, people: People) -> None:
    client = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    client.cookies["django_language"] = "en"
    client.force_login(people.lead)
    assert b"Probe</button>" not in client.get(reverse("models")).content
    client.force_login(people.admin)
    page = client.get(reverse("models"))
    assert page.content.count(b"Probe</button>") == 2
    address = reverse("model_probe")
    assert client.post(address, {"model": MODEL}).status_code == 403, "without the token of the page"
    given = {"model": MODEL, "csrfmiddlewaretoken": page.cookies["csrftoken"].value}
    assert client.get(address).status_code == 405
    assert f"{MODEL} answers: " in client.post(address, given, follow=True).content.decode()
    reading_models.answer = lambda request: Reply(mood=Mood.UNAUTHORISED)
    later()
    told = client.post(address, given, follow=True).content.decode()
    assert f"{MODEL} does not answer: its provider refuses the key (InvalidApiKey" in told
    assert "There is no such model" in client.post(address, {**given, "model": "x"}, follow=True).content.decode()
    client.force_login(people.lead)
    given["csrfmiddlewaretoken"] = client.get(reverse("models")).cookies["csrftoken"].value
    assert client.post(address, given).status_code == 403
