"""Every refusal that the providers document (tests/support/refusals), over their own kits and real HTTP, is what the
house makes of it: asked once, known by its code, and told without the key or a word of what was asked."""

import json
import logging
import socket
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from processing.llm.providers import gemini, openai
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
    Transient,
    Unusable,
)
from processing.llm.providers.qwen import Qwen
from tests.support.model_server import ModelServer, Reply
from tests.support.refusals import BUSY, QUESTION, REFUSALS, TRANSIENT, UNUSABLE, Refusal
from tests.support.refusals.openai import MODEL_STUDIO

KEY = "sk-secret-1234567890"
# A page that speaks as a provider would, so that an echo of it could be taken for one.
PAGE = "Model Y-12 has been discontinued. 欠费停用。 Ask us about billing of our API key safes, with prices."
PROMPT = Prompt(
    system="Be exact.", user=PAGE, images=(Image("image/png", b"\x89PNG\r\n\x1a\n", "page"),), schema={"type": "object"}
)
MADE: dict[str, tuple[type[ModelError], ...]] = {
    UNUSABLE: (Unusable,), BUSY: (RateLimited,), QUESTION: (Permanent, BadOutput), TRANSIENT: (Transient,),
}  # fmt: skip
IN_WORDS = [row for row in REFUSALS if row.status != 200]
rows = pytest.mark.parametrize("row", REFUSALS, ids=lambda row: row.name)


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer(lambda request: Reply()) as made:
        yield made


@pytest.fixture(scope="module")
def providers(server: ModelServer) -> Iterator[dict[str, Provider]]:
    """By provider, and by the host that the address names."""
    made: dict[str, Provider] = {
        "gemini": Gemini(server.gemini_url), "qwen": Qwen(server.qwen_url), "openai": OpenAI(server.openai_url),
        MODEL_STUDIO: OpenAI(server.openai_url.replace("127.0.0.1", MODEL_STUDIO)),
    }  # fmt: skip
    yield made
    for provider in made.values():
        provider.close()


@pytest.fixture
def names_stand_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def getaddrinfo(host: Any, port: int, *_: Any, **__: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


def refused(server: ModelServer, providers: dict[str, Provider], row: Refusal) -> ModelError:
    server.answer = lambda request: row.reply()
    before = len(server.calls)
    with pytest.raises(ModelError) as caught:
        providers[row.host or row.provider].ask("model-x", PROMPT, api_key=KEY, timeout_s=10)
    assert len(server.calls) == before + 1, "nothing asks again by itself"
    return caught.value


@pytest.mark.req("LA-PROV", "LA-RETRY")
@pytest.mark.usefixtures("names_stand_for_this_machine")
class TestEveryDocumentedRefusal:
    @rows
    def test_is_what_the_house_makes_of_it(
        self, server: ModelServer, providers: dict[str, Provider], row: Refusal
    ) -> None:
        failed = refused(server, providers, row)
        assert (type(failed) in MADE[row.made], failed.code) == (True, row.house_code), f"{type(failed)}: {failed}"
        assert len(failed.detail) <= 300
        if isinstance(failed, RateLimited):
            told = row.retry_after_s or next(iter(delays(row)), None)
            assert failed.retry_after_s == told

    @pytest.mark.parametrize("row", IN_WORDS, ids=lambda row: row.name)
    def test_tells_neither_key_nor_page(
        self, server: ModelServer, providers: dict[str, Provider], row: Refusal, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Nor is what it repeats of the page taken for its own words: it is the same refusal still."""
        message = json.dumps(row.message, ensure_ascii=False)[1:-1]
        body = json.dumps(row.body, ensure_ascii=False)
        echoing = body.replace(message, f"{message} You sent: {PAGE} with {KEY}")
        with caplog.at_level(logging.DEBUG):
            failed = refused(server, providers, replace(row, body=json.loads(echoing)))
        everything = caplog.text + f"{failed!r} {failed.__cause__!r}"
        assert not [secret for secret in (KEY, "discontinued", "欠费停用", "API key safes") if secret in everything]
        assert (type(failed) in MADE[row.made], failed.code) == (True, row.house_code), f"{type(failed)}: {failed}"

    @rows
    def test_is_what_the_kit_makes_of_it(
        self, server: ModelServer, providers: dict[str, Provider], row: Refusal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        raised: list[str] = []
        for module, name in ((gemini, "_failure"), (openai, "failure_in")):
            real = getattr(module, name)

            def noted(error: Exception, *given: Any, real: Any = real) -> Any:
                raised.append(type(error).__name__)
                return real(error, *given)

            monkeypatch.setattr(module, name, noted)
        refused(server, providers, row)
        assert raised == ([row.raised] if row.raised else [])


def delays(row: Refusal) -> Iterator[float]:
    """What google.rpc.RetryInfo names."""
    error = row.body.get("error", {})
    for detail in error.get("details", ()):
        if "retryDelay" in detail:
            yield float(detail["retryDelay"].removesuffix("s"))


def test_each_row_is_another() -> None:
    told = [(row.provider, row.host, row.status, row.code, json.dumps(row.body)) for row in REFUSALS]
    assert len(set(told)) == len(told) > 150
    assert {(row.provider, row.made) for row in REFUSALS} == {
        (provider, made) for provider in ("gemini", "qwen", "openai") for made in MADE
    }


def test_each_end_that_the_kit_knows_has_a_row() -> None:
    from google.genai import types

    told = {row.code for row in REFUSALS if row.provider == "gemini" and row.status == 200}
    ends = {str(end.value) for end in (*types.FinishReason, *types.BlockedReason)}
    assert ends - told == {"STOP", "MAX_TOKENS", "BLOCKED_REASON_UNSPECIFIED"}
