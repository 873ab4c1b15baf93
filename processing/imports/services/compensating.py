"""Taking back what went out: the target gets a deletion, or what it held before, through the same ledger (X-UNDOIMP).

Runs in the caller's transaction. Twice is a no-op: what the target holds already, or is about to, is not sent again.
"""

from collections.abc import Callable, Sequence

from django.db.models import QuerySet, prefetch_related_objects

from catalogsku.core import bulk, messages
from catalogsku.core.moves import move
from ingestion.models import Job
from processing.imports.lifecycle import IMPORT, IN_FLIGHT, Delivery, ImportKind
from processing.imports.models import ImportRecord
from processing.imports.payload import content_hash
from processing.imports.services import ledger, rewriting
from processing.imports.targets.registry import shape_of, target_names
from processing.imports.targets.shape import Shape
from processing.products.models import Sku

D = Delivery
_REACHED = (D.CONFIRMED, D.ASSUMED, *IN_FLIGHT)
_UNSENT = (D.PENDING, D.REFUSED, D.STALE)
Wanted = Callable[[Sequence[ImportRecord]], ImportRecord | None]


def remove(job: Job, skus: Sequence[Sku]) -> int:
    """The products are none, or are gone: targets that may hold them are told to delete them. The number told."""
    return _compensate(job, skus, lambda history: None)


def remove_gone(job: Job, page_ids: Sequence[int]) -> int:
    """The same for SKUs of these pages that have no revision any more: a rerun or a person dropped them."""
    rows = Sku.objects.filter(job=job, page__in=page_ids)
    active = rows.filter(superseded=False).values_list("sku_id", flat=True)
    gone = rows.filter(superseded=True).exclude(sku_id__in=list(active))
    return remove(job, list(gone.order_by("sku_id", "-revision").distinct("sku_id")))


def restore(job: Job, skus: Sequence[Sku]) -> int:
    """Targets get what they held before any of these revisions went out: the earlier bytes, or a deletion.

    The number of imports that this takes. For revisions that never went out there is nothing to do.
    """
    undone = {sku.pk for sku in skus}

    def before(history: Sequence[ImportRecord]) -> ImportRecord | None:
        """The last import that may have arrived before the first of these; None: there was nothing."""
        own = [row.generation for row in history if row.sku_id in undone and row.kind == ImportKind.PUT]
        first = own[0] if own else history[-1].generation + 1
        earlier = [row for row in history if row.generation < first and _reached(row)]
        return None if not earlier or earlier[-1].kind == ImportKind.DELETE else earlier[-1]

    return _compensate(job, skus, before)


def _reached(row: ImportRecord) -> bool:
    return row.state in _REACHED or row.uncertain


def _compensate(job: Job, skus: Sequence[Sku], wanted: Wanted) -> int:
    skus = ledger.wanted(job, skus)
    if not skus:
        return 0
    prefetch_related_objects(skus, "page")
    rows: dict[tuple[str, str], list[ImportRecord]] = {}
    keys = [sku.key for sku in skus]
    for row in _ledger(job, keys).order_by("generation"):
        rows.setdefault((row.target, row.sku_key), []).append(row)
    new: list[dict[str, object]] = []
    unsent: list[int] = []
    for (target, key), history in rows.items():
        sku = max((sku for sku in skus if sku.key == key), key=lambda sku: sku.revision)
        shape = shape_of(target)
        before = wanted(history)
        digest = before.payload_hash if before is not None else content_hash(None, shape)
        if _says(history[-1], digest):
            continue
        if _must_go_out(history, digest):
            going = _row(target, shape, job, sku, history, before, digest)
            if _says(history[-1], str(going["payload_hash"])):  # in a form that has changed since
                continue
            new.append(going)
        unsent += [row.pk for row in history if row.state in _UNSENT]
    if unsent:
        move(IMPORT, ImportRecord.objects.filter(pk__in=unsent), to=D.SUPERSEDED, trigger="superseded")
    bulk.insert_rows(ImportRecord, new)
    if new:
        messages.send_after_commit("deliver_pages", list(dict.fromkeys(row["page_id"] for row in new)))
    return len(new)


def _ledger(job: Job, keys: Sequence[str]) -> "QuerySet[ImportRecord]":
    return ImportRecord.objects.filter(target__in=target_names(), merchant=job.merchant_id, sku_key__in=keys)


def _says(newest: ImportRecord, digest: str) -> bool:
    """The newest word on the SKU is what is wanted, delivered or on its way."""
    return newest.payload_hash == digest and newest.state in (D.PENDING, *_REACHED)


def _must_go_out(history: Sequence[ImportRecord], digest: str) -> bool:
    """Not where the target holds for certain what is wanted: the same product, or none."""
    arrived = [row for row in history if _reached(row)]
    if not arrived:
        return False
    last = arrived[-1]
    return last.payload_hash != digest or last.state != D.CONFIRMED


def _row(
    target: str,
    shape: Shape,
    job: Job,
    sku: Sku,
    history: Sequence[ImportRecord],
    before: ImportRecord | None,
    digest: str,
) -> dict[str, object]:
    kind, generation = ImportKind.DELETE if before is None else ImportKind.RESTORE, history[-1].generation + 1
    row = ledger.ledger_row(target, shape, job, sku, generation, None, digest, kind=kind)
    if before is not None:
        payload, digest = rewriting.as_generation(before, generation)
        row |= {"payload": payload, "payload_hash": digest, "external_id": before.external_id}
    return row
