"""What the queue says beside its rows: the next task and why it is this person's, a lead's team, and closed tasks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy, pgettext_lazy

from annotation.people.dispatching import Why
from annotation.people.services.team import team_of
from annotation.queue.filtering import Wanted
from annotation.queue.selectors import TaskRow, due, open_to
from annotation.queue.services import dispatch
from annotation.tasks.lifecycle import Priority, TaskStatus, TaskType
from annotation.tasks.models import HumanTask
from catalogsku.accounts.models import User
from catalogsku.core import clock
from catalogsku.profiles.models import WorkRules
from catalogsku.profiles.services import work_rules
from ingestion.reasons import asked

WHY = {
    Why.FOR_YOU: gettext_lazy("A lead gave it to you"),
    Why.PRIORITY: gettext_lazy("It is pressing"),
    Why.DUE: gettext_lazy("It is due soon"),
    Why.HARD: gettext_lazy("A hard page, for an accurate hand"),
    Why.SPECIALTY: gettext_lazy("You do this kind well and fast"),
    Why.DOCUMENT: gettext_lazy("You know its document"),
    Why.OLDEST: gettext_lazy("It has waited longest"),
}
PRIORITIES = {
    Priority.NORMAL: pgettext_lazy("priority", "Normal"),
    Priority.HIGH: pgettext_lazy("priority", "High"),
    Priority.CRITICAL: gettext_lazy("Critical"),
}
POSTPONE = {
    30: gettext_lazy("half an hour"),
    120: gettext_lazy("two hours"),
    1440: gettext_lazy("a day"),
}


@dataclass(frozen=True)
class ClosedRow:
    id: str
    url: str
    job_name: str
    page_number: int
    type_word: str
    done: bool
    status_word: str
    by: str
    at: datetime | None
    minutes: int
    reworked: int


@dataclass(frozen=True)
class DocumentRows:
    """The rows of one document among those shown; ``only``: the query string that shows all of it alone."""

    id: str
    name: str
    only: str
    rows: list[TaskRow]


def by_document(rows: Sequence[TaskRow], wanted: Wanted) -> list[DocumentRows]:
    """Each document once, where its first page is due."""
    by_id: dict[str, DocumentRows] = {}
    for row in rows:
        if row.job_id not in by_id:
            only = wanted.address(document=row.job_id)
            by_id[row.job_id] = DocumentRows(row.job_id, row.job_name, only, [])
        by_id[row.job_id].rows.append(row)
    return list(by_id.values())


def next_card(actor: User) -> dict[str, Any]:
    """``task`` None: there is nothing, the person has enough (``full``), or what waits is for others (``waits``)."""
    rules = work_rules()
    offered = dispatch.offer(actor, rules)
    task = offered.task
    if task is None:
        waits = open_to(HumanTask.objects.visible_to(actor), actor.pk).exists()
        return {"task": None, "full": offered.full, "most": rules.open_most, "waits": waits}
    thumb = reverse("page_thumb", args=[task.job.uuid, task.page.number]) if task.page.thumbnail_key else ""
    return {
        "task": task,
        "url": f"{reverse('task', args=[task.uuid])}?claim=1",
        "thumb_url": thumb,
        "reasons": asked(task.reasons)[:3],
        "why": [str(WHY[why]) for why in offered.why],
        "due": due(task, clock.now(), rules),
        "limit_s": rules.skip_after_min * 60,
    }


def bar(actor: User, rules: WorkRules) -> dict[str, Any]:
    """What a lead may choose from for ticked tasks; the team in the order in which tasks go to it."""
    team = [
        (user.username, str(user), known.open_tasks, round(known.accuracy * 100))
        for user, known in team_of(actor, rules)
    ]
    return {"team": team, "priorities": list(PRIORITIES.items()), "postpone": list(POSTPONE.items())}


def closed_rows(tasks: Sequence[HumanTask]) -> list[ClosedRow]:
    return [
        ClosedRow(
            id=str(task.uuid),
            url=reverse("task", args=[task.uuid]),
            job_name=task.job.source_name,
            page_number=task.page.number,
            type_word=str(TaskType(task.type).label),
            done=task.status == TaskStatus.COMPLETED,
            status_word=str(TaskStatus(task.status).label),
            by=str(task.closed_by) if task.closed_by else "",
            at=task.closed_at,
            minutes=-(-int(task.worked_s) // 60),
            reworked=task.rework_count,
        )
        for task in tasks
    ]
