"""What leads decide about tasks: whose they are, how pressing, put off for how long, skipped, done again by models.

Every decision is set-based, within the lead's merchants, and stands in each task's history.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from annotation.tasks.lifecycle import FREE, MOVES_THE_PAGE, OPEN, TASK, TASKS_TOPIC, Priority, TaskStatus
from annotation.tasks.models import HumanTask, TaskComment
from annotation.tasks.services.locks import TaskHeld, find_task, take_away
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core import live, messages, work
from catalogsku.core.errors import Refused
from catalogsku.core.models import Transition
from catalogsku.core.moves import audit_rows, move
from catalogsku.profiles.services import work_rules
from ingestion.lifecycle import PageStatus, SkipReason
from ingestion.models import Page
from ingestion.services.jobs import rerun_pages

AT_ONCE = 200
WHY_MOST_CHARS = 400
POSTPONED_MOST_MIN = 7 * 24 * 60


@dataclass(frozen=True)
class Said:
    """``reason``: why, in a lead's words. ``act``: names the decision; the same again changes nothing more."""

    reason: str = ""
    act: UUID | None = None

    def as_reason(self) -> dict[str, str]:
        values = {"reason": self.reason.strip()[:WHY_MOST_CHARS], "act": str(self.act) if self.act else ""}
        return {name: value for name, value in values.items() if value}


NOTHING = Said()


def open_tasks_of(actor: User, uuids: Sequence[UUID]) -> "QuerySet[HumanTask]":
    """Those of the ids that are open and this lead's business. Raises Refused for who is no lead."""
    if not may(actor, Action.SUPERVISE):
        raise Refused("supervise_forbidden")
    return HumanTask.objects.visible_to(actor).filter(uuid__in=list(uuids)[:AT_ONCE], status__in=OPEN)


def person_named(name: str) -> User:
    """Raises Refused(person_unknown)."""
    person = User.objects.filter(username=name, is_active=True).first()
    if person is None:
        raise Refused("person_unknown")
    return person


@transaction.atomic
def assign(actor: User, uuids: Sequence[UUID], person: User, said: Said = NOTHING) -> int:
    """Keep the tasks for this person, for the time that the rules give; who holds one loses it (TA-T79).

    Raises Refused: person_unknown (not of these merchants), too_many_open.
    """
    tasks = _lock(open_tasks_of(actor, uuids), said)
    theirs = HumanTask.objects.visible_to(person).filter(pk__in=[task.pk for task in tasks]).count()
    if not may(person, Action.SEE_TASKS) or theirs != len(tasks):
        raise Refused("person_unknown")
    rules = work_rules()
    mine = {task.pk for task in tasks if task.locked_by_id == person.pk}
    assigned = [task for task in tasks if task.pk not in mine]
    if open_of(person) + len(assigned) > rules.open_most:
        raise Refused("too_many_open", name=str(person), limit=rules.open_most)
    rows = _free(actor, assigned)
    until = Now() + timedelta(minutes=rules.reserved_min)
    rows.update(assigned_to=person, assigned_until=until, postponed_until=None, **HumanTask.visible_change())
    return _tell(assigned, "assigned", actor, {"to": person.username}, said)


def open_of(person: User) -> int:
    """Tasks that somebody has in hand, or that are kept for them."""
    reserved = Q(assigned_to=person, assigned_until__gte=Now())
    held = Q(locked_by=person, status=TaskStatus.PROCESSING)
    return HumanTask.objects.filter(reserved | held, status__in=OPEN).count()


@transaction.atomic
def release(actor: User, uuids: Sequence[UUID], said: Said = NOTHING) -> int:
    """Whoever holds or is to have them does not any more."""
    tasks = _lock(open_tasks_of(actor, uuids), said)
    _free(actor, tasks).update(assigned_to=None, assigned_until=None, **HumanTask.visible_change())
    return _tell(tasks, "freed", actor, {}, said)


@transaction.atomic
def postpone(actor: User, uuids: Sequence[UUID], minutes: int, said: Said = NOTHING) -> int:
    """Not offered for so long, and their time does not run. Raises Refused(no_minutes)."""
    if not 1 <= minutes <= POSTPONED_MOST_MIN:
        raise Refused("no_minutes")
    tasks = _lock(open_tasks_of(actor, uuids), said)
    span = timedelta(minutes=minutes)
    _free(actor, tasks).update(
        clock_from=F("clock_from") + span,
        postponed_until=Now() + span,
        assigned_to=None,
        assigned_until=None,
        **HumanTask.visible_change(),
    )
    return _tell(tasks, "postponed", actor, {"minutes": minutes}, said)


@transaction.atomic
def set_priority(actor: User, uuids: Sequence[UUID], priority: str, said: Said = NOTHING) -> int:
    """Raises Refused(no_priority); AUTO_RESOLVE is reached by waiting alone."""
    if priority not in (Priority.NORMAL, Priority.HIGH, Priority.CRITICAL):
        raise Refused("no_priority")
    tasks = _lock(open_tasks_of(actor, uuids), said)
    rows = HumanTask.objects.filter(pk__in=[task.pk for task in tasks])
    rows.update(priority=priority, **HumanTask.visible_change())
    return _tell(tasks, "prioritised", actor, {"priority": priority}, said)


@transaction.atomic
def skip(actor: User, uuids: Sequence[UUID], reason: str, act: UUID | None = None) -> int:
    """Nobody will do these pages, for ``reason``. Raises Refused(reason_missing)."""
    if not reason.strip():
        raise Refused("reason_missing")
    chosen = open_tasks_of(actor, uuids).filter(purpose__in=MOVES_THE_PAGE)
    pages = sorted(set(chosen.values_list("page_id", flat=True)))
    work.lock(Page.objects.filter(pk__in=pages))  # pages before their tasks
    said = Said(reason, act)
    tasks = _lock(chosen, said)
    if not tasks:
        return 0
    changes = {
        "locked_by": None,
        "lock_session": None,
        "lease_until": None,
        "locked_at": None,
        "assigned_to": None,
        "assigned_until": None,
        "lock_token": RawSQL("t.lock_token + 1", ()),
        "skip_reason": SkipReason.PERSON,
        "closed_at": RawSQL("statement_timestamp()", ()),
    }
    rows = HumanTask.objects.filter(pk__in=[task.pk for task in tasks])
    why = said.as_reason()
    moved = move(
        TASK, rows, to=TaskStatus.SKIPPED, trigger="skipped", actor=actor.username, reason=why, changes=changes
    )
    still = HumanTask.objects.filter(page__in=pages, status__in=OPEN).values("page")
    Page.objects.filter(pk__in=pages).exclude(pk__in=still).update(needs_review=False)
    messages.send_after_commit("settle_pages", pages)
    return len(moved)


@transaction.atomic
def retry_by_models(actor: User, uuid: UUID, said: Said = NOTHING) -> None:
    """The page goes back to the machines; its open tasks end as superseded (TA-RERUN).

    Raises NotFound, Refused for who may not, TaskHeld while somebody has the page in hand, Conflict where the document
    has ended.
    """
    if not may(actor, Action.RETRY):
        raise Refused("supervise_forbidden")
    task = find_task(actor, uuid)
    if task.page.status == PageStatus.HUMAN_PROCESSING or not rerun_pages(task.job, [task.page.number], actor.username):
        holder = HumanTask.objects.filter(page=task.page, status=TaskStatus.PROCESSING).first()
        raise TaskHeld("task_held" if holder else "task_closed", by=str(holder.locked_by) if holder else "", since="")
    _tell([task], "by_machines", actor, {}, said)


@transaction.atomic
def comment(actor: User, uuid: UUID, text: str, said_id: UUID) -> TaskComment:
    """Told live to whoever has a task of the page open. The same ``said_id`` again says nothing twice.

    Raises NotFound, Refused(comment_missing).
    """
    task = find_task(actor, uuid)
    if not text.strip():
        raise Refused("comment_missing")
    columns = {"task": task, "author": actor, "text": text.strip()[:1000]}
    comment_row, _ = TaskComment.objects.get_or_create(said_id=said_id, defaults=columns)
    concerned = HumanTask.objects.filter(Q(pk=task.pk) | Q(page=task.page_id, status__in=OPEN))
    concerned.update(**HumanTask.visible_change())
    live.hint_after_commit(TASKS_TOPIC)
    return comment_row


def _lock(rows: "QuerySet[HumanTask]", said: Said) -> list[HumanTask]:
    """Without those of which this was decided before: their history says so."""
    tasks = list(rows.select_for_update(no_key=True, of=("self",)).order_by("pk"))
    if said.act is None or not tasks:
        return tasks
    transitions = Transition.objects.filter(entity=TASK.entity, entity_id__in=[task.pk for task in tasks])
    done = set(transitions.filter(reason__act=str(said.act)).values_list("entity_id", flat=True))
    return [task for task in tasks if task.pk not in done]


def _free(actor: User, tasks: Sequence[HumanTask]) -> "QuerySet[HumanTask]":
    rows = HumanTask.objects.filter(pk__in=[task.pk for task in tasks])
    take_away(rows, actor)
    return rows.filter(status__in=FREE)


def _tell(tasks: Sequence[HumanTask], trigger: str, actor: User, why: dict[str, object], said: Said = NOTHING) -> int:
    by_job: dict[int, list[HumanTask]] = {}
    for task in tasks:
        by_job.setdefault(task.job_id, []).append(task)
    for job_id, of_job in by_job.items():
        reasons = {task.pk: {**why, **said.as_reason()} for task in of_job}
        audit_rows("task", job_id, reasons, target=of_job[0].status, trigger=trigger, actor=actor.username)
        live.hint_after_commit(job_id)
    return len(tasks)
