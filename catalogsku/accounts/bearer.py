"""The gate of the REST API: who asks (a token, or the session of the web pages), by role, and how often."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from ninja.security import HttpBearer, SessionAuth
from structlog.contextvars import bind_contextvars

from catalogsku.accounts.grants import Grant
from catalogsku.accounts.hurried import Hurried
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.accounts.problems import PROBLEMS
from catalogsku.accounts.tokens import user_of
from catalogsku.core.errors import ProductError, Refused
from catalogsku.core.problems import problem_answer

WINDOW_S = 60


class Bearer(HttpBearer):
    """``Authorization: Bearer TOKEN``, the token from POST /auth/login."""

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        user = user_of(token)
        return _admitted(request, user, Grant(token=token)) if user is not None else None


class Session(SessionAuth):
    """The cookie of the web pages, with their CSRF token where something is changed."""

    def __call__(self, request: HttpRequest) -> Any:
        """Who is nobody is told so, not that a token of a form is missing."""
        return super().__call__(request) if request.user.is_authenticated else None

    def authenticate(self, request: HttpRequest, key: str | None) -> User | None:
        user = request.user
        if not (isinstance(user, User) and user.is_active):
            return None
        return _admitted(request, user, Grant(session_key=request.session.session_key or ""))


AUTH = [Bearer(), Session(csrf=True)]


def by_token(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A plain view for programs: the token says who asks; without one that holds, nobody does."""

    @csrf_exempt
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        request.user = AnonymousUser()
        try:
            Bearer()(request)
        except Hurried as error:
            return refusal(request, error)
        return view(request, *args, **kwargs)

    return answer


def refusal(request: HttpRequest, error: ProductError) -> HttpResponse:
    """A refusal by this gate as a problem."""
    status, words = PROBLEMS[error.code]
    response = problem_answer(request, status, error.code, str(words) % error.params if error.params else str(words))
    if isinstance(error, Hurried):
        response["Retry-After"] = str(error.retry_after_s)
    if status == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response


def _admitted(request: HttpRequest, user: User, grant: Grant) -> User:
    request.user = user
    request.grant = grant  # type: ignore[attr-defined]
    if "Accept-Language" not in request.headers:
        translation.activate(user.language)
    bind_contextvars(user_id=user.pk)
    _count(user)
    return user


def require(request: HttpRequest, action: Action) -> User:
    """The person behind the gate. Raises Refused(forbidden) where the role does not allow it."""
    user = request.user
    if not (isinstance(user, User) and may(user, action)):
        raise Refused("forbidden")
    return user


# One statement for all processes; a clock that was set back begins a new window.
_FRESH = f"abs(extract(epoch FROM statement_timestamp() - w.began_at)) >= {WINDOW_S}"
_COUNT = f"""
    INSERT INTO accounts_apiwindow AS w (user_id, began_at, requests) VALUES (%s, statement_timestamp(), 1)
    ON CONFLICT (user_id) DO UPDATE SET requests = CASE WHEN {_FRESH} THEN 1 ELSE w.requests + 1 END,
        began_at = CASE WHEN {_FRESH} THEN statement_timestamp() ELSE w.began_at END
    RETURNING requests, ceil({WINDOW_S} - extract(epoch FROM statement_timestamp() - began_at))::int"""


def _count(user: User) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [user.pk])
        requests, left_s = cursor.fetchone()
    if requests > settings.API_REQUESTS_A_MINUTE:
        raise Hurried("too_many_requests", left_s, max=settings.API_REQUESTS_A_MINUTE)
