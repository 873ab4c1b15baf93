"""A value is corrected by who reads the results, without a task, and taken back by the same person (TA-ATONCE).

What was said is kept as a task that nobody had to take: its annotation teaches like any other.
"""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models.expressions import RawSQL

from annotation.tasks.lifecycle import OPEN, TASK, Purpose, TaskStatus, TaskType
from annotation.tasks.models import Annotation, HumanTask
from annotation.workbench.services.submitting import Invalid
from catalogsku.accounts.models import User
from catalogsku.core import clock, messages
from catalogsku.core.errors import Conflict, NotFound, Refused
from catalogsku.core.moves import move
from catalogsku.core.text import trim
from ingestion.lifecycle import PAGES_WITH_MACHINES, PAGES_WITH_PEOPLE, JobStatus
from ingestion.models import Page
from processing.corrections.selectors import allows_at_once, is_correctable
from processing.corrections.services import one_value
from processing.corrections.services.page_faults import Found
from processing.imports.services import ledger
from processing.products.models import Sku
from processing.products.page_state import Change, Fault, GivenValue, payload
from processing.products.selectors import get_sku
from processing.products.services.decisions import SAID

ENDED = (JobStatus.CANCELLED, JobStatus.REJECTED)
WHY_MOST_CHARS = 400


@dataclass(frozen=True)
class Corrected:
    """``revision``: of the SKU that the person saw. ``insist``: the value is right although it is not printed so, or
    not of its attribute's type, for the reason ``why``. ``submit_id``: the same again changes nothing more."""

    key: str
    text: str
    revision: int
    why: str = ""
    insist: bool = False
    submit_id: UUID = field(default_factory=uuid4)


def correct(actor: User, job_id: UUID, sku_id: str, wanted: Corrected) -> HumanTask:
    """The SKU has the value, and is sent to its targets again; nothing else of its page is touched.

    Raises NotFound; Refused (at_once_off, value_missing, value_same); Invalid; Conflict (page_waits, job_ended,
    page_with_machines, sku_not_out, sku_in_later_edition, value_moved_on).
    """
    seen = get_sku(actor, job_id, sku_id)
    with transaction.atomic():
        page = _locked(seen.page_id)
        before = HumanTask.objects.filter(
            page=page, purpose=Purpose.AT_ONCE, submit_id=wanted.submit_id, closed_by=actor
        ).first()
        if before is not None:
            return before
        sku = _correctable(actor, page, job_id, sku_id)
        if sku.revision != wanted.revision:
            raise Conflict("value_moved_on", value=sku.attributes.get(wanted.key) or "—")
        task = HumanTask(
            job_id=page.job_id,
            page=page,
            type=TaskType.SKU_CONFIRM,
            purpose=Purpose.AT_ONCE,
            subject=sku_id,
            confidence=sku.confidence,
            result={"row": sku.pk, "field": wanted.key},
        )
        change = _change(actor, page, sku, wanted, task.uuid)
        task.save(force_insert=True)
        _close(task, actor, wanted)
        _annotate(task, actor, change)
        messages.send_after_commit("settle_pages", [page.pk])
        return task


def take_back(actor: User, job_id: UUID, sku_id: str, correction: UUID) -> None:
    """The value is as it was before this person corrected it, downstream too; what was changed since then stays.

    Taken back twice is once. Raises NotFound; Refused (at_once_off, not_your_correction); Conflict as ``correct``, also
    where somebody has said something else of the value since (value_moved_on).
    """
    seen = get_sku(actor, job_id, sku_id)
    with transaction.atomic():
        page = _locked(seen.page_id)
        task = HumanTask.objects.filter(page=page, purpose=Purpose.AT_ONCE, uuid=correction, subject=sku_id).first()
        if task is None:
            raise NotFound("not_found")
        if task.closed_by_id != actor.pk:
            raise Refused("not_your_correction")
        if task.status != TaskStatus.COMPLETED:
            return
        sku, key = _correctable(actor, page, job_id, sku_id), str(task.result["field"])
        if sku.decisions.get(SAID, {}).get(key, {}).get("id") != str(correction):
            raise Conflict("value_moved_on", value=sku.attributes.get(key) or "—")
        earlier = Sku.objects.get(pk=task.result["row"])
        one_value.put_back_value(page.job, page, sku, earlier, key, actor.username)
        rows = HumanTask.objects.filter(pk=task.pk)
        move(TASK, rows, to=TaskStatus.SKIPPED, trigger="taken_back", actor=actor.username)
        messages.send_after_commit("settle_pages", [page.pk])


def _locked(page_id: int) -> Page:
    rows = Page.objects.select_for_update(no_key=True, of=("self",)).select_related("job__schema")
    return rows.get(pk=page_id)


def _correctable(actor: User, page: Page, job_id: UUID, sku_id: str) -> Sku:
    """Its active revision, with the page locked; refused where another way is open for what is wrong with it."""
    if not allows_at_once(page.job.merchant_id):
        raise Refused("at_once_off")
    if page.job.status in ENDED:
        raise Conflict("job_ended")
    if page.status in PAGES_WITH_MACHINES:
        raise Conflict("page_with_machines")
    sku = get_sku(actor, job_id, sku_id)
    if ledger.taken_over(page.job, [sku]):
        raise Conflict("sku_in_later_edition")
    waits = HumanTask.objects.filter(page=page, status__in=OPEN).exclude(purpose=Purpose.HONEYPOT)
    if page.status in PAGES_WITH_PEOPLE or page.needs_review or waits.exists():
        raise Conflict("page_waits")
    if not is_correctable(sku):
        raise Conflict("sku_not_out")
    return sku


def _change(actor: User, page: Page, sku: Sku, corrected: Corrected, correction: UUID) -> Change:
    text, why = trim(corrected.text), corrected.why.strip()[:WHY_MOST_CHARS]
    if not text:
        raise Refused("value_missing")
    known = Found.of(page.job, page)
    wanted = one_value.as_given(sku, known, corrected.key, GivenValue(text, confirmed=corrected.insist))
    faults = one_value.faults_of(page.job, page, wanted, known, corrected.key)
    if not faults and corrected.insist and not why:
        faults = [Fault(one_value.PATH + corrected.key, "insist_why_missing")]
    if faults:
        raise Invalid(faults)
    said = {
        "id": str(correction),
        "by": str(actor),
        "user": actor.pk,
        "at": clock.now().isoformat(),
        "why": why,
        "insisted": corrected.insist,
    }
    change = one_value.correct_value(page.job, page, wanted, known, corrected.key, said, actor.username)
    if change is None:
        raise Refused("value_same")
    return change


def _close(task: HumanTask, actor: User, wanted: Corrected) -> None:
    closed = {"closed_at": RawSQL("statement_timestamp()", ()), "closed_by": actor.pk, "submit_id": wanted.submit_id}
    why: dict[str, Any] = {"reason": wanted.why.strip()[:WHY_MOST_CHARS]}
    rows = HumanTask.objects.filter(pk=task.pk)
    move(TASK, rows, to=TaskStatus.COMPLETED, trigger="at_once", actor=actor.username, reason=why, changes=closed)


def _annotate(task: HumanTask, actor: User, change: Change) -> None:
    Annotation.objects.create(
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
