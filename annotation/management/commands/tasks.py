"""`manage.py tasks list|reassign|skip|revert|retry`: what waits for people, and what an operator decides about it."""

import json
from argparse import ArgumentParser
from datetime import date
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet

from annotation.problems import PROBLEMS, sentence
from annotation.queue.services import reverting, supervising
from annotation.tasks.lifecycle import OPEN, TaskStatus
from annotation.tasks.models import HumanTask
from catalogsku.accounts.models import User
from catalogsku.core.errors import ProductError


class Command(BaseCommand):
    help = (
        "list: tasks, the one due first on top. reassign: keeps tasks for a person. skip: closes them with a reason."
        " revert: opens closed ones again, with the page as it was before; also all of a document, or of a person's"
        " day. retry: sends a task's page back to the models. Exit code 1 where something stayed as it was."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["list", "reassign", "skip", "revert", "retry"])
        parser.add_argument("tasks", nargs="*", type=UUID, metavar="ID", help="which tasks")
        parser.add_argument("--by", metavar="USER", help="who decides; a lead of the merchants (all but list)")
        parser.add_argument("--to", metavar="USER", help="reassign: whom the tasks are kept for")
        parser.add_argument("--reason", default="", help="skip, revert: why")
        parser.add_argument("--status", choices=TaskStatus.values, help="list: only tasks in this state")
        parser.add_argument("--job", type=UUID, help="list, revert: the tasks of this document")
        parser.add_argument("--annotator", metavar="USER", help="revert: what this person closed")
        parser.add_argument("--day", type=date.fromisoformat, help="revert: only what was closed on this day")
        parser.add_argument("--limit", type=int, default=200, help="list: at most this many (200)")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            outcome = {
                "list": _list,
                "reassign": _reassign,
                "skip": _skip,
                "revert": _revert,
                "retry": _retry,
            }[options["action"]](options)
        except ProductError as refused:
            code = refused.code
            raise CommandError(sentence(code, refused.params) if code in PROBLEMS else code, returncode=1) from refused
        self._print(outcome, options["json"])
        refused_tasks = outcome.get("refused") if isinstance(outcome, dict) else None
        if refused_tasks:
            raise CommandError(f"{len(refused_tasks)} stayed as they were.", returncode=1)

    def _print(self, outcome: Any, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(outcome, ensure_ascii=False, indent=2, default=str))
            return
        for row in outcome if isinstance(outcome, list) else [outcome]:
            self.stdout.write("  ".join(f"{key}={value}" for key, value in row.items() if value not in ("", None, [])))


def _list(options: dict[str, Any]) -> list[dict[str, Any]]:
    rows = HumanTask.objects.select_related("job", "page", "locked_by", "assigned_to").order_by("clock_from", "pk")
    rows = rows.filter(status=options["status"]) if options["status"] else rows.filter(status__in=OPEN)
    rows = rows.filter(job__uuid=options["job"]) if options["job"] else rows
    return [
        {
            "task": str(task.uuid),
            "document": task.job.source_name,
            "page": task.page.number,
            "type": task.type,
            "status": task.status,
            "priority": task.priority,
            "reworked": task.rework_count or None,
            "waits_since": task.clock_from.isoformat(timespec="seconds"),
            "holder": task.locked_by.username if task.locked_by else None,
            "kept_for": task.assigned_to.username if task.assigned_to else None,
            "why": ",".join(reason["code"] for reason in task.reasons),
        }
        for task in rows[: max(options["limit"], 0)]
    ]


def _reassign(options: dict[str, Any]) -> dict[str, Any]:
    return {"reassigned": supervising.assign(_lead(options), options["tasks"], _user(options["to"], "--to"))}


def _skip(options: dict[str, Any]) -> dict[str, Any]:
    return {"skipped": supervising.skip(_lead(options), options["tasks"], options["reason"])}


def _retry(options: dict[str, Any]) -> dict[str, Any]:
    lead = _lead(options)
    for uuid in options["tasks"]:
        supervising.retry_by_models(lead, uuid)
    return {"sent": len(options["tasks"])}


def _revert(options: dict[str, Any]) -> dict[str, Any]:
    lead = _lead(options)
    reverted = reverting.revert_tasks(_closed(options, lead), lead.username, options["reason"])
    return {"reverted": reverted.tasks, "refused": [f"{uuid} {code}" for uuid, code in reverted.refused]}


def _closed(options: dict[str, Any], lead: User) -> "QuerySet[HumanTask]":
    rows = HumanTask.objects.visible_to(lead)
    if options["tasks"]:
        return rows.filter(uuid__in=options["tasks"])
    rows = rows.filter(status__in=(TaskStatus.COMPLETED, TaskStatus.SKIPPED)).exclude(result__has_key="with")
    if not options["job"] and not options["annotator"]:
        raise CommandError("Name tasks, or --job, or --annotator.", returncode=2)
    rows = rows.filter(job__uuid=options["job"]) if options["job"] else rows
    rows = rows.filter(closed_by=_user(options["annotator"], "--annotator")) if options["annotator"] else rows
    return rows.filter(closed_at__date=options["day"]) if options["day"] else rows


def _lead(options: dict[str, Any]) -> User:
    return _user(options["by"], "--by")


def _user(name: str | None, option: str) -> User:
    user = User.objects.filter(username=name, is_active=True).first() if name else None
    if user is None:
        raise CommandError(f"{option} must name a person.", returncode=2)
    return user
