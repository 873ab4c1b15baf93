"""What every provider with batches must do, through its real kit: send, find by name, look, cancel, forget."""

from collections.abc import Callable

import pytest

from processing.llm.providers.gemini import Gemini
from processing.llm.providers.openai import OpenAI
from processing.llm.providers.port import BadOutput, Batches, Permanent, Prompt, Provider, Transient, Unusable
from processing.llm.providers.qwen import Qwen
from tests.contract.test_model_providers import KEY, PROMPT
from tests.support.model_server import ModelServer, Mood, Reply

TIMEOUT_S = 5.0
HOW = {"api_key": KEY, "timeout_s": TIMEOUT_S}
MODEL, NAME = "some-model", "7c0a6a8e-0000-4000-8000-000000000001"
MAKERS: dict[str, Callable[[ModelServer], Provider]] = {
    "gemini": lambda server: Gemini(server.gemini_url),
    "openai": lambda server: OpenAI(server.openai_url),
}


@pytest.fixture(params=list(MAKERS))
def batches(request: pytest.FixtureRequest, model_server: ModelServer) -> Batches:
    provider = MAKERS[request.param](model_server)
    request.addfinalizer(provider.close)
    assert provider.batches is not None
    return provider.batches


def asked(*users: str) -> dict[str, Prompt]:
    return {str(n): Prompt("Be exact.", user, PROMPT.images, PROMPT.schema) for n, user in enumerate(users, 11)}


def test_each_answer_is_told_with_the_key_of_its_question(batches: Batches, model_server: ModelServer) -> None:
    model_server.answer = lambda asked: Reply(f"to {asked.texts[-1]}", tokens_in=90, tokens_out=9, cached_tokens=30)
    remote_id = batches.send(MODEL, NAME, asked("one", "two"), **HOW)
    (sent,) = model_server.batches.sent
    assert (sent.name, sent.model, list(sent.questions)) == (NAME, MODEL, ["11", "12"])
    question = sent.questions["11"]
    assert question.system.startswith("Be exact.") and question.texts[-1] == "one" and question.operation == "extract"
    assert [data for _mime, data in question.images] == [image.data for image in PROMPT.images]
    found = batches.look(remote_id, MODEL, **HOW)
    assert found.state == "done" and not model_server.strays
    told = {one.key: one.answer for one in found.answers}
    assert {key: said and said.text for key, said in told.items()} == {"11": "to one", "12": "to two"}
    said = told["12"]
    assert said and (said.tokens_in, said.tokens_out, said.tokens_cached, said.finish) == (90, 9, 30, "stop")


def test_a_batch_is_asked_in_the_words_of_a_question_at_once(model_server: ModelServer) -> None:
    model_server.answer = lambda asked: Reply()
    for make in MAKERS.values():
        provider = make(model_server)
        provider.ask(MODEL, PROMPT, **HOW)
        assert provider.batches is not None
        provider.batches.send(MODEL, NAME, {"1": PROMPT}, **HOW)
        (question,) = model_server.batches.sent[-1].questions.values()
        assert question.key == model_server.calls[-1].request.key
        provider.close()


def test_what_waits_is_running_until_it_has_ended(batches: Batches, model_server: ModelServer) -> None:
    model_server.batches.held = True
    remote_id = batches.send(MODEL, NAME, asked("one"), **HOW)
    assert batches.look(remote_id, MODEL, **HOW).state == "running"
    for state in ("expired", "failed"):
        model_server.batches.end(model_server.batches.sent[0], state)
        found = batches.look(remote_id, MODEL, **HOW)
        assert (found.state, found.answers) == (state, ())
    model_server.batches.sent[0].state = "pending"
    batches.cancel(remote_id, **HOW)
    assert batches.look(remote_id, MODEL, **HOW).state == "cancelled"


def test_a_batch_is_found_by_its_name_although_its_sender_heard_nothing(
    batches: Batches, model_server: ModelServer
) -> None:
    assert batches.find(NAME, **HOW) is None
    model_server.batches.lost = 1
    with pytest.raises(Transient):
        batches.send(MODEL, NAME, asked("one"), **HOW)
    model_server.batches.held = True
    for n in range(150):  # more than a page of the list
        batches.send(MODEL, f"other {n}", asked("x"), **HOW)
    assert batches.find(NAME, **HOW) == _remote(model_server)
    assert batches.find("another", **HOW) is None


def _remote(server: ModelServer) -> str:
    batch = server.batches.sent[0]
    return f"batches/{batch.id}" if batch.provider == "gemini" else batch.id


def test_questions_that_fail_are_told_beside_those_that_are_answered(
    batches: Batches, model_server: ModelServer
) -> None:
    moods = {"bad": Mood.BAD_REQUEST, "none": Mood.EMPTY, "good": Mood.OK}
    model_server.answer = lambda asked: Reply("fine", mood=moods[asked.texts[-1]])
    remote_id = batches.send(MODEL, NAME, asked("bad", "none", "good"), **HOW)
    found = {one.key: one for one in batches.look(remote_id, MODEL, **HOW).answers}
    assert isinstance(found["11"].error, Permanent) and found["11"].answer is None
    assert isinstance(found["12"].error, BadOutput) and found["12"].error.tokens_in == 100
    assert found["13"].answer and found["13"].answer.text == "fine"


def test_what_is_refused_and_what_is_gone_is_permanent(batches: Batches, model_server: ModelServer) -> None:
    model_server.batches.refusal = (400, "The batch is not one.")
    with pytest.raises(Permanent, match="not one"):
        batches.send(MODEL, NAME, asked("one"), **HOW)
    assert not model_server.batches.sent
    gone = "batches/none" if "Gemini" in type(batches).__name__ else "batch_none"
    with pytest.raises(Unusable) as raised:
        batches.look(gone, MODEL, **HOW)
    assert raised.value.code == "http_404"
    with pytest.raises(Unusable):
        batches.find(NAME, api_key="no such key\n", timeout_s=TIMEOUT_S)


def test_an_ended_batch_is_forgotten(batches: Batches, model_server: ModelServer) -> None:
    model_server.answer = lambda asked: Reply()
    remote_id = batches.send(MODEL, NAME, asked("one"), **HOW)
    batches.look(remote_id, MODEL, **HOW)
    batches.forget(remote_id, **HOW)
    assert not model_server.batches.files
    assert "Gemini" not in type(batches).__name__ or not model_server.batches.sent


def test_the_kit_of_qwen_has_none(model_server: ModelServer) -> None:
    assert Qwen(model_server.qwen_url).batches is None
