"""The OpenAI protocol's chat completions: request and response bodies, errors with a code and a message.

https://platform.openai.com/docs/api-reference/chat; words of errors also from vLLM, llama.cpp and Model Studio.
"""

import json
import re
from typing import Any

from tests.support.model_server.exchange import ModelRequest, Mood, Reply
from tests.support.model_server.fields import data_of, schema_in
from tests.support.model_server.spoiling import finish, said

PATH = re.compile(r"/v1/chat/completions")
FINISH = {"stop": "stop", "length": "length", "blocked": "content_filter", "other": "abort"}
# mood -> HTTP status, code, message
ERRORS = {
    Mood.RATE_LIMITED: (429, "rate_limit_exceeded", "Rate limit reached. Please try again later."),
    Mood.QUOTA_SPENT: (429, "insufficient_quota", "You exceeded your current quota, please check your plan."),
    Mood.SERVER_ERROR: (500, "server_error", "The server had an error while processing your request."),
    Mood.UNAVAILABLE: (503, "unavailable_error", "Loading model"),
    Mood.BAD_REQUEST: (400, "invalid_request_error", "This model's maximum context length is 4096 tokens."),
    Mood.UNAUTHORISED: (401, "invalid_api_key", "Incorrect API key provided."),
    Mood.RETIRED: (404, "model_not_found", "The model does not exist or you do not have access to it."),
    Mood.ARREARS: (400, "Arrearage", "Access denied, please make sure your account is in good standing."),
    Mood.BLOCKED: (400, "content_filter", "The response was filtered due to the prompt."),
}


def request_of(match: re.Match[str], headers: dict[str, str], body: bytes) -> ModelRequest:
    content = json.loads(body)
    system = "".join(part["text"] for part in _parts(content, "system"))
    user = _parts(content, "user")
    return ModelRequest(
        provider="openai",
        model=content["model"],
        api_key=headers.get("authorization", "").removeprefix("Bearer").strip(),
        system=system,
        texts=tuple(part["text"] for part in user if part["type"] == "text"),
        images=tuple(data_of(part["image_url"]["url"]) for part in user if part["type"] == "image_url"),
        schema=schema_in(content.get("response_format", {}), system),
        temperature=content.get("temperature"),
        max_tokens=content.get("max_completion_tokens", content.get("max_tokens")),
        headers=headers,
        body=body,
        thinking={name: content[name] for name in ("reasoning_effort", "enable_thinking") if name in content},
        media_resolution=next((part["image_url"].get("detail") for part in user if part["type"] == "image_url"), None),
    )


def response_of(reply: Reply) -> tuple[int, dict[str, Any]]:
    """HTTP status and body."""
    if reply.mood in ERRORS:
        status, code, message = ERRORS[reply.mood]
        return reply.status or status, {"error": {"message": message, "type": code, "param": None, "code": code}}
    used = reply.tokens_out + reply.thinking_tokens
    usage = {
        "prompt_tokens": reply.tokens_in,
        "completion_tokens": used,
        "total_tokens": reply.tokens_in + used,
        "prompt_tokens_details": {"image_tokens": reply.image_tokens, "cached_tokens": reply.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": reply.thinking_tokens},
    }
    message = {"role": "assistant", "content": said(reply) or None}
    choice = {"index": 0, "finish_reason": FINISH[finish(reply)], "message": message}
    body = {"id": "loopback", "object": "chat.completion", "model": "loopback", "choices": [choice], "usage": usage}
    return reply.status or 200, body


def _parts(content: dict[str, Any], role: str) -> list[dict[str, Any]]:
    """The parts of a role's messages; a plain text is one part."""
    found = [message["content"] for message in content["messages"] if message["role"] == role]
    return [part for one in found for part in ([{"type": "text", "text": one}] if isinstance(one, str) else one)]
