"""`manage.py deletions`: what was deleted, for the list that is kept beside backups; or deleting it by that list."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ingestion.backups.manifest import BackupRefused
from ingestion.backups.services.repeating import repeat_deletions
from ingestion.keeping.models import Deletion
from ingestion.keeping.selectors import told_deletions


class Command(BaseCommand):
    help = (
        "Lists what was deleted on request or by a rule, the newest first, by number and hash; it names nobody. Or"
        " deletes again what such a list says, in a database that was restored."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--limit", type=int, default=100, help="how many (default: 100)")
        parser.add_argument("--json", action="store_true", help="print a JSON object a line, with hashes")
        parser.add_argument("--repeat", type=Path, metavar="FILE", help="delete again what FILE (--json) says")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["repeat"]:
            self._repeat(options["repeat"])
        elif options["json"]:
            for told in told_deletions(options["limit"]):
                self.stdout.write(json.dumps(told))
        else:
            for deletion in Deletion.objects.order_by("-pk")[: options["limit"]]:
                left = f"  left: {deletion.found}" if deletion.found else ""
                rows = f"{sum(deletion.rows.values())} rows, {deletion.files} files"
                self.stdout.write(f"{deletion.asked_at:%Y-%m-%d %H:%M}  {deletion}, {rows}{left}")

    def _repeat(self, file: Path) -> None:
        try:
            counts = repeat_deletions(file.read_text().splitlines())
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}", returncode=2) from None
        except BackupRefused as refused:
            raise CommandError(str(refused), returncode=1) from None
        for how, n in sorted(counts.items()):
            self.stdout.write(f"{how}: {n}")
        if counts.keys() & {"left", "waits", "other"}:
            raise CommandError("Not everything of the list is gone.", returncode=1)
