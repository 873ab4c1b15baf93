"""Recordings for people with keys: a server between the product and a provider that keeps what was answered.

    python -m tests.support.model_server FOLDER

prints the addresses to set as GEMINI_BASE_URL, DASHSCOPE_BASE_URL and OPENAI_BASE_URL. Each good answer becomes one
file, named by the request, without keys, headers or the question, its text redacted; ``Recorded`` answers from the
folder.
"""

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from catalogsku.core.redact import redact
from tests.support.model_server.answerers import Recorded
from tests.support.model_server.exchange import Finish, ModelRequest, Reply

UPSTREAM = {
    "gemini": "https://generativelanguage.googleapis.com",
    "qwen": "https://dashscope.aliyuncs.com/api/v1",
    "openai": "https://api.openai.com/v1",
}
TIMEOUT_S = 300
_SENT_ON = ("content-type", "authorization", "x-goog-api-key")
_FINISH: dict[str, Finish] = {"STOP": "stop", "stop": "stop", "MAX_TOKENS": "length", "length": "length"}


class Recording:
    """The answerer: asks ``upstream`` and writes down what it says; what is refused is passed on and not kept."""

    def __init__(self, folder: Path, upstream: Mapping[str, str] = UPSTREAM) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._recorded, self._upstream = Recorded(folder), upstream

    def __call__(self, request: ModelRequest) -> Reply:
        status, body = self._forwarded(request)
        if status == 200 and (reply := _reply_of(request.provider, json.loads(body))) is not None:
            self._recorded.record(request, reply)
        return Reply(body=body, status=status)

    def _forwarded(self, request: ModelRequest) -> tuple[int, bytes]:
        path = _PATHS[request.provider].format(model=request.model)
        headers = {name: value for name, value in request.headers.items() if name in _SENT_ON}
        sent = urllib.request.Request(self._upstream[request.provider] + path, request.body, headers)
        try:
            with urllib.request.urlopen(sent, timeout=TIMEOUT_S) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read()


_PATHS = {
    "gemini": "/v1beta/models/{model}:generateContent",
    "qwen": "/services/aigc/multimodal-generation/generation",
    "openai": "/chat/completions",
}


def _reply_of(provider: str, body: Any) -> Reply | None:
    """None for an answer without text (a filter), which is not worth keeping."""
    try:
        return _READ[provider](body)
    except (KeyError, IndexError, TypeError):
        return None


def _of_gemini(body: Any) -> Reply:
    candidate, usage = body["candidates"][0], body["usageMetadata"]
    text = "".join(part["text"] for part in candidate["content"]["parts"] if not part.get("thought"))
    images = (d["tokenCount"] for d in usage.get("promptTokensDetails", ()) if d.get("modality") == "IMAGE")
    return Reply(
        redact(text),
        finish=_FINISH.get(candidate["finishReason"], "other"),
        tokens_in=usage["promptTokenCount"],
        tokens_out=usage["candidatesTokenCount"],
        thinking_tokens=usage.get("thoughtsTokenCount", 0),
        image_tokens=sum(images),
    )


def _of_qwen(body: Any) -> Reply:
    choice, usage = body["output"]["choices"][0], body["usage"]
    return Reply(
        redact(choice["message"]["content"][0]["text"]),
        finish=_FINISH.get(choice["finish_reason"], "other"),
        tokens_in=usage["input_tokens"],
        tokens_out=usage["output_tokens"],
        image_tokens=usage.get("image_tokens", 0),
    )


def _of_openai(body: Any) -> Reply:
    choice, usage = body["choices"][0], body["usage"]
    images = (usage.get("prompt_tokens_details") or {}).get("image_tokens") or 0
    return Reply(
        redact(choice["message"]["content"]),
        finish=_FINISH.get(choice["finish_reason"], "other"),
        tokens_in=usage["prompt_tokens"],
        tokens_out=usage["completion_tokens"],
        image_tokens=images,
    )


_READ = {"gemini": _of_gemini, "qwen": _of_qwen, "openai": _of_openai}
