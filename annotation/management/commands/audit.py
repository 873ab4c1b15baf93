"""`manage.py audit`: the nightly audit by hand."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.tasks.services.audit import audit, audit_all


class Command(BaseCommand):
    help = (
        "Compares states with what they follow from and scans the invariants, of the newest 2000 rows of each and of"
        " whatever was found before. Exit code 1 where something differs."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="go through all rows now, however long that takes")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        counts = audit_all() if options["all"] else audit()
        if options["json"]:
            self.stdout.write(json.dumps(counts, indent=2))
        else:
            for name, count in counts.items():
                self.stdout.write(f"{count:>6}  {name}")
        if any(counts.values()):
            raise CommandError("Something differs from what it should be.", returncode=1)
