"""`manage.py pictures`: decides anew which pictures of documents repeat others, for documents from before it."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ingestion.models import Job
from processing.products.services.repeated import decide_anew


class Command(BaseCommand):
    help = "Decides anew which pictures of a document repeat others, document by document; work may go on meanwhile."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--job", metavar="UUID", help="only this document")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        jobs = Job.objects.order_by("pk")
        jobs = jobs.filter(uuid=options["job"]) if options["job"] else jobs
        counts = {"documents": 0, "repeated": 0}
        for job in jobs.iterator(chunk_size=100):
            counts["documents"] += 1
            counts["repeated"] += decide_anew(job)
        if options["json"]:
            self.stdout.write(json.dumps(counts))
        else:
            self.stdout.write(f"{counts['repeated']} repeated pictures in {counts['documents']} documents")
