"""What people do with receivers of webhooks: add, change, switch, new secrets, ping, replay; and tidying up."""

import secrets as chance
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from catalogsku.accounts.models import User
from catalogsku.core import bulk, clock, messages, secrets
from catalogsku.core.errors import Conflict, NotFound, Refused
from catalogsku.core.moves import move
from processing.webhooks.events import EVENTS, PING, RETRY_FOR_S, SECRET_BYTES, body_of, secret_of
from processing.webhooks.lifecycle import WEBHOOK, HookState
from processing.webhooks.models import WebhookDelivery, WebhookEndpoint, webhook_url_fault
from processing.webhooks.services.outbox import row_of
from processing.webhooks.services.sending import switch_off

H = HookState
MOST_ENDPOINTS = 10  # of one merchant
OLD_SECRET_FOR = timedelta(hours=24)
REPLAYED_AT_ONCE = 10_000
KEPT = {H.DELIVERED: timedelta(days=7), H.FAILED: timedelta(days=30)}
FORGOTTEN_AT_ONCE = 10_000


@dataclass(frozen=True)
class Wanted:
    """What an endpoint is to be; ``events``: their names."""

    url: str
    events: Sequence[str]
    description: str = ""


def find_endpoint(actor: User, uuid: UUID) -> WebhookEndpoint:
    endpoint = WebhookEndpoint.objects.visible_to(actor).select_related("merchant").filter(uuid=uuid).first()
    if endpoint is None:
        raise NotFound("not_found")
    return endpoint


@transaction.atomic
def add_endpoint(actor: User, merchant_id: int, wanted: Wanted) -> tuple[WebhookEndpoint, str]:
    """The endpoint and its secret, which is shown this once.

    Raises NotFound for another's merchant, Refused(webhook_url, webhook_events), Conflict(webhook_known,
    webhooks_full).
    """
    seen = actor.merchant_ids()
    if seen is not None and merchant_id not in seen:
        raise NotFound("not_found")
    _check(wanted)
    if WebhookEndpoint.objects.filter(merchant=merchant_id).count() >= MOST_ENDPOINTS:
        raise Conflict("webhooks_full", max=MOST_ENDPOINTS)
    secret = secret_of(chance.token_bytes(SECRET_BYTES))
    try:
        with transaction.atomic():
            endpoint = WebhookEndpoint.objects.create(
                merchant_id=merchant_id,
                url=wanted.url,
                description=wanted.description,
                events=_named(wanted.events),
                secret=secrets.encrypt(secret),
                created_by=actor,
            )
    except IntegrityError as error:
        raise _known_or_gone(error) from error
    endpoint.refresh_from_db()
    return endpoint, secret


def change_endpoint(endpoint: WebhookEndpoint, wanted: Wanted) -> None:
    """Events that wait already go to the new address. Raises as add_endpoint."""
    _check(wanted)
    try:
        with transaction.atomic():
            WebhookEndpoint.objects.filter(pk=endpoint.pk).update(
                url=wanted.url, description=wanted.description, events=_named(wanted.events)
            )
    except IntegrityError as error:
        raise _known_or_gone(error) from error


def _check(wanted: Wanted) -> None:
    if fault := webhook_url_fault(wanted.url):
        raise Refused("webhook_url", why=str(fault))
    if not wanted.events or not set(wanted.events) <= set(EVENTS):
        raise Refused("webhook_events")


def _named(events: Sequence[str]) -> list[str]:
    return [name for name in EVENTS if name in events]


def _known_or_gone(error: IntegrityError) -> Exception:
    known = "one_endpoint_an_address" in str(error)
    return Conflict("webhook_known") if known else NotFound("not_found")


@transaction.atomic
def switch_endpoint(endpoint: WebhookEndpoint, *, on: bool) -> None:
    """Switched on it gets what happens from now on; what failed meanwhile is there to be replayed."""
    if not on:
        switch_off(endpoint, WebhookEndpoint.Off.PERSON)
        return
    WebhookEndpoint.objects.filter(pk=endpoint.pk).exclude(off="").update(
        off="", off_at=None, on_at=Now(), failing_since=None, failures=0, not_before=None
    )


def rotate_secret(endpoint: WebhookEndpoint) -> str:
    """The new secret, shown this once; for a day the one before signs beside it."""
    secret = secret_of(chance.token_bytes(SECRET_BYTES))
    WebhookEndpoint.objects.filter(pk=endpoint.pk).update(
        old_secret=F("secret"), old_secret_until=Now() + OLD_SECRET_FOR, secret=secrets.encrypt(secret)
    )
    return secret


@transaction.atomic
def send_ping(endpoint: WebhookEndpoint) -> WebhookDelivery:
    """An event that tells nothing, to see whether it arrives; at once, also while the endpoint is left alone. Raises
    Conflict(webhook_off)."""
    if not WebhookEndpoint.objects.filter(pk=endpoint.pk, off="").update(not_before=None):
        raise Conflict("webhook_off")
    now = clock.now()
    body = body_of(PING, now.isoformat(), {"merchant_id": endpoint.merchant_id, "endpoint_id": endpoint.uuid})
    row = row_of(endpoint, PING, body, now + timedelta(seconds=RETRY_FOR_S), job=None, event=None)
    bulk.insert_rows(WebhookDelivery, [row])
    messages.send_after_commit("send_webhooks", endpoint.pk)
    delivery: WebhookDelivery = WebhookDelivery.objects.get(uuid=row["uuid"])
    return delivery


@transaction.atomic
def replay(endpoint: WebhookEndpoint, rows: "QuerySet[WebhookDelivery]") -> int:
    """Send these again under the ids that they have; the number that goes out. Raises Conflict(webhook_off)."""
    if not WebhookEndpoint.objects.filter(pk=endpoint.pk, off="").update(not_before=None):
        raise Conflict("webhook_off")
    ended = rows.filter(endpoint=endpoint, state__in=(H.DELIVERED, H.FAILED)).order_by("pk")
    ids = list(ended.values_list("pk", flat=True)[:REPLAYED_AT_ONCE])
    due_until = clock.now() + timedelta(seconds=RETRY_FOR_S)
    changes = {"attempts": 0, "not_before": None, "due_until": due_until}
    again = WebhookDelivery.objects.filter(pk__in=ids)
    moved = move(WEBHOOK, again, to=H.WAITING, trigger="replayed", changes=changes) if ids else []
    messages.send_after_commit("send_webhooks", endpoint.pk)
    return len(moved)


def replay_failed(endpoint: WebhookEndpoint) -> int:
    return replay(endpoint, WebhookDelivery.objects.filter(state=H.FAILED))


def tidy_up() -> dict[str, int]:
    """Give up what has waited for a day, and forget what was delivered a week ago, or given up a month ago."""
    with transaction.atomic():
        late = WebhookDelivery.objects.filter(state=H.WAITING, due_until__lt=Now())
        given_up = len(move(WEBHOOK, late, to=H.FAILED, trigger="given_up", changes={"not_before": None}))
    forgotten = 0
    for state, period in KEPT.items():
        old = WebhookDelivery.objects.filter(state=state, created_at__lt=Now() - period).order_by("created_at")
        ids = list(old.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
        forgotten += WebhookDelivery.objects.filter(pk__in=ids).delete()[0]
    return {"given_up": given_up, "forgotten": forgotten}
