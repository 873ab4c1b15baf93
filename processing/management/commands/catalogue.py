"""`manage.py catalogue`: writes the catalogue's entries anew, for documents from before it or after a doubt."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ingestion.models import Job
from processing.catalogue.services.entries import catalogue_job


class Command(BaseCommand):
    help = (
        "Writes the entries of the catalogue over all documents anew, document by document; work may go on meanwhile."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--job", metavar="UUID", help="only this document")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        jobs = Job.objects.select_related("schema").order_by("pk")
        jobs = jobs.filter(uuid=options["job"]) if options["job"] else jobs
        counts = {"documents": 0, "entries": 0}
        for job in jobs.iterator(chunk_size=100):
            counts["documents"] += 1
            counts["entries"] += catalogue_job(job)
        if options["json"]:
            self.stdout.write(json.dumps(counts))
        else:
            self.stdout.write(f"{counts['entries']} entries of {counts['documents']} documents")
