"""/metrics: one scrape for the counters of all processes of this machine and the facts of the database (TA-MET)."""

import ipaddress
from collections.abc import Iterable
from itertools import chain

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_GET
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from catalogsku.core import facts
from catalogsku.core import metrics as counted

# What a proxy on this machine adds: the request comes from elsewhere then.
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP")


class _Everything(CollectorRegistry):
    """The families in the form that the exposition asks for."""

    def __init__(self, families: Iterable[Metric]) -> None:
        super().__init__()
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families


def exposition() -> bytes:
    """The Prometheus text format; also without a database or Redis, with less in it."""
    return generate_latest(_Everything(chain(counted.collect(), facts.collect())))


def everything() -> bytes:
    """The same for a process that counts nothing itself: what the others of this machine have counted."""
    return generate_latest(_Everything(chain(counted.collect(everybodys=True), facts.collect())))


def machine_exposition() -> bytes:
    """Without the database's facts, which every web process serves already: for a machine that runs workers alone."""
    disk = next(entry for entry in facts.all_facts() if entry.name == "disk_usage_ratio")
    return generate_latest(_Everything(chain(counted.collect(everybodys=True), [disk.family(disk.read())])))


@require_GET
def metrics(request: HttpRequest) -> HttpResponse:
    """With METRICS_TOKEN for whoever sends it; without one for this machine alone."""
    if not may_scrape(request):
        if settings.METRICS_TOKEN:
            challenge = {"WWW-Authenticate": "Bearer"}
            return HttpResponse("A bearer token is needed.\n", "text/plain", 401, headers=challenge)
        return HttpResponse("For this machine alone; METRICS_TOKEN opens it to others.\n", "text/plain", 403)
    return HttpResponse(exposition(), CONTENT_TYPE_PLAIN_0_0_4, headers={"Cache-Control": "no-store"})


def may_scrape(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        return has_token(request.headers.get("Authorization", ""))
    return is_local(request)


def has_token(authorization: str) -> bool:
    kind, _, token = authorization.partition(" ")
    return kind.lower() == "bearer" and constant_time_compare(token.strip(), settings.METRICS_TOKEN)


def is_local(request: HttpRequest) -> bool:
    """Sent from this machine, by no proxy."""
    if any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
