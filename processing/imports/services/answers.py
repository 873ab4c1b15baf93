"""What a target answered is written down: states of ledger rows and of their SKUs, conflicts, back-off (PL-C3)."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from catalogsku.core import crash_points
from catalogsku.core.moves import move
from processing.imports.lifecycle import IMPORT, SKU_OF_DELIVERY, Delivery
from processing.imports.models import ImportRecord
from processing.imports.services import holds, rewriting
from processing.imports.targets.port import Answer
from processing.products.lifecycle import SKU, SkuStatus
from processing.products.models import Sku

D = Delivery
MAX_BACKOFF_S = 600
MOST_CONFLICTS = 5
SINCE = RawSQL("coalesce(t.failing_since, statement_timestamp())", ())
_SUCCESS: dict[str, Any] = {"failing_since": None, "uncertain": False, "not_before": None}
_CHANGES: dict[str, dict[str, Any]] = {D.CONFIRMED: {**_SUCCESS, **rewriting.FORGOTTEN}, D.ASSUMED: _SUCCESS}


def record_answers(rows: Sequence[ImportRecord], answers: Sequence[Answer], *, trial: bool = False) -> None:
    """Write down what the target said, where the claim still holds; SKUs follow their ledger rows.

    ``trial``: the target is held, and these were to show whether it takes us again.
    """
    with transaction.atomic():
        for answer, group in _grouped(rows, answers).items():
            if answer.trigger == "conflict":
                group = _settle_conflicts(answer, group)
            _record(answer, group)
        _hold_or_let_go(rows[0].target, answers, trial)
        crash_points.reached("import.before_commit")


def _hold_or_let_go(target: str, answers: Sequence[Answer], trial: bool) -> None:
    """``answers``: to one call of it. What did not reach it says nothing of our secret."""
    shut = next((answer for answer in answers if answer.locked_out), None)
    if shut is not None:
        holds.hold(target, shut.response)
    elif trial and any(answer.trigger in ("confirmed", "assumed", "refused", "conflict") for answer in answers):
        holds.let_go([target])


def _record(answer: Answer, group: Sequence[ImportRecord]) -> None:
    if not group:
        return
    held = ImportRecord.objects.filter(
        pk__in=[row.pk for row in group], state=D.SENDING, claim_token__in={row.claim_token for row in group}
    )
    changes = _CHANGES.get(answer.state, {"failing_since": SINCE})
    changes = {} if answer.locked_out else changes  # it was not tried
    said = {"response": answer.response, "worker": None, **changes}
    moved = [m.id for m in move(IMPORT, held, to=answer.state, trigger=answer.trigger, changes=said)]
    if answer.state == D.PENDING and not answer.locked_out:
        _back_off(moved, answer.retry_after_s)
    move_skus(moved, answer.state)


def _grouped(rows: Sequence[ImportRecord], answers: Sequence[Answer]) -> dict[Answer, list[ImportRecord]]:
    groups: dict[Answer, list[ImportRecord]] = {}
    for row, answer in zip(rows, answers, strict=True):
        groups.setdefault(answer, []).append(row)
    return groups


def _settle_conflicts(answer: Answer, group: Sequence[ImportRecord]) -> list[ImportRecord]:
    """409: tried again with a fresh revision, five times; then people see it. The rows that are tried again.

    A target that holds a newer generation than we ever sent (its data or ours were restored) gets one above it.
    """
    tired = [row for row in group if row.conflicts >= MOST_CONFLICTS]
    _record(Answer.refused(answer.response), tired)
    again = [row for row in group if row.conflicts < MOST_CONFLICTS]
    rows = ImportRecord.objects.filter(pk__in=[row.pk for row in again], state=D.SENDING)
    rows = rows.filter(claim_token__in={row.claim_token for row in again})
    behind = list(rows.filter(generation__lt=answer.held)) if answer.held is not None else []
    rows.update(conflicts=F("conflicts") + 1)
    for row in behind:
        renew(row, (answer.held or 0) + 1)
    return again


def renew(row: ImportRecord, generation: int) -> None:
    """The same product as a later generation, unless there is one already."""
    if ImportRecord.objects.filter(
        target=row.target, merchant=row.merchant_id, sku_key=row.sku_key, generation__gt=row.generation
    ).exists():
        return
    payload, digest = rewriting.as_generation(row, generation)
    ImportRecord.objects.create(
        target=row.target,
        merchant_id=row.merchant_id,
        job_id=row.job_id,
        page_id=row.page_id,
        sku_id=row.sku_id,
        sku_key=row.sku_key,
        generation=generation,
        conflicts=row.conflicts + 1,
        payload=payload,
        payload_hash=digest,
        external_id=row.external_id,
        kind=row.kind,
    )


def _back_off(ids: Sequence[int], wanted_s: float | None) -> None:
    """Doubling from 10 s up to 10 min; what the target wants counts instead, within the same bound (TA-IMPRETRY)."""
    rows = ImportRecord.objects.filter(pk__in=ids, state=D.PENDING)
    if wanted_s is not None:
        rows.update(not_before=Now() + timedelta(seconds=min(wanted_s, MAX_BACKOFF_S)))
        return
    for attempt in rows.order_by().values_list("attempt", flat=True).distinct():
        delay_s = min(5 * 2 ** min(attempt, 8), MAX_BACKOFF_S)
        rows.filter(attempt=attempt).update(not_before=Now() + timedelta(seconds=delay_s))


_SKU_TRIGGER = {
    SkuStatus.BOUND: "not_sent",
    SkuStatus.IMPORTED: "delivered",
    SkuStatus.IMPORT_FAILED: "refused",
}


def move_skus(import_ids: Sequence[int], state: str) -> None:
    """SKUs follow their ledger rows; those that people rejected stay so, whatever becomes of their deletion."""
    status = SKU_OF_DELIVERY[state]
    if import_ids and status in _SKU_TRIGGER:
        move(SKU, Sku.objects.filter(imports__in=import_ids), to=status, trigger=_SKU_TRIGGER[status])
