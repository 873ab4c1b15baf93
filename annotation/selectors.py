"""What the task list shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.lifecycle import OPEN, Priority, Purpose, TaskStatus
from annotation.models import HumanTask
from annotation.waiting import Countdown, countdown
from catalogsku.accounts.models import User
from catalogsku.profiles.models import WorkRules
from catalogsku.profiles.services import work_rules
from ingestion.presentation import Filter
from ingestion.reasons import sentences

_RANK = {Priority.CRITICAL: 0, Priority.HIGH: 1}


@dataclass(frozen=True)
class TaskRow:
    id: str
    url: str
    job_name: str
    page_number: int
    type_word: str
    reasons: list[str]
    priority: str
    age: datetime
    due: Countdown
    escalated: bool
    status_word: str
    holder: str
    thumb_url: str


def list_tasks(actor: User, kind: str = "all") -> QuerySet[HumanTask]:
    """Open tasks of the merchants this person works for, the one that is due first on top."""
    rows = HumanTask.objects.visible_to(actor).filter(status__in=OPEN)
    rows = rows.filter(~Q(purpose=Purpose.HONEYPOT) | Q(assigned_to=actor))  # one is there for one person
    rows = rows.filter(type=kind) if kind != "all" else rows
    return rows.select_related("job", "page", "locked_by").order_by("clock_from", "pk")


def task_filters(actor: User) -> list[Filter]:
    counts = dict(list_tasks(actor).order_by().values_list("type").annotate(n=Count("pk")))
    kinds = HumanTask._meta.get_field("type").choices or []
    found = [Filter("all", _("All"), "", sum(counts.values()))]
    return found + [Filter(str(key), str(label), "person", counts[key]) for key, label in kinds if counts.get(key)]


def closed_tasks(actor: User) -> QuerySet[HumanTask]:
    """What was done or skipped, the latest first; golden pages are nobody's business."""
    rows = HumanTask.objects.visible_to(actor).exclude(status__in=OPEN).filter(closed_at__isnull=False)
    rows = rows.exclude(purpose=Purpose.HONEYPOT).order_by("-closed_at", "-pk")
    return rows.select_related("job", "page", "closed_by")


def due(task: HumanTask, now: datetime, rules: WorkRules) -> Countdown:
    held_since = task.locked_at if task.status == TaskStatus.PROCESSING else None
    return countdown(task.clock_from, held_since, now, rules.skip_after_min)


def task_rows(tasks: Sequence[HumanTask]) -> list[TaskRow]:
    rules, now = work_rules(), timezone.now()
    return [
        TaskRow(
            id=str(task.uuid),
            url=reverse("task", args=[task.uuid]),
            job_name=task.job.source_name,
            page_number=task.page.number,
            type_word=task.get_type_display(),
            reasons=sentences(task.reasons),
            priority=task.priority if task.priority in _RANK else "",
            age=task.created_at,
            due=due(task, now, rules),
            escalated=TaskStatus.ESCALATED in (task.status, task.came_from),
            status_word=task.get_status_display(),
            holder=str(task.locked_by) if task.locked_by else "",
            thumb_url=reverse("page_thumb", args=[task.job.uuid, task.page.number]) if task.page.thumbnail_key else "",
        )
        for task in tasks
    ]
