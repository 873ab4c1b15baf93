"""The model server through OpenAI's own SDK: each mood, and what the SDK makes of it."""

import base64
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest
from django.utils.functional import SimpleLazyObject

from tests.support.model_server import ModelServer, Mood, Recorded, Reply, Scripted

openai: Any = SimpleLazyObject(lambda: import_module("openai"))  # as test_model_server.py says
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
SCHEMA = {"title": "read_page", "type": "object", "properties": {"model": {"type": "string"}}}
GOOD = '{"model": "M-1"}'
Ask = Callable[..., Any]


@pytest.fixture
def ask(model_server: ModelServer) -> Iterator[Ask]:
    client = openai.OpenAI(api_key="key-1", base_url=model_server.openai_url, max_retries=0)
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{base64.b64encode(PNG).decode()}"}}

    def ask(timeout_s: float = 1.0) -> Any:
        texts = [{"type": "text", "text": text} for text in ("Image screenshot:", "What is this?")]
        messages: Any = [
            {"role": "system", "content": "Be exact."},
            {"role": "user", "content": [texts[0], image, texts[1]]},
        ]
        wanted: Any = {"type": "json_schema", "json_schema": {"name": "read_page", "schema": SCHEMA}}
        return client.chat.completions.create(
            model="qwen-vl",
            messages=messages,
            response_format=wanted,
            temperature=0.0,
            max_tokens=300,
            timeout=timeout_s,
        )

    yield ask
    client.close()


def replies(server: ModelServer, mood: Mood, **fields: Any) -> None:
    server.answer = Scripted(Reply(GOOD, mood=mood, **fields))


@pytest.mark.req("LA-PROV")
def test_a_question_becomes_a_neutral_request(model_server: ModelServer, ask: Ask) -> None:
    replies(model_server, Mood.OK)
    ask()
    (call,) = model_server.calls
    asked = call.request
    assert (asked.provider, asked.model, asked.api_key, asked.system) == ("openai", "qwen-vl", "key-1", "Be exact.")
    assert asked.texts == ("Image screenshot:", "What is this?") and asked.images == (("image/png", PNG),)
    assert (asked.schema, asked.temperature, asked.max_tokens) == (SCHEMA, 0.0, 300)
    assert (call.operation, call.images) == ("read_page", 1) and model_server.strays == []


def test_the_answer_and_what_it_cost(model_server: ModelServer, ask: Ask) -> None:
    replies(model_server, Mood.OK, tokens_in=900, tokens_out=40, thinking_tokens=70, image_tokens=258)
    answer = ask()
    assert (answer.choices[0].message.content, answer.choices[0].finish_reason) == (GOOD, "stop")
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (900, 110)
    assert answer.usage.completion_tokens_details.reasoning_tokens == 70


@pytest.mark.parametrize(
    ("mood", "status", "error"),
    [
        (Mood.RATE_LIMITED, 429, "RateLimitError"),
        (Mood.SERVER_ERROR, 500, "InternalServerError"),
        (Mood.UNAVAILABLE, 503, "InternalServerError"),
        (Mood.BAD_GATEWAY, 502, "InternalServerError"),
        (Mood.BAD_REQUEST, 400, "BadRequestError"),
        (Mood.BLOCKED, 400, "BadRequestError"),
        (Mood.UNAUTHORISED, 401, "AuthenticationError"),
        (Mood.RETIRED, 404, "NotFoundError"),
    ],
)
def test_a_failing_service_raises_once(
    model_server: ModelServer, ask: Ask, mood: Mood, status: int, error: str
) -> None:
    replies(model_server, mood, retry_after_s=23)
    with pytest.raises(openai.APIStatusError) as caught:
        ask()
    assert (type(caught.value).__name__, caught.value.status_code) == (error, status)
    assert caught.value.response.headers.get("retry-after") == ("23" if mood is Mood.RATE_LIMITED else None)
    assert len(model_server.calls) == 1


@pytest.mark.parametrize(
    ("mood", "error", "cause"),
    [
        (Mood.TIMEOUT, "APITimeoutError", "ReadTimeout"),
        (Mood.CUT, "APIConnectionError", "RemoteProtocolError"),
        (Mood.DROPPED, "APIConnectionError", "RemoteProtocolError"),
        (Mood.BAD_JSON_BODY, "JSONDecodeError", "NoneType"),
    ],
)
def test_a_failing_wire(model_server: ModelServer, ask: Ask, mood: Mood, error: str, cause: str) -> None:
    replies(model_server, mood)
    with pytest.raises(Exception) as caught:
        ask()
    assert (type(caught.value).__name__, type(caught.value.__cause__).__name__) == (error, cause)


def test_a_timeout_does_not_end_a_slow_body(model_server: ModelServer, ask: Ask) -> None:
    """It counts from byte to byte, so the adapter bounds the whole."""
    model_server.slow_s = 3.0
    replies(model_server, Mood.SLOW)
    begun_s = time.monotonic()
    assert ask(2.0).choices[0].message.content == GOOD
    assert time.monotonic() - begun_s > 2.4


@pytest.mark.parametrize(("mood", "text"), [(Mood.FENCED, f"```json\n{GOOD}\n```"), (Mood.EMPTY, None)])
def test_what_the_model_says(model_server: ModelServer, ask: Ask, mood: Mood, text: str | None) -> None:
    replies(model_server, mood)
    assert ask().choices[0].message.content == text


def test_a_truncated_answer_raises_nothing(model_server: ModelServer, ask: Ask) -> None:
    replies(model_server, Mood.TRUNCATED)
    (choice,) = ask().choices
    assert GOOD.startswith(choice.message.content) and choice.finish_reason == "length"


def test_a_recorded_answer_is_found_by_what_was_asked(model_server: ModelServer, ask: Ask, tmp_path: Any) -> None:
    recorded = Recorded(tmp_path)
    replies(model_server, Mood.OK)
    ask()
    recorded.record(model_server.calls[0].request, Reply('{"model": "recorded"}'))
    model_server.answer = recorded
    assert ask().choices[0].message.content == '{"model": "recorded"}'


def test_a_page_without_type_of_json_is_a_text(model_server: ModelServer, ask: Ask) -> None:
    """What the SDK makes of a proxy's page under 200: no error, and no completion. The adapter reads bodies itself."""
    replies(model_server, Mood.BAD_GATEWAY, status=200)
    assert isinstance(ask(), str)
