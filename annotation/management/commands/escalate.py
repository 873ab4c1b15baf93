"""`manage.py escalate`: the sweep of waiting tasks by hand."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.queue.services.sla import escalate


class Command(BaseCommand):
    help = (
        "Raises tasks that wait for a person by the rules of human work: pressing, to leads, accepted where that is"
        " allowed, closed. Each level is reached once; safe at any time."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        counts = escalate()
        if options["json"]:
            self.stdout.write(json.dumps(counts))
            return
        for name, count in counts.items():
            self.stdout.write(f"{count:>6}  {name}")
