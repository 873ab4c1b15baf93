"""Qwen-VL through dashscope, multimodal generation; failures as in processing.llm.providers.failures.

The SDK takes 3 CPU seconds and 70 MB to import (2.0.2), so that happens with the first question.
"""

import base64
import json
import logging
import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from processing.llm.providers import failures
from processing.llm.providers.failures import is_of_vendor
from processing.llm.providers.port import BadOutput, Finish, Image, ModelError, Prompt, RawAnswer, Unusable

if TYPE_CHECKING:
    from processing.llm.providers.qwen_wire import OneAttempt

VENDOR = "aliyuncs.com"
FINISH: dict[str, Finish] = {"stop": "stop", "length": "length"}
BLOCKED = frozenset(
    {"DataInspectionFailed", "data_inspection_failed", "IPInfringementSuspect", "CustomRoleBlocked", "FaqRuleBlocked"}
)
# These think unless told not to, and with thinking have no response format; others do not know the parameter.
# https://help.aliyun.com/zh/model-studio/json-mode
THINKS_UNASKED = "qwen3"
# Share of the tokens that thoughts may take. The API bounds thoughts and answer apart, the caller both together.
# https://help.aliyun.com/zh/model-studio/deep-thinking
THOUGHTS = {"minimal": 0.125, "low": 0.25, "medium": 0.5, "high": 0.75}
OK = 200


class Qwen:
    name = "qwen"
    needs_key = True
    batches = None  # the SDK has none; Model Studio's own are behind the OpenAI protocol

    def __init__(self, base_url: str) -> None:
        """``base_url`` with the version, "https://dashscope.aliyuncs.com/api/v1"."""
        self._base_url, self._private = base_url, not is_of_vendor(base_url, VENDOR)
        self._lock = threading.Lock()
        self._kept: OneAttempt | None = None

    def ask(self, model: str, prompt: Prompt, *, api_key: str, timeout_s: float) -> RawAnswer:
        failures.check_key(api_key)
        failures.check_url(self._base_url, self._private)
        connections, secrets = self._connections(), failures.Secrets(api_key, prompt)
        begun_s = time.monotonic()
        answer = _call(connections, self._base_url, model, prompt, secrets, timeout_s)
        latency_ms = round((time.monotonic() - begun_s) * 1000)
        if answer["status_code"] != OK:
            raise _refusal(answer, secrets)
        try:
            return _raw_answer(answer, model, latency_ms)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise BadOutput("unreadable_body", secrets.kept_from(repr(error))) from None

    def close(self) -> None:
        with self._lock:
            connections, self._kept = self._kept, None
        if connections is not None:
            connections.close()

    def _connections(self) -> "OneAttempt":
        """One pool for all threads and keys: the key goes with each question."""
        with self._lock:
            if self._kept is None:
                import dashscope  # noqa: F401  (sets up its logger)

                from processing.llm.providers.qwen_wire import OneAttempt

                # It writes request bodies (debug) and a traceback for each failure (error), which is raised as well.
                logging.getLogger("dashscope").setLevel(logging.CRITICAL)
                self._kept = OneAttempt(private=self._private)
            return self._kept


def _call(
    connections: "OneAttempt", base_url: str, model: str, prompt: Prompt, secrets: failures.Secrets, timeout_s: float
) -> Mapping[str, Any]:
    """The SDK's answer, also of a refusal. A session a call, over the kept connections: sessions share cookies."""
    import requests
    from dashscope import MultiModalConversation
    from dashscope.common.error import DashScopeException

    statuses: list[int] = []
    session = requests.Session()
    session.max_redirects = 0
    session.mount("https://", connections)
    session.mount("http://", connections)
    session.hooks["response"].append(lambda response, **_: statuses.append(response.status_code))
    try:
        answer = MultiModalConversation.call(
            model=model,
            messages=_messages(prompt),
            api_key=secrets.api_key,
            base_address=base_url,
            session=session,
            request_timeout=timeout_s,
            result_format="message",
            temperature=prompt.temperature,
            **_asked_with(model, prompt),
        )
        return cast(Mapping[str, Any], answer)  # a generator only of a streamed call
    except ModelError:
        raise
    except (requests.exceptions.InvalidURL, requests.exceptions.MissingSchema, requests.exceptions.InvalidSchema):
        raise Unusable("bad_url", base_url) from None
    except (DashScopeException, requests.RequestException, AttributeError, KeyError, TypeError, ValueError) as error:
        detail = secrets.kept_from(f"{type(error).__name__}: {error}")
        if statuses and statuses[-1] != OK:
            raise failures.of_status(statuses[-1], detail) from None
        raise BadOutput("unreadable_body", detail) from None


def _asked_with(model: str, prompt: Prompt) -> dict[str, Any]:
    """Images are looked at in one of two ways: as they commonly are, or more closely.
    https://www.alibabacloud.com/help/en/model-studio/vision"""
    looks = {"vl_high_resolution_images": prompt.media_resolution == "high"} if prompt.media_resolution else {}
    return {**looks, **_thinking(model, prompt)}


def _thinking(model: str, prompt: Prompt) -> dict[str, Any]:
    """What is said of thinking, and what hangs on it: the length of the answer and its format."""
    if share := THOUGHTS.get(prompt.thinking):
        thoughts = round(share * prompt.max_tokens)
        return {"enable_thinking": True, "thinking_budget": thoughts, "max_tokens": prompt.max_tokens - thoughts}
    said = {"enable_thinking": False} if prompt.thinking or model.startswith(THINKS_UNASKED) else {}
    return {**said, "max_tokens": prompt.max_tokens, "response_format": {"type": "json_object"}}


def _messages(prompt: Prompt) -> list[dict[str, Any]]:
    """The schema stands in the prompt: the vision models have the format json_object only, which asks for the word
    JSON there (https://help.aliyun.com/zh/model-studio/json-mode).

    The SDK takes a text part that is a path or begins with file:// or oss:// for a file to upload, so that a document
    could name one of ours. Each text part therefore begins with words or a line break of this function.
    """
    schema = json.dumps(prompt.schema, ensure_ascii=False, sort_keys=True)
    system = f"{prompt.system}\n\nAnswer with one JSON object and nothing else. It fits this JSON Schema:\n{schema}"
    task = [{"text": f"\n{prompt.task}"}] if prompt.task else []
    content = [*task, *(part for image in prompt.images for part in _labelled(image)), {"text": f"\n{prompt.user}"}]
    return [{"role": "system", "content": [{"text": system}]}, {"role": "user", "content": content}]


def _labelled(image: Image) -> tuple[dict[str, str], dict[str, str]]:
    data = base64.b64encode(image.data).decode()
    return {"text": f"Image {image.label}:"}, {"image": f"data:{image.mime};base64,{data}"}


def _raw_answer(answer: Mapping[str, Any], model: str, latency_ms: int) -> RawAnswer:
    usage, choice = answer["usage"], answer["output"]["choices"][0]
    content = choice["message"]["content"]
    text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    finish = FINISH.get(choice["finish_reason"], "other")
    counted = int(usage["input_tokens"]), int(usage["output_tokens"]), _cached(usage)
    if not text and finish != "length":
        raise BadOutput("empty", str(choice["finish_reason"]), *counted)
    tokens_in, tokens_out, tokens_cached = counted
    image_tokens = int(usage.get("image_tokens") or 0)
    return RawAnswer(text, finish, tokens_in, tokens_out, image_tokens, model, latency_ms, tokens_cached)


def _cached(usage: Mapping[str, Any]) -> int:
    """In the details or beside them, as the SDK itself reads it (dashscope 2.0.2, acli/providers/tongyi.py)."""
    details = usage.get("prompt_tokens_details") or {}
    return int(details.get("cached_tokens") or usage.get("cached_tokens") or 0)


def _refusal(answer: Mapping[str, Any], secrets: failures.Secrets) -> ModelError:
    detail = secrets.kept_from(f"{answer['code']}: {answer['message']}")
    if answer["code"] in BLOCKED:
        return BadOutput("blocked", detail)
    return failures.of_status(answer["status_code"], detail, failures.retry_after_s(answer["headers"] or {}))
