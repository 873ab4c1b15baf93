"""The gate of every web page: signed in, allowed by role, and what is not there or not visible is the same 404."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.errors import NotFound


class SignedInRequest(HttpRequest):
    """A request behind the gate: its user is a person of ours."""

    user: User


View = Callable[..., HttpResponseBase]


def allowed(action: Action) -> Callable[[View], View]:
    """Sends strangers to the sign-in page; a role without the action gets 403, NotFound becomes 404."""

    def gate(view: View) -> View:
        @login_required
        @wraps(view)
        def gated(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not may(cast(User, request.user), action):
                raise PermissionDenied
            try:
                return view(request, *args, **kwargs)
            except NotFound as missing:
                raise Http404 from missing

        return cast(View, gated)

    return gate
