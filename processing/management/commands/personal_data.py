"""`manage.py personal_data JOB` and `manage.py personal_data --find VALUE --merchant WHICH`."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from catalogsku.accounts.models import Merchant
from ingestion import personal_data
from ingestion.keeping.models import Subject
from ingestion.keeping.selectors import find_target
from ingestion.management.documents import OPERATOR, find_job
from processing.pages.services.personal_data import count_again, search


class Command(BaseCommand):
    help = (
        "Says how much personal data a document shows, by kind and page; or in which documents of a merchant a"
        " telephone number, mail address or other number stands, so that who asks for it can be deleted. What is looked"
        " for is neither printed nor logged."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("job", nargs="?", help="id of the document; pages nobody has looked at are looked at now")
        parser.add_argument("--find", metavar="VALUE", help="what to look for; - reads it from standard input")
        parser.add_argument("--merchant", help="find: number or name of the merchant")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["job"] is None) == (options["find"] is None):
            raise CommandError("Name a document, or --find with --merchant.")
        with translation.override("en"):
            told = self._found(options) if options["find"] is not None else self._shown(options["job"])
        if options["json"]:
            self.stdout.write(json.dumps(told))
            return
        for line in told["lines"]:
            self.stdout.write(line)

    def _shown(self, name: str) -> dict[str, Any]:
        job = find_job(name)
        looked_at = count_again(job)
        shown, unknown = personal_data.shown_by(job), personal_data.not_looked_at(job).count()
        lines = [one.sentence for one in shown] or ["No personal data was found."]
        lines += [f"{looked_at} pages were looked at just now."] if looked_at else []
        lines += [f"{unknown} pages were not looked at: what was read of them is not kept."] if unknown else []
        kinds = {one.kind: {"count": one.count, "pages": one.pages} for one in shown}
        return {"job": str(job.uuid), "kinds": kinds, "not_looked_at": unknown, "lines": lines}

    def _found(self, options: dict[str, Any]) -> dict[str, Any]:
        merchant = find_target(Subject.MERCHANT, options["merchant"] or "")
        if not isinstance(merchant, Merchant):
            raise CommandError(f"There is no merchant {options['merchant']}.")
        said = sys.stdin.readline() if options["find"] == "-" else options["find"]
        try:
            hits = search(merchant, said.strip(), OPERATOR)
        except ValueError as error:
            raise CommandError(f"Not a telephone number, mail address or other number: {error}.") from None
        lines = [f"{job.uuid}  {job.source_name}  p. {personal_data.ranges(n)}" for job, n in hits.pages.items()]
        lines.append(f"{len(hits.pages)} documents; {hits.searched} pages were looked through.")
        if hits.unsearched:
            lines.append(f"Not looked through, for what was read is not kept: {len(hits.unsearched)} documents.")
        documents = [{"job": str(job.uuid), "pages": numbers} for job, numbers in hits.pages.items()]
        unsearched = [str(job.uuid) for job in hits.unsearched]
        return {"documents": documents, "searched": hits.searched, "unsearched": unsearched, "lines": lines}
