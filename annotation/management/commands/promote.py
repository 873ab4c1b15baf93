"""`manage.py promote`: propose attributes that people confirmed often, now."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.proposals.models import AttributeProposal
from annotation.proposals.services import propose_attributes


class Command(BaseCommand):
    help = "Looks for custom attributes that people confirmed often, and lists those proposed for a category's schema."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        propose_attributes()
        rows = AttributeProposal.objects.filter(state=AttributeProposal.State.OPEN).order_by("-confirmed", "pk")
        columns = ("category", "name", "key", "type", "unit", "confirmed")
        proposals = [{column: getattr(row, column) for column in columns} for row in rows]
        if options["json"]:
            self.stdout.write(json.dumps(proposals, ensure_ascii=False, indent=2))
            return
        for row in proposals:
            self.stdout.write(f"{row['confirmed']:>6}  {row['category']}: {row['name']} ({row['key']}, {row['type']})")
