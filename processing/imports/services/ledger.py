"""The import ledger: every SKU reaches its target exactly once, whatever dies or is delayed (PL-C3, TA-IMPKEY)."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, prefetch_related_objects
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from catalogsku.core import bulk, crash_points
from catalogsku.core.models import Worker
from catalogsku.core.moves import move
from ingestion.lifecycle import PAGES_WITH_MACHINES, PAGES_WITH_PEOPLE, JobStatus
from ingestion.models import Job, Page
from processing.imports.lifecycle import IMPORT, IN_FLIGHT, Delivery, ImportKind
from processing.imports.models import NO_BYTES, NOT_KEPT, ImportRecord, ImportTarget
from processing.imports.payload import Shown, body, content_hash, pictures_of, product_content
from processing.imports.services import holds
from processing.imports.services.answers import SINCE, move_skus, record_answers
from processing.imports.targets.port import Answer, Envelope, Target, Traits, Writes
from processing.imports.targets.registry import LOCAL, target_named, target_of
from processing.imports.targets.shape import Shape
from processing.products.lifecycle import SKU, SkuStatus
from processing.products.models import Sku

D = Delivery
CALL_TIMEOUT_S = 20
SETTLE_S = 3 * CALL_TIMEOUT_S
# Of one product each: as many as a slow target takes within the call's timeout.
SINGLES_TOGETHER = 16
WHOLE_JOB_MOST = 50_000
# A message sends no more once it took so long; the sweep goes on. Half of its time limit.
DELIVER_FOR_S = 30.0
_ANY = Traits()


@dataclass
class Standing:
    """What the ledger knows of a SKU at a target: its last row, what it holds for certain, what is on its way."""

    last: ImportRecord | None = None
    certain: ImportRecord | None = None
    in_flight: bool = False
    reached: bool = False

    def take(self, row: ImportRecord) -> None:
        """Rows in the order of their generations."""
        self.last = row
        if row.state == D.CONFIRMED:
            self.certain = row
        elif row.state == D.ASSUMED or row.uncertain:  # what the target holds since then is not certain
            self.certain = None
        self.in_flight |= row.state in IN_FLIGHT
        self.reached |= row.state in (D.CONFIRMED, D.ASSUMED, *IN_FLIGHT) or row.uncertain

    @property
    def generation(self) -> int:
        """The next one."""
        return self.last.generation + 1 if self.last is not None else 1


def standings(target: str, merchant_id: int, keys: Iterable[str]) -> dict[str, Standing]:
    """By SKU key, of those that the ledger knows."""
    by_key: dict[str, Standing] = {}
    rows = ImportRecord.objects.filter(target=target, merchant_id=merchant_id, sku_key__in=list(keys))
    columns = ("sku_key", "generation", "state", "payload_hash", "uncertain", "kind")
    for row in rows.order_by("generation").only(*columns):
        by_key.setdefault(row.sku_key, Standing()).take(row)
    return by_key


def open_imports(
    job: Job,
    skus: Sequence[Sku],
    pictures: Mapping[int, Sequence[Shown]] | None = None,
    *,
    again: bool = False,
) -> None:
    """Ledger rows for SKUs that became importable, in the transaction that made them so.

    ``pictures`` by SKU, where the caller knows them, else they are looked up. What the target has confirmed already,
    byte for byte, is confirmed again without a call, unless it is to go out ``again``.
    """
    skus = [] if job.import_hold else wanted(job, skus)
    if not skus:
        return
    target, shape = target_of(job.merchant_id)
    known = standings(target, job.merchant_id, [sku.key for sku in skus])
    supersede(target, job.merchant_id, known)
    prefetch_related_objects(skus, "page")
    shown = pictures_of([sku.pk for sku in skus]) if pictures is None else pictures
    new, delivered = [], []
    for sku in skus:
        content = product_content(job, sku, shown.get(sku.pk, ()), sku.key)
        standing = known.get(sku.key, Standing())
        digest = content_hash(content, shape)
        same = not again and standing.certain is not None and standing.certain.payload_hash == digest
        unchanged = same and not standing.in_flight
        if unchanged:
            delivered.append(sku.pk)
        state = IMPORT.check_path(D.PENDING, D.CONFIRMED) if unchanged else D.PENDING
        row = ledger_row(target, shape, job, sku, standing.generation, content, digest, state=state)
        new.append(row | {"payload": NOT_KEPT} if unchanged else row)
    bulk.insert_rows(ImportRecord, new)
    if delivered:
        move(SKU, Sku.objects.filter(pk__in=delivered), to=SkuStatus.IMPORTED, trigger="delivered")


def wanted(job: Job, skus: Sequence[Sku]) -> list[Sku]:
    """Without those that the merchant left out, and those that a later edition has taken over: it speaks for them."""
    keys = taken_over(job, skus)
    return [sku for sku in skus if not sku.left_out and sku.key not in keys]


def taken_over(job: Job, skus: Sequence[Sku]) -> set[str]:
    """Keys of those that go on in a later edition of their document, which the merchant has approved."""
    later = Sku.objects.filter(downstream_id__in=[sku.key for sku in skus], superseded=False)
    rows = later.filter(job__merchant=job.merchant_id, job__gt=job.pk).exclude(left_out=True)
    return set(rows.values_list("downstream_id", flat=True))


def supersede(target: str, merchant_id: int, keys: Iterable[str]) -> None:
    """What has not gone out of these SKUs does not go out any more."""
    rows = ImportRecord.objects.filter(target=target, merchant_id=merchant_id, sku_key__in=list(keys))
    if keys:
        move(IMPORT, rows.filter(state__in=[D.PENDING, D.REFUSED, D.STALE]), to=D.SUPERSEDED, trigger="superseded")


def ledger_row(
    target: str,
    shape: Shape,
    job: Job,
    sku: Sku,
    generation: int,
    content: bytes | None,
    digest: str,
    *,
    kind: str = ImportKind.PUT,
    state: str = D.PENDING,
) -> dict[str, Any]:
    """``content``: canonical JSON of the product; None: it is taken away."""
    takes_bytes = target != LOCAL
    return {
        "target": target,
        "merchant_id": job.merchant_id,
        "job_id": job.pk,
        "page_id": sku.page_id,
        "sku_id": sku.pk,
        "sku_key": sku.key,
        "generation": generation,
        "attempt": 0,
        "conflicts": 0,
        "payload": body(shape, job, sku, sku.key, generation, content, digest) if takes_bytes else NO_BYTES,
        "payload_hash": digest,
        "external_id": shape.external_id(job.merchant_id, sku.key),
        "kind": kind,
        "state": state,
        "uncertain": False,
        "drift": "",
    }


def withdraw(page_ids: Sequence[int]) -> None:
    """Imports of superseded SKUs that were not sent yet are not sent any more."""
    rows = ImportRecord.objects.filter(page__in=page_ids, sku__superseded=True, kind=ImportKind.PUT)
    move(IMPORT, rows, to=D.SUPERSEDED, trigger="superseded")


def deliver(rows: "QuerySet[ImportRecord]", worker: Worker, limit: int = 1000) -> int:
    """Claim what may go out of ``rows`` (commit), call the target, record its answers (commit); as often as there is
    more. The number sent.
    """
    until_s = time.monotonic() + DELIVER_FOR_S
    total, held = 0, holds.held_names()
    for name in rows.filter(state=D.PENDING).order_by().values_list("target", flat=True).distinct():
        try:
            target = target_named(name)
        except KeyError:  # removed, or not to be used now: its imports wait
            continue
        if name in held:
            total += _try(target, name, rows, worker)
            continue
        size = min(limit, _together(target.traits))
        sent = size
        while sent == size and time.monotonic() < until_s:  # a full batch: there may be more
            sent = _deliver(target, _of_target(rows, name, target.traits), worker, size)
            total += sent
            if sent == size and name in holds.held_names():
                break
    return total


def _try(target: Target, name: str, rows: "QuerySet[ImportRecord]", worker: Worker) -> int:
    """One product, the least tried, to see whether the target takes us again; whole documents where it wants these."""
    if not holds.may_try(name):
        return 0
    chosen = _of_target(rows, name, target.traits)
    if target.traits.whole_job:
        return _deliver(target, chosen, worker, WHOLE_JOB_MOST, trial=True)
    first = list(chosen.filter(state=D.PENDING).order_by("attempt", "pk").values_list("pk", flat=True)[:1])
    return _deliver(target, chosen.filter(pk__in=first), worker, 1, trial=True)


def _together(traits: Traits) -> int:
    if traits.whole_job:
        return WHOLE_JOB_MOST
    return traits.batch if traits.batch > 1 else SINGLES_TOGETHER


def _of_target(rows: "QuerySet[ImportRecord]", name: str, traits: Traits) -> "QuerySet[ImportRecord]":
    """Where documents go out whole: all of theirs, once nobody works on them any more."""
    if not traits.whole_job:
        return rows.filter(target=name)
    return ImportRecord.objects.filter(~Exists(_at_work()), target=name, job__in=rows.values("job"))


def _at_work() -> "QuerySet[Page]":
    return Page.objects.filter(job=OuterRef("job"), status__in=[*PAGES_WITH_MACHINES, *PAGES_WITH_PEOPLE])


def _deliver(target: Target, rows: "QuerySet[ImportRecord]", worker: Worker, limit: int, *, trial: bool = False) -> int:
    batch = _claim(rows, worker, limit, target.traits)
    if batch:
        crash_points.reached("import.before_call")
        answers = _call(target, batch)
        crash_points.reached("import.after_call")
        record_answers(batch, answers, trial=trial)
    return len(batch)


def others(**condition: Any) -> Exists:
    """Whether the ledger has such a row of the same SKU at the same target."""
    same = {"target": OuterRef("target"), "merchant": OuterRef("merchant"), "sku_key": OuterRef("sku_key")}
    return Exists(ImportRecord.objects.filter(**same, **condition))


def may_go_out() -> Q:
    """Of jobs that are neither held nor cancelled; what takes back goes out for cancelled ones too."""
    cancelled = Q(job__status__in=(JobStatus.CANCELLED, JobStatus.REJECTED))
    return Q(job__import_hold=False) & (~cancelled | ~Q(kind=ImportKind.PUT))


def _claim(rows: "QuerySet[ImportRecord]", worker: Worker, limit: int, traits: Traits = _ANY) -> list[ImportRecord]:
    """PENDING rows that are due and may go out, one in flight per SKU.

    Only the newest generation of a SKU goes out: an older one that came back unsent is not sent any more. Where the
    target takes a SKU a single time, a generation after one that may have arrived is left to people.
    """
    newer = others(generation__gt=OuterRef("generation"))
    due = rows.filter(may_go_out(), state=D.PENDING).exclude(not_before__gt=Now())
    due = due.filter(~others(state__in=IN_FLIGHT), ~newer)
    try:
        with transaction.atomic():
            overtaken = rows.filter(newer, state=D.PENDING)
            if overtaken.exists():
                move(IMPORT, overtaken, to=D.SUPERSEDED, trigger="superseded")
            if traits.writes == Writes.ONCE:
                _refuse_second(due)
            sent = _send(due, worker, limit)
            if sent and not traits.here:
                move(SKU, Sku.objects.filter(imports__in=sent), to=SkuStatus.IMPORTING, trigger="sending")
            crash_points.reached("import.before_claim")
            # What was turned away before goes last in the call: where the others get through, the fault is its own.
            claimed = ImportRecord.objects.filter(pk__in=sent).select_related("job").only(*_SENT)
            return list(claimed.order_by("attempt", "pk"))
    except IntegrityError:  # another worker took an import of the same SKU in this moment; the sweep comes back
        return []


def _refuse_second(due: "QuerySet[ImportRecord]") -> None:
    arrived = Q(state__in=(D.CONFIRMED, D.ASSUMED)) | Q(uncertain=True)
    same = {"target": OuterRef("target"), "merchant": OuterRef("merchant"), "sku_key": OuterRef("sku_key")}
    rows = due.filter(Exists(ImportRecord.objects.filter(arrived, **same).exclude(pk=OuterRef("pk"))))
    said = {"response": "This target takes each SKU once.", "failing_since": SINCE}
    moved = move(IMPORT, rows, to=D.REFUSED, trigger="refused", changes=said)
    move_skus([m.id for m in moved], D.REFUSED)


# What calls and their answers need of a row; a job has its frozen profile in tow.
_SENT = (
    "target", "merchant", "job__uuid", "page", "sku", "sku_key", "generation", "kind", "state", "claim_token",
    "conflicts", "payload", "payload_hash", "external_id",
)  # fmt: skip


def _send(due: "QuerySet[ImportRecord]", worker: Worker, limit: int) -> list[int]:
    changes = {
        "worker": worker.pk,
        "claim_token": RawSQL("nextval('core_claim_token')", ()),
        "sent_at": RawSQL("statement_timestamp()", ()),
        "attempt": RawSQL("t.attempt + 1", ()),
    }
    return [m.id for m in move(IMPORT, due, to=D.SENDING, trigger="claimed", changes=changes, most=limit)]


def envelope_of(row: ImportRecord) -> Envelope:
    return Envelope(
        row.merchant_id,
        row.sku_key,
        row.generation,
        bytes(row.payload),
        row.payload_hash,
        external_id=row.external_id,
        job=str(row.job.uuid),
        deleted=row.kind == ImportKind.DELETE,
    )


def _call(target: Target, rows: Sequence[ImportRecord]) -> list[Answer]:
    return target.put([envelope_of(row) for row in rows], CALL_TIMEOUT_S)


def due_pages(limit: int = 500) -> list[int]:
    """Pages with imports that wait to be sent: the sweep's find after a lost message or a back-off."""
    due = ImportRecord.objects.filter(
        may_go_out(), state=D.PENDING, created_at__lt=Now() - timedelta(seconds=10)
    ).exclude(not_before__gt=Now())
    whole = list(ImportTarget.objects.filter(whole_job=True).values_list("name", flat=True))
    due = due.exclude(Exists(_at_work()), target__in=whole) if whole else due
    if held := holds.held_names():
        tried = due.filter(target__in=holds.due_trials()).order_by("target", "page_id").distinct("target")
        pages = list(tried.values_list("page_id", flat=True))
        return pages + list(
            due.exclude(target__in=held).order_by("page_id").values_list("page_id", flat=True).distinct()[:limit]
        )
    return list(due.order_by("page_id").values_list("page_id", flat=True).distinct()[:limit])
