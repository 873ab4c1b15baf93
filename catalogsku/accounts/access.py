"""The gate of every web page: signed in, allowed by role, and what is not there or not visible is the same 404."""

from collections.abc import Callable
from functools import wraps
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, cast

from axes.helpers import get_cool_off
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from structlog.contextvars import bind_contextvars

from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.errors import NotFound
from catalogsku.core.problems import PROBLEM_TYPE


class SignedInRequest(HttpRequest):
    """A request behind the gate: its user is a person of ours."""

    user: User


View = Callable[..., HttpResponseBase]
NAME_LENGTH_MAX = 150


def allowed(action: Action) -> Callable[[View], View]:
    """Sends strangers to the sign-in page; a role without the action gets 403, NotFound becomes 404."""

    def gate(view: View) -> View:
        @login_required
        @wraps(view)
        def gated(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not may(cast(User, request.user), action):
                raise PermissionDenied
            bind_contextvars(user_id=request.user.pk)  # log lines name who asked, also those of the work that follows
            try:
                return view(request, *args, **kwargs)
            except NotFound as missing:
                raise Http404 from missing

        return cast(View, gated)

    return gate


def signed_in_only(view: View) -> View:
    """For pages that whoever is signed in may see."""
    return login_required(view)


def tried_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str | None:
    """The name of a sign-in for the list of failed ones, which has no room for what is longer than any name."""
    name = (credentials or request.POST).get("username")
    return None if name is None else str(name)[:NAME_LENGTH_MAX]


def locked_out(request: HttpRequest, answer: HttpResponse | None, credentials: dict[str, Any] | None) -> HttpResponse:
    """After too many failed sign-ins: a page that says for how long; programs get the answer that is theirs."""
    if answer is not None and answer.headers.get("Content-Type") == PROBLEM_TYPE:
        return answer
    left = get_cool_off(request)
    page = render(request, "accounts/lockout.html", {"cooloff_timedelta": left}, status=429)
    if left is not None:
        page["Retry-After"] = str(round(left.total_seconds()))
    return page


def client_network(request: HttpRequest) -> str:
    """Where a sign-in comes from: an IPv4 address, or the /64 that one IPv6 customer has to himself.

    X-Forwarded-For is what anybody writes, except for the entries that our own proxies have added at its end: with
    TRUSTED_PROXIES=n the n-th from the right counts. With 0 the header is not read.
    """
    client = str(request.META.get("REMOTE_ADDR") or "")
    if settings.TRUSTED_PROXIES:
        hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
        client = hops[-settings.TRUSTED_PROXIES] if len(hops) >= settings.TRUSTED_PROXIES else client
    try:
        address = ip_address(client)
    except ValueError:
        return "0.0.0.0"
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or ip_network(f"{address}/64", strict=False).network_address
    return str(address)
