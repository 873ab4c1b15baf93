"""Pages whose SKUs may go out, their corrections, and the time that passes until imports are looked at again."""

from datetime import timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import F

from ingestion.models import Job, Page
from processing.imports.services import ledger
from processing.models import ImportRecord, LocalProduct, Sku
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
        products[held.sku_key] = msgspec.json.decode(bytes(sent.payload))["product"]
    return products


def time_passes(page: Page) -> None:
    """Long enough for a request to have arrived or been lost, and for every back-off to be over."""
    ImportRecord.objects.filter(page=page).update(sent_at=F("sent_at") - HOUR, not_before=None)
