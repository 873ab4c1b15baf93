"""What the task list shows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from annotation.tasks.lifecycle import OPEN, Priority, Purpose, TaskStatus, TaskType
from annotation.tasks.models import Annotation, HumanTask, Presence, TaskComment
from annotation.tasks.waiting import Countdown, countdown
from catalogsku.accounts.models import User
from catalogsku.core import clock
from catalogsku.core.templatetags.ui import avatar_colour, initials
from catalogsku.profiles.models import WorkRules
from catalogsku.profiles.services import work_rules
from ingestion.presentation import Filter
from ingestion.reasons import asked

_PRIORITY = {Priority.CRITICAL: ("raise", "fault"), Priority.HIGH: ("chevron-up", "person")}  # icon, tone
# A tab says every ten seconds that it is there; after three times of silence it is not.
PRESENT_S = 30
COMMENTS_SHOWN = 50


@dataclass(frozen=True)
class Person:
    """Somebody who has a task open; ``holds``: in hand, and not only on the screen."""

    name: str
    initials: str
    colour: int
    holds: bool


@dataclass(frozen=True)
class TaskRow:
    """``who``: its holder's name, else its status in words. ``v``: the row's version."""

    id: str
    v: int
    url: str
    job_id: str
    job_name: str
    page_number: int
    page_word: str
    page_label: str
    type_word: str
    reasons: list[str]
    skus_word: str
    state: str
    tone: str
    icon: str
    priority_word: str
    age: datetime
    due: Countdown
    escalated: bool
    who: str
    holder: str
    since: datetime | None
    people: list[Person]
    thumb_url: str


def open_to(rows: QuerySet[HumanTask], person: int | None) -> QuerySet[HumanTask]:
    """Those that this person may take (None: anybody): each golden page is there for one, and nobody judges their own
    work."""
    if person is None:
        return rows.exclude(purpose=Purpose.HONEYPOT).filter(status__in=OPEN)
    own = HumanTask.objects.filter(pk=OuterRef("about"), closed_by=person)
    rows = rows.filter(~Q(purpose=Purpose.HONEYPOT) | Q(assigned_to=person))
    return rows.filter(Q(about=None) | ~Exists(own), status__in=OPEN)


def count_tasks(rows: QuerySet[HumanTask], person: int | None) -> dict[str, int]:
    """By type: what the list, its filters and the badge beside the word Tasks count, at once and over the socket."""
    counted = open_to(rows, person).order_by().values_list("type").annotate(n=Count("pk"))
    return {str(kind): n for kind, n in counted}


def task_filters(actor: User, rows: QuerySet[HumanTask] | None = None) -> list[Filter]:
    """One for each type of task, after the one for all: of ``rows``, or of all that this person sees."""
    counts = count_tasks(HumanTask.objects.visible_to(actor) if rows is None else rows, actor.pk)
    kinds = HumanTask._meta.get_field("type").choices or []
    filters = [Filter("all", _("All"), "", sum(counts.values()))]
    return filters + [Filter(str(key), str(label), "person", counts[key]) for key, label in kinds if counts.get(key)]


def closed_tasks(actor: User) -> QuerySet[HumanTask]:
    """What was done or skipped, the latest first; golden pages are nobody's business, what was
    corrected at once was nobody's task, and a page that was closed with several tasks is there once."""
    rows = HumanTask.objects.visible_to(actor).exclude(status__in=OPEN).filter(closed_at__isnull=False)
    rows = (
        rows.exclude(purpose__in=(Purpose.HONEYPOT, Purpose.AT_ONCE))
        .exclude(result__has_key="with")
        .order_by("-closed_at", "-pk")
    )
    return rows.select_related("job", "page", "closed_by")


def due(task: HumanTask, now: datetime, rules: WorkRules) -> Countdown:
    held_since = task.locked_at if task.status == TaskStatus.PROCESSING else None
    return countdown(task.clock_from, held_since, now, rules.skip_after_min)


def task_rows(tasks: Sequence[HumanTask]) -> list[TaskRow]:
    present = people_at([task.pk for task in tasks])
    rules, now = work_rules(), clock.now()
    return [_row(task, present.get(task.pk, []), due(task, now, rules)) for task in tasks]


def _row(task: HumanTask, present: list[str], left: Countdown) -> TaskRow:
    holder = str(task.locked_by) if task.locked_by and task.status == TaskStatus.PROCESSING else ""
    icon, tone = _PRIORITY.get(Priority(task.priority), ("dash", ""))
    names = dict.fromkeys(filter(None, [holder, *present]))
    return TaskRow(
        id=str(task.uuid),
        v=task.version,
        url=reverse("task", args=[task.uuid]),
        job_id=str(task.job.uuid),
        job_name=task.job.source_name,
        page_number=task.page.number,
        page_word=_("Page %(number)s") % {"number": task.page.number},
        page_label=_("Page %(number)s of %(name)s") % {"number": task.page.number, "name": task.job.source_name},
        type_word=str(TaskType(task.type).label),
        reasons=asked(task.reasons),
        skus_word=_skus_word(task),
        state=task.status,
        tone=tone,
        icon=icon,
        priority_word=_priority_word(task.priority),
        age=task.created_at,
        due=left,
        escalated=TaskStatus.ESCALATED in (task.status, task.came_from),
        who=holder or str(TaskStatus(task.status).label),
        holder=task.locked_by.username if holder and task.locked_by else "",
        since=task.locked_at if holder else None,
        people=[Person(name, initials(name), avatar_colour(name), name == holder) for name in names],
        thumb_url=reverse("page_thumb", args=[task.job.uuid, task.page.number]) if task.page.thumbnail_key else "",
    )


def _skus_word(task: HumanTask) -> str:
    """How many SKUs it is about; nothing where it is about the page alone."""
    count = len(task.skus())
    return ngettext("%(count)s SKU", "%(count)s SKUs", count) % {"count": count} if count else ""


def _priority_word(priority: str) -> str:
    if priority == Priority.CRITICAL:
        return _("Critical")
    return pgettext("priority", "High") if priority == Priority.HIGH else pgettext("priority", "Normal")


def people_at(task_ids: Collection[int]) -> dict[int, list[str]]:
    """Names of who has each task open at the moment, who came first first (X-PRES)."""
    rows = Presence.objects.filter(task__in=task_ids, seen_at__gte=Now() - timedelta(seconds=PRESENT_S))
    names: dict[int, list[str]] = {}
    for row in rows.select_related("user").order_by("pk"):
        names.setdefault(row.task_id, []).append(str(row.user))
    return names


def live_row(row: TaskRow) -> dict[str, Any]:
    """What of a row changes while it is looked at, as leaf values (docs/protocols.md P5)."""
    return {
        "kind": "task",
        "id": row.id,
        "v": row.v,
        "state": row.state,
        "tone": row.tone,
        "icon": row.icon,
        "priority_word": row.priority_word,
        "who": row.who,
        "type_word": row.type_word,
        "skus_word": row.skus_word,
        "holder": row.holder,
        "due_at": row.due.due_at.isoformat(),
        "still": row.due.still,
        "since": row.since and row.since.isoformat(),
        "created_at": row.age.isoformat(),
        "people": [vars(person) for person in row.people],
    }


def comments_of(task: HumanTask) -> list[dict[str, Any]]:
    """What people told each other about its page, the latest last; of a golden page only what was said there."""
    rows = TaskComment.objects.filter(task__page=task.page_id).exclude(task__purpose=Purpose.HONEYPOT)
    if task.purpose == Purpose.HONEYPOT:
        rows = TaskComment.objects.filter(task=task)
    latest = rows.select_related("author").order_by("-pk")[:COMMENTS_SHOWN]
    return [
        {"id": comment.pk, "who": str(comment.author), "at": comment.at.isoformat(), "text": comment.text}
        for comment in reversed(latest)
    ]


def annotations_of(actor: User, task: UUID) -> QuerySet[Annotation]:
    """What this person has said of the page in doing the task."""
    rows = Annotation.objects.filter(task__in=HumanTask.objects.visible_to(actor).filter(uuid=task), annotator=actor)
    return rows.order_by("pk")
