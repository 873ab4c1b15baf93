"""Around every answer: what browsers may do with it and keep of it; before every view: text that no row can hold."""

from collections.abc import Callable
from urllib.parse import unquote

from django.conf import settings
from django.http import HttpRequest, HttpResponseBadRequest
from django.http.response import HttpResponseBase

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
    """400 for NUL in path, query or form: PostgreSQL stores no such text, so no honest address has it."""
    return lambda request: _refused(request) or get_response(request)


def _has_nul(request: HttpRequest) -> bool:
    """Looks into forms alone: parts of files are read by who receives them, as they come."""
    if request.method != "POST" or request.content_type not in FORMS:
        return False
    return any(NUL in name or any(NUL in value for value in values) for name, values in request.POST.lists())


def _refused(request: HttpRequest) -> HttpResponseBase | None:
    query = request.META.get("QUERY_STRING", "")
    if NUL in request.path or NUL in unquote(query) or _has_nul(request):
        return HttpResponseBadRequest("Bad request: a NUL character.", content_type="text/plain")
    return None
