"""Gives every request an id that its answer, its log lines and the messages it sets off carry (TA-LOG)."""

import re
import uuid
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

HEADER = "X-Request-ID"
_META = "HTTP_X_REQUEST_ID"
_FIT = re.compile(r"[A-Za-z0-9._-]{8,64}")

Answer = Callable[[HttpRequest], HttpResponseBase]


def name_requests(get_response: Answer) -> Answer:
    """Django middleware, the first of all. An id that came with the request (from a proxy) is kept where it looks like
    one; whatever reads the header later finds the id that counts."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        request_id = _name(request)
        response = get_response(request)
        response.headers[HEADER] = request_id
        return response

    return answer


def _name(request: Any) -> str:
    sent = request.META.get(_META, "")
    request.request_id = request.META[_META] = sent if _FIT.fullmatch(sent) else str(uuid.uuid4())
    return str(request.request_id)
