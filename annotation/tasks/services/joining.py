"""One open task a page: what is asked of the page while one waits joins that one, instead of making another
(TA-ONEHOLDER). Whoever closes it closes all that was asked."""

from collections.abc import Sequence
from typing import Any

from django.db.models import F, Q
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce, Now

from annotation.tasks.lifecycle import (
    FREE,
    MOVES_THE_PAGE,
    OF_THE_PAGE,
    OPEN,
    TASK,
    TASKS_TOPIC,
    Priority,
    Purpose,
    TaskStatus,
    TaskType,
)
from annotation.tasks.models import Draft, HumanTask
from catalogsku.core import live
from catalogsku.core.moves import audit_rows, move

# What is asked of the page, from the least of it to all of it.
_WIDTH = [
    *(TaskType.BINDING_REVIEW, TaskType.CUSTOM_ATTR_CONFIRM, TaskType.SKU_CONFIRM),
    *OF_THE_PAGE,
]


def ask(wanted: HumanTask) -> HumanTask:
    """The page's open task, which asks for what ``wanted`` does from now on; ``wanted`` itself where none is open.

    What more is asked begins the time anew: nobody has had the time of the rules for it yet. A second look at what was
    done ends, as it is not the last word any more. Call with the page locked.
    """
    rows = HumanTask.objects.filter(work_of(wanted.page_id), status__in=OPEN)
    waiting = rows.select_for_update(no_key=True, of=("self",)).first()
    if waiting is None:
        supersede_verdicts(wanted.page_id)
        wanted.save(force_insert=True)
        why = {"reasons": [reason["code"] for reason in wanted.reasons]}
        audit_rows("task", wanted.job_id, {wanted.pk: why}, target=TaskStatus.CREATED, trigger="opened")
        live.hint_after_commit(TASKS_TOPIC)
        return wanted
    new = [reason for reason in wanted.reasons if reason not in waiting.reasons]
    if new:
        anew = {"clock_from": Coalesce(F("locked_at"), Now()), "sla_level": 0}
        HumanTask.objects.filter(pk=waiting.pk).update(
            **together(waiting, [wanted]), **anew, **HumanTask.visible_change()
        )
        why = {"reasons": [reason["code"] for reason in new]}
        audit_rows("task", waiting.job_id, {waiting.pk: why}, target=waiting.status, trigger="asked_more")
        live.hint_after_commit(TASKS_TOPIC)
    return waiting


def take_in(task: HumanTask) -> dict[str, Any]:
    """What waits of its page ends as part of ``task``, which opens again: the columns of that one. Page locked."""
    rows = HumanTask.objects.filter(work_of(task.page_id), status__in=FREE).exclude(pk=task.pk)
    others = list(rows.select_for_update(no_key=True, of=("self",)))
    if not others:
        return {}
    ended = HumanTask.objects.filter(pk__in=[other.pk for other in others])
    part = {"with": task.pk}
    changes = {"closed_at": RawSQL("statement_timestamp()", ()), "result": part}
    move(TASK, ended, to=TaskStatus.SKIPPED, trigger="joined", reason=part, changes=changes)
    for other in others:
        other.reports.update(task=task)
        theirs = Draft.objects.filter(task=task).values("user")
        Draft.objects.filter(task=other).exclude(user__in=theirs).update(task=task)
    return together(task, others)


def supersede_verdicts(page_id: int) -> None:
    """The work that they were to judge is not the last word any more; who has one in hand loses it."""
    rows = HumanTask.objects.filter(page=page_id, purpose__in=(Purpose.VERDICT, Purpose.AUDIT), status__in=OPEN)
    changes = {
        "locked_by": None,
        "lock_session": None,
        "lease_until": None,
        "locked_at": None,
        "lock_token": RawSQL("t.lock_token + 1", ()),
        "closed_at": RawSQL("statement_timestamp()", ()),
    }
    move(TASK, rows, to=TaskStatus.SKIPPED, trigger="superseded", changes=changes)


def together(task: HumanTask, others: Sequence[HumanTask]) -> dict[str, Any]:
    """Columns of ``task`` once it asks for what ``others`` ask too: all reasons, the widest kind, what presses most."""
    joined = [task, *others]
    reasons: list[dict[str, Any]] = []
    for each in joined:
        reasons += [reason for reason in each.reasons if reason not in reasons]
    kind = max((TaskType(each.type) for each in joined), key=_WIDTH.index)
    order = list(Priority)
    return {
        "reasons": reasons,
        "type": kind,
        "subject": subject_of(kind, reasons),
        "priority": max((Priority(each.priority) for each in joined), key=order.index),
    }


def subject_of(kind: str, reasons: Sequence[dict[str, Any]]) -> str:
    """The SKU, where all that is asked is about one."""
    skus = {reason.get("sku") for reason in reasons}
    return "" if kind in OF_THE_PAGE or len(skus) != 1 else str(skus.pop() or "")


def work_of(page_id: int) -> Q:
    """The tasks that move the page, in whatever state."""
    return Q(page=page_id, purpose__in=MOVES_THE_PAGE)
