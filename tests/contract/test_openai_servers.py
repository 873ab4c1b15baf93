"""What servers behind the OpenAI protocol do otherwise than OpenAI, and each other; through the SDK over real HTTP.

The words of errors are theirs: vLLM, Ollama, LM Studio, llama.cpp, Groq, OpenRouter, Model Studio, OpenAI (2025, 2026).
"""

import json
import logging
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from processing.llm.providers.openai import NO_KEY, OpenAI
from processing.llm.providers.port import (
    BadOutput,
    Image,
    ModelError,
    Permanent,
    Prompt,
    RateLimited,
    RawAnswer,
    Transient,
    Unusable,
)
from tests.support.model_server import ModelServer, Mood, Reply, Scripted
from tests.support.model_server.exchange import ModelRequest

KEY = "sk-secret-1234567890"
SCHEMA = {"title": "Page answer", "type": "object", "properties": {"model": {"type": "string"}}}
PROMPT = Prompt("Be exact.", "What is this?", (Image("image/png", b"\x89PNG", "screenshot"),), SCHEMA, 0.2, 700)
GOOD = '{"model": "M-1"}'
FORMATS = ["json_schema", "json_object", None]


@pytest.fixture
def provider(model_server: ModelServer) -> Iterator[OpenAI]:
    made = OpenAI(model_server.openai_url)
    yield made
    made.close()


def ask(provider: OpenAI, prompt: Prompt = PROMPT, model: str = "qwen-vl", api_key: str = KEY) -> RawAnswer:
    return provider.ask(model, prompt, api_key=api_key, timeout_s=5)


def failure(provider: OpenAI, **how: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        ask(provider, **how)
    return caught.value


def asked(server: ModelServer) -> list[dict[str, Any]]:
    """The bodies that arrived."""
    return [json.loads(call.request.body) for call in server.calls]


def formats(server: ModelServer) -> list[str | None]:
    return [body.get("response_format", {}).get("type") for body in asked(server)]


def refused(error: Any, status: int = 400) -> Reply:
    return Reply(status=status, body=json.dumps(error).encode())


def openai_error(message: str, **fields: Any) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **fields}}


def answered(content: Any, finish: str | None = "stop", **fields: Any) -> Reply:
    message = {"role": "assistant", "content": content, **fields.pop("message", {})}
    choice = {"index": 0, "finish_reason": finish, "message": message, **fields.pop("choice", {})}
    usage = {"prompt_tokens": 9, "completion_tokens": 4}
    return Reply(body=json.dumps({"choices": [choice], "usage": usage, **fields}).encode())


@pytest.mark.req("LA-PROV")
class TestTheQuestion:
    def test_states_schema_limit_and_temperature(self, provider: OpenAI, model_server: ModelServer) -> None:
        model_server.answer = Scripted(Reply(GOOD))
        ask(provider)
        (body,) = asked(model_server)
        assert set(body) == {"model", "messages", "max_tokens", "temperature", "response_format"}
        assert (body["max_tokens"], body["temperature"]) == (700, 0.2)
        assert body["response_format"]["json_schema"] == {"name": "Page_answer", "schema": SCHEMA}
        system, user = body["messages"]
        assert json.dumps(SCHEMA, sort_keys=True) in system["content"], "some servers show the schema to no model"
        assert [part["type"] for part in user["content"]] == ["text", "image_url", "text"]
        assert user["content"][1]["image_url"] == {"url": "data:image/png;base64,iVBORw=="}

    def test_is_a_plain_text_without_pictures(self, provider: OpenAI, model_server: ModelServer) -> None:
        model_server.answer = Scripted(Reply(GOOD))
        ask(provider, Prompt("s", "u", (), SCHEMA))
        assert [type(message["content"]) for message in asked(model_server)[0]["messages"]] == [str, str]

    @pytest.mark.parametrize(("level", "word"), [("off", "none"), ("low", "low"), ("high", "high")])
    def test_says_how_much_to_think_where_the_row_does(
        self, provider: OpenAI, model_server: ModelServer, level: str, word: str
    ) -> None:
        model_server.answer = lambda request: Reply(GOOD)
        ask(provider)
        ask(provider, msgspec.structs.replace(PROMPT, thinking=level))
        assert [body.get("reasoning_effort") for body in asked(model_server)] == [None, word]

    def test_a_server_that_knows_no_effort_is_asked_without(self, provider: OpenAI, model_server: ModelServer) -> None:
        words = "Unrecognized request argument supplied: reasoning_effort"
        model_server.answer = Scripted(refused(openai_error(words)), Reply(GOOD), Reply(GOOD))
        for _ in range(2):
            ask(provider, msgspec.structs.replace(PROMPT, thinking="low"))
        assert [body.get("reasoning_effort") for body in asked(model_server)] == ["low", None, None]

    @pytest.mark.parametrize(("level", "word"), [("", None), ("low", "low"), ("medium", "auto"), ("high", "high")])
    def test_says_how_closely_to_look(
        self, provider: OpenAI, model_server: ModelServer, level: str, word: str | None
    ) -> None:
        model_server.answer = lambda request: Reply(GOOD)
        ask(provider, msgspec.structs.replace(PROMPT, media_resolution=level))
        (request,) = [call.request for call in model_server.calls]
        assert request.media_resolution == word

    def test_tells_nothing_of_this_machine(self, provider: OpenAI, model_server: ModelServer) -> None:
        """The SDK names operating system, processor and Python by itself."""
        model_server.answer = Scripted(Reply(GOOD))
        ask(provider)
        headers = model_server.calls[0].request.headers
        assert headers["user-agent"] == "CatalogSKU"
        told = {name for name in headers if name.startswith("x-stainless")}
        assert told <= {"x-stainless-retry-count", "x-stainless-read-timeout"}

    def test_a_server_of_ones_own_is_asked_without_a_key(self, provider: OpenAI, model_server: ModelServer) -> None:
        model_server.answer = Scripted(Reply(GOOD), Reply(GOOD))
        assert not provider.needs_key
        assert ask(provider, api_key="").text == GOOD
        ask(provider)
        assert [call.request.api_key for call in model_server.calls] == [NO_KEY, KEY]

    @pytest.mark.parametrize("name", ["HTTP_PROXY", "ALL_PROXY"])
    def test_goes_past_the_environments_proxy_to_a_server_of_ones_own(
        self, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        """Pages would lie open in the proxy, which mostly cannot reach the server either."""
        monkeypatch.setenv(name, "http://127.0.0.1:9")
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        model_server.answer = Scripted(Reply(GOOD))
        provider = OpenAI(model_server.openai_url)
        assert ask(provider).text == GOOD
        provider.close()
        elsewhere = OpenAI("http://models.example.org/v1")
        assert "ConnectError" in failure(elsewhere).detail, "others are reached through it"
        elsewhere.close()

    def test_logs_hold_no_question_whatever_the_environment_asks_for(
        self, provider: OpenAI, model_server: ModelServer, caplog: pytest.LogCaptureFixture, monkeypatch: Any
    ) -> None:
        logging.getLogger("openai").setLevel(logging.DEBUG)  # as OPENAI_LOG=debug does
        model_server.answer = Scripted(Reply(GOOD), refused(openai_error("no")))
        with caplog.at_level(logging.DEBUG):
            ask(provider)
            failure(provider)
        assert not [record for record in caplog.records if record.name.startswith(("openai", "httpx2"))]


REFUSED_FORMATS: list[tuple[str, Any, int]] = [
    ("LM Studio", {"error": "'response_format.type' must be 'json_schema' or 'text'"}, 400),
    ("vLLM", openai_error("The provided JSON schema contains features not supported by xgrammar."), 400),
    ("older vLLM", {"object": "error", "message": "Grammar error: Unknown format: uri", "code": 400}, 400),
    ("FastAPI", {"detail": [{"loc": ["body", "response_format", "type"], "msg": "unexpected value"}]}, 422),
    ("llama.cpp", {"error": {"code": 400, "message": "failed to parse grammar", "type": "invalid_request_error"}}, 400),
    ("Groq", openai_error("This model does not support response format `json_schema`."), 400),
    ("Model Studio", openai_error("json_schema is not supported", code="InvalidParameter"), 400),
    ("OpenRouter", {"error": {"code": 400, "message": "Provider returned error", "metadata": {
        "raw": '{"message": "response_format is unavailable"}', "provider_name": "X"}}}, 400),
]  # fmt: skip


@pytest.mark.req("LA-PROV")
class TestWhatAServerDoesNotTake:
    @pytest.mark.parametrize(("server", "error", "status"), REFUSED_FORMATS, ids=[row[0] for row in REFUSED_FORMATS])
    def test_a_refused_format_is_asked_for_less_strictly(
        self, provider: OpenAI, model_server: ModelServer, server: str, error: Any, status: int
    ) -> None:
        model_server.answer = Scripted(refused(error, status), refused(error, status), Reply(GOOD), Reply(GOOD))
        assert ask(provider).text == GOOD
        assert formats(model_server) == FORMATS
        ask(provider)
        assert formats(model_server) == [*FORMATS, None], "it is remembered"

    def test_it_is_remembered_for_the_model_and_the_address_and_outlives_the_connections(
        self, provider: OpenAI, model_server: ModelServer
    ) -> None:
        refusal = refused(openai_error("response_format json_schema is not supported"))
        model_server.answer = Scripted(refusal, otherwise=lambda request: Reply(GOOD))
        ask(provider)
        provider.close()
        ask(provider)
        ask(provider, model="another")
        other = OpenAI(model_server.openai_url + "/")
        ask(other)
        other.close()
        assert formats(model_server) == ["json_schema", "json_object", "json_object", "json_schema", "json_schema"]

    def test_a_server_that_refuses_every_form_is_asked_three_times(
        self, provider: OpenAI, model_server: ModelServer
    ) -> None:
        model_server.answer = lambda request: refused(openai_error("response_format: no"))
        failed = failure(provider)
        assert (type(failed), failed.code) == (Permanent, "http_400") and formats(model_server) == FORMATS

    @pytest.mark.parametrize(
        ("message", "changed"),
        [
            (
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'"
                " instead.",
                {"max_completion_tokens": 700, "temperature": 0.2},
            ),
            (
                "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is"
                " supported.",
                {"max_tokens": 700},
            ),
            (
                "parameter.enable_thinking must be set to false for non-streaming calls",
                {"max_tokens": 700, "temperature": 0.2, "enable_thinking": False},
            ),
        ],
        ids=["limit", "temperature", "thinking"],
    )
    def test_another_name_or_none_is_tried(
        self, provider: OpenAI, model_server: ModelServer, message: str, changed: dict[str, Any]
    ) -> None:
        model_server.answer = Scripted(refused(openai_error(message)), Reply(GOOD), Reply(GOOD))
        ask(provider), ask(provider)
        first, *later = asked(model_server)
        constant = {name: first[name] for name in ("model", "messages", "response_format")}
        assert later == [{**constant, **changed}] * 2

    def test_several_are_learnt_one_after_another(self, provider: OpenAI, model_server: ModelServer) -> None:
        def strict(request: ModelRequest) -> Reply:
            body = json.loads(request.body)
            if "max_tokens" in body:
                return refused(openai_error("Use 'max_completion_tokens' instead."))
            if "temperature" in body:
                return refused(openai_error("'temperature' is not supported with this model."))
            return refused(openai_error("response_format")) if "response_format" in body else Reply(GOOD)

        model_server.answer = strict
        assert ask(provider).text == GOOD and len(model_server.calls) == 5
        assert ask(provider).text == GOOD and len(model_server.calls) == 6

    @pytest.mark.parametrize(
        "message",
        [
            "'max_tokens' or 'max_completion_tokens' is too large: 700. This model's maximum context length is 512"
            " tokens and your request has 400 input tokens.",
            "Invalid image: cannot identify image file",
            "temperature must be between 0 and 2",
        ],
    )
    def test_another_refusal_is_asked_once(self, provider: OpenAI, model_server: ModelServer, message: str) -> None:
        model_server.answer = lambda request: refused(openai_error(message))
        failed = failure(provider)
        assert (type(failed), failed.code) == (Permanent, "http_400") and len(model_server.calls) == 1

    def test_no_form_is_tried_after_the_time_of_the_call(self, model_server: ModelServer) -> None:
        provider = OpenAI(model_server.openai_url)
        model_server.answer = Scripted(Reply(GOOD), otherwise=lambda request: refused(openai_error("response_format")))
        ask(provider)  # what a first question costs is no part of it
        model_server.latency_s = 0.45
        with pytest.raises(ModelError) as caught:
            provider.ask("other", PROMPT, api_key=KEY, timeout_s=0.6)
        assert caught.value.code in ("http_400", "timeout") and len(model_server.calls) == 3
        provider.close()


@pytest.mark.req("LA-PROV")
class TestTheAnswer:
    @pytest.mark.parametrize(
        "content",
        [
            GOOD,
            [{"type": "text", "text": GOOD}],
            [{"type": "thinking", "thinking": [{"type": "text", "text": "{}"}]}, {"type": "text", "text": GOOD}],
            f"<think>Is it {{M-2}}?</think>\n\n{GOOD}",
            f"Okay, the template began it.\n</think>\n{GOOD}\n",
        ],
        ids=["text", "parts", "parts with thinking", "thinking before it", "its beginning is the template's"],
    )
    def test_is_what_was_said_and_not_what_was_thought(
        self, provider: OpenAI, model_server: ModelServer, content: Any
    ) -> None:
        thought = {"reasoning_content": "It may be M-2.", "reasoning": "It may be M-3."}
        model_server.answer = Scripted(answered(content, message=thought))
        answer = ask(provider)
        assert (answer.text, answer.finish, answer.tokens_in, answer.tokens_out) == (GOOD, "stop", 9, 4)

    def test_keeps_what_only_looks_like_a_thought(self, provider: OpenAI, model_server: ModelServer) -> None:
        text = '{"model": "M</think>-1"}'
        model_server.answer = Scripted(answered(text))
        assert ask(provider).text == text

    @pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None}])
    def test_of_a_server_that_counts_nothing(self, provider: OpenAI, model_server: ModelServer, usage: Any) -> None:
        model_server.answer = Scripted(answered(GOOD, usage=usage))
        answer = ask(provider)
        assert (answer.text, answer.tokens_in, answer.tokens_out, answer.image_tokens) == (GOOD, 0, 0, 0)

    @pytest.mark.parametrize(
        ("reason", "finish"),
        [("stop", "stop"), ("length", "length"), ("abort", "other"), (None, "other")],
    )
    def test_says_how_it_ended(
        self, provider: OpenAI, model_server: ModelServer, reason: str | None, finish: str
    ) -> None:
        model_server.answer = Scripted(answered(GOOD, reason))
        assert ask(provider).finish == finish

    def test_that_was_all_thought_is_cut_off(self, provider: OpenAI, model_server: ModelServer) -> None:
        model_server.answer = Scripted(answered(None, "length", message={"reasoning_content": "Let me see"}))
        answer = ask(provider)
        assert (answer.text, answer.finish) == ("", "length")

    @pytest.mark.parametrize(
        ("reply", "code"),
        [
            (answered(None, "content_filter"), "blocked"),
            (answered(None, message={"refusal": "I can't help with that."}), "blocked"),
            (answered(None, message={"reasoning": "It is M-1."}), "empty"),
            (answered([]), "empty"),
            (answered(None, "tool_calls", message={"tool_calls": []}), "empty"),
        ],
    )
    def test_without_a_text_is_none(self, provider: OpenAI, model_server: ModelServer, reply: Reply, code: str) -> None:
        model_server.answer = Scripted(reply)
        failed = failure(provider)
        assert isinstance(failed, BadOutput) and (failed.code, failed.tokens_in, failed.tokens_out) == (code, 9, 4)

    def test_that_is_a_page_of_html_is_unreadable(self, provider: OpenAI, model_server: ModelServer) -> None:
        """A base URL without its version leads to the pages of some servers, under HTTP 200."""
        model_server.answer = Scripted(Reply(mood=Mood.BAD_GATEWAY, status=200))
        failed = failure(provider)
        assert (type(failed), failed.code) == (BadOutput, "unreadable_body")


@pytest.mark.req("LA-PROV", "LA-RETRY")
class TestFailures:
    @pytest.mark.parametrize(
        ("status", "error", "kind", "code"),
        [
            # OpenRouter: the status it would have had
            (200, {"error": {"code": 502, "message": "Provider returned error"}}, Transient, "http_502"),
            (200, {"error": {"code": 429, "message": "Rate limited upstream"}}, RateLimited, "http_429"),
            (200, {"error": {"code": 402, "message": "Insufficient credits"}}, Unusable, "http_402"),
            (200, {"error": {"message": "it broke"}, "choices": None}, BadOutput, "unreadable_body"),
            (200, {"error": "it broke"}, BadOutput, "unreadable_body"),
            (
                200,
                {
                    "choices": [
                        {
                            "finish_reason": "error",
                            "message": {"content": "{"},
                            "error": {"code": 503, "message": "upstream is gone"},
                        }
                    ]
                },
                Transient,
                "http_503",
            ),
            (402, {"error": {"code": 402, "message": "This request requires more credits"}}, Unusable, "http_402"),
            (
                403,
                {
                    "error": {
                        "code": 403,
                        "message": "Input was flagged",
                        "metadata": {"reasons": ["violence"], "flagged_input": "…"},
                    }
                },
                BadOutput,
                "blocked",
            ),
            (400, {"error": {"code": 400, "message": "qwen/qwen9 is not a valid model ID"}}, Unusable, "account"),
            (
                404,
                {"error": {"code": 404, "message": "No endpoints found that support image input"}},
                Unusable,
                "http_404",
            ),
            # vLLM
            (
                404,
                openai_error("The model `qwen-vl` does not exist.", type="NotFoundError", code=404),
                Unusable,
                "http_404",
            ),
            (401, {"error": "Unauthorized"}, Unusable, "http_401"),
            # Ollama
            (404, openai_error("model 'qwen3-vl' not found", type="not_found_error"), Unusable, "http_404"),
            # llama.cpp
            (
                503,
                {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}},
                Transient,
                "http_503",
            ),
            # Model Studio
            (
                400,
                openai_error(
                    "<400> InternalError.Algo.DataInspectionFailed: Input data may contain inappropriate content.",
                    code="data_inspection_failed",
                    type="data_inspection_failed",
                ),
                BadOutput,
                "blocked",
            ),
            (404, openai_error("The model `qwen-vl-9` does not exist", code="model_not_found"), Unusable, "http_404"),
            # OpenAI
            (
                429,
                openai_error(
                    "You exceeded your current quota, please check your plan and billing details.",
                    code="insufficient_quota",
                    type="insufficient_quota",
                ),
                Unusable,
                "quota",
            ),
            (429, openai_error("Rate limit reached", code="rate_limit_exceeded"), RateLimited, "http_429"),
            (400, openai_error("The requested model 'gpt-4.o' does not exist."), Unusable, "account"),
            (400, openai_error("Filtered.", code="content_filter"), BadOutput, "blocked"),
            (409, openai_error("try again"), Permanent, "http_409"),
        ],
    )
    def test_each_is_one_of_the_ports(
        self, provider: OpenAI, model_server: ModelServer, status: int, error: Any, kind: type[ModelError], code: str
    ) -> None:
        model_server.answer = lambda request: refused(error, status)
        failed = failure(provider)
        assert (type(failed), failed.code) == (kind, code) and len(model_server.calls) == 1

    def test_is_told_in_the_servers_words(self, provider: OpenAI, model_server: ModelServer) -> None:
        """A person who runs the server reads them on the page about models."""
        model_server.answer = Scripted(
            refused(openai_error("The model `m` does not exist.", code=404), 404),
            refused({"error": "no such model"}, 404),
            refused({"error": {"code": 400, "message": "Provider returned error", "metadata": {"raw": "too long"}}}),
            refused({"detail": "Not Found"}, 404),
        )
        assert [failure(provider).detail for _ in range(4)] == [
            "404: The model `m` does not exist.",
            "no such model",
            "400: Provider returned error: too long",
            "Not Found",
        ]

    def test_a_loading_model_is_asked_again_by_the_chain_not_by_the_kit(
        self, provider: OpenAI, model_server: ModelServer
    ) -> None:
        model_server.answer = Scripted(Mood.UNAVAILABLE, Reply(GOOD))
        assert isinstance(failure(provider), Transient)
        assert ask(provider).text == GOOD and len(model_server.calls) == 2


def test_openais_own_models_are_given_the_name_that_they_take() -> None:
    """The newer ones refuse max_tokens; others do not know the newer name, and an answer would have no end (Ollama)."""
    assert OpenAI("https://api.openai.com/v1")._limit() == "max_completion_tokens"
    assert OpenAI("https://eu.api.openai.com/v1")._limit() == "max_completion_tokens"
    assert OpenAI("http://127.0.0.1:11434/v1")._limit() == "max_tokens"
    assert OpenAI("https://notopenai.com/v1")._limit() == "max_tokens"
