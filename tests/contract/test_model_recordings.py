"""What a provider answered is kept without keys, and answers the same question again without it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from processing.llm.providers.gemini import Gemini
from processing.llm.providers.openai import OpenAI
from processing.llm.providers.port import Prompt, Provider, RateLimited
from processing.llm.providers.qwen import Qwen
from tests.support.model_server import ModelServer, Mood, Recorded, Reply
from tests.support.model_server.recording import Recording

KEY = "sk-secret-1234567890"
PROMPT = Prompt("Be exact.", "What is on page 3?", (), {"title": "Answer", "type": "object", "properties": {}})
TEXT = '{"model": "AX-1", "telephone": "13812345678"}'

Make = Callable[[ModelServer], Provider]


@pytest.mark.req("LA-PROV")
@pytest.mark.parametrize(
    "make", [lambda s: Gemini(s.gemini_url), lambda s: Qwen(s.qwen_url), lambda s: OpenAI(s.openai_url)]
)
def test_a_recorded_answer_is_given_again_without_the_provider(make: Make, tmp_path: Path) -> None:
    good = Reply(TEXT, tokens_in=120, tokens_out=30, image_tokens=7)
    with ModelServer(lambda request: good) as upstream, ModelServer(Recording(tmp_path, upstream.urls)) as between:
        provider = make(between)
        first = provider.ask("m-1", PROMPT, api_key=KEY, timeout_s=5)
        upstream.answer = lambda request: Reply(mood=Mood.RATE_LIMITED)
        with pytest.raises(RateLimited):
            provider.ask("m-2", PROMPT, api_key=KEY, timeout_s=5)
        provider.close()
    assert first.text == TEXT and first.tokens_in == 120
    (file,) = tmp_path.iterdir()
    kept = file.read_text()
    assert KEY not in kept and "page 3" not in kept and "13812345678" not in kept
    with ModelServer(Recorded(tmp_path)) as alone:
        provider = make(alone)
        again = provider.ask("m-1", PROMPT, api_key="another", timeout_s=5)
        provider.close()
    assert again.text == TEXT.replace("13812345678", "[phone]")
    assert (again.tokens_in, again.tokens_out, again.image_tokens) == (120, 30, 7)
