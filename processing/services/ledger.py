"""The import ledger: every SKU reaches its target exactly once, whatever dies or is delayed (PL-C3, TA-IMPKEY)."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import timedelta

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, prefetch_related_objects
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from catalogsku.core import bulk, crash_points, messages
from catalogsku.core.models import Worker
from catalogsku.core.moves import move
from catalogsku.core.work import DEAD_WORKER_S
from ingestion.lifecycle import JobStatus
from ingestion.models import Job
from processing.delivery.port import Answer, Envelope, Found, Target
from processing.delivery.product import Shown, pictures_of, product_content
from processing.delivery.targets import target_named
from processing.lifecycle import IMPORT, IN_FLIGHT, SKU, SKU_OF_DELIVERY, Delivery, SkuStatus
from processing.models import ImportRecord, Sku

D = Delivery
CALL_TIMEOUT_S = 20
SETTLE_S = 3 * CALL_TIMEOUT_S
MAX_BACKOFF_S = 600


def open_imports(
    job: Job, skus: Sequence[Sku], pictures: Mapping[int, Sequence[Shown]] | None = None, target: str = "local"
) -> None:
    """Ledger rows for SKUs that became importable, in the transaction that made them so.

    ``pictures`` by SKU, where the caller knows them, else they are looked up. What the target has confirmed already,
    byte for byte, is confirmed again without a call.
    """
    if not skus or job.import_hold:
        return
    keys = [sku.sku_id for sku in skus]
    rows = ImportRecord.objects.filter(target=target, merchant_id=job.merchant_id, sku_key__in=keys)
    last: dict[str, ImportRecord] = {}
    confirmed: dict[str, ImportRecord] = {}
    in_flight: set[str] = set()
    for row in rows.order_by("generation").only("sku_key", "generation", "state", "payload_hash"):
        last[row.sku_key] = row
        if row.state == D.CONFIRMED:
            confirmed[row.sku_key] = row
        elif row.state == D.ASSUMED:  # what the target holds since then is not certain
            confirmed.pop(row.sku_key, None)
        if row.state in IN_FLIGHT:
            in_flight.add(row.sku_key)
    if last:
        move(IMPORT, rows.filter(state__in=[D.PENDING, D.REFUSED]), to=D.SUPERSEDED, trigger="superseded")
    prefetch_related_objects(skus, "page")
    shown = pictures_of([sku.pk for sku in skus]) if pictures is None else pictures
    new, delivered = [], []
    for sku in skus:
        content = product_content(job, sku, shown.get(sku.pk, ()))
        digest = hashlib.sha256(content).hexdigest()
        generation = last[sku.sku_id].generation + 1 if sku.sku_id in last else 1
        known = sku.sku_id in confirmed and confirmed[sku.sku_id].payload_hash == digest and sku.sku_id not in in_flight
        if known:
            delivered.append(sku.pk)
        new.append({
            "target": target, "merchant_id": job.merchant_id, "job_id": job.pk, "page_id": sku.page_id,
            "sku_id": sku.pk, "sku_key": sku.sku_id, "generation": generation, "attempt": 0, "conflicts": 0,
            "payload": _payload(job, sku, generation, content), "payload_hash": digest, "external_id": "",
            "state": IMPORT.check_path(D.PENDING, D.CONFIRMED) if known else D.PENDING,
        })  # fmt: skip
    bulk.insert_rows(ImportRecord, new)
    if delivered:
        move(SKU, Sku.objects.filter(pk__in=delivered), to=SkuStatus.IMPORTED, trigger="delivered")


def _payload(job: Job, sku: Sku, generation: int, content: bytes) -> bytes:
    head = {"merchant_id": job.merchant_id, "sku_id": sku.sku_id, "generation": generation, "revision": sku.revision}
    return msgspec.json.encode({**head, "product": msgspec.Raw(content)})


def withdraw(page_ids: Sequence[int]) -> None:
    """Imports of superseded SKUs that were not sent yet are not sent any more."""
    rows = ImportRecord.objects.filter(page__in=page_ids, sku__superseded=True)
    move(IMPORT, rows, to=D.SUPERSEDED, trigger="superseded")


def withdraw_keys(merchant_id: int, sku_keys: Sequence[str]) -> None:
    """What was not sent yet of these SKUs is not sent any more."""
    if sku_keys:
        rows = ImportRecord.objects.filter(merchant_id=merchant_id, sku_key__in=sku_keys)
        move(IMPORT, rows.filter(state__in=[D.PENDING, D.REFUSED]), to=D.SUPERSEDED, trigger="superseded")


def deliver(rows: "QuerySet[ImportRecord]", worker: Worker, limit: int = 200) -> int:
    """Claim what may go out of ``rows`` (commit), call the target, record its answers (commit). The number sent."""
    batch = _claim(rows, worker, limit)
    if not batch:
        return 0
    by_target: dict[str, list[ImportRecord]] = {}
    for row in batch:
        by_target.setdefault(row.target, []).append(row)
    for name, group in by_target.items():
        crash_points.reached("import.before_call")
        answers = _call(target_named(name), group)
        crash_points.reached("import.after_call")
        record_answers(group, answers)
    return len(batch)


def _claim(rows: "QuerySet[ImportRecord]", worker: Worker, limit: int) -> list[ImportRecord]:
    """PENDING rows that are due, of jobs that are neither cancelled nor held, one in flight per SKU.

    Only the newest generation of a SKU goes out: an older one that came back unsent is not sent any more.
    """
    newer = ImportRecord.objects.filter(
        target=OuterRef("target"),
        merchant=OuterRef("merchant"),
        sku_key=OuterRef("sku_key"),
        generation__gt=OuterRef("generation"),
    )
    flying = ImportRecord.objects.filter(
        target=OuterRef("target"), merchant=OuterRef("merchant"), sku_key=OuterRef("sku_key"), state__in=IN_FLIGHT
    )
    due = (
        rows.filter(state=D.PENDING, job__import_hold=False)
        .exclude(not_before__gt=Now())
        .exclude(job__status__in=(JobStatus.CANCELLED, JobStatus.REJECTED))
        .filter(~Exists(flying), ~Exists(newer))
    )
    try:
        with transaction.atomic():
            overtaken = rows.filter(Exists(newer), state=D.PENDING)
            if overtaken.exists():
                move(IMPORT, overtaken, to=D.SUPERSEDED, trigger="superseded")
            chosen = due.order_by("pk").select_for_update(of=("self",), no_key=True, skip_locked=True)
            ids = list(chosen.values_list("pk", flat=True)[:limit])
            moved = _send(ids, worker) if ids else []
            if moved:
                move(SKU, Sku.objects.filter(imports__in=moved), to=SkuStatus.IMPORTING, trigger="sending")
            crash_points.reached("import.before_claim")
            return list(ImportRecord.objects.filter(pk__in=moved).order_by("pk")) if moved else []
    except IntegrityError:  # another worker took an import of the same SKU in this moment; the sweep comes back
        return []


def _send(ids: Sequence[int], worker: Worker) -> list[int]:
    changes = {
        "worker": worker.pk,
        "claim_token": RawSQL("nextval('core_claim_token')", ()),
        "sent_at": RawSQL("statement_timestamp()", ()),
        "attempt": RawSQL("t.attempt + 1", ()),
    }
    rows = ImportRecord.objects.filter(pk__in=ids)
    return [m.id for m in move(IMPORT, rows, to=D.SENDING, trigger="claimed", changes=changes)]


def _call(target: Target, rows: Sequence[ImportRecord]) -> list[Answer]:
    envelopes = [
        Envelope(row.merchant_id, row.sku_key, row.generation, bytes(row.payload), row.payload_hash) for row in rows
    ]
    return target.put(envelopes, CALL_TIMEOUT_S)


def record_answers(rows: Sequence[ImportRecord], answers: Sequence[Answer]) -> None:
    """Write down what the target said, where the claim still holds; SKUs follow their ledger rows."""
    with transaction.atomic():
        for answer, group in _grouped(rows, answers).items():
            ids = [row.pk for row in group]
            held = ImportRecord.objects.filter(
                pk__in=ids, state=D.SENDING, claim_token__in={row.claim_token for row in group}
            )
            moved = move(
                IMPORT,
                held,
                to=answer.state,
                trigger=answer.trigger,
                changes={"response": answer.response, "worker": None},
            )
            if answer.state == D.PENDING:
                _back_off(group)
            _move_skus([m.id for m in moved], answer.state)
        crash_points.reached("import.before_commit")


def _grouped(rows: Sequence[ImportRecord], answers: Sequence[Answer]) -> dict[Answer, list[ImportRecord]]:
    groups: dict[Answer, list[ImportRecord]] = {}
    for row, answer in zip(rows, answers, strict=True):
        groups.setdefault(answer, []).append(row)
    return groups


def _back_off(rows: Sequence[ImportRecord]) -> None:
    for row in rows:
        delay_s = min(5 * 2 ** min(row.attempt, 8), MAX_BACKOFF_S)
        ImportRecord.objects.filter(pk=row.pk, state=D.PENDING).update(not_before=Now() + timedelta(seconds=delay_s))


_SKU_TRIGGER = {
    SkuStatus.BOUND: "not_sent", SkuStatus.IMPORTED: "delivered", SkuStatus.IMPORT_FAILED: "refused",
}  # fmt: skip


def _move_skus(import_ids: Sequence[int], state: str) -> None:
    status = SKU_OF_DELIVERY[state]
    if import_ids and status in _SKU_TRIGGER:
        move(SKU, Sku.objects.filter(imports__in=import_ids), to=status, trigger=_SKU_TRIGGER[status])


def settle_unknown(limit: int = 200) -> int:
    """Ask the target about imports whose answer was lost, once their request cannot be on its way any more (3 T).

    Also takes imports in SENDING that nobody will record any more. The number settled.
    """
    _lose_answers()
    old = ImportRecord.objects.filter(state=D.UNKNOWN, sent_at__lt=Now() - timedelta(seconds=SETTLE_S))
    settled = 0
    for row in old.order_by("pk")[:limit]:
        found = target_named(row.target).query(row.merchant_id, row.sku_key)
        same = found is not None and (found.generation == row.generation or found.payload_hash == row.payload_hash)
        settled += _settle(row, found, D.CONFIRMED if same else D.PENDING)
    return settled


def _settle(row: ImportRecord, found: Found | None, state: str) -> int:
    trigger = "confirmed" if state == D.CONFIRMED else "not_sent"
    with transaction.atomic():
        same_row = ImportRecord.objects.filter(pk=row.pk, claim_token=row.claim_token)
        moved = move(IMPORT, same_row, to=state, trigger=trigger, reason={"found": found.generation if found else None})
        _move_skus([m.id for m in moved], state)
        if moved:
            messages.send_after_commit("settle_pages", [row.page_id])
    return len(moved)


def _lose_answers() -> None:
    """Imports in SENDING whose worker is gone, or whose call ended long ago without its answer being written down."""
    live = Worker.objects.filter(seen_at__gt=Now() - timedelta(seconds=DEAD_WORKER_S)).values("pk")
    with transaction.atomic():
        over = Q(sent_at__lt=Now() - timedelta(seconds=SETTLE_S)) | ~Q(worker__in=live)
        rows = ImportRecord.objects.filter(over, state=D.SENDING)
        move(IMPORT, rows, to=D.UNKNOWN, trigger="answer_lost")


def due_pages(limit: int = 500) -> list[int]:
    """Pages with imports that wait to be sent: the sweep's find after a lost message or a back-off."""
    due = ImportRecord.objects.filter(state=D.PENDING, created_at__lt=Now() - timedelta(seconds=10)).exclude(
        not_before__gt=Now()
    )
    due = due.exclude(job__status__in=(JobStatus.CANCELLED, JobStatus.REJECTED)).filter(job__import_hold=False)
    return list(due.order_by("page_id").values_list("page_id", flat=True).distinct()[:limit])
