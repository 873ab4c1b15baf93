"""What nobody came to in time: pressing, a lead's, accepted where that is allowed, closed (TA-T73, TA-SLA4H).

Four levels by the time in which nobody held the task. ``sla_level`` is the last that it reached, compared in the same
statement that raises it: each fires once, on any number of hosts and across restarts.
"""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from annotation.tasks.lifecycle import FREE, MOVES_THE_PAGE, TASK, Priority, TaskStatus
from annotation.tasks.models import HumanTask
from annotation.tasks.services.accepting import accept_page
from catalogsku.core import live, messages
from catalogsku.core.moves import audit_rows, move
from catalogsku.profiles.services import work_rules
from ingestion.lifecycle import JobStatus, SkipReason
from ingestion.models import Page

AT_ONCE = 500
PRESSING, ESCALATED, LOOKED_AT, CLOSED = 1, 2, 3, 4


def escalate() -> dict[str, int]:
    """One round of all levels; how many tasks reached each, and how many pages were accepted."""
    rules = work_rules()
    counts = {
        "pressing": _raise(PRESSING, rules.high_after_min),
        "escalated": _hand_to_leads(rules.escalate_after_min),
        "looked_at": 0,
        "accepted": 0,
        "closed": 0,
    }
    pages = _look_at(rules.accept_after_min)
    counts["looked_at"] = len(pages)
    counts["accepted"] = sum(accept_page(page_id, rules) for page_id in pages)
    counts["closed"] = _close(rules.skip_after_min)
    return counts


def due_tasks(level: int, after_min: int) -> "QuerySet[HumanTask]":
    """Free tasks that have waited so long and are not yet at this level; not those of a page that somebody holds."""
    held = HumanTask.objects.filter(page=OuterRef("page"), status=TaskStatus.PROCESSING)
    waiting = HumanTask.objects.filter(~Exists(held), status__in=FREE, sla_level__lt=level)
    return waiting.filter(clock_from__lt=Now() - timedelta(minutes=after_min)).exclude(job__status=JobStatus.CANCELLED)


@transaction.atomic
def _raise(level: int, after_min: int, priority: str = Priority.HIGH) -> int:
    rows = _lock(due_tasks(level, after_min).filter(purpose__in=MOVES_THE_PAGE))
    if not rows:
        return 0
    changes: dict[str, Any] = {"sla_level": level, **HumanTask.visible_change()}
    chosen = HumanTask.objects.filter(pk__in=[task.pk for task in rows])
    chosen.filter(priority__in=_below(priority)).update(priority=priority)
    chosen.update(**changes)
    _tell(rows, priority)
    return len(rows)


def _below(priority: str) -> list[str]:
    order = list(Priority)
    return [str(other) for other in order[: order.index(Priority(priority))]]


def _lock(rows: "QuerySet[HumanTask]") -> list[HumanTask]:
    chosen = rows.order_by("pk").select_for_update(of=("self",), no_key=True, skip_locked=True)
    return list(chosen[:AT_ONCE])


def _tell(rows: list[HumanTask], priority: str) -> None:
    """In the history of each task, and live to who watches its document."""
    by_job: dict[int, list[HumanTask]] = {}
    for task in rows:
        by_job.setdefault(task.job_id, []).append(task)
    for job_id, tasks in by_job.items():
        reasons: dict[int, dict[str, Any]] = {task.pk: {"priority": str(priority)} for task in tasks}
        audit_rows("task", job_id, reasons, target=tasks[0].status, trigger="sla")
        live.hint_after_commit(job_id)


@transaction.atomic
def _hand_to_leads(after_min: int) -> int:
    """Leads take it from now on, and may give it to anybody."""
    rows = _lock(due_tasks(ESCALATED, after_min).filter(purpose__in=MOVES_THE_PAGE))
    if not rows:
        return 0
    chosen = HumanTask.objects.filter(pk__in=[task.pk for task in rows])
    chosen.filter(priority__in=_below(Priority.HIGH)).update(priority=Priority.HIGH)
    moved = move(TASK, chosen, to=TaskStatus.ESCALATED, trigger="escalated", reason={"after_min": after_min})
    chosen.update(sla_level=ESCALATED)  # also of what a lead had escalated before
    return len(moved)


def _look_at(after_min: int) -> list[int]:
    """Pages whose tasks have now waited so long that the machine's result may do."""
    with transaction.atomic():
        rows = _lock(due_tasks(LOOKED_AT, after_min).filter(purpose__in=MOVES_THE_PAGE))
        chosen = HumanTask.objects.filter(pk__in=[task.pk for task in rows])
        chosen.update(sla_level=LOOKED_AT, priority=Priority.CRITICAL, **HumanTask.visible_change())
        _tell(rows, Priority.CRITICAL)
    return sorted({task.page_id for task in rows})


@transaction.atomic
def _close(after_min: int) -> int:
    """Nobody came: the page ends as skipped for want of time and does not hold up its job, which ends PARTIAL_FAILED;
    a person can take it up again. Tasks that do not move a page just end.
    """
    due = due_tasks(CLOSED, after_min)
    waiting = sorted(set(due.values_list("page_id", flat=True)[:AT_ONCE]))
    held = Page.objects.select_for_update(no_key=True, skip_locked=True).filter(pk__in=waiting)  # before their tasks
    rows = _lock(due.filter(page__in=[page.pk for page in held.order_by("pk")]))
    if not rows:
        return 0
    changes = {
        "sla_level": CLOSED,
        "priority": Priority.AUTO_RESOLVE,
        "skip_reason": SkipReason.SLA,
        "closed_at": RawSQL("statement_timestamp()", ()),
    }
    reason = {"reason": str(SkipReason.SLA), "after_min": after_min}
    chosen = HumanTask.objects.filter(pk__in=[task.pk for task in rows])
    moved = move(TASK, chosen, to=TaskStatus.SKIPPED, trigger="skipped", reason=reason, changes=changes)
    pages = sorted({task.page_id for task in rows if task.purpose in MOVES_THE_PAGE})
    if pages:
        still_open = HumanTask.objects.filter(page=OuterRef("pk"), purpose__in=MOVES_THE_PAGE, status__in=FREE)
        Page.objects.filter(~Exists(still_open), pk__in=pages).update(needs_review=False)
        messages.send_after_commit("settle_pages", pages)
    return len(moved)
