"""`manage.py pages list|retry`: pages of a document that failed or wait, and sending them again."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from catalogsku.core.errors import ProductError
from ingestion.lifecycle import PageStatus
from ingestion.management.commands.jobs import OPERATOR, find_job, told
from ingestion.models import Page
from ingestion.services.jobs import rerun_pages


class Command(BaseCommand):
    help = "Lists a document's pages, or sends some of them back to the machines."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["list", "retry"])
        parser.add_argument("job", help="id of the document")
        parser.add_argument("numbers", nargs="*", type=int, help="page numbers; without any: those that were stopped")
        parser.add_argument("--status", choices=PageStatus.values)
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        job = find_job(options["job"])
        if options["action"] == "retry":
            try:
                sent = rerun_pages(job, options["numbers"] or None, OPERATOR)
            except ProductError as error:
                raise told(error) from error
            self.stdout.write(json.dumps({"pages_sent": sent}) if options["json"] else f"{sent} pages sent again.")
            return
        rows = Page.objects.filter(job=job).order_by("number")
        rows = rows.filter(number__in=options["numbers"]) if options["numbers"] else rows
        rows = rows.filter(status=options["status"]) if options["status"] else rows
        fields = (
            *("number", "status", "import_state", "stage", "page_type", "confidence", "sku_count"),
            *("failures", "losses", "reader", "extraction_method", "last_error"),
        )
        found = list(rows.values(*fields))
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False, indent=2))
            return
        for row in found:
            self.stdout.write("  ".join(f"{key}={value}" for key, value in row.items() if value not in ("", None)))
