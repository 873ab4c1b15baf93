"""Receivers of webhooks, and each event on its way to one of them (X-WEBHOOK)."""

import uuid
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogsku.accounts.models import Merchant
from catalogsku.core import addresses
from catalogsku.core.models import LiveRow
from catalogsku.core.scope import ScopedManager
from catalogsku.core.secrets import SecretField
from ingestion.models import Job
from processing.webhooks.lifecycle import HookState

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class WebhookEndpoint(models.Model):
    """Where a merchant's events go. ``off`` empty: they do.

    Secrets are encrypted; the old one signs beside the new one until ``old_secret_until``. ``failing_since``: of
    attempts without a success in between, ``failures`` their number; nothing is sent before ``not_before``. Whoever
    sends holds ``lease_token`` until ``lease_until``.
    """

    class Off(models.TextChoices):
        PERSON = "person", pgettext_lazy("webhook switched off", "by a person")
        FAILING = "failing", pgettext_lazy("webhook switched off", "it has taken nothing for three days")
        GONE = "gone", pgettext_lazy("webhook switched off", "it answered 410: it wants nothing more")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    merchant = models.ForeignKey(Merchant, models.CASCADE, related_name="webhooks", db_index=False)
    url = models.CharField(_("address"), max_length=500)
    description = models.CharField(_("description"), max_length=120, blank=True)
    events = models.JSONField(default=list)
    secret = SecretField()
    old_secret = SecretField(null=True)
    old_secret_until = models.DateTimeField(null=True)
    off = models.CharField(max_length=8, choices=Off, blank=True)
    off_at = models.DateTimeField(null=True)
    on_at = models.DateTimeField(db_default=Now())
    failing_since = models.DateTimeField(null=True)
    failures = models.IntegerField(default=0)
    not_before = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    lease_token = models.BigIntegerField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ScopedManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["merchant", "url"], name="one_endpoint_an_address")]

    def __str__(self) -> str:
        return self.url


class WebhookDelivery(LiveRow):
    """One event for one endpoint; ``uuid`` is the id that its receiver knows it by, in every attempt and replay.

    ``event``: the audit row that it tells of, none for a ping. ``log``: its last attempts, each with at, code,
    duration_ms, answer (the first kB), error. ``due_until``: it is given up then.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    endpoint = models.ForeignKey(WebhookEndpoint, models.CASCADE, related_name="deliveries", db_index=False)
    event = models.BigIntegerField(null=True)
    type = models.CharField(max_length=30)
    job = models.ForeignKey(Job, models.CASCADE, null=True, related_name="+")
    state = models.CharField(max_length=9, choices=HookState, default=HookState.WAITING)
    body = models.TextField()
    attempts = models.SmallIntegerField(default=0)
    log = models.JSONField(default=list)
    not_before = models.DateTimeField(null=True)
    due_until = models.DateTimeField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    merchant_path = "endpoint__merchant_id"
    objects = ScopedManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["endpoint", "event"], name="one_delivery_an_event")]
        indexes = [
            models.Index(fields=["endpoint", "-id"], name="webhooks_of_endpoint"),
            models.Index(fields=["endpoint", "id"], name="webhooks_waiting", condition=Q(state="WAITING")),
            models.Index(
                fields=["endpoint", "job"],
                name="webhooks_put_off",
                condition=Q(state="WAITING", not_before__isnull=False),
            ),
            models.Index(fields=["endpoint", "-id"], name="webhooks_failed", condition=Q(state="FAILED")),
            models.Index(fields=["created_at"], name="webhooks_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.uuid}"


class WebhookCursor(models.Model):
    """Up to which transaction the audit rows have become deliveries; one row."""

    position = models.BigIntegerField()

    def __str__(self) -> str:
        return str(self.position)


_FAULTS = {
    addresses.NOT_AN_ADDRESS: _("This is no address."),
    addresses.HTTPS_NEEDED: _("HTTPS is needed, but for hosts in WEBHOOK_PRIVATE_HOSTS."),
    addresses.PRIVATE_NETWORK: _("This is an address of a private network."),
}


def webhook_url_fault(url: str) -> "StrOrPromise | None":
    """Why nothing is sent there; names are looked up, and their addresses judged, each time that they are dialled."""
    if fault := addresses.url_fault(url, settings.WEBHOOK_PRIVATE_HOSTS):
        return _FAULTS[fault]
    parts = urlsplit(url)
    if not is_private_host(url) and (parts.username or parts.password or parts.fragment):
        return _("An address without user name and fragment is needed.")
    return None


def is_private_host(url: str) -> bool:
    """The host may have an address of a private network."""
    return urlsplit(url).hostname in settings.WEBHOOK_PRIVATE_HOSTS
