"""A closed task opens again: a lead took it back, or a second person sent it back to its author."""

from datetime import timedelta
from typing import Any

from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from annotation.tasks.lifecycle import TASK, TaskStatus
from annotation.tasks.models import HumanTask
from annotation.tasks.services.joining import supersede_verdicts, take_in
from catalogsku.accounts.models import User
from catalogsku.core import messages
from catalogsku.core.moves import move
from catalogsku.profiles.services import work_rules
from ingestion.lifecycle import PAGE, PageStatus
from ingestion.models import Page

# A task that opens again begins its time anew.
AGAIN: dict[str, Any] = {
    "closed_at": None, "closed_by": None, "submit_id": None, "skip_reason": "", "sla_level": 0, "result": {},
    "rework_count": RawSQL("t.rework_count + 1", ()), "lock_token": RawSQL("t.lock_token + 1", ()),
    "clock_from": RawSQL("statement_timestamp()", ()),
}  # fmt: skip


def open_again(task: HumanTask, page: Page, trigger: str, actor: str, why: dict[str, Any], **columns: Any) -> None:
    """In the caller's transaction, with page and task locked; the page goes back to people. What waits of the page
    already becomes part of the task."""
    supersede_verdicts(page.pk)
    task.reasons = columns.get("reasons", task.reasons)
    columns |= take_in(task)
    rows = HumanTask.objects.filter(pk=task.pk)
    move(TASK, rows, to=TaskStatus.CREATED, trigger=trigger, actor=actor, reason=why, changes={**AGAIN, **columns})
    skipped = Page.objects.filter(pk=page.pk, status=PageStatus.SKIPPED)
    move(PAGE, skipped, to=PageStatus.HUMAN_QUEUED, trigger="reverted", actor=actor, changes={"skip_reason": ""})
    Page.objects.filter(pk=page.pk).update(needs_review=True)
    messages.send_after_commit("settle_pages", [page.pk])


def reserve(task: HumanTask, person: User) -> None:
    """Kept for whoever did it, as long as any reservation."""
    until = Now() + timedelta(minutes=work_rules().reserved_min)
    HumanTask.objects.filter(pk=task.pk).update(assigned_to=person, assigned_until=until)
