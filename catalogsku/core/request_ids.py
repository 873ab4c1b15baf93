"""Gives every request an id that its answer, its log lines and the messages it sets off carry (TA-LOG)."""

import re
import uuid
from collections.abc import Awaitable, Callable
from typing import Any, cast

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

HEADER = "X-Request-ID"
_META = "HTTP_X_REQUEST_ID"
_FIT = re.compile(r"[A-Za-z0-9._-]{8,64}")

Answer = Callable[[HttpRequest], HttpResponseBase]
AsyncAnswer = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def name_requests(get_response: Answer | AsyncAnswer) -> Answer | AsyncAnswer:
    """Django middleware, the first of all. An id that came with the request (from a proxy) is kept where it looks like
    one; whatever reads the header later finds the id that counts."""
    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> HttpResponseBase:
            given = _name(request)
            return _say(await cast(AsyncAnswer, get_response)(request), given)

        return answer_async

    def answer(request: HttpRequest) -> HttpResponseBase:
        given = _name(request)
        return _say(cast(Answer, get_response)(request), given)

    return answer


def _name(request: Any) -> str:
    given = request.META.get(_META, "")
    request.request_id = request.META[_META] = given if _FIT.fullmatch(given) else str(uuid.uuid4())
    return str(request.request_id)


def _say(response: HttpResponseBase, given: str) -> HttpResponseBase:
    response.headers[HEADER] = given
    return response
