"""What people see of webhooks: the receivers of their merchants, and what became of each event."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import IntegerField, OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext_lazy, pgettext_lazy

from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from ingestion.presentation import Filter
from processing.webhooks.events import EVENTS, message_id
from processing.webhooks.lifecycle import HookState
from processing.webhooks.models import WebhookDelivery, WebhookEndpoint

H = HookState
# Of each receiver in the list, and of one with its log.
MOST_IN_A_LIST, MOST_COUNTED = 200, 2000
LOOKS = {H.WAITING: ("waiting", "ink2"), H.DELIVERED: ("checks", "done"), H.FAILED: ("stopped", "fault")}
ERRORS = {
    "no_secret": gettext_lazy("Its secret can no longer be read: make a new one"),
    "address_not_allowed": gettext_lazy("Its address is not allowed any more"),
}


@dataclass(frozen=True)
class EndpointRow:
    """``word, icon, tone``: how it stands. ``why``: why it is off, or what it said last where it fails. ``waiting`` and
    ``failed``: events, ``most`` means that many or more."""

    most: ClassVar[int] = MOST_IN_A_LIST

    id: UUID
    url: str
    page: str
    description: str
    merchant: str
    events: list[str]
    word: str
    icon: str
    tone: str
    why: str
    since: datetime | None
    waiting: int
    failed: int


@dataclass(frozen=True)
class DeliveryRow:
    id: UUID
    message_id: str
    type: str
    job_name: str
    job_url: str
    word: str
    icon: str
    tone: str
    attempts: int
    created_at: datetime
    not_before: datetime | None
    code: int | None
    duration_ms: int | None
    said: str
    body: str
    log: list[dict[str, Any]]
    can_replay: bool


def list_endpoints(actor: User) -> "QuerySet[WebhookEndpoint]":
    endpoints: QuerySet[WebhookEndpoint] = WebhookEndpoint.objects.visible_to(actor).select_related("merchant")
    return endpoints.order_by("merchant__name", "pk")


def endpoint_rows(rows: "QuerySet[WebhookEndpoint]") -> list[EndpointRow]:
    return [_endpoint_row(row) for row in rows.annotate(waiting=_count(H.WAITING), failed=_count(H.FAILED))]


class _Counted(Subquery):
    """How many rows a query gives, as far as its limit."""

    template = "(SELECT count(*) FROM (%(subquery)s) counted)"
    output_field = IntegerField()


def _count(state: str) -> _Counted:
    rows = WebhookDelivery.objects.filter(endpoint=OuterRef("pk"), state=state).order_by("-pk")
    return _Counted(rows.values("pk")[:MOST_IN_A_LIST])


def _endpoint_row(row: Any) -> EndpointRow:
    if row.off:
        looks, since = (pgettext_lazy("webhook", "Off"), "pause", "fault"), row.off_at
    elif row.failing_since:
        looks, since = (pgettext_lazy("webhook", "Failing"), "warning", "person"), row.failing_since
    else:
        looks, since = (pgettext_lazy("webhook", "On"), "check", "done"), None
    word, icon, tone = looks
    return EndpointRow(
        id=row.uuid,
        url=row.url,
        page=reverse("webhook", args=[row.uuid]),
        description=row.description,
        merchant=row.merchant.name,
        events=row.events,
        word=str(word),
        icon=icon,
        tone=tone,
        why=str(row.get_off_display()) if row.off else "",
        since=since,
        waiting=row.waiting,
        failed=row.failed,
    )


def list_deliveries(endpoint: WebhookEndpoint, show: str = "all") -> "QuerySet[WebhookDelivery]":
    rows = WebhookDelivery.objects.filter(endpoint=endpoint)
    return rows.filter(state=show.upper()) if show.upper() in H.values else rows


def delivery_filters(endpoint: WebhookEndpoint) -> list[Filter]:
    """Counted as far as they can be leafed through: the rows of a busy week are many."""
    words = {"all": (str(gettext_lazy("All")), "", "ink2"), **{s.lower(): (str(s.label), *LOOKS[s]) for s in H}}
    return [_filter(endpoint, key, *looks) for key, looks in words.items()]


def _filter(endpoint: WebhookEndpoint, key: str, word: str, icon: str, tone: str) -> Filter:
    """From the newest end: an index has them in that order."""
    n = list_deliveries(endpoint, key).order_by("-pk")[: MOST_COUNTED + 1].count()
    return Filter(key, word, icon, min(n, MOST_COUNTED), tone, more=n > MOST_COUNTED)


def delivery_rows(rows: Sequence[WebhookDelivery]) -> list[DeliveryRow]:
    return [_delivery_row(row) for row in rows]


def _delivery_row(row: WebhookDelivery) -> DeliveryRow:
    icon, tone = LOOKS[H(row.state)]
    last: dict[str, Any] = row.log[-1] if row.log else {}
    error = str(last.get("error", ""))
    return DeliveryRow(
        id=row.uuid,
        message_id=message_id(row.uuid),
        type=row.type,
        job_name=row.job.source_name if row.job else "",
        job_url=reverse("job", args=[row.job.uuid]) if row.job else "",
        word=str(H(row.state).label),
        icon=icon,
        tone=tone,
        attempts=row.attempts,
        created_at=row.created_at,
        not_before=row.not_before,
        code=last.get("code"),
        duration_ms=last.get("duration_ms"),
        said=str(ERRORS.get(error, error)) or str(last.get("answer", "")),
        body=json.dumps(json.loads(row.body), ensure_ascii=False, indent=1),
        log=[{**entry, "at": datetime.fromisoformat(entry["at"])} for entry in row.log],
        can_replay=row.state != H.WAITING,
    )


def events_shown() -> list[tuple[str, str]]:
    return [(name, str(words)) for name, (words, _) in EVENTS.items()]


def switched_off(actor: User) -> list[EndpointRow]:
    """What the merchant has to be told: receivers that were switched off because they failed."""
    if not may(actor, Action.CONNECT) and not may(actor, Action.UPLOAD):
        return []
    rows = list_endpoints(actor).filter(off__in=(WebhookEndpoint.Off.FAILING, WebhookEndpoint.Off.GONE))
    return endpoint_rows(rows)
