"""A task is done: the page as its holder left it becomes results, annotations and imports, in one transaction
(docs/protocols.md P4).

The token is the judge: a lease that ran out without anybody taking the task is accepted, an older token never is.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.expressions import RawSQL

from annotation.people.services import golden, judging
from annotation.tasks.lifecycle import MOVES_THE_PAGE, TASK, Purpose, TaskStatus
from annotation.tasks.models import Annotation, Draft, HumanTask
from annotation.tasks.services.holding import hold, locked
from annotation.tasks.services.joining import supersede_verdicts
from annotation.tasks.services.locks import UNLOCKED, WORKED, find_task
from annotation.tasks.services.results import before_of, result_of
from annotation.workbench.alternatives import count_outcome
from catalogsku.accounts.models import User
from catalogsku.core import crash_points, messages
from catalogsku.core.errors import Conflict, ProductError, Refused
from catalogsku.core.moves import move
from catalogsku.profiles.services import work_rules
from ingestion.lifecycle import SkipReason
from ingestion.models import Page
from processing.corrections.services.correcting import content_version, correct_page
from processing.corrections.services.cutting import Cut, cut_pictures
from processing.corrections.services.page_faults import MOST_DRAWN, Found, find_faults
from processing.corrections.services.restoring import page_before
from processing.products.page_state import Change, Fault, PageState, payload


class Invalid(ProductError):
    """``faults``: what of the page cannot stay, each at its place."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("invalid")
        self.faults = tuple(faults)


def submit_task(actor: User, uuid: UUID, token: int, submit_id: UUID, page_version: int, state: PageState) -> None:
    """The page is as ``state`` says. The same submit again changes nothing more.

    Raises NotFound, LockLost, Conflict(page_changed), Invalid.
    """
    seen = find_task(actor, uuid)
    cuts = cut_pictures(seen.job, seen.page, state.drawn[:MOST_DRAWN]) if seen.lock_token == token else {}
    with transaction.atomic():
        task, page = locked(actor, uuid)
        if not (task.status == TaskStatus.COMPLETED and task.submit_id == submit_id):
            hold(actor, task, token)
            if task.purpose == Purpose.HONEYPOT:
                _measure(actor, task, page, submit_id, state)
            else:
                _keep(actor, task, page, submit_id, page_version, state, cuts)
            crash_points.reached("submit.before_commit")


def _keep(
    actor: User,
    task: HumanTask,
    page: Page,
    submit_id: UUID,
    page_version: int,
    state: PageState,
    cuts: Mapping[str, Cut],
) -> None:
    if content_version(page) != page_version:
        raise Conflict("page_changed", version=content_version(page))
    known = Found.of(task.job, page, state)
    if faults := find_faults(page, state, known):
        raise Invalid(faults)
    before, earlier = page_before(page), copy(page)
    changes = correct_page(task.job, page, state, known, actor.username, cuts)
    page.refresh_from_db(fields=["page_type", "layout_type"])
    _annotate(actor, task, changes)
    offered = count_outcome(page, state.skus)
    why = {"changes": len(changes), **({"offered": offered} if offered else {})}
    _complete(actor, task, submit_id, why, result_of(page, before_of(task) or before))
    if task.purpose == Purpose.VERDICT:
        judging.record_verdict(actor, task, page, earlier, changed=bool(changes))
    else:
        supersede_verdicts(page.pk)
        judging.open_verdict(task, actor, work_rules())


def _measure(actor: User, task: HumanTask, page: Page, submit_id: UUID, state: PageState) -> None:
    """A golden page: what was typed is compared, and nothing of it is kept (X-PURPOSE)."""
    if faults := find_faults(page, state, golden.found_before(task, page, state)):
        raise Invalid(faults)
    reached = golden.score(actor, task, state)
    _complete(actor, task, submit_id, {"changes": 0, "score": round(reached, 3)}, {})


def skip_task(actor: User, uuid: UUID, token: int, submit_id: UUID, reason: str) -> None:
    """Nobody can say what is on this page, for ``reason``.

    Raises NotFound, LockLost, and Refused without a reason.
    """
    if not reason.strip():
        raise Refused("reason_missing")
    with transaction.atomic():
        task, page = locked(actor, uuid)
        if not (task.status == TaskStatus.SKIPPED and task.submit_id == submit_id):
            hold(actor, task, token)
            rows = HumanTask.objects.filter(pk=task.pk)
            changes = {**_closed(actor, submit_id), "skip_reason": SkipReason.PERSON}
            why = {"reason": reason.strip()[:400]}
            move(
                TASK, rows, to=TaskStatus.SKIPPED, trigger="skipped", actor=actor.username, reason=why, changes=changes
            )
            if task.purpose != Purpose.HONEYPOT:
                count_outcome(page)
            if task.purpose in MOVES_THE_PAGE:
                Page.objects.filter(pk=page.pk).update(needs_review=False)
                messages.send_after_commit("settle_pages", [page.pk])


def _closed(actor: User, submit_id: UUID) -> dict[str, Any]:
    done = {"closed_at": RawSQL("statement_timestamp()", ()), "closed_by": actor.pk, "submit_id": submit_id}
    return {**done, **UNLOCKED, "worked_s": WORKED}


def _complete(actor: User, task: HumanTask, submit_id: UUID, why: dict[str, Any], result: dict[str, Any]) -> None:
    """Whoever did the page did all that was asked about it."""
    rows = HumanTask.objects.filter(pk=task.pk)
    move(
        TASK,
        rows,
        to=TaskStatus.COMPLETED,
        trigger="completed",
        actor=actor.username,
        reason=why,
        changes={**_closed(actor, submit_id), "result": result},
    )
    Draft.objects.filter(task__page=task.page_id, user=actor).delete()
    if task.purpose != Purpose.HONEYPOT:
        messages.send_after_commit("settle_pages", [task.page_id])


def _annotate(actor: User, task: HumanTask, changes: Sequence[Change]) -> None:
    Annotation.objects.bulk_create(
        Annotation(
            task=task,
            page_id=task.page_id,
            annotator=actor,
            type=change.kind,
            sku_id=change.sku_id,
            field=change.field[:60],
            before=payload(change.kind, change.before),
            after=payload(change.kind, change.after),
            created_at=RawSQL("now()", ()),  # as its audit rows, which the history puts beside it
        )
        for change in changes
    )
