"""`manage.py pages list|stopped|retry`: pages of a document, the dead letters of all, and sending them again."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet

from catalogsku.core.errors import ProductError
from ingestion import selectors
from ingestion.lifecycle import PageStatus
from ingestion.management.documents import OPERATOR, command_error, find_job
from ingestion.models import Page
from ingestion.services.jobs import RETRIED_AT_ONCE, rerun_pages, retry_stopped

_SHOWN = (
    *("number", "status", "import_state", "stage", "page_type", "confidence", "sku_count"),
    *("failures", "losses", "reader", "extraction_method", "last_error"),
)


class Command(BaseCommand):
    help = (
        "list: the pages of a document. stopped: pages of all documents that were given up after five attempts,"
        " with their last error. retry: sends pages back to the machines."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["list", "stopped", "retry"])
        parser.add_argument("job", nargs="?", help="id of the document")
        parser.add_argument("numbers", nargs="*", type=int, help="page numbers; without any: those that were stopped")
        parser.add_argument("--status", choices=PageStatus.values, help="list: only pages in this state")
        parser.add_argument("--code", help="stopped, retry --stopped: only pages with this last error")
        parser.add_argument("--limit", type=int, default=200, help="stopped: show at most this many (200)")
        parser.add_argument(
            "--stopped", action="store_true", help="retry: the stopped pages of all documents, 1000 at once"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] == "stopped":
            self._print(stopped(options["job"], options["code"], options["limit"]), options["json"])
        elif options["action"] == "retry":
            sent = self._retry(options)
            self.stdout.write(json.dumps({"pages_sent": sent}) if options["json"] else f"{sent} pages sent again.")
        else:
            rows = Page.objects.filter(job=find_job(options["job"])).order_by("number")
            rows = rows.filter(number__in=options["numbers"]) if options["numbers"] else rows
            rows = rows.filter(status=options["status"]) if options["status"] else rows
            self._print(list(rows.values(*_SHOWN)), options["json"])

    def _retry(self, options: dict[str, Any]) -> int:
        if options["stopped"]:
            if options["numbers"]:
                raise CommandError("Give page numbers or --stopped, not both.")
            return retry_stopped(_stopped_pages(options["job"], options["code"]), OPERATOR, RETRIED_AT_ONCE)
        if options["code"]:
            raise CommandError("--code goes with --stopped.")
        job = find_job(options["job"])
        try:
            return rerun_pages(job, options["numbers"] or None, OPERATOR)
        except ProductError as error:
            raise command_error(error) from error

    def _print(self, rows: list[dict[str, Any]], as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2, default=str))
            return
        for row in rows:
            self.stdout.write("  ".join(f"{key}={value}" for key, value in row.items() if value not in ("", None)))


def _stopped_pages(job: str | None, code: str | None) -> QuerySet[Page]:
    rows = selectors.stopped_pages()
    rows = rows.filter(job=find_job(job)) if job else rows
    return rows.filter(last_error__code=code) if code else rows


def stopped(job: str | None, code: str | None, limit: int) -> list[dict[str, Any]]:
    """The dead letters, newest first, each with its document, its last error and who had it last."""
    rows = _stopped_pages(job, code).select_related("job__merchant")[: max(limit, 0)]
    return [
        {
            "job": str(page.job.uuid),
            "number": page.number,
            "name": page.job.source_name,
            "merchant": page.job.merchant.name,
            "failures": page.failures,
            "losses": page.losses,
            "worker": page.handled_by,
            "last_error": page.last_error,
            "stopped_at": page.finished_at.isoformat(timespec="seconds") if page.finished_at else None,
        }
        for page in rows
    ]
