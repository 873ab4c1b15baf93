"""`manage.py webhooks list|show|ping|replay|on|off`: receivers of webhooks, for operators."""

import json
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from catalogsku.core.errors import ProductError
from processing.problems import sentence
from processing.webhooks.models import WebhookEndpoint
from processing.webhooks.presenters import endpoint_rows
from processing.webhooks.services import endpoints as service

_SHOWN = ("uuid", "type", "state", "attempts", "created_at", "not_before", "log")


class Command(BaseCommand):
    help = (
        "list: all receivers and how they stand. show: the last events of one. ping: sends it an event that tells"
        " nothing. replay: sends it all again that was given up. on, off: switches it."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["list", "show", "ping", "replay", "on", "off"])
        parser.add_argument("endpoint", nargs="?", metavar="ENDPOINT", help="id of the receiver")
        parser.add_argument("--limit", type=int, default=20, help="show: at most so many events, the newest first (20)")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] == "list":
            self._list(options["json"])
            return
        try:
            self._act(options["action"], _find(options["endpoint"]), options)
        except ProductError as error:
            with translation.override("en"):
                raise CommandError(sentence(error.code, error.params)) from error

    def _list(self, as_json: bool) -> None:
        with translation.override("en"):
            rows = endpoint_rows(WebhookEndpoint.objects.select_related("merchant").order_by("pk"))
            self._print(
                [
                    {
                        "endpoint": row.id,
                        "merchant": row.merchant,
                        "url": row.url,
                        "state": row.word,
                        "why": row.why,
                        "since": row.since,
                        "waiting": row.waiting,
                        "failed": row.failed,
                    }
                    for row in rows
                ],
                as_json,
            )

    def _act(self, action: str, endpoint: WebhookEndpoint, options: dict[str, Any]) -> None:
        if action == "show":
            rows = endpoint.deliveries.order_by("-pk")[: max(options["limit"], 0)]
            self._print(list(rows.values(*_SHOWN)), options["json"])
        elif action == "ping":
            self._print([{"ping": str(service.send_ping(endpoint).uuid)}], options["json"])
        elif action == "replay":
            self._print([{"events_sent": service.replay_failed(endpoint)}], options["json"])
        else:
            service.switch_endpoint(endpoint, on=action == "on")
            self._print([{"endpoint": str(endpoint.uuid), "on": action == "on"}], options["json"])

    def _print(self, rows: list[dict[str, Any]], as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2, default=str))
            return
        for row in rows:
            self.stdout.write("  ".join(f"{key}={value}" for key, value in row.items() if value not in ("", None)))


def _find(text: str | None) -> WebhookEndpoint:
    try:
        return WebhookEndpoint.objects.get(uuid=UUID(text or ""))
    except (ValueError, WebhookEndpoint.DoesNotExist):
        raise CommandError(f"There is no receiver {text!r}. `webhooks list` shows the ids.") from None
