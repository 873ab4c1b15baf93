"""What a request was let in with, for answers that outlive it: a stream and a socket are asked for it as long as they
are open."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest

from catalogsku.accounts.models import User
from catalogsku.accounts.selectors import mark_of, signed_in
from catalogsku.accounts.tokens import users_of


@dataclass(frozen=True)
class Grant:
    """A token's text, or the key of a session; one without either holds for nobody."""

    token: str = ""
    session_key: str = ""


def grant_of(request: HttpRequest) -> Grant:
    """Of a request behind the gate of the API (catalogsku.accounts.bearer), or of a page."""
    grant = getattr(request, "grant", None)
    return grant if isinstance(grant, Grant) else Grant(session_key=request.session.session_key or "")


def still_holds(grants: Collection[Grant]) -> dict[Grant, User]:
    """The person behind each grant that holds, as they are now; a handful of queries for all of them.

    One that is missing has ended: by its age, by a sign-out, or with a right that was taken from its person.
    """
    of_sessions = signed_in({grant.session_key for grant in grants if grant.session_key})
    of_tokens = users_of({grant.token for grant in grants if grant.token})
    people = {
        grant: of_tokens.get(grant.token) if grant.token else of_sessions.get(grant.session_key) for grant in grants
    }
    return {grant: user for grant, user in people.items() if user is not None}


def mark(grants: Collection[Grant], people: Collection[User], now: datetime) -> tuple[Any, ...] | None:
    """Two equal ones: ``still_holds`` would give the same ``people``. None where a token is among the grants, which
    ends by itself."""
    if any(grant.token for grant in grants):
        return None
    return mark_of({grant.session_key for grant in grants}, {user.pk for user in people}, now)
