"""A lead takes back what became of a task: it opens again, its page is as it was before, downstream too (TA-T76)."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from annotation.people.services.judging import record_revert
from annotation.tasks.lifecycle import MOVES_THE_PAGE, TaskStatus
from annotation.tasks.models import HumanTask
from annotation.tasks.services.locks import find_task
from annotation.tasks.services.reopening import open_again, reserve
from annotation.tasks.services.results import before_of
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core import clock
from catalogsku.core.errors import Conflict, ProductError, Refused
from ingestion.lifecycle import PAGES_WITH_MACHINES, JobStatus
from ingestion.models import Page
from processing.corrections.services.restoring import active_rows, restore_page

WHY_MOST_CHARS = 400
REOPENED_WITHIN = timedelta(minutes=30)


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
            why: dict[str, Any] = {"reason": reason.strip()[:WHY_MOST_CHARS], "skus": changed}
            record_revert(task, why["reason"])
            open_again(task, page, "reverted", actor, why)
    except IntegrityError as error:  # one_open_task: the same was asked again meanwhile
        raise Conflict("page_changed_since") from error


def reopen_own(actor: User, uuid: UUID) -> None:
    """Who closed a task a while ago thinks better of it: it is theirs again, the page as they left it.

    Nothing is taken back downstream before the next submit, and nobody is judged by it. Raises NotFound; Refused for
    other people's work and for what is longer ago; Conflict where it is open, or overtaken.
    """
    seen = find_task(actor, uuid)
    try:
        with transaction.atomic():
            page = Page.objects.select_for_update(no_key=True).get(pk=seen.page_id)
            task = HumanTask.objects.select_for_update(no_key=True, of=("self",)).get(pk=seen.pk)
            _check(task, page, seen.job.status)
            if task.closed_by_id != actor.pk:
                raise Refused("not_your_decision")
            if not can_reopen(task):
                raise Refused("too_late_to_reopen")
            before = {"before": task.result["before"]} if "before" in task.result else {}
            open_again(task, page, "reopened", actor.username, {}, result=before, rework_count=task.rework_count)
            reserve(task, actor)
    except IntegrityError as error:  # one_open_task: the same was asked again meanwhile
        raise Conflict("page_changed_since") from error


def can_reopen(task: HumanTask) -> bool:
    """As far as time and kind go; whether it was overtaken is asked when it is done."""
    work = task.purpose in MOVES_THE_PAGE and "with" not in task.result
    return work and task.closed_at is not None and clock.now() - task.closed_at < REOPENED_WITHIN


def _check(task: HumanTask, page: Page, job_status: str) -> None:
    if task.status not in (TaskStatus.COMPLETED, TaskStatus.SKIPPED):
        raise Conflict("task_open")
    if job_status in (JobStatus.CANCELLED, JobStatus.REJECTED):
        raise Conflict("job_ended")
    if task.purpose not in MOVES_THE_PAGE:
        raise Conflict("cannot_be_reverted")
    if page.status in PAGES_WITH_MACHINES:
        raise Conflict("page_with_machines")
    at_work = HumanTask.objects.filter(page=page, status=TaskStatus.PROCESSING)
    later = at_work.filter(purpose__in=MOVES_THE_PAGE).exists()
    overtaken = "after" in task.result and task.result["after"] != active_rows(page)
    read_again = page.finished_at is not None and task.closed_at is not None and page.finished_at > task.closed_at
    if later or overtaken or read_again:
        raise Conflict("page_changed_since")
