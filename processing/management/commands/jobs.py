"""`manage.py jobs list|show|cancel|requeue|retry|models`."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogsku.core.errors import ProductError
from ingestion import models_shown, page_groups, selectors
from ingestion.lifecycle import JobStatus
from ingestion.management.documents import OPERATOR, command_error, find_job
from ingestion.models import Job, Page
from ingestion.services import jobs, permission
from processing.operations.services.cancelling import cancel


class Command(BaseCommand):
    help = (
        "Lists documents, shows one, cancels it, takes it up again, sends its failed pages again, or says whether"
        " models are asked about it."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["list", "show", "cancel", "requeue", "retry", "models"])
        parser.add_argument("job", nargs="?", help="id of the document")
        parser.add_argument("--status", choices=JobStatus.values, help="list: only documents in this state")
        parser.add_argument("--go", choices=["yes", "no"], help="models: ask them, or leave the pages to people")
        parser.add_argument("--held", action="store_true", help="list, requeue: those that wait for an operator")
        parser.add_argument("--limit", type=int, default=50, help="list: at most this many, newest first (50)")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] == "list":
            rows = selectors.held_jobs() if options["held"] else Job.objects.order_by("-pk")
            rows = rows.filter(status=options["status"]) if options["status"] else rows
            shown = rows.select_related("merchant")[: max(options["limit"], 0)]
            self._print([summary(job) for job in shown], options["json"])
            return
        if options["held"]:
            self._requeue_held(options)
            return
        job = find_job(options["job"])
        try:
            if options["action"] == "models":
                self._models(job, options)
            else:
                self._act(options["action"], job, options["json"])
        except ProductError as error:
            raise command_error(error) from error

    def _models(self, job: Job, options: dict[str, Any]) -> None:
        if options["go"] is None:
            self._print([{"job": str(job.uuid), **models_of(job)}], options["json"])
            return
        sent = permission.answer(job, OPERATOR, go=options["go"] == "yes")
        job.refresh_from_db()
        self._print([{"job": str(job.uuid), "pages_sent": sent, **models_of(job)}], options["json"])

    def _act(self, action: str, job: Job, as_json: bool) -> None:
        if action == "show":
            self._print([detail(job)], as_json)
        elif action == "cancel":
            done = cancel(job, OPERATOR)
            flying = {
                "imports_in_flight": done.imports_in_flight,
                "model_calls_in_flight": done.model_calls_in_flight,
            }
            self._print([{"job": str(job.uuid), "pages_stopped": done.pages, **flying}], as_json)
        elif action == "requeue":
            jobs.requeue_job(job, OPERATOR)
            self._print([{"job": str(job.uuid), "requeued": True}], as_json)
        else:
            self._print([{"job": str(job.uuid), "pages_sent": jobs.rerun_pages(job, None, OPERATOR)}], as_json)

    def _requeue_held(self, options: dict[str, Any]) -> None:
        if options["action"] != "requeue" or options["job"]:
            raise CommandError("--held goes with `list`, or with `requeue` without a document.")
        let_go = jobs.requeue_held(selectors.held_jobs(), OPERATOR)
        self._print([{"requeued": let_go}], options["json"])

    def _print(self, rows: list[dict[str, Any]], as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2, default=str))
            return
        for row in rows:
            self.stdout.write("  ".join(f"{key}={value}" for key, value in row.items()))


def summary(job: Job) -> dict[str, Any]:
    return {
        "job": str(job.uuid),
        "name": job.source_name,
        "merchant": job.merchant.name,
        "status": job.status,
        "route": job.route,
        "pages": job.total_pages,
        "held": job.held_reason,
        "failure": job.failure_code,
        "created": job.created_at.isoformat(timespec="seconds"),
    }


def models_of(job: Job) -> dict[str, Any]:
    """Whether models are asked about it, about how many of its pages, and for how much."""
    spent = models_shown.spent_micro([job.pk]).get(job.pk, 0)
    shown = models_shown.models_shown(job, page_groups.groups_of(job), spent)
    since = job.models_priced_at.isoformat(timespec="seconds") if job.models_priced_at else ""
    return {
        "models": shown.state,
        "pages_to_ask": shown.pages_to_ask,
        "estimated_usd": shown.estimated_usd,
        "spent_usd": shown.spent_usd,
        "priced": since,
        "decided_by": shown.decided_by,
        "urgency": job.urgency,
        "waiting_in_batches": shown.waiting_in_batches,
    }


def detail(job: Job) -> dict[str, Any]:
    dead = Page.objects.filter(job=job, last_error__isnull=False).order_by("number")
    return {
        **summary(job),
        "c_doc": job.c_doc,
        "degrade_reason": job.degrade_reason,
        "stage": job.stage,
        **models_of(job),
        "error": job.last_error,
        "census": {"/".join(filter(None, key)): count for key, count in sorted(Page.census(job.pk).items())},
        "errors": {page.number: page.last_error for page in dead[:20]},
        "completion": job.completion,
    }
