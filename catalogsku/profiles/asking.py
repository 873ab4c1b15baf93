"""Who changes configuration and why, for the log of changes: the request in work, or what its caller says."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from catalogsku.accounts.models import User

NAME_LENGTH_MAX = WHY_LENGTH_MAX = 200


@dataclass(frozen=True)
class Asking:
    """``by``: empty where the request in work, or the command, says it."""

    by: str = ""
    why: str = ""


NOBODY = Asking()
_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)
_asking: ContextVar[Asking] = ContextVar("asking", default=NOBODY)


def remember_request(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Middleware: whoever the request turns out to be from is who changes what it changes."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        token = _request.set(request)
        try:
            return get_response(request)
        finally:
            _request.reset(token)

    return answer


@contextmanager
def changing(by: User | None = None, why: str = "") -> Iterator[None]:
    """Changes in the block are this person's, and for this reason; what is left out holds as said further out."""
    outer = _asking.get()
    token = _asking.set(Asking(by.get_username() if by else outer.by, why or outer.why))
    try:
        yield
    finally:
        _asking.reset(token)


def who() -> str:
    """A person's name; else the command, or the process that works by itself."""
    request, said = _request.get(), _asking.get().by
    if said:
        return said
    user = getattr(request, "user", None)
    if isinstance(user, User):
        return user.get_username()[:NAME_LENGTH_MAX]
    return " ".join([Path(sys.argv[0]).name, *sys.argv[1:2]])[:NAME_LENGTH_MAX]


def why() -> str:
    return _asking.get().why[:WHY_LENGTH_MAX]
