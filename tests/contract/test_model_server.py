"""The model server through the vendors' own SDKs: each mood, and what the SDK makes of it."""

import base64
import json
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pydantic
import pytest
from django.utils.functional import SimpleLazyObject

from tests.support.model_server import ModelServer, Mood, Recorded, Reply, Scripted

# Two seconds of a core, which nobody pays who only collects these tests, as each worker of the gate does.
dashscope: Any = SimpleLazyObject(lambda: import_module("dashscope"))
genai: Any = SimpleLazyObject(lambda: import_module("google.genai"))
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
SCHEMA = {
    "title": "read_page",
    "type": "object",
    "properties": {"model": {"type": "string"}, "price": {"type": "number"}},
    "required": ["model"],
}
GOOD = '{"model": "M-1", "price": 12.5}'
TIMEOUT_S = 1.0


@pytest.fixture(scope="module")
def _client() -> Iterator[Any]:
    """One for the module: making one reads certificates for half a second."""
    client = genai.Client(api_key="key-1", http_options={"base_url": "http://127.0.0.1:9"})
    yield client
    client.close()


@pytest.fixture
def ask_gemini(_client: Any, model_server: ModelServer) -> Any:
    def ask(timeout_s: float = TIMEOUT_S) -> Any:
        image = genai.types.Part.from_bytes(data=PNG, mime_type="image/png")
        config = {
            "system_instruction": "Be exact.",
            "response_mime_type": "application/json",
            "response_json_schema": SCHEMA,
            "temperature": 0.0,
            "max_output_tokens": 300,
            "http_options": {"base_url": model_server.gemini_url, "timeout": int(timeout_s * 1000)},
        }
        contents = ["Image screenshot:", image, "What is this?"]
        return _client.models.generate_content(model="gemini-3.8-flash", contents=contents, config=config)

    return ask


@pytest.fixture
def ask_qwen(model_server: ModelServer) -> Any:
    def ask(timeout_s: float = TIMEOUT_S, api_key: str = "key-1") -> Any:
        system = f"Be exact. Answer with JSON that fits this JSON Schema:\n{json.dumps(SCHEMA)}"
        user = [
            {"text": "Image screenshot:"},
            {"image": f"data:image/png;base64,{base64.b64encode(PNG).decode()}"},
            {"text": "What is this?"},
        ]
        return dashscope.MultiModalConversation.call(
            model="qwen3.7-plus",
            messages=[{"role": "system", "content": [{"text": system}]}, {"role": "user", "content": user}],
            api_key=api_key,
            base_address=model_server.qwen_url,
            response_format={"type": "json_object"},
            temperature=0.0,
            max_tokens=300,
            request_timeout=timeout_s,
        )

    return ask


def replies(server: ModelServer, *items: Reply | Mood) -> None:
    server.answer = Scripted(*items)


def in_mood(mood: Mood, **fields: Any) -> Reply:
    return Reply(GOOD, mood=mood, **fields)


def text_of(response: Any) -> str:
    return str(response.output.choices[0].message.content[0]["text"])


@pytest.mark.req("LA-PROV")
class TestWhatIsAsked:
    def test_gemini_becomes_a_neutral_request(self, model_server: ModelServer, ask_gemini: Any) -> None:
        replies(model_server, Reply(GOOD))
        ask_gemini()
        (call,) = model_server.calls
        self.same_for_both(call.request)
        assert (call.request.provider, call.request.model, call.request.system) == (
            "gemini",
            "gemini-3.8-flash",
            "Be exact.",
        )
        assert call.request.headers["x-server-timeout"] == "1"

    def test_qwen_becomes_a_neutral_request(self, model_server: ModelServer, ask_qwen: Any) -> None:
        replies(model_server, Reply(GOOD))
        ask_qwen()
        (call,) = model_server.calls
        self.same_for_both(call.request)
        assert (call.request.provider, call.request.model) == ("qwen", "qwen3.7-plus")
        assert call.request.system.startswith("Be exact.")

    def same_for_both(self, request: Any) -> None:
        assert request.api_key == "key-1"
        assert request.texts == ("Image screenshot:", "What is this?")
        assert request.images == (("image/png", PNG),)
        assert request.schema == SCHEMA
        assert (request.temperature, request.max_tokens) == (0.0, 300)
        assert request.operation == "read_page"

    def test_a_pydantic_schema_in_geminis_own_dialect_is_found(self, model_server: ModelServer, _client: Any) -> None:
        class Answer(pydantic.BaseModel):
            model: str

        replies(model_server, Reply('{"model": "M-1"}'))
        config = {
            "response_mime_type": "application/json",
            "response_schema": Answer,
            "http_options": {"base_url": model_server.gemini_url, "api_version": "v1beta"},
        }
        answer = _client.models.generate_content(model="gemini-3.8-flash", contents="?", config=config)
        assert answer.parsed == Answer(model="M-1")
        (call,) = model_server.calls
        assert call.request.schema is not None and call.operation == "Answer"

    def test_calls_are_counted(self, model_server: ModelServer, ask_gemini: Any, ask_qwen: Any) -> None:
        replies(model_server, Reply(GOOD), Reply(GOOD, mood=Mood.RATE_LIMITED))
        ask_gemini()
        ask_qwen()
        first, second = model_server.calls
        assert [(c.provider, c.operation, c.mood, c.images) for c in (first, second)] == [
            ("gemini", "read_page", Mood.OK, 1),
            ("qwen", "read_page", Mood.RATE_LIMITED, 1),
        ]
        assert first.at_s <= second.at_s and first.bytes > len(PNG)
        assert model_server.strays == []

    def test_no_key_is_refused_without_asking(self, model_server: ModelServer, ask_qwen: Any) -> None:
        assert ask_qwen(api_key="").status_code == 401

    def test_a_text_that_names_a_file_would_be_uploaded(self, model_server: ModelServer, tmp_path: Path) -> None:
        """The SDK takes a text part that is the path of a file for an upload; the adapter has to prevent it."""
        secret = tmp_path / "secret.txt"
        secret.write_text("do not upload")
        dashscope.base_http_api_url, before = model_server.qwen_url, dashscope.base_http_api_url
        try:
            with pytest.raises(Exception, match=r"getPolicy|upload|NotFound|no such path"):
                messages = [{"role": "user", "content": [{"text": str(secret)}]}]
                dashscope.MultiModalConversation.call(model="qwen3.7-plus", messages=messages, api_key="k")
        finally:
            dashscope.base_http_api_url = before
        assert model_server.strays and "getPolicy" in model_server.strays[0]


class TestGemini:
    def test_the_answer_and_what_it_cost(self, model_server: ModelServer, ask_gemini: Any) -> None:
        replies(model_server, Reply(GOOD, tokens_in=900, tokens_out=40, thinking_tokens=70, image_tokens=258))
        answer = ask_gemini()
        assert answer.text == GOOD and answer.candidates[0].finish_reason == "STOP"
        usage = answer.usage_metadata
        assert (usage.prompt_token_count, usage.candidates_token_count, usage.thoughts_token_count) == (900, 40, 70)
        assert {d.modality.name: d.token_count for d in usage.prompt_tokens_details} == {"TEXT": 642, "IMAGE": 258}

    @pytest.mark.parametrize(
        ("mood", "status", "name"),
        [
            (Mood.RATE_LIMITED, 429, "RESOURCE_EXHAUSTED"),
            (Mood.SERVER_ERROR, 500, "INTERNAL"),
            (Mood.UNAVAILABLE, 503, "UNAVAILABLE"),
            (Mood.BAD_GATEWAY, 502, "Bad Gateway"),
            (Mood.BAD_REQUEST, 400, "INVALID_ARGUMENT"),
            (Mood.UNAUTHORISED, 403, "PERMISSION_DENIED"),
        ],
    )
    def test_a_failing_service_raises_once(
        self, model_server: ModelServer, ask_gemini: Any, mood: Mood, status: int, name: str
    ) -> None:
        replies(model_server, in_mood(mood))
        with pytest.raises(genai.errors.APIError) as caught:
            ask_gemini()
        assert (caught.value.code, caught.value.status) == (status, name)
        assert len(model_server.calls) == 1, "the SDK asks again by itself"

    def test_the_delay_stands_in_the_details_and_in_the_header(
        self, model_server: ModelServer, ask_gemini: Any
    ) -> None:
        replies(model_server, in_mood(Mood.RATE_LIMITED, retry_after_s=23))
        with pytest.raises(genai.errors.ClientError) as caught:
            ask_gemini()
        assert caught.value.details["error"]["details"][-1]["retryDelay"] == "23s"
        assert caught.value.response.headers["retry-after"] == "23"

    @pytest.mark.parametrize(
        ("mood", "error"),
        [
            (Mood.TIMEOUT, "ReadTimeout"),
            (Mood.CUT, "RemoteProtocolError"),
            (Mood.DROPPED, "RemoteProtocolError"),
            (Mood.BAD_JSON_BODY, "JSONDecodeError"),
        ],
    )
    def test_a_failing_wire_raises_what_the_transport_raises(
        self, model_server: ModelServer, ask_gemini: Any, mood: Mood, error: str
    ) -> None:
        replies(model_server, in_mood(mood))
        with pytest.raises(Exception) as caught:
            ask_gemini()
        assert type(caught.value).__name__ == error
        assert len(model_server.calls) == 1

    def test_a_timeout_does_not_end_a_slow_body(self, model_server: ModelServer, ask_gemini: Any) -> None:
        """The timeout counts from byte to byte, so a drip lasts as long as it likes."""
        model_server.slow_s = 3.0
        replies(model_server, in_mood(Mood.SLOW))
        begun_s = time.monotonic()
        assert ask_gemini(timeout_s=2.0).text == GOOD
        assert time.monotonic() - begun_s > 2.4

    def test_a_blocked_prompt_has_no_candidates_and_no_text(self, model_server: ModelServer, ask_gemini: Any) -> None:
        replies(model_server, in_mood(Mood.BLOCKED))
        answer = ask_gemini()
        assert (answer.candidates, answer.text) == (None, None)
        assert answer.prompt_feedback.block_reason == "SAFETY"

    def test_a_truncated_answer_raises_nothing(self, model_server: ModelServer, ask_gemini: Any) -> None:
        replies(model_server, in_mood(Mood.TRUNCATED))
        answer = ask_gemini()
        assert GOOD.startswith(answer.text) and answer.candidates[0].finish_reason == "MAX_TOKENS"

    def test_an_empty_answer_has_no_text(self, model_server: ModelServer, ask_gemini: Any) -> None:
        replies(model_server, in_mood(Mood.EMPTY))
        assert ask_gemini().text is None


class TestQwen:
    def test_the_answer_and_what_it_cost(self, model_server: ModelServer, ask_qwen: Any) -> None:
        replies(model_server, Reply(GOOD, tokens_in=900, tokens_out=40, thinking_tokens=70, image_tokens=258))
        answer = ask_qwen()
        assert text_of(answer) == GOOD and answer.output.choices[0].finish_reason == "stop"
        usage = answer.usage
        assert (usage["input_tokens"], usage["output_tokens"], usage["image_tokens"]) == (900, 110, 258)

    @pytest.mark.parametrize(
        ("mood", "status", "code"),
        [
            (Mood.RATE_LIMITED, 429, "Throttling.RateQuota"),
            (Mood.SERVER_ERROR, 500, "InternalError"),
            (Mood.UNAVAILABLE, 503, "ModelServingError"),
            (Mood.BAD_GATEWAY, 502, "Unknown"),
            (Mood.BAD_REQUEST, 400, "InvalidParameter"),
            (Mood.UNAUTHORISED, 401, "InvalidApiKey"),
            (Mood.BLOCKED, 400, "DataInspectionFailed"),
        ],
    )
    def test_a_failing_service_is_returned_not_raised(
        self, model_server: ModelServer, ask_qwen: Any, mood: Mood, status: int, code: str
    ) -> None:
        replies(model_server, in_mood(mood))
        answer = ask_qwen()
        assert (answer.status_code, answer.code) == (status, code)
        assert len(model_server.calls) == 1

    def test_the_delay_stands_in_the_header(self, model_server: ModelServer, ask_qwen: Any) -> None:
        replies(model_server, in_mood(Mood.RATE_LIMITED, retry_after_s=23))
        assert ask_qwen().headers["Retry-After"] == "23"

    @pytest.mark.parametrize(
        ("mood", "error", "sent"),
        [
            (Mood.TIMEOUT, "ReadTimeout", 1),
            (Mood.CUT, "ChunkedEncodingError", 1),
            (Mood.DROPPED, "ConnectionError", 2),  # the SDK's own repetition, also of a request that cost money
            (Mood.BAD_JSON_BODY, "JSONDecodeError", 1),
        ],
    )
    def test_a_failing_wire_raises_what_requests_raises(
        self, model_server: ModelServer, ask_qwen: Any, mood: Mood, error: str, sent: int
    ) -> None:
        replies(model_server, in_mood(mood), *[in_mood(mood)] * (sent - 1))
        with pytest.raises(Exception) as caught:
            ask_qwen()
        assert type(caught.value).__name__ == error
        assert len(model_server.calls) == sent

    def test_a_timeout_does_not_end_a_slow_body(self, model_server: ModelServer, ask_qwen: Any) -> None:
        model_server.slow_s = 3.0
        replies(model_server, in_mood(Mood.SLOW))
        begun_s = time.monotonic()
        assert text_of(ask_qwen(timeout_s=2.0)) == GOOD
        assert time.monotonic() - begun_s > 2.4

    def test_a_truncated_answer_raises_nothing(self, model_server: ModelServer, ask_qwen: Any) -> None:
        replies(model_server, in_mood(Mood.TRUNCATED))
        answer = ask_qwen()
        assert GOOD.startswith(text_of(answer)) and answer.output.choices[0].finish_reason == "length"

    def test_an_empty_answer_has_no_parts(self, model_server: ModelServer, ask_qwen: Any) -> None:
        replies(model_server, in_mood(Mood.EMPTY))
        assert ask_qwen().output.choices[0].message.content == []


class TestWhatTheModelSays:
    """The same for both: the service is well, the text is worth nothing."""

    @pytest.fixture(params=["gemini", "qwen"])
    def said(self, request: pytest.FixtureRequest, model_server: ModelServer) -> Any:
        ask = request.getfixturevalue(f"ask_{request.param}")

        def said(mood: Mood, text: str = GOOD) -> str:
            replies(model_server, Reply(text, mood=mood))
            answer = ask()
            return str(answer.text if request.param == "gemini" else text_of(answer))

        return said

    def test_fenced(self, said: Any) -> None:
        assert said(Mood.FENCED) == f"```json\n{GOOD}\n```"

    def test_prose(self, said: Any) -> None:
        text = said(Mood.PROSE)
        assert GOOD in text and not text.startswith("{") and not text.endswith("}")

    @pytest.mark.parametrize("mood", [Mood.GARBAGE, Mood.DOUBLED, Mood.FENCED, Mood.PROSE])
    def test_no_json(self, said: Any, mood: Mood) -> None:
        with pytest.raises(json.JSONDecodeError):
            json.loads(said(mood))

    def test_another_shape(self, said: Any) -> None:
        assert not set(json.loads(said(Mood.WRONG_SCHEMA))) & set(SCHEMA["properties"])  # type: ignore[arg-type]

    @pytest.mark.parametrize("text", [GOOD, '{"n": [1, -2.5, 3]}', '{"model": "M-1"}', "{}"])
    def test_not_a_number(self, said: Any, text: str) -> None:
        met = []
        json.loads(said(Mood.NAN, text), parse_constant=met.append)
        assert "NaN" in met

    def test_twice(self, said: Any) -> None:
        assert said(Mood.DOUBLED).split("\n") == [GOOD, GOOD]


class TestTheServer:
    def test_queues_serve_whom_they_are_for(self, model_server: ModelServer, ask_gemini: Any, ask_qwen: Any) -> None:
        script = Scripted(otherwise=lambda request: Reply(f'{{"model": "{request.model}"}}'))
        script.add(Reply('{"model": "Q"}'), provider="qwen", operation="read_page")
        script.add(Reply('{"model": "never"}'), provider="gemini", operation="another")
        model_server.answer = script
        assert ask_gemini().text == '{"model": "gemini-3.8-flash"}'
        assert text_of(ask_qwen()) == '{"model": "Q"}'
        assert text_of(ask_qwen()) == '{"model": "qwen3.7-plus"}'
        assert script.left == 1

    def test_what_nobody_foresaw_fails_the_test(self, ask_qwen: Any, model_server: ModelServer) -> None:
        with pytest.raises(Exception, match="the script has no reply left"), ModelServer(Scripted()) as server:
            answer = dashscope.MultiModalConversation.call(
                model="qwen3.7-plus",
                messages=[{"role": "user", "content": [{"text": "?"}]}],
                api_key="k",
                base_address=server.qwen_url,
            )
            assert answer.status_code == 500

    def test_recorded_answers_are_found_by_what_was_asked(
        self, model_server: ModelServer, ask_gemini: Any, ask_qwen: Any, tmp_path: Path
    ) -> None:
        recorded = Recorded(tmp_path)

        def answer_and_record(request: Any) -> Reply:
            reply = Reply(f'{{"model": "{request.provider}"}}', tokens_out=7)
            recorded.record(request, reply)
            return reply

        model_server.answer = answer_and_record
        ask_gemini(), ask_qwen()
        assert len(list(tmp_path.glob("*.json"))) == 2

        model_server.answer = recorded
        assert ask_gemini().text == '{"model": "gemini"}'
        answer = ask_qwen(api_key="another key, the same question")
        assert text_of(answer) == '{"model": "qwen"}' and answer.usage["output_tokens"] == 7

    def test_latency_is_waited_out_in_parallel(self, model_server: ModelServer, ask_qwen: Any) -> None:
        model_server.answer = lambda request: Reply(GOOD)
        model_server.latency_s = 2.0
        begun_s = time.monotonic()
        threads = [threading.Thread(target=ask_qwen, args=(20.0,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert 2 <= time.monotonic() - begun_s < 8 * 2
        assert len(model_server.calls) == 8

    def test_a_stopped_server_refuses(self, ask_qwen: Any, ask_gemini: Any, model_server: ModelServer) -> None:
        model_server.answer = lambda request: Reply(GOOD)
        ask_qwen(), ask_gemini()  # so that either SDK keeps an open connection
        model_server.stop()
        with pytest.raises(Exception) as caught:
            ask_qwen()
        assert type(caught.value).__name__ == "ConnectionError"
        with pytest.raises(Exception) as caught:
            ask_gemini()
        assert type(caught.value).__name__ in ("ConnectError", "RemoteProtocolError")
