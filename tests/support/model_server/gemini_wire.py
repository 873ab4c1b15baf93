"""The Gemini API's generateContent: request and response bodies, errors as google.rpc.Status.

https://ai.google.dev/api/generate-content; field names come in camel case and, in places, in snake case.
"""

import base64
import json
import re
from collections.abc import Mapping
from typing import Any

from tests.support.model_server.exchange import ModelRequest, Mood, Reply
from tests.support.model_server.spoiling import finish, said

PATH = re.compile(r"/v1(?:beta)?/models/(?P<model>[^/:]+):generateContent")
FINISH = {"stop": "STOP", "length": "MAX_TOKENS", "blocked": "SAFETY", "other": "OTHER"}
# mood -> HTTP status, google.rpc.Code, message
ERRORS = {
    Mood.RATE_LIMITED: (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota."),
    Mood.QUOTA_SPENT: (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan."),
    Mood.SERVER_ERROR: (500, "INTERNAL", "An internal error has occurred."),
    Mood.UNAVAILABLE: (503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
    Mood.BAD_REQUEST: (400, "INVALID_ARGUMENT", "Request contains an invalid argument."),
    Mood.UNAUTHORISED: (403, "PERMISSION_DENIED", "The caller does not have permission."),
    Mood.RETIRED: (404, "NOT_FOUND", "This model is no longer available to new users."),
    Mood.ARREARS: (400, "FAILED_PRECONDITION", "Enable billing on your project to go on."),
}

QUOTAS = {
    Mood.RATE_LIMITED: "GenerateRequestsPerMinutePerProjectPerModel",
    Mood.QUOTA_SPENT: "GenerateRequestsPerDayPerProjectPerModel-FreeTier",
}


def request_of(match: re.Match[str], headers: dict[str, str], body: bytes) -> ModelRequest:
    content = json.loads(body)
    parts = [part for turn in content["contents"] for part in turn["parts"]]
    config = _field(content, "generationConfig") or {}
    inline = [data for part in parts if (data := _field(part, "inlineData"))]
    schema = _field(config, "responseJsonSchema") or _field(config, "responseSchema")
    return ModelRequest(
        provider="gemini",
        model=match["model"],
        api_key=headers.get("x-goog-api-key", ""),
        system="".join(p.get("text", "") for p in (_field(content, "systemInstruction") or {}).get("parts", ())),
        texts=tuple(part["text"] for part in parts if "text" in part),
        images=tuple((_field(data, "mimeType"), base64.b64decode(_urlsafe(data["data"]))) for data in inline),
        schema=schema,
        temperature=_field(config, "temperature"),
        max_tokens=_field(config, "maxOutputTokens"),
        headers=headers,
        body=body,
        thinking={
            name: value
            for name in ("thinkingLevel", "thinkingBudget")
            if (value := _field(_field(config, "thinkingConfig") or {}, name)) is not None
        },
        media_resolution=_field(config, "mediaResolution"),
    )


def response_of(reply: Reply) -> tuple[int, dict[str, Any]]:
    """HTTP status and body."""
    if reply.mood in ERRORS:
        return _error(reply, *ERRORS[reply.mood])
    usage = {
        "promptTokenCount": reply.tokens_in,
        "totalTokenCount": reply.tokens_in + reply.tokens_out + reply.thinking_tokens,
        "promptTokensDetails": [
            {"modality": "TEXT", "tokenCount": reply.tokens_in - reply.image_tokens},
            {"modality": "IMAGE", "tokenCount": reply.image_tokens},
        ],
    }
    if reply.cached_tokens:
        usage["cachedContentTokenCount"] = reply.cached_tokens
    if reply.mood is Mood.BLOCKED:
        return 200, {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": usage}
    usage |= {"candidatesTokenCount": reply.tokens_out, "thoughtsTokenCount": reply.thinking_tokens}
    candidate = {"index": 0, "finishReason": FINISH[finish(reply)]}
    if text := said(reply):
        candidate["content"] = {"role": "model", "parts": [{"text": text}]}
    return reply.status or 200, {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "loopback"}


def _error(reply: Reply, status: int, code: str, message: str) -> tuple[int, dict[str, Any]]:
    status = reply.status or status
    error: dict[str, Any] = {"code": status, "message": message, "status": code}
    if reply.mood in QUOTAS and reply.retry_after_s is not None:
        delay = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{reply.retry_after_s:g}s"}
        violations = [{"quotaId": QUOTAS[reply.mood]}]
        error["details"] = [{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": violations}, delay]
    return status, {"error": error}


def _field(message: Mapping[str, Any], name: str) -> Any:
    """A field in either of the cases in which protobuf's JSON may write it."""
    return message.get(name, message.get(re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)))


def _urlsafe(data: str) -> str:
    return data.replace("-", "+").replace("_", "/")
