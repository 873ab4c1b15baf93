"""Around every answer: what browsers may do with it and keep of it; before every view: text that no row can hold, and
JSON that no form needs."""

from collections.abc import Callable
from urllib.parse import unquote

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render

from catalogsku.accounts.access import client_network
from catalogsku.accounts.hashing import asking_from
from catalogsku.accounts.hurried import Hurried
from catalogsku.accounts.problems import PROBLEMS as PEOPLE_PROBLEMS
from catalogsku.core import json_bounds
from catalogsku.core.problems import PROBLEMS

NUL = "\0"
KEEP_NOTHING = "private, no-store"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_STATIC = settings.STATIC_URL

Answer = Callable[[HttpRequest], HttpResponseBase]


def answer_headers(get_response: Answer) -> Answer:
    """Headers that Django has no setting for. Whatever does not say how long it may be kept is not kept at all."""
    return lambda request: _with_headers(request, get_response(request))


def _with_headers(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
    response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    response.headers.setdefault("X-Frame-Options", settings.X_FRAME_OPTIONS)
    if not request.path.startswith(_STATIC):
        response.headers.setdefault("Cache-Control", KEEP_NOTHING)
    return response


def refuse_unreadable(get_response: Answer) -> Answer:
    """400 for NUL in path, query or form: PostgreSQL stores no such text, so no honest address has it. 413 for a field
    of JSON beyond what any holds."""
    return lambda request: _refused(request) or get_response(request)


def _fields(request: HttpRequest) -> list[str]:
    """Names and values of a form alone: parts of files are read by who receives them, as they come."""
    if request.method != "POST" or request.content_type not in FORMS:
        return []
    return [text for name, values in request.POST.lists() for text in (name, *values)]


def _refused(request: HttpRequest) -> HttpResponseBase | None:
    query = request.META.get("QUERY_STRING", "")
    fields = _fields(request)
    if NUL in request.path or NUL in unquote(query) or any(NUL in text for text in fields):
        return HttpResponseBadRequest("Bad request: a NUL character.", content_type="text/plain")
    try:
        for text in fields:
            if text.lstrip().startswith(("{", "[")):
                json_bounds.check(text.encode("utf-8", "replace"), json_bounds.ORDINARY)
    except json_bounds.TooMuch as error:
        words = str(PROBLEMS[error.code][1]) % error.params
        return HttpResponse(words, status=error.http_status, content_type="text/plain; charset=utf-8")
    return None


class SlowDown:
    """Says where a request comes from to whoever waits for a turn by it; whoever is hurried gets a page that says when
    to come again. Programs get an answer of their own from the API."""

    def __init__(self, get_response: Answer) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        token = asking_from.set(client_network(request))
        try:
            return self._get_response(request)
        finally:
            asking_from.reset(token)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Hurried):
            return None
        said = str(PEOPLE_PROBLEMS[error.code][1]) % error.params
        response = render(request, "accounts/lockout.html", {"said": said, "back": request.path}, status=429)
        response["Retry-After"] = str(error.retry_after_s)
        return response
