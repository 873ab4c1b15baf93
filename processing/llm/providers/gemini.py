"""Gemini through google-genai, in the Developer API; failures as in processing.llm.providers.failures.

The SDK takes 3 CPU seconds and 75 MB to import (3.3.0), so that happens with the first question.
"""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from processing.llm.providers import failures
from processing.llm.providers.failures import is_of_vendor
from processing.llm.providers.gemini_batches import GeminiBatches
from processing.llm.providers.port import BadOutput, Finish, Image, ModelError, Prompt, RawAnswer

if TYPE_CHECKING:
    from google.genai import Client, errors, types

    from processing.llm.providers.httpx2_wire import BoundedClient

VENDOR = "googleapis.com"
# https://ai.google.dev/api/generate-content#FinishReason
KEPT_BACK = (
    "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION", "MODEL_ARMOR",
)  # fmt: skip
FINISH: dict[str, Finish] = {"STOP": "stop", "MAX_TOKENS": "length", **dict.fromkeys(KEPT_BACK, "blocked")}


class Gemini:
    name = "gemini"
    needs_key = True

    def __init__(self, base_url: str) -> None:
        """``base_url`` without the version, "https://generativelanguage.googleapis.com"."""
        self._base_url, self._private = base_url, not is_of_vendor(base_url, VENDOR)
        self._lock = threading.Lock()
        self._kept: tuple[Client, BoundedClient] | None = None
        self.batches = GeminiBatches(self)

    def ask(self, model: str, prompt: Prompt, *, api_key: str, timeout_s: float) -> RawAnswer:
        with self.client(failures.Secrets(api_key, prompt)) as client:
            contents, config = contents_of(prompt), config_of(prompt)
            config.http_options = options(api_key, timeout_s)
            begun_s = time.monotonic()
            answer = client.models.generate_content(model=model, contents=contents, config=config)
        return raw_answer(answer, model, round((time.monotonic() - begun_s) * 1000))

    @contextmanager
    def client(self, secrets: failures.Secrets) -> "Iterator[Client]":
        """What goes wrong with it leaves as ModelError."""
        failures.check_key(secrets.api_key)
        failures.check_url(self._base_url, self._private)
        client = self._client()
        try:
            yield client
        except Exception as error:
            failure = _failure(error, secrets)
            if failure is None:
                raise
            # Not chained: the vendor's error holds the request, and with it the key.
            raise failure from None

    def close(self) -> None:
        with self._lock:
            clients, self._kept = self._kept, None
        for client in clients or ():  # the SDK leaves connections open that it was given
            client.close()

    def _client(self) -> "Client":
        """One for all threads and keys: the key goes with each question."""
        with self._lock:
            if self._kept is None:
                from google.genai import Client, types

                from processing.llm.providers.httpx2_wire import BoundedClient

                logging.getLogger("httpx2").setLevel(logging.WARNING)  # a line a request; the ledger has it
                connections = BoundedClient(self._base_url, private=self._private)
                options = types.HttpOptions(base_url=self._base_url, httpx_client=connections)
                client = Client(vertexai=False, api_key="goes with each question", http_options=options)
                self._kept = client, connections
            return self._kept[0]


def options(api_key: str, timeout_s: float) -> "types.HttpOptions":
    from google.genai import types

    return types.HttpOptions(timeout=round(timeout_s * 1000), headers={"x-goog-api-key": api_key})


def contents_of(prompt: Prompt) -> list[Any]:
    from google.genai import types

    def labelled(image: Image) -> tuple[str, types.Part]:
        return f"Image {image.label}:", types.Part.from_bytes(data=image.data, mime_type=image.mime)

    task = [prompt.task] if prompt.task else []
    return [*task, *(part for image in prompt.images for part in labelled(image)), prompt.user]


def config_of(prompt: Prompt) -> "types.GenerateContentConfig":
    from google.genai import types

    return types.GenerateContentConfig(
        system_instruction=prompt.system,
        temperature=prompt.temperature,
        max_output_tokens=prompt.max_tokens,
        thinking_config=_thinking(prompt.thinking),
        media_resolution=_media_resolution(prompt.media_resolution),
        response_mime_type="application/json",
        response_json_schema=prompt.schema,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )


def _thinking(level: str) -> "types.ThinkingConfig | None":
    """Levels are those of Gemini 3, which always thinks; without thinking at all answers what knows a budget (2.5).
    https://ai.google.dev/gemini-api/docs/thinking"""
    from google.genai import types

    if level == "off":
        return types.ThinkingConfig(thinking_budget=0)
    return types.ThinkingConfig(thinking_level=types.ThinkingLevel(level.upper())) if level else None


def _media_resolution(level: str) -> "types.MediaResolution | None":
    """Of the request as a whole. https://ai.google.dev/gemini-api/docs/media-resolution"""
    from google.genai import types

    return types.MediaResolution(f"MEDIA_RESOLUTION_{level.upper()}") if level else None


def raw_answer(answer: "types.GenerateContentResponse", model: str, latency_ms: int) -> RawAnswer:
    usage = answer.usage_metadata
    tokens_in = (usage and usage.prompt_token_count) or 0
    tokens_cached = (usage and usage.cached_content_token_count) or 0  # part of those in
    tokens_out = ((usage and usage.candidates_token_count) or 0) + ((usage and usage.thoughts_token_count) or 0)
    details = (usage and usage.prompt_tokens_details) or ()
    candidate = answer.candidates[0] if answer.candidates else None
    parts = (candidate and candidate.content and candidate.content.parts) or ()
    text = "".join(part.text for part in parts if part.text and not part.thought)
    reason = candidate.finish_reason if candidate else None
    finish: Finish = FINISH.get(reason.value, "other") if reason else "other"

    feedback = answer.prompt_feedback
    if finish == "blocked" or (not text and feedback and feedback.block_reason):
        why = reason or (feedback and feedback.block_reason)
        raise BadOutput("blocked", str(why and why.value), tokens_in, tokens_out, tokens_cached)
    if not text and finish != "length":
        raise BadOutput("empty", str(reason and reason.value), tokens_in, tokens_out, tokens_cached)
    return RawAnswer(
        text=text,
        finish=finish,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        image_tokens=sum(d.token_count or 0 for d in details if d.modality and d.modality.value == "IMAGE"),
        model=model,
        latency_ms=latency_ms,
        tokens_cached=tokens_cached,
    )


def _failure(error: Exception, secrets: failures.Secrets) -> ModelError | None:
    """None for what neither the wire nor the service can bring about."""
    import httpx2
    from google.genai import errors

    from processing.llm.providers.httpx2_wire import failure_of

    detail = secrets.kept_from(f"{type(error).__name__}: {error}")
    match error:
        case errors.APIError():
            said = secrets.kept_from(f"{error.status}: {error.message}")
            return failures.of_status(error.code, said, _retry_delay_s(error), quota_spent=_quota_spent(error))
        case httpx2.TransportError() | httpx2.InvalidURL():
            return failure_of(error, detail)
        case httpx2.HTTPError() | AttributeError() | KeyError() | TypeError() | ValueError():
            return BadOutput("unreadable_body", detail)
    return None


def _retry_delay_s(error: "errors.APIError") -> float | None:
    """The delay in google.rpc.RetryInfo, else in the header."""
    try:
        details = error.details["error"]["details"]
        delay = next(d["retryDelay"] for d in details if d.get("@type", "").endswith("google.rpc.RetryInfo"))
        return failures.duration_s(delay)
    except (AttributeError, KeyError, StopIteration, TypeError):
        return failures.retry_after_s(error.response.headers) if error.response is not None else None


def _quota_spent(error: "errors.APIError") -> bool:
    """Of the day, or none at all (a free account and a paid model); the delay that is named with it says nothing.
    https://ai.google.dev/gemini-api/docs/rate-limits"""
    return "limit: 0," in str(error.message) or any("PerDay" in name for name in _quotas(error))


def _quotas(error: "errors.APIError") -> list[str]:
    """Names of what is spent, in google.rpc.QuotaFailure."""
    try:
        details = error.details["error"]["details"]
        return [str(violation.get("quotaId", "")) for failure in details for violation in failure.get("violations", ())]
    except (AttributeError, KeyError, TypeError):
        return []
