"""Receivers of webhooks as rows, and events for them."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from catalogsku.accounts.models import Merchant
from catalogsku.core import secrets
from catalogsku.core.moves import move
from ingestion.lifecycle import PAGE, PageStatus
from ingestion.models import Job, Page
from processing.models import WebhookDelivery, WebhookEndpoint
from processing.webhooks.events import EVENTS, secret_of
from processing.webhooks.services import outbox
from processing.webhooks.services.sending import send_webhooks
from tests.support.rows import make_page

SECRET = secret_of(b"k" * 32)


def make_endpoint(merchant: Merchant, url: str = "https://shop.example.org/hooks", **columns: Any) -> WebhookEndpoint:
    """It has listened for an hour: a test's transaction began before its first line."""
    on_at = timezone.now() - timedelta(hours=1)
    defaults = {"events": list(EVENTS), "secret": secrets.encrypt(SECRET), "on_at": on_at}
    return WebhookEndpoint.objects.create(merchant=merchant, url=url, **{**defaults, **columns})


def read_pages(job: Job, *numbers: int) -> None:
    """Each page was understood: an event of its own."""
    for number in numbers:
        page = make_page(job, number)
        with transaction.atomic():
            move(PAGE, Page.objects.filter(pk=page.pk), to=PageStatus.AI_COMPLETED, trigger="understood")


def waiting(endpoint: WebhookEndpoint, job: Job, *numbers: int) -> list[WebhookDelivery]:
    """Events about these pages, written and not sent."""
    read_pages(job, *numbers)
    outbox.write_deliveries()
    return list(WebhookDelivery.objects.filter(endpoint=endpoint).order_by("pk"))


def try_again(endpoint: WebhookEndpoint) -> int:
    """Every wait is over."""
    WebhookDelivery.objects.filter(endpoint=endpoint).update(not_before=None)
    WebhookEndpoint.objects.filter(pk=endpoint.pk).update(not_before=None)
    return send_webhooks(endpoint.pk)
