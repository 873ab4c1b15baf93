"""Bytes of imports that are confirmed, and so no longer kept: written anew from the revision that they were made of.

Their hash proves them. Where a rerun is about to write over pictures that they name, they are kept again before that.
"""

from collections.abc import Sequence

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from catalogsku.core import bulk
from processing.imports.lifecycle import Delivery, ImportKind
from processing.imports.models import NO_BYTES, NOT_KEPT, ImportRecord
from processing.imports.payload import body, content_hash, pictures_of, product_content
from processing.imports.targets.registry import LOCAL, shape_of
from processing.imports.targets.shape import with_value

# Of the UPDATE that confirms. What was restored came from another row, which may be gone one day with its document.
FORGOTTEN = {"payload": RawSQL("CASE WHEN t.kind = 'restore' THEN t.payload ELSE ''::bytea END", ())}


def as_generation(row: ImportRecord, generation: int) -> tuple[bytes, str]:
    """The product of ``row`` as a later generation, and its hash: byte for byte what went out, but for the generation.

    Where that cannot be proved, the target's form having changed since, it is the revision as it is put today.
    """
    if row.target == LOCAL:
        return NO_BYTES, row.payload_hash
    shape = shape_of(row.target)
    if row.payload:
        return with_value(bytes(row.payload), shape.name_of("generation"), generation), row.payload_hash
    if row.kind == ImportKind.DELETE:
        digest = content_hash(None, shape)
        return body(shape, row.job, row.sku, row.sku_key, generation, None, digest), digest
    written = []
    for source in sources_of(row):
        if source.payload:
            return as_generation(source, generation)
        content = content_of(source)
        digest = content_hash(content, shape)
        written.append((body(shape, source.job, source.sku, row.sku_key, generation, content, digest), digest))
        if digest == row.payload_hash:
            return written[-1]
    return written[0]


def keep(page_ids: Sequence[int]) -> None:
    """Bytes that name pictures of these pages, which are about to change, are kept as they went out."""
    rows = ImportRecord.objects.filter(
        page__in=page_ids, state=Delivery.CONFIRMED, kind=ImportKind.PUT, payload=NOT_KEPT, sku__pictures__isnull=False
    ).exclude(target=LOCAL)
    written = ((row, *as_generation(row, row.generation)) for row in rows.select_related("job", "sku__page").distinct())
    kept = [{"id": row.pk, "payload": payload} for row, payload, digest in written if digest == row.payload_hash]
    bulk.update_rows(ImportRecord, kept)


def sources_of(row: ImportRecord) -> "QuerySet[ImportRecord]":
    """Rows that brought these bytes about, the nearest first: ``row`` itself, or what it repeats."""
    same = {"target": row.target, "merchant": row.merchant_id, "sku_key": row.sku_key, "payload_hash": row.payload_hash}
    rows = ImportRecord.objects.filter(**same, kind=ImportKind.PUT, generation__lte=row.generation)
    return rows.select_related("job", "sku__page").order_by("-generation")


def content_of(row: ImportRecord) -> bytes:
    return product_content(row.job, row.sku, pictures_of([row.sku_id]).get(row.sku_id, ()), row.sku_key)
