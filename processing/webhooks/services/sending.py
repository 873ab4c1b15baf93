"""Deliveries go out: an endpoint is claimed, its events are sent in their order, each answer is written down.

One that fails holds up its own document's events, its endpoint for a moment, and nothing else.
"""

import random
import time
from datetime import timedelta
from urllib.parse import urlsplit

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Now
from structlog import get_logger

from catalogsku.core import clock, crash_points, messages, metrics, secrets
from catalogsku.core.moves import move
from catalogsku.core.wire import Line, Lost, NotSent, Reply, retry_after_s
from catalogsku.core.work import live_threads
from processing.webhooks.events import Attempt, delay_s, message_id, pause_s, signed_headers
from processing.webhooks.lifecycle import WEBHOOK, HookState
from processing.webhooks.models import WebhookDelivery, WebhookEndpoint, is_private_host, webhook_url_fault

log = get_logger(__name__)

H = HookState
Off = WebhookEndpoint.Off
CALL_TIMEOUT_S = 15.0
SEND_FOR_S = 25.0  # a message takes no new event after that; with a call, below its time limit
LEASE_S = 60
TOGETHER = 100
ANSWER_BYTES = 1024
LOGGED_ATTEMPTS = 12
FAILING_FOR = timedelta(days=3)


def send_waiting() -> dict[str, int]:
    """Ring for endpoints with due events, those that waited longest first. At most half of the unit's threads may be
    with receivers at any time, so that imports always find one."""
    if not WebhookEndpoint.objects.filter(off="").exists():
        return {"endpoints": 0}
    free = max(1, live_threads("out") // 2) - WebhookEndpoint.objects.filter(lease_until__gt=Now()).count()
    ready = WebhookEndpoint.objects.filter(_is_free(), Exists(_due(OuterRef("pk")))).order_by(
        F("lease_until").asc(nulls_first=True)
    )
    chosen = list(ready.values_list("pk", flat=True)[: max(free, 0)])
    for endpoint_id in chosen:
        messages.send("send_webhooks", endpoint_id)
    return {"endpoints": len(chosen)}


def _is_free() -> Q:
    """Switched on, in nobody's hands, not left alone after a failure."""
    idle = Q(lease_until=None) | Q(lease_until__lte=Now())
    return Q(off="") & idle & (Q(not_before=None) | Q(not_before__lte=Now()))


def _due(endpoint: int | OuterRef) -> "QuerySet[WebhookDelivery]":
    """Events behind one of the same document that waits for its next attempt wait too."""
    rows = WebhookDelivery.objects.filter(endpoint=endpoint, state=H.WAITING).exclude(not_before__gt=Now())
    earlier = WebhookDelivery.objects.filter(
        endpoint=OuterRef("endpoint"), job=OuterRef("job"), state=H.WAITING, not_before__gt=Now()
    )
    return rows.filter(~Exists(earlier))


def send_webhooks(endpoint_id: int) -> int:
    """Send what is due to one endpoint until something fails; the number delivered."""
    endpoint = _claim(endpoint_id)
    if endpoint is None:
        return 0
    until_s, delivered = time.monotonic() + SEND_FOR_S, 0
    private = is_private_host(endpoint.url)
    try:
        with Line(endpoint.url, private=private, beginning_bytes=ANSWER_BYTES) as line:
            while rows := list(_due(endpoint.pk).order_by("pk")[:TOGETHER]):
                for row in rows:
                    if time.monotonic() >= until_s:
                        return delivered
                    attempt = _attempt(line, endpoint, row)
                    crash_points.reached("webhook.after_call")
                    if not _record(endpoint, row, attempt):
                        return delivered
                    delivered += 1
    finally:
        _mine(endpoint).update(lease_until=None, lease_token=None)
    return delivered


def _claim(endpoint_id: int) -> WebhookEndpoint | None:
    with transaction.atomic():
        endpoint = (
            WebhookEndpoint.objects.select_for_update(skip_locked=True).filter(_is_free(), pk=endpoint_id).first()
        )
        if endpoint is None:
            return None
        with connection.cursor() as cursor:
            cursor.execute("SELECT nextval('core_claim_token')")
            endpoint.lease_token = cursor.fetchone()[0]
        lease = {"lease_token": endpoint.lease_token, "lease_until": Now() + timedelta(seconds=LEASE_S)}
        WebhookEndpoint.objects.filter(pk=endpoint_id).update(**lease)
        return endpoint


def _mine(endpoint: WebhookEndpoint) -> "QuerySet[WebhookEndpoint]":
    return WebhookEndpoint.objects.filter(pk=endpoint.pk, lease_token=endpoint.lease_token)


def _attempt(line: Line, endpoint: WebhookEndpoint, row: WebhookDelivery) -> Attempt:
    began_s = time.monotonic()

    def took_ms() -> int:
        return round((time.monotonic() - began_s) * 1000)

    keys = valid_secrets(endpoint)
    if not keys or webhook_url_fault(endpoint.url):
        return Attempt(None, 0, error="no_secret" if not keys else "address_not_allowed")
    body, parts = row.body.encode(), urlsplit(endpoint.url)
    headers = {
        "Content-Type": "application/json",
        **signed_headers(message_id(row.uuid), int(clock.now().timestamp()), body, keys),
    }
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        reply = _asked(line, path, headers, body, began_s + CALL_TIMEOUT_S)
    except (NotSent, Lost) as error:
        return Attempt(None, took_ms(), error=str(error)[:300])
    text = reply.body[:ANSWER_BYTES].decode("utf-8", "replace").replace("\0", "")
    return Attempt(reply.status, took_ms(), text, wanted_s=retry_after_s(reply.headers))


def _asked(line: Line, path: str, headers: dict[str, str], body: bytes, until_s: float) -> Reply:
    """A connection that the other side has closed meanwhile is no failure of the receiver's."""
    if line.is_open:
        try:
            return line.ask("POST", path, headers, body, until_s)
        except Lost:
            if time.monotonic() >= until_s:
                raise
    return line.ask("POST", path, headers, body, until_s)


def valid_secrets(endpoint: WebhookEndpoint) -> list[str]:
    """The newest first; none where SECRET_KEY has changed since they were kept."""
    encrypted = [endpoint.secret]
    if endpoint.old_secret is not None and endpoint.old_secret_until and endpoint.old_secret_until > clock.now():
        encrypted.append(endpoint.old_secret)
    return [text for secret in encrypted if (text := secrets.decrypt(secret)) is not None]


@transaction.atomic
def _record(endpoint: WebhookEndpoint, row: WebhookDelivery, attempt: Attempt) -> bool:
    """Write down what came of it; whether to go on. False also where somebody else sends to the endpoint by now."""
    current = _mine(endpoint).select_for_update().first()
    outcome = "delivered" if attempt.is_taken else "refused" if attempt.code is not None else "unanswered"
    metrics.after_commit(metrics.WEBHOOKS, outcome=outcome)
    metrics.observe_after_commit(metrics.WEBHOOK_SECONDS, attempt.duration_ms / 1000, outcome=outcome)
    if current is None:
        return False
    tried = {
        "at": clock.now().isoformat(),
        "code": attempt.code,
        "duration_ms": attempt.duration_ms,
        "answer": attempt.answer,
        "error": attempt.error,
    }
    rows = WebhookDelivery.objects.filter(pk=row.pk)
    rows.update(attempts=F("attempts") + 1, log=[*row.log, tried][-LOGGED_ATTEMPTS:])
    if attempt.is_taken:
        move(WEBHOOK, rows, to=H.DELIVERED, trigger="delivered", changes={"not_before": None})
        if current.failing_since:
            _mine(endpoint).update(failing_since=None, failures=0, not_before=None)
        return True
    _put_off(current, row, rows, attempt)
    return False


def _put_off(
    endpoint: WebhookEndpoint, row: WebhookDelivery, rows: "QuerySet[WebhookDelivery]", attempt: Attempt
) -> None:
    wait = timedelta(seconds=delay_s(row.attempts + 1, random.random(), attempt.wanted_s))
    if clock.now() + wait > row.due_until:
        move(WEBHOOK, rows, to=H.FAILED, trigger="given_up", changes={"not_before": None})
    else:
        rows.update(not_before=Now() + wait)
    pause = timedelta(seconds=max(pause_s(endpoint.failures + 1), min(attempt.wanted_s or 0, 600)))
    WebhookEndpoint.objects.filter(pk=endpoint.pk).update(
        failures=F("failures") + 1, failing_since=Coalesce("failing_since", Now()), not_before=Now() + pause
    )
    long_failing = endpoint.failing_since is not None and clock.now() - endpoint.failing_since > FAILING_FOR
    if attempt.is_gone or long_failing:
        switch_off(endpoint, Off.GONE if attempt.is_gone else Off.FAILING)


@transaction.atomic
def switch_off(endpoint: WebhookEndpoint, why: str) -> None:
    """Nothing more is sent there; what waits counts as failed, and can be replayed once it is switched on again."""
    WebhookEndpoint.objects.filter(pk=endpoint.pk, off="").update(off=why, off_at=Now())
    rows = WebhookDelivery.objects.filter(endpoint=endpoint)
    move(WEBHOOK, rows.filter(state=H.WAITING), to=H.FAILED, trigger="given_up", changes={"not_before": None})
    log.warning("webhook switched off", endpoint=str(endpoint.uuid), merchant_id=endpoint.merchant_id, why=why)
