"""What every model provider must do, whatever SDK stands behind it: the same question, the same answer, four errors."""

import base64
import contextlib
import json
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from catalogsku.core import addresses
from processing.llm.providers.gemini import Gemini
from processing.llm.providers.openai import OpenAI
from processing.llm.providers.port import (
    BadOutput,
    Image,
    ModelError,
    Permanent,
    Prompt,
    Provider,
    RateLimited,
    RawAnswer,
    Transient,
    Unusable,
)
from processing.llm.providers.qwen import Qwen
from tests.support.model_server import ModelRequest, ModelServer, Mood, Reply, Scripted
from tests.support.promises import within

KEY = "sk-secret-1234567890"
TIMEOUT_S = 5.0
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
SCHEMA = {
    "title": "extract",
    "type": "object",
    "properties": {"model": {"type": ["string", "null"]}, "skus": {"type": "array", "items": {"$ref": "#/$defs/sku"}}},
    "$defs": {"sku": {"type": "object", "additionalProperties": False, "properties": {"价格": {"type": "string"}}}},
    "required": ["model"],
}
PROMPT = Prompt(
    system="Be exact. The JSON Schema is below.",
    user="What is on page 3?",
    images=(Image("image/png", PICTURE, "screenshot"), Image("image/jpeg", b"\xff\xd8\xff", "p3_i2")),
    schema=SCHEMA,
)
GOOD = '{"model": "M-1", "skus": []}'

Make = Callable[[ModelServer], Provider]
MAKERS: dict[str, Make] = {
    "gemini": lambda server: Gemini(server.gemini_url),
    "qwen": lambda server: Qwen(server.qwen_url),
    "openai": lambda server: OpenAI(server.openai_url),
}
VENDORS = [
    (Gemini, "generativelanguage.googleapis.com"),
    (Qwen, "dashscope.aliyuncs.com"),
    (OpenAI, "api.openai.com"),
]


class Door:
    """A port of this machine that hears who comes and says nothing; ``asked``: the names that were looked up."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port, self.asked, self.heard = self._socket.getsockname()[1], list[str](), b""
        self._thread = threading.Thread(target=self._open, daemon=True)
        self._thread.start()

    def _open(self) -> None:
        with contextlib.suppress(OSError):
            connection, _ = self._socket.accept()
            self.heard = connection.recv(4096)
            connection.close()

    @property
    def was_opened(self) -> bool:
        return not self._thread.is_alive()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def is_what_names_stand_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def getaddrinfo(host: Any, port: int, *_: Any, **__: Any) -> Any:
            if host != "127.0.0.1":
                self.asked.append(host.decode() if isinstance(host, bytes) else host)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


@pytest.fixture
def door() -> Iterator[Door]:
    made = Door()
    yield made
    made.close()


@pytest.fixture(params=sorted(MAKERS))
def provider(request: pytest.FixtureRequest, model_server: ModelServer) -> Any:
    made = MAKERS[request.param](model_server)
    yield made
    made.close()


def ask(provider: Provider, prompt: Prompt = PROMPT, timeout_s: float = TIMEOUT_S, api_key: str = KEY) -> RawAnswer:
    return provider.ask("model-x", prompt, api_key=api_key, timeout_s=timeout_s)


def failure(provider: Provider, **how: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        ask(provider, **how)
    return caught.value


@pytest.mark.req("LA-PROV")
class TestTheQuestion:
    def test_arrives_whole_and_in_order(self, provider: Provider, model_server: ModelServer) -> None:
        model_server.answer = Scripted(Reply(GOOD))
        ask(provider)
        (call,) = model_server.calls
        asked = call.request
        assert (asked.provider, asked.model, asked.api_key) == (provider.name, "model-x", KEY)
        assert asked.system.startswith(PROMPT.system)
        assert [text.strip() for text in asked.texts] == ["Image screenshot:", "Image p3_i2:", PROMPT.user]
        assert asked.images == tuple((image.mime, image.data) for image in PROMPT.images)
        assert asked.schema == SCHEMA and asked.temperature == 0.0
        assert model_server.strays == []

    def test_has_what_is_the_same_for_every_page_before_what_is_not(
        self, provider: Provider, model_server: ModelServer
    ) -> None:
        """A provider charges less for a beginning that it has read before."""
        model_server.answer = lambda request: Reply(GOOD)
        bodies = []
        for page, shown in (("page 3", b"\x89PNG three"), ("page 4", b"\x89PNG four")):
            images = (Image("image/png", shown, "screenshot"),)
            ask(provider, msgspec.structs.replace(PROMPT, task="Find the products.", user=page, images=images))
            asked = model_server.calls[-1].request
            assert [text.strip() for text in asked.texts] == ["Find the products.", "Image screenshot:", page]
            bodies.append(asked.body.partition(b'"contents"')[2] if provider.name == "gemini" else asked.body)
        same = os.path.commonprefix(bodies)
        assert b"Find the products." in same and b"screenshot" in same
        assert provider.name == "gemini" or b"Be exact." in same

    def test_without_pictures_is_one_text(self, model_server: ModelServer) -> None:
        model_server.answer = lambda request: Reply(GOOD)
        ask(MAKERS["openai"](model_server), msgspec.structs.replace(PROMPT, task="Find.", user="page 3", images=()))
        assert model_server.calls[-1].request.texts == ("Find.\n\npage 3",)

    def test_needs_no_pictures(self, provider: Provider, model_server: ModelServer) -> None:
        model_server.answer = Scripted(Reply(GOOD))
        ask(provider, Prompt("s", "u", (), SCHEMA))
        assert model_server.calls[0].images == 0

    @pytest.mark.parametrize("scheme", ["{}", "file://{}", "file://{}.missing", "oss://bucket/{}", "~", "https://{}"])
    def test_a_text_that_names_a_file_is_a_text(
        self, provider: Provider, model_server: ModelServer, tmp_path: Any, scheme: str
    ) -> None:
        """A document's text must not make a file of ours be read and sent (dashscope uploads what looks like one)."""
        (tmp_path / "secret").write_text("not for vendors")
        model_server.answer = Scripted(Reply(GOOD))
        user = scheme.format(tmp_path / "secret")
        ask(provider, Prompt(user, user, (Image("image/png", PICTURE, user),), SCHEMA))
        (call,) = model_server.calls
        assert call.request.texts[-1].strip() == user and b"not for vendors" not in call.request.body
        assert "x-dashscope-ossresourceresolve" not in call.request.headers
        assert model_server.strays == []

    @pytest.mark.req("LA-KEYROT")
    def test_keys_change_from_question_to_question_and_between_threads(
        self, provider: Provider, model_server: ModelServer
    ) -> None:
        model_server.answer = lambda request: Reply(f'{{"key": "{request.api_key}"}}')
        model_server.latency_s = 0.05
        said: dict[str, str] = {}

        def several(key: str) -> None:
            for n in range(3):
                said[f"{key}-{n}"] = ask(provider, api_key=f"{key}-{n}", timeout_s=60).text

        threads = [threading.Thread(target=several, args=(f"key{n}",)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert said == {f"key{n}-{m}": f'{{"key": "key{n}-{m}"}}' for n in range(8) for m in range(3)}

    def test_environment_variables_of_the_sdk_change_nothing(
        self, provider: Provider, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY", "DASHSCOPE_API_KEY", "OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
            monkeypatch.setenv(name, "another-key")
        for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_WEBHOOK_SECRET"):
            monkeypatch.setenv(name, "another-account")
        for name in (
            *("GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "DASHSCOPE_HTTP_BASE_URL", "OPENAI_BASE_URL"),
            "AZURE_OPENAI_ENDPOINT",
        ):
            monkeypatch.setenv(name, "http://127.0.0.1:9")
        monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
        monkeypatch.setenv("OPENAI_API_TYPE", "azure")
        monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer another-key\nX-Another: another-account")
        model_server.answer = Scripted(Reply(GOOD))
        ask(provider)
        (call,) = model_server.calls
        assert call.request.api_key == KEY
        assert "another" not in " ".join((*call.request.headers, *call.request.headers.values()))


# What a row says, and how each format puts it.
GEMINI_LEVELS = {level: {"thinkingLevel": level.upper()} for level in ("minimal", "low", "medium", "high")}
QWEN_THOUGHTS = {"minimal": 125, "low": 250, "medium": 500, "high": 750}


@pytest.mark.req("LA-PROV")
class TestWhatIsAskedWith:
    def asked(self, model_server: ModelServer, provider: Provider, model: str = "model-x", **said: Any) -> ModelRequest:
        model_server.answer = lambda request: Reply(GOOD)
        provider.ask(model, msgspec.structs.replace(PROMPT, **said), api_key=KEY, timeout_s=TIMEOUT_S)
        return model_server.calls[-1].request

    def test_what_is_unset_is_not_sent(self, provider: Provider, model_server: ModelServer) -> None:
        asked = self.asked(model_server, provider, temperature=None)
        assert (asked.thinking, asked.media_resolution, asked.temperature) == ({}, None, None)
        assert asked.max_tokens == PROMPT.max_tokens

    def test_temperature_and_length_are_sent(self, provider: Provider, model_server: ModelServer) -> None:
        asked = self.asked(model_server, provider, temperature=0.7, max_tokens=77)
        assert (asked.temperature, asked.max_tokens) == (0.7, 77)

    @pytest.mark.parametrize("level", ["low", "medium", "high"])
    def test_gemini_is_told_how_closely_to_look(self, model_server: ModelServer, level: str) -> None:
        asked = self.asked(model_server, MAKERS["gemini"](model_server), media_resolution=level)
        assert asked.media_resolution == f"MEDIA_RESOLUTION_{level.upper()}"

    @pytest.mark.parametrize("level", GEMINI_LEVELS)
    def test_gemini_is_told_how_much_to_think(self, model_server: ModelServer, level: str) -> None:
        asked = self.asked(model_server, MAKERS["gemini"](model_server), thinking=level, max_tokens=1000)
        assert (asked.thinking, asked.max_tokens) == (GEMINI_LEVELS[level], 1000)

    def test_gemini_is_told_not_to_think(self, model_server: ModelServer) -> None:
        assert self.asked(model_server, MAKERS["gemini"](model_server), thinking="off").thinking == {
            "thinkingBudget": 0
        }

    @pytest.mark.parametrize("level", ["low", "medium", "high"])
    def test_qwen_is_told_how_closely_to_look(self, model_server: ModelServer, level: str) -> None:
        asked = self.asked(model_server, MAKERS["qwen"](model_server), media_resolution=level)
        assert asked.media_resolution is (level == "high")

    @pytest.mark.parametrize("level", QWEN_THOUGHTS)
    def test_qwen_thinks_within_the_same_length_and_without_a_format(
        self, model_server: ModelServer, level: str
    ) -> None:
        asked = self.asked(model_server, MAKERS["qwen"](model_server), thinking=level, max_tokens=1000)
        thoughts = QWEN_THOUGHTS[level]
        assert asked.thinking == {"enable_thinking": True, "thinking_budget": thoughts}
        assert asked.max_tokens == 1000 - thoughts
        assert b"response_format" not in asked.body

    @pytest.mark.parametrize(
        ("model", "thinking", "said"),
        [
            ("qwen-vl-x", "", {}),  # does not know the parameter
            ("qwen-vl-x", "off", {"enable_thinking": False}),
            ("qwen3.7-plus", "", {"enable_thinking": False}),  # would think, and then refuse the format
            ("qwen3.7-plus", "off", {"enable_thinking": False}),
        ],
    )
    def test_qwen_answers_in_json_without_thinking(
        self, model_server: ModelServer, model: str, thinking: str, said: dict[str, Any]
    ) -> None:
        asked = self.asked(model_server, MAKERS["qwen"](model_server), model, thinking=thinking)
        assert (asked.thinking, asked.max_tokens) == (said, PROMPT.max_tokens)
        assert b'"response_format": {"type": "json_object"}' in asked.body


@pytest.mark.req("LA-PROV")
class TestTheAnswer:
    def test_says_what_it_cost(self, provider: Provider, model_server: ModelServer) -> None:
        model_server.latency_s = 0.2
        model_server.answer = Scripted(Reply(GOOD, tokens_in=900, tokens_out=40, thinking_tokens=70, image_tokens=258))
        answer = ask(provider)
        assert (answer.text, answer.finish, answer.model) == (GOOD, "stop", "model-x")
        assert (answer.tokens_in, answer.tokens_out, answer.image_tokens) == (900, 110, 258)
        assert 200 <= answer.latency_ms < 5000
        assert answer.tokens_cached == 0

    def test_says_how_much_of_the_question_was_cached(self, provider: Provider, model_server: ModelServer) -> None:
        counted: dict[str, Any] = {"tokens_in": 900, "cached_tokens": 640}
        model_server.answer = Scripted(Reply(GOOD, **counted), Reply("", mood=Mood.EMPTY, **counted))
        answer = ask(provider)
        assert (answer.tokens_in, answer.tokens_cached) == (900, 640)
        failed = failure(provider)
        assert isinstance(failed, BadOutput) and (failed.tokens_in, failed.tokens_cached) == (900, 640)

    def test_qwen_may_say_it_beside_the_details(self, model_server: ModelServer) -> None:
        usage = {"input_tokens": 900, "output_tokens": 20, "cached_tokens": 640}
        choice = {"finish_reason": "stop", "message": {"role": "assistant", "content": [{"text": GOOD}]}}
        body = json.dumps({"output": {"choices": [choice]}, "usage": usage}).encode()
        model_server.answer = Scripted(Reply(body=body))
        assert ask(MAKERS["qwen"](model_server)).tokens_cached == 640

    @pytest.mark.parametrize("mood", [Mood.FENCED, Mood.PROSE, Mood.GARBAGE, Mood.WRONG_SCHEMA, Mood.NAN, Mood.DOUBLED])
    def test_bad_text_is_the_parsers_matter(self, provider: Provider, model_server: ModelServer, mood: Mood) -> None:
        model_server.answer = Scripted(Reply(GOOD, mood=mood))
        answer = ask(provider)
        assert answer.finish == "stop" and answer.text not in ("", GOOD)

    def test_a_cut_off_text_says_so(self, provider: Provider, model_server: ModelServer) -> None:
        model_server.answer = Scripted(Reply(GOOD, mood=Mood.TRUNCATED), Reply("", finish="length"))
        answer = ask(provider)
        assert answer.finish == "length" and GOOD.startswith(answer.text) and answer.text
        assert ask(provider).finish == "length", "thinking used up what it may say"

    def test_an_unknown_end_is_another(self, provider: Provider, model_server: ModelServer) -> None:
        model_server.answer = Scripted(Reply(GOOD, finish="other"))
        assert ask(provider).finish == "other"


# mood and HTTP status, the error and its code; ``failures`` has the same table.
FAILURES: list[tuple[Mood, int | None, type[ModelError], str]] = [
    (Mood.SERVER_ERROR, None, Transient, "http_500"),
    (Mood.SERVER_ERROR, 504, Transient, "http_504"),
    (Mood.SERVER_ERROR, 599, Transient, "http_599"),
    (Mood.UNAVAILABLE, None, Transient, "http_503"),
    (Mood.BAD_GATEWAY, None, Transient, "http_502"),
    (Mood.BAD_REQUEST, 408, Transient, "http_408"),
    (Mood.CUT, None, Transient, "connection_lost"),
    (Mood.DROPPED, None, Transient, "connection_lost"),
    (Mood.RATE_LIMITED, None, RateLimited, "http_429"),
    (Mood.QUOTA_SPENT, None, Unusable, "quota"),
    (Mood.BAD_REQUEST, None, Permanent, "http_400"),
    (Mood.UNAUTHORISED, 401, Unusable, "http_401"),
    (Mood.UNAUTHORISED, 403, Unusable, "http_403"),
    (Mood.BAD_REQUEST, 404, Unusable, "http_404"),
    (Mood.RETIRED, None, Unusable, "http_404"),
    (Mood.ARREARS, None, Unusable, "account"),
    (Mood.BAD_GATEWAY, 302, Permanent, "http_302"),
    (Mood.BLOCKED, None, BadOutput, "blocked"),
    (Mood.EMPTY, None, BadOutput, "empty"),
    (Mood.BAD_JSON_BODY, None, BadOutput, "unreadable_body"),
]


@pytest.mark.req("LA-PROV", "LA-RETRY")
class TestFailures:
    @pytest.mark.parametrize(("mood", "status", "error", "code"), FAILURES)
    def test_each_is_one_of_four_and_asked_once(
        self,
        provider: Provider,
        model_server: ModelServer,
        mood: Mood,
        status: int | None,
        error: type[ModelError],
        code: str,
    ) -> None:
        model_server.answer = lambda request: Reply(GOOD, mood=mood, status=status)
        failed = failure(provider)
        assert (type(failed), failed.code) == (error, code)
        assert len(model_server.calls) == 1, "the SDK asked again by itself"
        assert model_server.strays == [], "a redirect was followed, and the key went along"
        assert len(failed.detail) <= 300

    @pytest.mark.parametrize("named_s", [23.0, 0.5, None])
    def test_the_delay_is_the_answers(
        self, provider: Provider, model_server: ModelServer, named_s: float | None
    ) -> None:
        model_server.answer = Scripted(Reply(mood=Mood.RATE_LIMITED, retry_after_s=named_s))
        failed = failure(provider)
        assert isinstance(failed, RateLimited) and failed.retry_after_s == named_s

    @pytest.mark.parametrize("mood", [Mood.TIMEOUT, Mood.SLOW])
    def test_no_answer_in_time(self, provider: Provider, model_server: ModelServer, mood: Mood) -> None:
        """Also of a body that keeps coming in drops: the time bounds the whole answer."""
        model_server.answer, model_server.slow_s = Scripted(Reply(GOOD), Reply(GOOD, mood=mood)), 30.0
        ask(provider)  # what a first question costs is no part of it
        begun_s = time.monotonic()
        failed = failure(provider, timeout_s=0.6)
        assert (type(failed), failed.code) == (Transient, "timeout")
        assert 0.6 <= time.monotonic() - begun_s < within(3)
        assert len(model_server.calls) == 2

    def test_a_slow_answer_in_time_is_an_answer(self, provider: Provider, model_server: ModelServer) -> None:
        model_server.answer, model_server.slow_s = Scripted(Reply(GOOD, mood=Mood.SLOW)), 0.3
        assert ask(provider).text == GOOD

    def test_nobody_there(self, provider: Provider, model_server: ModelServer) -> None:
        model_server.stop()
        failed = failure(provider)
        assert (type(failed), failed.code) == (Transient, "connection")

    def test_connections_closed_while_idle_are_not_used_again(
        self, provider: Provider, model_server: ModelServer
    ) -> None:
        model_server.answer = lambda request: Reply(GOOD)
        for _ in range(3):
            assert ask(provider).text == GOOD
            model_server.hang_up()
            time.sleep(0.05)
        assert len(model_server.calls) == 3

    @pytest.mark.parametrize("key", ["a\nb", "a b", "密钥"])
    def test_a_key_that_cannot_be_sent(self, provider: Provider, model_server: ModelServer, key: str) -> None:
        failed = failure(provider, api_key=key)
        assert (type(failed), failed.code) == (Unusable, "bad_key")
        assert model_server.calls == [] and key not in str(failed)

    @pytest.mark.parametrize(("make", "host"), VENDORS)
    def test_a_vendor_is_not_asked_without_a_key(self, make: Any, host: str) -> None:
        provider = make(f"https://{host}")
        failed = failure(provider, api_key="")
        assert (type(failed), failed.code) == (Unusable, "no_key") and provider.needs_key

    @pytest.mark.parametrize("make", [Gemini, Qwen, OpenAI])
    @pytest.mark.parametrize("url", ["nowhere", "ftp://127.0.0.1/"])
    def test_an_address_that_is_none(self, make: Any, url: str) -> None:
        failed = failure(make(url))
        assert (type(failed), failed.code) == (Unusable, "bad_url")

    @pytest.mark.parametrize(("make", "host"), VENDORS)
    def test_the_vendors_own_name_is_not_dialled_where_it_leads_inside(
        self, make: Any, host: str, door: Door, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whoever answers our resolver would get the key, or have a server of ours asked."""
        door.is_what_names_stand_for(monkeypatch)
        failed = failure(make(f"https://{host}:{door.port}"))
        assert (type(failed), failed.code) == (Transient, "connection")
        assert door.asked == [host] and not door.was_opened

    @pytest.mark.parametrize(("make", "host"), VENDORS)
    def test_the_judged_address_is_dialled_under_the_vendors_name(
        self, make: Any, host: str, door: Door, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        door.is_what_names_stand_for(monkeypatch)
        monkeypatch.setattr(addresses, "is_public", lambda address: address == "127.0.0.1")
        failure(make(f"https://{host}:{door.port}"))
        assert door.asked == [host] and host.encode() in door.heard, "the greeting of TLS names the vendor"

    @pytest.mark.parametrize(("make", "host"), VENDORS)
    def test_a_key_goes_to_the_vendor_over_tls_alone(self, make: Any, host: str) -> None:
        failed = failure(make(f"http://{host}"))
        assert (type(failed), failed.code) == (Unusable, "bad_url")

    @pytest.mark.parametrize(("status", "error"), [(200, BadOutput), (503, Transient), (400, Permanent)])
    def test_a_body_of_another_form(
        self, provider: Provider, model_server: ModelServer, status: int, error: type[ModelError]
    ) -> None:
        """Whatever a proxy on the way says in the API's name: a failing status counts more than the body."""
        for body in (b"[]", b"null", b'"text"', b'{"output": null}', b'{"candidates": 3}', b"{}", b"", b"\xff\xfe"):
            model_server.answer = Scripted(Reply(status=status, body=body))
            assert type(failure(provider)) is error, body

    def test_what_was_billed_for_nothing_is_known(self, provider: Provider, model_server: ModelServer) -> None:
        model_server.answer = Scripted(Reply(mood=Mood.EMPTY, tokens_in=900, tokens_out=3))
        failed = failure(provider)
        assert isinstance(failed, BadOutput) and (failed.tokens_in, failed.tokens_out) == (900, 3)


class TestWhatIsKept:
    def test_one_connection_serves_many_questions(self, provider: Provider, model_server: ModelServer) -> None:
        opened: list[Any] = []
        listener, accept = model_server._http, model_server._http.get_request

        def counted() -> Any:
            opened.append(None)
            return accept()

        listener.get_request = counted  # type: ignore[method-assign]
        model_server.answer = lambda request: Reply(GOOD)
        for n in range(5):
            ask(provider, api_key=f"key-{n}")
        assert len(opened) == 1

    def test_closing_closes_and_the_next_question_opens_again(
        self, provider: Provider, model_server: ModelServer
    ) -> None:
        model_server.answer = lambda request: Reply(GOOD)
        ask(provider)
        assert len(model_server._http._open) == 1
        provider.close()
        until_s = time.monotonic() + 5
        while model_server._http._open and time.monotonic() < until_s:
            time.sleep(0.01)
        assert not model_server._http._open
        assert ask(provider).text == GOOD
        provider.close()
        provider.close()

    def test_logs_and_errors_hold_no_key_and_no_picture(
        self, provider: Provider, model_server: ModelServer, caplog: pytest.LogCaptureFixture
    ) -> None:
        model_server.slow_s, model_server.patience_s = 0.1, 0.3
        told = []
        with caplog.at_level(logging.DEBUG):
            for mood in Mood:
                model_server.answer = Scripted(Reply(GOOD, mood=mood))
                try:
                    ask(provider, timeout_s=1.0)
                except ModelError as error:
                    told.append(f"{error!r} {error} {error.__cause__!r}")
                    logging.getLogger("caller").exception("it failed")
        assert len(told) >= len(FAILURES) - 6 and caplog.records
        everything = caplog.text + "".join(told)
        for secret in (KEY, base64.b64encode(PICTURE).decode()[:40], repr(PICTURE)[2:60]):
            assert secret not in everything

    def test_a_vendor_that_repeats_the_key_is_not_quoted(
        self, provider: Provider, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from tests.support.model_server import gemini_wire, openai_wire, qwen_wire

        for wire in (gemini_wire, qwen_wire, openai_wire):
            status, code, _ = wire.ERRORS[Mood.UNAUTHORISED]
            monkeypatch.setitem(wire.ERRORS, Mood.UNAUTHORISED, (status, code, f"Incorrect API key provided: {KEY}"))
        model_server.answer = Scripted(Mood.UNAUTHORISED)
        failed = failure(provider)
        assert "Incorrect API key provided: ***" in failed.detail and KEY not in repr(failed)

    def test_a_picture_shows_its_size_only(self) -> None:
        assert repr(PROMPT.images[1]) == "Image(p3_i2, image/jpeg, 3 bytes)"
        assert "xff" not in repr(PROMPT)


def test_no_sdk_is_imported_before_the_first_question() -> None:
    """They take 1 to 3 CPU seconds and 50 to 75 MB each; most processes never ask."""
    code = (
        "import sys; from processing.llm.providers import gemini, openai, qwen;"
        "gemini.Gemini('http://x'); qwen.Qwen('http://x'); openai.OpenAI('http://x');"
        "vendors = {'google.genai', 'dashscope', 'openai', 'httpx2', 'httpx', 'requests', 'pydantic'};"
        "print(sorted(vendors & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
