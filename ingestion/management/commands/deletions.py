"""`manage.py deletions`: what was deleted, for the list that is kept beside backups."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ingestion.keeping.models import Deletion

_TOLD = ("id", "subject", "number", "merchant_number", "state", "by_rule", "hashes", "rows", "files", "bytes", "found")


class Command(BaseCommand):
    help = "Lists what was deleted on request or by a rule, the newest first, by number and hash; it names nobody."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--limit", type=int, default=100, help="how many (default: 100)")
        parser.add_argument("--json", action="store_true", help="print a JSON object a line, with hashes")

    def handle(self, *args: Any, **options: Any) -> None:
        for deletion in Deletion.objects.order_by("-pk")[: options["limit"]]:
            if options["json"]:
                told = {name: getattr(deletion, name) for name in _TOLD}
                self.stdout.write(json.dumps({**told, "asked_at": deletion.asked_at.isoformat()}))
            else:
                left = f"  left: {deletion.found}" if deletion.found else ""
                rows = f"{sum(deletion.rows.values())} rows, {deletion.files} files"
                self.stdout.write(f"{deletion.asked_at:%Y-%m-%d %H:%M}  {deletion}, {rows}{left}")
