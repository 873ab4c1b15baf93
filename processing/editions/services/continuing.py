"""Products of an approved edition continue the earlier ones: under the ids that targets know them by, and where nothing
of them has changed, as delivered already.

Runs in the caller's transaction. Twice is a no-op, also where the first time was cut off in between.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from catalogsku.core import bulk, work
from catalogsku.core.moves import move
from ingestion.models import Job, Page
from processing.catalogue.services import entries
from processing.editions.models import Edition
from processing.editions.services.comparing import Compared
from processing.engine.editions.products import UNCHANGED, Difference
from processing.imports.lifecycle import IMPORT, IN_FLIGHT, Delivery, ImportKind
from processing.imports.models import NOT_KEPT, ImportRecord
from processing.imports.services import compensating, ledger
from processing.imports.targets.registry import target_of
from processing.products.lifecycle import SKU, SkuStatus
from processing.products.models import Sku


@dataclass(frozen=True)
class _Line:
    """A product and the one that it continues; ``same``: as it is there. ``apart``: the merchant leaves it out."""

    sku: Sku
    before: Sku | None
    same: bool
    apart: bool

    @property
    def key(self) -> str:
        return self.before.key if self.before else ""

    @property
    def is_drawn(self) -> bool:
        return (self.sku.downstream_id, self.sku.left_out) == (self.key, self.apart)

    @property
    def is_there(self) -> bool:
        """It may be that targets hold it as it is."""
        return self.same and self.before is not None and self.before.status == SkuStatus.IMPORTED


def continue_products(
    edition: Edition, compared: Compared, differences: Sequence[Difference], left_out: Collection[str]
) -> None:
    """Some of the ``differences`` of ``compared``. Their pages are locked: what was corrected or read again since
    has another row by now, and is no longer the same."""
    keys = [difference.later.key for difference in differences if difference.later]
    pages = Sku.objects.filter(job=edition.job, sku_id__in=keys, superseded=False).values("page_id")
    work.lock(Page.objects.filter(pk__in=pages))
    rows = Sku.objects.filter(job=edition.job, sku_id__in=keys, superseded=False).select_related("page")
    skus = {sku.sku_id: sku for sku in rows}
    earlier = Sku.objects.in_bulk(
        [compared.earlier[difference.earlier.key] for difference in differences if difference.earlier]
    )
    lines = []
    for difference in differences:
        sku = skus.get(difference.later.key) if difference.later else None
        if sku is None:
            continue
        before = earlier.get(compared.earlier[difference.earlier.key]) if difference.earlier else None
        same = difference.kind == UNCHANGED and sku.pk == compared.later[sku.sku_id]
        apart = sku.sku_id in left_out or (same and before is not None and before.left_out)
        lines.append(_Line(sku, before, same and not (before and before.superseded), apart))
    _draw(edition.job, [line for line in lines if not line.is_drawn])


def give_back(job: Job) -> None:
    """The document is cancelled: products of it that no target has, nor is being told of, continue nothing. The earlier
    ones speak for themselves again, and are in the catalogue."""
    rows = Sku.objects.filter(job=job, superseded=False).exclude(downstream_id="").exclude(status=SkuStatus.IMPORTED)
    lines = dict(rows.exclude(imports__state__in=IN_FLIGHT).values_list("pk", "downstream_id"))
    if lines:
        Sku.objects.filter(pk__in=lines).update(predecessor="", downstream_id="", left_out=False)
        entries.enter_again(Edition.objects.get(job=job).predecessor, set(lines.values()))


def _draw(job: Job, lines: Sequence[_Line]) -> None:
    # Some went out under their own ids before anybody said that this is an edition: there they are one too many.
    sent = set(ImportRecord.objects.filter(sku__in=[line.sku.pk for line in lines]).values_list("sku__pk", flat=True))
    twice = [line.sku for line in lines if line.sku.pk in sent]
    compensating.remove(job, twice)
    rows = [
        {
            "id": line.sku.pk,
            "left_out": line.apart,
            "predecessor": line.before.sku_id if line.before else "",
            "downstream_id": line.key,
        }
        for line in lines
    ]
    bulk.update_rows(Sku, rows, Sku.visible_sql())
    entries.leave([line.before.pk for line in lines if line.before and not line.apart])
    done = _count_as_delivered(job, [(line.before, line.sku) for line in lines if line.before and line.is_there])
    for sku in twice:
        sku.refresh_from_db()
    job.import_hold = False  # of this object alone: rows are opened, and wait for the job's own row
    ledger.open_imports(job, [sku for sku in twice if sku.pk not in done])


def _count_as_delivered(job: Job, pairs: Sequence[tuple[Sku, Sku]]) -> set[int]:
    """Where the target holds the earlier one for certain: a generation of the same bytes, which needs no call.

    The ids of those SKUs of ``pairs`` for which it was so.
    """
    target, _ = target_of(job.merchant_id)
    known = ledger.standings(target, job.merchant_id, [before.key for before, _ in pairs])
    held = {key: held_as for key, held_as in known.items() if held_as.certain is not None and not held_as.in_flight}
    certain = {
        row.sku_key: row
        for row in ImportRecord.objects.filter(
            pk__in=[held_as.certain.pk for held_as in held.values() if held_as.certain]
        )
        if row.kind != ImportKind.DELETE
    }
    rows, skus = [], []
    for before, sku in pairs:
        row, standing = certain.get(before.key), held.get(before.key)
        if row is None or standing is None or standing.last is None or standing.last.pk != row.pk:
            continue
        skus.append(sku.pk)
        rows.append(
            {
                "target": target,
                "merchant_id": job.merchant_id,
                "job_id": job.pk,
                "page_id": sku.page_id,
                "sku_id": sku.pk,
                "sku_key": before.key,
                "generation": standing.generation,
                "attempt": 0,
                "conflicts": 0,
                "payload": NOT_KEPT,
                "payload_hash": row.payload_hash,
                "external_id": row.external_id,
                "kind": row.kind,
                "state": IMPORT.check_path(Delivery.PENDING, Delivery.CONFIRMED),
                "uncertain": False,
                "drift": "",
            }
        )
    bulk.insert_rows(ImportRecord, rows)
    if skus:
        move(SKU, Sku.objects.filter(pk__in=skus), to=SkuStatus.IMPORTED, trigger="delivered")
    return set(skus)
