"""`manage.py batches list|cancel`: questions that are not urgent, which wait together for their answers."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Count, Sum
from django.utils import timezone

from catalogsku.core.errors import Conflict
from processing.batches import services
from processing.llm.models import ModelBatch
from processing.llm.money import MICRO

SHOWN = 50


class Command(BaseCommand):
    help = "Lists batches of questions, newest first, and cancels one: its pages are then asked at once, at full price."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="what", required=True)
        listing = commands.add_parser("list", help="those under way")
        listing.add_argument("--all", action="store_true", help=f"also those that have ended, the last {SHOWN} in all")
        listing.add_argument("--json", action="store_true", help="print JSON")
        cancelling = commands.add_parser("cancel", help="of what was sent, answers that are there by then are kept")
        cancelling.add_argument("name", metavar="NAME", help="as `list` shows it")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"] == "list":
            self._list(every=options["all"], as_json=options["json"])
        else:
            self._cancel(options["name"])

    def _list(self, *, every: bool, as_json: bool) -> None:
        rows = ModelBatch.objects.all() if every else services.open_batches()
        counted = rows.annotate(n=Count("questions"), reserved=Sum("questions__reserved_micro"))
        described = [_row(row) for row in counted.select_related("merchant").order_by("-pk")[:SHOWN]]
        if as_json:
            self.stdout.write(json.dumps(described, ensure_ascii=False, indent=2))
        for entry in () if as_json else described:
            at = entry["ended_at"] or entry["sent_at"] or entry["closed_at"] or entry["created_at"]
            why = f" {entry['error']}" if entry["error"] else ""
            self.stdout.write(
                f"{entry['name']} {entry['state']:<9} {at} {entry['questions']} questions to {entry['model']}, at most"
                f" {entry['reserved_usd']:.2f} USD, {entry['merchant']}{why}"
            )

    def _cancel(self, name: str) -> None:
        try:
            batch = ModelBatch.objects.get(name=name)
        except (ModelBatch.DoesNotExist, ValidationError):
            raise CommandError(f"There is no batch {name!r}.", returncode=2) from None
        try:
            done = services.cancel(batch)
        except Conflict:
            raise CommandError("It has ended already.", returncode=1) from None
        self.stdout.write("Cancelled." if done else "Its provider is asked to stop.")


def _row(row: Any) -> dict[str, Any]:
    times = {name: getattr(row, name) for name in ("created_at", "closed_at", "sent_at", "ended_at")}
    times_shown = {name: timezone.localtime(at).isoformat(" ", "minutes") if at else None for name, at in times.items()}
    error = row.error_code or (row.last_error or {}).get("code", "")
    return {
        "name": str(row.name),
        "state": row.state,
        "model": row.model,
        "provider": row.provider,
        "merchant": str(row.merchant),
        "questions": row.n,
        "reserved_usd": (row.reserved or 0) / MICRO,
        "remote_id": row.remote_id,
        "error": error,
        **times_shown,
    }
