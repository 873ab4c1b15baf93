"""DashScope's multimodal generation: request and response bodies, errors with a code and a message.

https://help.aliyun.com/zh/model-studio/qwen-api-via-dashscope and /error-code.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.support.model_server.exchange import ModelRequest, Mood, Reply
from tests.support.model_server.fields import data_of, schema_in
from tests.support.model_server.spoiling import finish, said

PATH = re.compile(r"/api/v1/services/aigc/multimodal-generation/generation")
FINISH = {"stop": "stop", "length": "length", "blocked": "stop", "other": "null"}
# mood -> HTTP status, code, message
ERRORS = {
    Mood.RATE_LIMITED: (429, "Throttling.RateQuota", "Requests rate limit exceeded, please try again later."),
    Mood.QUOTA_SPENT: (429, "Throttling.AllocationQuota", "Free allocated quota exceeded."),
    Mood.SERVER_ERROR: (500, "InternalError", "An internal error has occured, please try again later."),
    Mood.UNAVAILABLE: (503, "ModelServingError", "Too many requests. Your requests are being throttled."),
    Mood.BAD_REQUEST: (400, "InvalidParameter", "Required parameter(s) missing or invalid."),
    Mood.UNAUTHORISED: (401, "InvalidApiKey", "Invalid API-key provided."),
    Mood.RETIRED: (404, "ModelNotFound", "The model does not exist or you do not have access to it."),
    Mood.ARREARS: (400, "Arrearage", "Access denied, please make sure your account is in good standing."),
    Mood.BLOCKED: (400, "DataInspectionFailed", "Input data may contain inappropriate content."),
}


def request_of(match: re.Match[str], headers: dict[str, str], body: bytes) -> ModelRequest:
    content = json.loads(body)
    messages = content["input"]["messages"]
    parameters = content.get("parameters", {})
    system = "".join(part.get("text", "") for part in _parts(messages, "system"))
    return ModelRequest(
        provider="qwen",
        model=content["model"],
        api_key=headers.get("authorization", "").removeprefix("Bearer").strip(),
        system=system,
        texts=tuple(part["text"] for part in _parts(messages, "user") if "text" in part),
        images=tuple(data_of(part["image"]) for part in _parts(messages, "user") if "image" in part),
        schema=schema_in(parameters.get("response_format", {}), system),
        temperature=parameters.get("temperature"),
        max_tokens=parameters.get("max_tokens"),
        headers=headers,
        body=body,
        thinking={name: parameters[name] for name in ("enable_thinking", "thinking_budget") if name in parameters},
        media_resolution=parameters.get("vl_high_resolution_images"),
    )


def response_of(reply: Reply) -> tuple[int, dict[str, Any]]:
    """HTTP status and body."""
    if reply.mood in ERRORS:
        status, code, message = ERRORS[reply.mood]
        return reply.status or status, {"code": code, "message": message, "request_id": "loopback"}
    text = said(reply)
    message = {"role": "assistant", "content": [{"text": text}] if text else []}
    usage = {
        "input_tokens": reply.tokens_in,
        "output_tokens": reply.tokens_out + reply.thinking_tokens,
        "image_tokens": reply.image_tokens,
        "total_tokens": reply.tokens_in + reply.tokens_out + reply.thinking_tokens,
        "output_tokens_details": {"text_tokens": reply.tokens_out, "reasoning_tokens": reply.thinking_tokens},
    }
    if reply.cached_tokens:
        usage["prompt_tokens_details"] = {"cached_tokens": reply.cached_tokens}
    choice = {"finish_reason": FINISH[finish(reply)], "message": message}
    return reply.status or 200, {"output": {"choices": [choice]}, "usage": usage, "request_id": "loopback"}


def _parts(messages: list[dict[str, Any]], role: str) -> Iterator[dict[str, Any]]:
    for message in messages:
        if message["role"] == role:
            content = message["content"]
            yield from [{"text": content}] if isinstance(content, str) else content
