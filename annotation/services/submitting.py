"""A task is done: the page as its holder left it becomes results, annotations and imports, in one transaction (P4).

The token is the judge: a lease that ran out without anybody taking the task is accepted, an older token never is.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from annotation import selectors
from annotation.lifecycle import FREE, TASK, Purpose, TaskStatus
from annotation.models import Annotation, Draft, HumanTask
from annotation.services.locks import LockLost, find_task
from annotation.services.results import result_of
from catalogsku.accounts.models import User
from catalogsku.core import crash_points, messages
from catalogsku.core.errors import Conflict, ProductError, Refused
from catalogsku.core.moves import move
from ingestion.lifecycle import SkipReason
from ingestion.models import Page
from processing.services.correcting import Change, Fault, Found, PageState, content_version, correct_page, find_faults
from processing.services.restoring import page_before

_CLOSED = {"locked_by": None, "lock_session": None, "lease_until": None, "locked_at": None}


class Invalid(ProductError):
    """``faults``: what of the page cannot stay, each at its place."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("invalid")
        self.faults = tuple(faults)


def submit_task(
    actor: User, uuid: UUID, token: int, submit_id: UUID, page_version: int, state: PageState
) -> UUID | None:
    """The page is as ``state`` says; the id of the task to go on with. The same submit again gives the same answer.

    Raises NotFound, LockLost, Conflict(page_changed), Invalid.
    """
    with transaction.atomic():
        task, page = _locked(actor, uuid)
        if not (task.status == TaskStatus.COMPLETED and task.submit_id == submit_id):
            _hold(actor, task, token)
            if content_version(page) != page_version:
                raise Conflict("page_changed", version=content_version(page))
            found = Found.of(task.job, page)
            if faults := find_faults(page, state, found):
                raise Invalid(faults)
            before = page_before(page)
            changes = correct_page(task.job, page, state, found, actor.username)
            _annotate(actor, task, changes)
            _complete(actor, task, submit_id, len(changes), result_of(page, before))
            crash_points.reached("submit.before_commit")
    return selectors.next_task(actor)


def skip_task(actor: User, uuid: UUID, token: int, submit_id: UUID, reason: str) -> UUID | None:
    """Nobody can say what is on this page, for ``reason``; the id of the task to go on with.

    Raises NotFound, LockLost, and Refused without a reason.
    """
    if not reason.strip():
        raise Refused("reason_missing")
    with transaction.atomic():
        task, page = _locked(actor, uuid)
        if not (task.status == TaskStatus.SKIPPED and task.submit_id == submit_id):
            _hold(actor, task, token)
            rows = HumanTask.objects.filter(pk=task.pk)
            changes = {
                "submit_id": submit_id,
                "closed_at": RawSQL("now()", ()),
                "closed_by": actor.pk,
                **_CLOSED,
                "skip_reason": SkipReason.PERSON,
            }
            why = {"reason": reason.strip()[:400]}
            move(
                TASK, rows, to=TaskStatus.SKIPPED, trigger="skipped", actor=actor.username, reason=why, changes=changes
            )
            Page.objects.filter(pk=page.pk).update(needs_review=False)
            messages.send_after_commit("settle_pages", [page.pk])
    return selectors.next_task(actor)


def _locked(actor: User, uuid: UUID) -> tuple[HumanTask, Page]:
    """Page, then task: the order in which everybody locks."""
    seen = find_task(actor, uuid)
    page = Page.objects.select_for_update(no_key=True).get(pk=seen.page_id)
    task = HumanTask.objects.select_for_update(no_key=True, of=("self",)).get(pk=seen.pk)
    task.job = seen.job
    return task, page


def _hold(actor: User, task: HumanTask, token: int) -> None:
    """The task is the actor's by this token; one that was given back for want of a sign of life is taken up again."""
    if task.lock_token != token or token == 0:
        raise LockLost
    if task.status in FREE:
        lease = RawSQL("statement_timestamp() + interval '60 s'", ())
        changes = {"locked_by": actor.pk, "lock_session": task.uuid, "lease_until": lease, "came_from": task.status}
        move(
            TASK, HumanTask.objects.filter(pk=task.pk), to=TaskStatus.PROCESSING, trigger="claimed",
            actor=actor.username, changes=changes,
        )  # fmt: skip
    elif task.status != TaskStatus.PROCESSING or task.locked_by_id != actor.pk:
        raise LockLost


def _complete(actor: User, task: HumanTask, submit_id: UUID, changes: int, result: dict[str, Any]) -> None:
    """Whoever did the page did all that was asked about it."""
    closed = {"closed_at": RawSQL("now()", ()), "closed_by": actor.pk, **_CLOSED}
    why = {"changes": changes}
    rows = HumanTask.objects.filter(pk=task.pk)
    move(
        TASK, rows, to=TaskStatus.COMPLETED, trigger="completed", actor=actor.username, reason=why,
        changes={**closed, "submit_id": submit_id, "result": result},
    )  # fmt: skip
    others = HumanTask.objects.filter(page=task.page_id, purpose__in=(Purpose.WORK, Purpose.DOCUMENT), status__in=FREE)
    together = {**closed, "result": {"with": task.pk}}
    move(TASK, others, to=TaskStatus.COMPLETED, trigger="accepted", actor=actor.username, reason=why, changes=together)
    Draft.objects.filter(task__page=task.page_id, user=actor).delete()
    messages.send_after_commit("settle_pages", [task.page_id])


def _annotate(actor: User, task: HumanTask, changes: Sequence[Change]) -> None:
    Annotation.objects.bulk_create(
        Annotation(
            task=task, page_id=task.page_id, annotator=actor, type=change.kind, sku_id=change.sku_id,
            field=change.field[:60], before=change.before, after=change.after, created_at=Now(),
        )
        for change in changes
    )  # fmt: skip
