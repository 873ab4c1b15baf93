"""What every command that ends a task begins with: page and task locked, in that order, and the token compared
(docs/protocols.md P4)."""

from uuid import UUID

from django.db.models.expressions import RawSQL

from annotation.tasks.lifecycle import FREE, TASK, TaskStatus
from annotation.tasks.models import HumanTask
from annotation.tasks.services.locks import LockLost, find_task
from catalogsku.accounts.models import User
from catalogsku.core.moves import move
from ingestion.models import Page


def locked(actor: User, uuid: UUID) -> tuple[HumanTask, Page]:
    """Page, then task: the order in which everybody locks. Raises NotFound."""
    seen = find_task(actor, uuid)
    page = Page.objects.select_for_update(no_key=True).get(pk=seen.page_id)
    task = (
        HumanTask.objects.select_for_update(no_key=True, of=("self",))
        .select_related("about__closed_by")
        .get(pk=seen.pk)
    )
    task.job = seen.job
    return task, page


def hold(actor: User, task: HumanTask, token: int) -> None:
    """The task is the actor's by this token; one that was given back for want of a sign of life is taken up again.

    Raises LockLost.
    """
    if task.lock_token != token or token == 0:
        raise LockLost
    if task.status in FREE:
        lease = RawSQL("statement_timestamp() + interval '60 s'", ())
        changes = {"locked_by": actor.pk, "lock_session": task.uuid, "lease_until": lease, "came_from": task.status}
        move(
            TASK,
            HumanTask.objects.filter(pk=task.pk),
            to=TaskStatus.PROCESSING,
            trigger="claimed",
            actor=actor.username,
            changes=changes,
        )
    elif task.status != TaskStatus.PROCESSING or task.locked_by_id != actor.pk:
        raise LockLost
