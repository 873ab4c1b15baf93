"""Refusals as programs read them: application/problem+json (RFC 9457) with a stable code."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext_lazy as _

PROBLEM_TYPE = "application/problem+json"
RETRY_AFTER_S = 60
PROBLEMS = {
    "json_too_large": (413, _("The JSON holds more than any request needs: %(what)s is at most %(max)s.")),
}


def problem_answer(
    request: HttpRequest, status: int, code: str, title: str, extra: Mapping[str, Any] | None = None
) -> JsonResponse:
    """``title`` is the code's sentence in the reader's language, ``extra`` whatever else helps the caller on."""
    body = {
        "type": f"about:blank#{code}",
        "title": title,
        "status": status,
        "code": code,
        "request_id": request.headers.get("X-Request-ID", ""),
        **(extra or {}),
    }
    response = JsonResponse(body, status=status, content_type=PROBLEM_TYPE)
    if status in (429, 503):
        response["Retry-After"] = str(RETRY_AFTER_S)
    return response
