"""Pages whose SKUs may go out, their corrections, and the time that passes until imports are looked at again."""

from datetime import timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import F

from ingestion.models import Job, Page
from processing.imports.payload import content_hash
from processing.imports.services import ledger, rewriting
from processing.imports.targets.shape import Shape
from processing.models import ImportRecord, LocalProduct, Sku
from tests.support.downstream import Downstream
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_sku

HOUR = timedelta(hours=1)


def importable(people: People, skus: int = 1, job: Job | None = None, **sku: Any) -> tuple[Job, Page, list[Sku]]:
    """A page with SKUs that may go out, and their ledger rows."""
    job = job or make_job(people.merchant)
    page = make_page(job, job.pages.count() + 1, "AI_COMPLETED")
    found = [make_sku(page, n, **sku) for n in range(1, skus + 1)]
    with transaction.atomic():
        ledger.open_imports(job, found)
    return job, page, found


def corrected(sku: Sku, model: str) -> Sku:
    """The next revision of the SKU, as a correction makes it, with its import."""
    with transaction.atomic():
        Sku.objects.filter(pk=sku.pk).update(superseded=True, status="SUPERSEDED")
        new = make_sku(sku.page, sku_id=sku.sku_id, revision=sku.revision + 1, attributes={"model": model})
        ledger.open_imports(sku.job, [new])
    return new


def states(page: Page) -> list[str]:
    return list(ImportRecord.objects.filter(page=page).order_by("pk").values_list("state", flat=True))


def held_products(**wanted: Any) -> dict[str, dict[str, Any]]:
    """What the local target holds, by SKU: what went out as the generation that it has; deleted ones are not there."""
    products = {}
    for held in LocalProduct.objects.filter(deleted=False, **wanted):
        same = {"target": "local", "merchant": held.merchant_id, "sku_key": held.sku_key}
        sent = ImportRecord.objects.get(generation=held.generation, **same)
        assert sent.payload_hash == held.payload_hash, "what arrived is what was sent"
        products[held.sku_key] = product_of(sent)
    return products


def product_of(row: ImportRecord) -> dict[str, Any]:
    """What an import to the local target is of: no bytes go out, the hash proves it."""
    written = [rewriting.content_of(source) for source in rewriting.sources_of(row)]
    content = next(content for content in written if content_hash(content, Shape()) == row.payload_hash)
    product: dict[str, Any] = msgspec.json.decode(content)
    return product


def written_as_sent(downstream: Downstream) -> int:
    """Every import that went out has its bytes written anew as the server received them; the number compared."""
    compared = 0
    for request in downstream.posts():
        body = msgspec.json.decode(request.body)
        for item in (
            msgspec.json.decode(request.body, type=dict[str, list[msgspec.Raw]])["items"]
            if ("items" in body)
            else [request.body]
        ):
            head = msgspec.json.decode(item)
            row = ImportRecord.objects.get(sku_key=head["sku_id"], generation=head["generation"])
            assert rewriting.as_generation(row, row.generation) == (bytes(item), row.payload_hash)
            compared += 1
    return compared


def time_passes(page: Page) -> None:
    """Long enough for a request to have arrived or been lost, and for every back-off to be over."""
    ImportRecord.objects.filter(page=page).update(sent_at=F("sent_at") - HOUR, not_before=None)
