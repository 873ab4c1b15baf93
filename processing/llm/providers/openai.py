"""Any model behind the OpenAI protocol (chat completions) through openai: a server of one's own, or a vendor's;
failures as in processing.llm.providers.failures.

The SDK takes 1 CPU second and 53 MB to import (3.57.0), so that happens with the first question.
"""

import base64
import json
import logging
import re
import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from processing.llm.providers import failures
from processing.llm.providers.failures import is_of_vendor
from processing.llm.providers.openai_batches import OpenAIBatches
from processing.llm.providers.openai_dialect import Dialect
from processing.llm.providers.port import (
    BadOutput,
    Finish,
    Image,
    ModelError,
    Permanent,
    Prompt,
    RawAnswer,
    Transient,
    Unusable,
)

if TYPE_CHECKING:
    from processing.llm.providers.openai_wire import Kit

VENDOR = "openai.com"
NO_KEY = "no-key-needed"  # what a server of one's own is sent in place of one
FINISH: dict[str, Finish] = {"stop": "stop", "length": "length", "content_filter": "blocked"}
BLOCKED = frozenset({
    "content_filter", "content_policy_violation", "data_inspection_failed", "datainspectionfailed",
    "ipinfringementsuspect", "customroleblocked", "faqruleblocked",
})  # fmt: skip
# https://developers.openai.com/docs/guides/error-codes: no rate, an account without money.
SPENT = frozenset({
    "insufficient_quota", "billing_not_active", "billing_hard_limit_reached", "credit_balance_exhausted",
    "organization_spend_limit_exceeded", "organization_usage_limit_exceeded", "project_spend_limit_exceeded",
})  # fmt: skip
# Model Studio says insufficient_quota of the tokens of the last minute (429-Throttling.AllocationQuota).
# https://help.aliyun.com/zh/model-studio/error-code
MODEL_STUDIO, RATES_THERE = "aliyuncs.com", frozenset({"insufficient_quota"})
OF_THE_FORM = frozenset({"http_400", "http_422"})
# A row's resolution of images in the protocol's words.
DETAILS = {"low": "low", "medium": "auto", "high": "high"}
# What a model thought aloud, where the server leaves it in the text; some chat templates write its beginning.
_THOUGHT = re.compile(r"\A(?!\s*[{\[`]).*?</think>", re.S)


class AnswerContext(msgspec.Struct, frozen=True):
    """What an answer is read with. ``spent``: the codes of a 429 that is no rate."""

    secrets: failures.Secrets
    spent: frozenset[str]


class OpenAI:
    name = "openai"

    def __init__(self, base_url: str) -> None:
        """``base_url`` with the version, "https://api.openai.com/v1"."""
        self._base_url, self._private = base_url, not is_of_vendor(base_url, VENDOR)
        self.needs_key = not self._private
        self._lock = threading.Lock()
        self._kept: Kit | None = None
        self._dialects: dict[str, Dialect] = {}  # by model, for this process's life
        self._spent = SPENT - RATES_THERE if is_of_vendor(base_url, MODEL_STUDIO) else SPENT
        self.batches = OpenAIBatches(self)

    def ask(self, model: str, prompt: Prompt, *, api_key: str, timeout_s: float) -> RawAnswer:
        """Asks again only where the server has refused the form of a question: nothing was worked on then."""
        key = self.checked_key(api_key)
        context = self.read_with(key, prompt)
        kit, messages, until_s = self.kit(), _messages(prompt), time.monotonic() + timeout_s
        while True:
            dialect = self._dialect(model)
            question = _question(model, messages, prompt, dialect)
            begun_s = time.monotonic()
            try:
                body = kit.answer_to(question, api_key=key, timeout_s=max(until_s - begun_s, 0.001))
            except Exception as error:
                failure = failure_in(error, context)
                if failure is None:
                    raise
                if (other := _other(dialect, failure)) is None or time.monotonic() > until_s:
                    # Not chained: the SDK's error holds the request, and with it the key.
                    raise failure from None
                self._dialects[model] = other
            else:
                return _raw_answer(body, model, round((time.monotonic() - begun_s) * 1000), context)

    def close(self) -> None:
        with self._lock:
            kit, self._kept = self._kept, None
        if kit is not None:
            kit.close()

    def _limit(self) -> str:
        """OpenAI's newer models refuse the older name; others ignore the newer one (Ollama): no answer had an end."""
        return "max_tokens" if self._private else "max_completion_tokens"

    def checked_key(self, api_key: str) -> str:
        """Raises Unusable."""
        key = api_key or ("" if self.needs_key else NO_KEY)
        failures.check_key(key)
        failures.check_url(self._base_url, self._private)
        return key

    def read_with(self, api_key: str, prompt: Prompt | None = None) -> AnswerContext:
        return AnswerContext(failures.Secrets(api_key, prompt), self._spent)

    def _dialect(self, model: str) -> Dialect:
        return self._dialects.get(model) or Dialect(limit=self._limit())

    def question(self, model: str, prompt: Prompt) -> dict[str, Any]:
        """The body of a question, in the form in which this process has last been answered."""
        return _question(model, _messages(prompt), prompt, self._dialect(model))

    def kit(self) -> "Kit":
        """One for all threads and keys: the key goes with each question."""
        with self._lock:
            if self._kept is None:
                from processing.llm.providers.openai_wire import Kit

                for name in ("httpx2", "openai"):  # a line or more a request; the ledger has it
                    logging.getLogger(name).setLevel(logging.WARNING)
                self._kept = Kit(self._base_url, private=self._private)
            return self._kept


def _other(dialect: Dialect, failure: ModelError) -> Dialect | None:
    is_of_the_form = isinstance(failure, Permanent) and failure.code in OF_THE_FORM
    return dialect.after(failure.detail) if is_of_the_form else None


def _question(model: str, messages: list[dict[str, Any]], prompt: Prompt, dialect: Dialect) -> dict[str, Any]:
    said = dialect.parameters(prompt.schema, prompt.temperature, prompt.max_tokens, prompt.thinking)
    return {"model": model, "messages": messages, **said}


def _messages(prompt: Prompt) -> list[dict[str, Any]]:
    """The schema stands in the prompt as well: a server that only constrains the output (vLLM, Ollama) shows it to no
    model, and json_object asks for the word JSON there."""
    schema = json.dumps(prompt.schema, ensure_ascii=False, sort_keys=True)
    system = f"{prompt.system}\n\nAnswer with one JSON object and nothing else. It fits this JSON Schema:\n{schema}"
    user: Any = "\n\n".join(filter(None, (prompt.task, prompt.user)))  # plain where it can be: some take no parts
    if prompt.images:
        task = [{"type": "text", "text": prompt.task}] if prompt.task else []
        parts = [part for image in prompt.images for part in _labelled(image, prompt.media_resolution)]
        user = [*task, *parts, {"type": "text", "text": prompt.user}]
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def _labelled(image: Image, resolution: str) -> tuple[dict[str, Any], dict[str, Any]]:
    data = base64.b64encode(image.data).decode()
    url = {"url": f"data:{image.mime};base64,{data}"}
    if resolution:
        url["detail"] = DETAILS[resolution]
    return {"type": "text", "text": f"Image {image.label}:"}, {"type": "image_url", "image_url": url}


def _raw_answer(body: bytes, model: str, latency_ms: int, context: AnswerContext) -> RawAnswer:
    try:
        return read_answer(json.loads(body), model, latency_ms, context)
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise BadOutput("unreadable_body", context.secrets.kept_from(repr(error))) from None


def read_answer(answer: Any, model: str, latency_ms: int, context: AnswerContext) -> RawAnswer:
    """``answer`` may hold an error in place of choices, or in one of them, under HTTP 200 (OpenRouter)."""
    if error := answer.get("error"):
        raise _failure_under_200(error, context)
    choice = answer["choices"][0]
    if error := choice.get("error"):
        raise _failure_under_200(error, context)
    message, usage = choice["message"], answer.get("usage") or {}
    reason = choice.get("finish_reason")
    text, finish = _text(message.get("content")), FINISH.get(reason, "other")
    details = usage.get("prompt_tokens_details") or {}
    counted = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"), _count(details, "cached_tokens")
    if finish == "blocked" or (not text and message.get("refusal")):
        detail = context.secrets.kept_from(message.get("refusal") or reason)
        raise BadOutput("blocked", detail, *counted)
    if not text and finish != "length":
        raise BadOutput("empty", str(reason), *counted)
    tokens_in, tokens_out, tokens_cached = counted
    image_tokens = _count(details, "image_tokens")
    return RawAnswer(text, finish, tokens_in, tokens_out, image_tokens, model, latency_ms, tokens_cached)


def _text(content: Any) -> str:
    """What was said, without what was thought: that stands in reasoning_content, in parts of another type, or before
    the text."""
    if not isinstance(content, str):
        parts = (part for part in content or () if part.get("type") in ("text", "output_text"))
        content = "".join(part["text"] for part in parts)
    return _THOUGHT.sub("", content, count=1).strip()


def _count(usage: Mapping[str, Any], name: str) -> int:
    """Tokens; 0 where the server does not count them."""
    return int(usage.get(name) or 0)


def _failure_under_200(error: Any, context: AnswerContext) -> ModelError:
    """By the status that the error names; one without any is no answer of the API."""
    code = error.get("code") if isinstance(error, Mapping) else None
    if isinstance(code, int) and 400 <= code < 600:
        return refusal_of(code, error, {}, context)
    return BadOutput("unreadable_body", context.secrets.kept_from(_words(error)))


def failure_in(error: Exception, context: AnswerContext) -> ModelError | None:
    """None for what neither the wire nor the service can bring about."""
    import openai

    from processing.llm.providers.httpx2_wire import failure_of

    if isinstance(error, openai.APIStatusError):
        return refusal_of(error.status_code, error.body, error.response.headers, context)
    is_of_the_wire = isinstance(error, openai.APIConnectionError)
    cause = error.__cause__ if is_of_the_wire else error
    detail = context.secrets.kept_from(f"{type(cause).__name__}: {cause}")
    if (failure := failure_of(cause, detail)) is not None:
        return failure
    if is_of_the_wire:
        return Transient("connection_lost", detail)
    return (
        BadOutput("unreadable_body", detail) if isinstance(error, openai.OpenAIError | TypeError | ValueError) else None
    )


def refusal_of(status: int, body: object, headers: Mapping[str, str], context: AnswerContext) -> ModelError:
    detail, codes, why = context.secrets.kept_from(_words(body)), _codes(body), _metadata(body)
    if codes & BLOCKED or "flagged_input" in why:  # https://openrouter.ai/docs/api/reference/errors-and-debugging
        return BadOutput("blocked", detail)
    if status == 429 and codes & context.spent:
        return Unusable("quota", detail)
    return failures.of_status(status, detail, failures.retry_after_s(headers))


def _words(body: object) -> str:
    """What an error says, in whichever of their forms: an object with code and message, a text, another object."""
    if not isinstance(body, Mapping):
        return str(body)
    parts = [body.get(name) for name in ("code", "message", "detail")] + [_metadata(body).get("raw")]
    return ": ".join(str(word) for word in parts if word) or str(body)


def _codes(body: object) -> set[str]:
    fields = body if isinstance(body, Mapping) else {}
    return {str(fields.get(name)).lower() for name in ("code", "type")}


def _metadata(body: object) -> Mapping[str, Any]:
    """What OpenRouter adds: the provider's own words, or what was flagged."""
    metadata = body.get("metadata") if isinstance(body, Mapping) else None
    return metadata if isinstance(metadata, Mapping) else {}
