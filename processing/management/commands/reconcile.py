"""`manage.py reconcile`: what the scheduler does every half hour with imports, now and over the whole ledger."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Max

from processing.imports.models import ImportRecord
from processing.imports.services import reconciling


class Command(BaseCommand):
    help = (
        "Asks import targets about imports without an answer and those that are only assumed, gives up what has failed"
        " for a day, and compares the confirmed ones with what the targets hold. Exit code 0 also where they differ."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        counts = {"settled": reconciling.settle_unknown(), "stale": reconciling.give_up_stale()}
        counts |= reconciling.confirm_assumed()
        last = ImportRecord.objects.aggregate(last=Max("pk"))["last"] or 0
        for first in range(1, last + 1, reconciling.CHECKED_A_ROUND):
            for name, number in reconciling.find_drift(first, first + reconciling.CHECKED_A_ROUND - 1).items():
                counts[name] = counts.get(name, 0) + number
        if options["json"]:
            self.stdout.write(json.dumps(counts))
        else:
            self.stdout.write("  ".join(f"{name}={number}" for name, number in counts.items()))
