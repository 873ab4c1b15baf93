"""A lead takes back what became of a task: it opens again, its page is as it was before, downstream too (TA-T76)."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from annotation.lifecycle import TASK, Purpose, TaskStatus
from annotation.models import HumanTask
from annotation.services.locks import find_task
from annotation.services.results import before_of
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core import messages
from catalogsku.core.errors import Conflict, ProductError, Refused
from catalogsku.core.moves import move
from ingestion.lifecycle import PAGE, PAGES_WITH_MACHINES, JobStatus, PageStatus
from ingestion.models import Page
from processing.services.restoring import active_rows, restore_page

WHY_MOST_CHARS = 400
# A task that opens again begins its time anew.
AGAIN: dict[str, Any] = {
    "closed_at": None, "closed_by": None, "submit_id": None, "skip_reason": "", "sla_level": 0, "result": {},
    "rework_count": RawSQL("t.rework_count + 1", ()), "lock_token": RawSQL("t.lock_token + 1", ()),
    "clock_from": RawSQL("statement_timestamp()", ()),
}  # fmt: skip


@dataclass(frozen=True)
class Reverted:
    """``refused``: (task, code) of those that stayed as they are."""

    tasks: int
    refused: tuple[tuple[UUID, str], ...]


def revert_task(actor: User, uuid: UUID, reason: str) -> None:
    """Raises NotFound; Refused for who is no lead, without a reason; Conflict where it is open, or overtaken."""
    if not may(actor, Action.SUPERVISE):
        raise Refused("supervise_forbidden")
    revert(find_task(actor, uuid), actor.username, reason)


def revert_tasks(tasks: "QuerySet[HumanTask]", actor: str, reason: str) -> Reverted:
    """All of them, the latest first, each in a transaction of its own: a person's day, a document."""
    refused, done = [], 0
    for task in tasks.select_related("job").order_by("-closed_at", "-pk"):
        try:
            revert(task, actor, reason)
            done += 1
        except ProductError as error:
            refused.append((task.uuid, error.code))
    return Reverted(done, tuple(refused))


def revert(seen: HumanTask, actor: str, reason: str) -> None:
    """As a person of the shell, who has proved elsewhere that they may."""
    if not reason.strip():
        raise Refused("reason_missing")
    if "with" in seen.result:  # done together with another task of its page: that one is what was done
        seen = HumanTask.objects.select_related("job").get(pk=seen.result["with"])
    try:
        with transaction.atomic():
            page = Page.objects.select_for_update(no_key=True).get(pk=seen.page_id)
            task = HumanTask.objects.select_for_update(no_key=True, of=("self",)).get(pk=seen.pk)
            _check(task, page, seen.job.status)
            before = before_of(task)
            changed = restore_page(seen.job, page, before, actor) if before is not None else 0
            why = {"reason": reason.strip()[:WHY_MOST_CHARS], "skus": changed}
            open_again(task, page, "reverted", actor, why)
    except IntegrityError as error:  # one_open_task: the same was asked again meanwhile
        raise Conflict("page_changed_since") from error


def _check(task: HumanTask, page: Page, job_status: str) -> None:
    if task.status not in (TaskStatus.COMPLETED, TaskStatus.SKIPPED):
        raise Conflict("task_open")
    if job_status in (JobStatus.CANCELLED, JobStatus.REJECTED):
        raise Conflict("job_ended")
    if task.purpose not in (Purpose.WORK, Purpose.DOCUMENT):
        raise Conflict("cannot_be_reverted")
    if page.status in PAGES_WITH_MACHINES:
        raise Conflict("page_with_machines")
    later = HumanTask.objects.filter(page=page, status=TaskStatus.PROCESSING).exists()
    overtaken = "after" in task.result and task.result["after"] != active_rows(page)
    read_again = page.finished_at is not None and task.closed_at is not None and page.finished_at > task.closed_at
    if later or overtaken or read_again:
        raise Conflict("page_changed_since")


def open_again(task: HumanTask, page: Page, trigger: str, actor: str, why: dict[str, Any], **columns: Any) -> None:
    """In the caller's transaction, with page and task locked; the page goes back to people."""
    rows = HumanTask.objects.filter(pk=task.pk)
    move(TASK, rows, to=TaskStatus.CREATED, trigger=trigger, actor=actor, reason=why, changes={**AGAIN, **columns})
    skipped = Page.objects.filter(pk=page.pk, status=PageStatus.SKIPPED)
    move(PAGE, skipped, to=PageStatus.HUMAN_QUEUED, trigger="reverted", actor=actor, changes={"skip_reason": ""})
    Page.objects.filter(pk=page.pk).update(needs_review=True)
    messages.send_after_commit("settle_pages", [page.pk])
