"""`manage.py sweep [NAME...]`: the sweeps by hand, once each."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogsku.core.periodic import sweeps


class Command(BaseCommand):
    help = "Frees claims of dead workers, sends waiting work, settles what lost its message. Safe at any time."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("names", nargs="*", help="which; without any, all of them")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        declared = sweeps()
        names = options["names"] or sorted(declared)
        if unknown := [name for name in names if name not in declared]:
            raise CommandError(f"There is no sweep {unknown[0]!r}; there are {', '.join(sorted(declared))}.")
        outcome = {name: declared[name].run() for name in names}
        if options["json"]:
            self.stdout.write(json.dumps(outcome))
        else:
            for name, counts in outcome.items():
                self.stdout.write(f"{name}: {counts}")
