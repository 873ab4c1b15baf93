"""Who has a task open at the moment: said by the tab every few seconds, forgotten when it is silent (X-PRES).

The rows are the truth, so that any web process can say it; a change of them is a visible change of the task.
"""

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from annotation.queue.selectors import PRESENT_S
from annotation.tasks.lifecycle import TASKS_TOPIC
from annotation.tasks.models import HumanTask, Presence
from annotation.tasks.services.locks import find_task
from catalogsku.accounts.models import User
from catalogsku.core import live


@transaction.atomic
def be_present(actor: User, uuid: UUID, session: UUID) -> None:
    """This tab shows this task, and no other any more. Said again and again. Raises NotFound."""
    task = find_task(actor, uuid)
    mine = Presence.objects.filter(user=actor, session=session)
    if mine.filter(task=task, seen_at__gte=_absent()).update(seen_at=Now()):
        return
    before = mine.values_list("task_id", flat=True).first()
    Presence.objects.update_or_create(user=actor, session=session, defaults={"task": task, "seen_at": Now()})
    _show({task.pk, before or task.pk})


@transaction.atomic
def go_away(actor: User, session: UUID) -> None:
    """The tab is closed, or shows something else."""
    gone = Presence.objects.filter(user=actor, session=session)
    tasks = set(gone.values_list("task_id", flat=True))
    gone.delete()
    _show(tasks)


@transaction.atomic
def forget_absent() -> int:
    """Tabs that fell silent without a word: the sweep's round. How many."""
    absent = Presence.objects.filter(seen_at__lt=_absent())
    rows = dict(absent.values_list("pk", "task_id"))
    absent.filter(pk__in=rows).delete()
    _show(rows.values())
    return len(rows)


def _absent() -> object:
    return Now() - timedelta(seconds=PRESENT_S)


def _show(task_ids: Iterable[int]) -> None:
    for pk in sorted(set(task_ids)):
        HumanTask.objects.filter(pk=pk).update(**HumanTask.visible_change())
        live.hint_after_commit(TASKS_TOPIC)
