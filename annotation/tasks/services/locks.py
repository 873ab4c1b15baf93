"""Who holds a task: claimed, renewed, handed back, taken over, lost. The row decides, by PostgreSQL's clock (TA-P1-18).

A lock is a token that grows; every effect compares it in its own transaction (X-FENCE). Nothing here needs a timer: a
lease that has run out is free for the next claim, and the sweep gives it back for everyone to see.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from annotation.tasks.lifecycle import FREE, TASK, TASKS_TOPIC, Purpose, TaskStatus
from annotation.tasks.models import HumanTask
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core import crash_points, live, messages
from catalogsku.core.errors import Conflict, NotFound, Refused
from catalogsku.core.moves import audit_rows, move

SWEPT_AT_ONCE = 200
# A hold ends with its lease: the seconds until the sweep finds that out are nobody's.
_CLOCK_MOVED_ON = (
    "t.clock_from + coalesce(greatest(least(statement_timestamp(), t.lease_until) - t.locked_at, interval '0'),"
    " interval '0')"
)
UNLOCKED: dict[str, Any] = {"locked_by": None, "lock_session": None, "lease_until": None, "locked_at": None}
WORKED = RawSQL("t.worked_s + coalesce(extract(epoch from statement_timestamp() - t.locked_at), 0)", ())


@dataclass(frozen=True)
class Lock:
    """``token`` proves it in every further command; ``lease_until`` by the server's clock."""

    task: UUID
    token: int
    lease_until: datetime


class TaskHeld(Conflict):
    """Somebody else has it: ``by`` (a name) ``since`` (ISO time); an empty name where it is not to be had at all."""


class LockLost(Conflict):
    """The token is not the task's any more; the draft is kept."""

    def __init__(self) -> None:
        super().__init__("lock_lost")


def find_task(actor: User, uuid: UUID) -> HumanTask:
    """Raises NotFound, also for tasks of merchants that this person does not work for."""
    task = HumanTask.objects.visible_to(actor).select_related("page", "job").filter(uuid=uuid).first()
    if task is None:
        raise NotFound("task_not_found")
    return task


def claim_task(actor: User, uuid: UUID, session: UUID) -> Lock:
    """Take the task for this person's tab; the same tab again gets the lock it has, renewed.

    Raises NotFound, TaskHeld, and Refused for an escalated task, which leads claim.
    """
    task = find_task(actor, uuid)
    try:
        with transaction.atomic():
            rows = HumanTask.objects.filter(pk=task.pk)
            mine = rows.filter(status=TaskStatus.PROCESSING, locked_by=actor, lock_session=session)
            if not mine.update(lease_until=_lease(), **HumanTask.visible_change()):
                _give_back(rows.filter(status=TaskStatus.PROCESSING, lease_until__lt=Now()), "lock_lost", "system")
                _claim(rows, actor, session)
            crash_points.reached("claim.before_commit")
    except IntegrityError as error:  # one_holder_a_page: another task of the page is in somebody's hands
        raise _held(HumanTask.objects.filter(page=task.page_id)) from error
    return _lock(task.pk)


def _claim(rows: "QuerySet[HumanTask]", actor: User, session: UUID) -> None:
    if rows.filter(about__closed_by=actor, purpose=Purpose.VERDICT).exists():
        raise Refused("own_work")
    free = rows if may(actor, Action.SUPERVISE) else rows.filter(for_person(actor))
    moved = move(
        TASK,
        free.filter(status__in=FREE),
        to=TaskStatus.PROCESSING,
        trigger="claimed",
        actor=actor.username,
        changes={
            "locked_by": actor.pk,
            "lock_session": session,
            "lock_token": RawSQL("t.lock_token + 1", ()),
            "locked_at": RawSQL("statement_timestamp()", ()),
            "came_from": RawSQL("t.status", ()),
            "lease_until": _lease(),
            "assigned_to": None,
            "assigned_until": None,
            "postponed_until": None,
        },
    )
    if moved:
        _settle(rows)
        return
    task = rows.filter(status__in=FREE).select_related("assigned_to").first()
    if task is None:
        raise _held(rows)
    if task.status == TaskStatus.ESCALATED:
        raise Refused("task_escalated")
    raise TaskHeld("task_reserved", by=str(task.assigned_to or ""), since="")


def for_person(actor: User) -> Q:
    """Free tasks that somebody who is no lead may take: those of everybody, and what was assigned to them, an
    escalated one too (TA-SLA4H)."""
    mine = Q(assigned_to=actor, assigned_until__gte=Now())
    return Q(status=TaskStatus.CREATED) & not_kept(actor) | Q(status=TaskStatus.ESCALATED) & mine


def not_kept(actor: User) -> Q:
    """What is not kept for somebody else: a lead may take that too, but is not offered it."""
    return Q(assigned_until__isnull=True) | Q(assigned_until__lt=Now()) | Q(assigned_to=actor)


def _held(rows: "QuerySet[HumanTask]") -> TaskHeld:
    holder = rows.filter(status=TaskStatus.PROCESSING).select_related("locked_by").first()
    if holder is None:
        return TaskHeld("task_closed", by="", since="")
    since = holder.locked_at.isoformat() if holder.locked_at else ""
    return TaskHeld("task_held", by=str(holder.locked_by), since=since)


def renew_locks(actor: User, session: UUID, tokens: dict[UUID, int]) -> list[UUID]:
    """Every lock of this tab lives on; the tasks that it has lost. The answer to the server's ping does this."""
    lost = []
    mine = HumanTask.objects.visible_to(actor).filter(
        status=TaskStatus.PROCESSING, locked_by=actor, lock_session=session
    )
    for uuid, token in tokens.items():
        held = mine.filter(uuid=uuid, lock_token=token)
        if not held.update(lease_until=_lease()):
            lost.append(uuid)
    return lost


def held_by_tab(actor: User, session: UUID) -> Lock | None:
    """What this tab has in hand already, renewed."""
    held = HumanTask.objects.visible_to(actor).filter(
        status=TaskStatus.PROCESSING, locked_by=actor, lock_session=session
    )
    task = held.first()
    return claim_task(actor, task.uuid, session) if task else None


def close_session(actor: User, session: UUID) -> int:
    """The tab's socket is gone: its locks end after the grace, unless the tab comes back before."""
    held = HumanTask.objects.filter(status=TaskStatus.PROCESSING, lock_session=session, locked_by=actor)
    soon = RawSQL("least(lease_until, statement_timestamp() + %s * interval '1 s')", (settings.LOCK_GRACE_S,))
    return held.update(lease_until=soon)


@transaction.atomic
def release_task(actor: User, uuid: UUID, token: int) -> None:
    """Hand it back as it was; the draft stays. Raises NotFound, LockLost."""
    task = find_task(actor, uuid)
    rows = HumanTask.objects.filter(pk=task.pk, status=TaskStatus.PROCESSING, lock_token=token, locked_by=actor)
    if not _give_back(rows, "released", actor.username):
        raise LockLost


@transaction.atomic
def take_over(actor: User, uuid: UUID, session: UUID) -> Lock:
    """A lead takes the task out of somebody's hands, or a person takes it from another tab of their own.

    Who had it learns that at the latest with the next renewal or save; the draft stays theirs. Raises NotFound,
    Refused, TaskHeld where nobody holds it any more.
    """
    task = find_task(actor, uuid)
    held = HumanTask.objects.select_for_update(no_key=True).filter(pk=task.pk, status=TaskStatus.PROCESSING).first()
    if held is None:
        raise TaskHeld("task_not_held", by="", since="")
    if held.locked_by_id != actor.pk and not may(actor, Action.SUPERVISE):
        raise Refused("take_over_forbidden")
    HumanTask.objects.filter(pk=held.pk).update(
        locked_by=actor,
        lock_session=session,
        lock_token=held.lock_token + 1,
        locked_at=Now(),
        lease_until=_lease(),
        clock_from=F("clock_from") + (Now() - F("locked_at")),
        **HumanTask.visible_change(),
    )
    reason = {held.pk: {"from": str(held.locked_by)}}
    audit_rows("task", held.job_id, reason, target=TaskStatus.PROCESSING, trigger="taken_over", actor=actor.username)
    live.hint_after_commit(TASKS_TOPIC)
    _settle(HumanTask.objects.filter(pk=held.pk))
    return _lock(held.pk)


@transaction.atomic
def free_expired() -> int:
    """Give back what nobody renewed: the sweep's round. The number of tasks."""
    expired = HumanTask.objects.filter(status=TaskStatus.PROCESSING, lease_until__lt=Now())
    ids = list(expired.order_by("pk").values_list("pk", flat=True)[:SWEPT_AT_ONCE])
    return _give_back(expired.filter(pk__in=ids), "lock_lost", "system") if ids else 0


@transaction.atomic
def take_away(rows: "QuerySet[HumanTask]", actor: User) -> int:
    """Hand back what people hold of ``rows``, for a lead; they learn it by their token, their drafts stay."""
    held = rows.filter(status=TaskStatus.PROCESSING)
    ids = list(held.select_for_update(no_key=True, of=("self",)).order_by("pk").values_list("pk", flat=True))
    if not ids:
        return 0
    chosen = HumanTask.objects.filter(pk__in=ids)
    chosen.update(lock_token=F("lock_token") + 1)
    return _give_back(chosen, "released", actor.username)


def _give_back(rows: "QuerySet[HumanTask]", trigger: str, actor: str) -> int:
    """To the state each came from; in the caller's transaction."""
    moved = 0
    for back in FREE:
        changes = {**UNLOCKED, "clock_from": RawSQL(_CLOCK_MOVED_ON, ()), "worked_s": WORKED}
        moves = move(TASK, rows.filter(came_from=back), to=back, trigger=trigger, actor=actor, changes=changes)
        _wait_together([row.id for row in moves])
        moved += len(moves)
        _settle(HumanTask.objects.filter(pk__in=[row.id for row in moves]))
    return moved


def _wait_together(handed_back: Sequence[int]) -> None:
    """While one task of a page was held nobody could take the others: their clocks stood still too."""
    for page_id, clock_from in HumanTask.objects.filter(pk__in=handed_back).values_list("page_id", "clock_from"):
        others = HumanTask.objects.filter(page=page_id, status__in=FREE, clock_from__lt=clock_from)
        others.update(clock_from=clock_from, **HumanTask.visible_change())


def _settle(rows: "QuerySet[HumanTask]") -> None:
    """The pages' tiles show who has them."""
    pages: Sequence[int] = list(rows.values_list("page_id", flat=True).distinct())
    if pages:
        messages.send_after_commit("settle_pages", list(pages))


def _lock(task_id: int) -> Lock:
    task = HumanTask.objects.get(pk=task_id)
    assert task.lease_until is not None
    return Lock(task.uuid, task.lock_token, task.lease_until)


def _lease() -> RawSQL:
    return RawSQL("statement_timestamp() + %s * interval '1 s'", (settings.LOCK_LEASE_S,))
