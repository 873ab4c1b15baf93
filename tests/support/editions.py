"""Two editions of a catalogue as rows: the earlier one delivered, the later one as far as a test needs it."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from catalogsku.accounts.models import Merchant
from ingestion.lifecycle import PageStage
from ingestion.models import Job, Page
from processing.editions.services import approving, carrying, comparing, recognising
from processing.engine.page import ParsedPage, pack_page
from processing.imports.services import delivering, ledger
from processing.models import Edition, ImportRecord, LocalProduct, PageContent, Sku, SkuImage
from processing.sandboxed import frozen
from tests.support.imports import held_products
from tests.support.rows import make_image, make_job, make_page, make_sku

PRICE = "100"


def print_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def priced(value: str, **attributes: Any) -> dict[str, Any]:
    """Columns of a SKU with this price."""
    money = {"value": value, "currency": "CNY", "on_request": False, "tiers": []}
    return {"attributes": {"price": value, **attributes}, "normalized": {"price": money}}


def sell(page: Page, models: Mapping[str, str]) -> list[Sku]:
    """SKUs of the page with these prices by model, each with the page's picture."""
    image = page_image(page)
    skus = [
        make_sku(page, n, **priced(price, model=model), evidence=proof(page.number))
        for n, (model, price) in enumerate(models.items(), 1)
    ]
    for sku in skus:
        SkuImage.objects.create(sku=sku, image=image, role="PRODUCT_MAIN", method="grid", confidence=0.9)
    Page.objects.filter(pk=page.pk).update(sku_count=len(skus))
    return skus


def proof(number: int) -> dict[str, Any]:
    return {"model": {"quote": "M", "page_number": number, "bbox": [0, 0, 9, 9], "match": 1.0, "method": "caption"}}


def page_image(page: Page) -> Any:
    return make_image(page, content_hash=print_of(page.likeness or str(page.pk)) * 2)


def keep(job: Job, number: int) -> None:
    parsed = ParsedPage(number, 595.0, 842.0, 0, "pymupdf")
    PageContent.objects.create(
        merchant_id=job.merchant_id,
        file_sha256=job.file_sha256,
        number=number,
        reading_key=frozen.reading_key(),
        data=pack_page(parsed),
        files={},
    )


def make_earlier(merchant: Merchant, pages: Sequence[str], **columns: Any) -> Job:
    """A delivered document: a page for each name, with a product of that name (none for names in lower case)."""
    job = make_job(merchant, "FULL_IMPORTED", **{"total_pages": len(pages), **columns})
    for number, name in enumerate(pages, 1):
        sells = name[0].isupper()
        page = make_page(
            job,
            number,
            "AI_COMPLETED" if sells else "SKIPPED",
            fingerprint=print_of(name),
            likeness=print_of(f"like {name}"),
            page_type="A",
            import_state="confirmed",
            extraction_method="grid_rules",
            screenshot_key=f"shots/{name}.jpg",
            skip_reason="" if sells else "no_product",
        )
        keep(job, number)
        if sells:
            with transaction.atomic():
                ledger.open_imports(job, sell(page, {name: PRICE}))
    delivering.deliver_pages(list(job.pages.values_list("pk", flat=True)))
    return job


def look(pages: Sequence[str]) -> list[dict[str, Any]]:
    """What the prescan says of pages; of a name with an apostrophe only the look is that of the name before it."""
    return [
        {"number": number, "fingerprint": print_of(name), "likeness": print_of(f"like {name.rstrip(chr(39))}")}
        for number, name in enumerate(pages, 1)
    ]


def make_later(
    merchant: Merchant, pages: Sequence[str], *, recognise: bool = True, read: Sequence[int] = (), **columns: Any
) -> Job:
    """As a document stands when its route has been decided: unchanged pages taken over, the rest before machines.

    ``read``: pages that have been read for this document itself by then.
    """
    job = make_job(merchant, **{"total_pages": len(pages), **columns})
    if recognise:
        recognising.recognise(job, look(pages))
    for number in read:
        keep(job, number)
    for told in look(pages):
        make_page(job, stage=PageStage.READ, width_pt=595, height_pt=842, **told)
    with transaction.atomic():
        carrying.carry_results(job.pk)
    return Job.objects.get(pk=job.pk)


def finish(page: Page, models: Mapping[str, str]) -> None:
    """As machines record a page without doubts."""
    Page.objects.filter(pk=page.pk).update(
        status="AI_COMPLETED", stage="NONE", sku_count=len(models), **Page.visible_change()
    )
    page.refresh_from_db()
    with transaction.atomic():
        ledger.open_imports(Job.objects.get(pk=page.job_id), sell(page, models))


def finish_all(job: Job, models: Mapping[int, Mapping[str, str]] | None = None) -> None:
    """What waits for machines: by number with these prices by model, else nothing was found there."""
    for page in job.pages.exclude(stage="NONE"):
        finish(page, (models or {}).get(page.number, {}))
    comparing.compare_edition(job.pk)


def approve(job: Job) -> None:
    job.refresh_from_db()
    approving.approve(job, Edition.objects.get(job=job).digest, "uploader")
    assert approving.carry_out(job.pk)
    approving.release(job.pk)
    deliver_everything()


def deliver_everything() -> int:
    pages = list(ImportRecord.objects.values_list("page", flat=True).distinct())
    return delivering.deliver_pages(pages)


def held_downstream(merchant: Merchant) -> dict[str, tuple[str, str, int]]:
    """What the target shows: (model, price, times received) by id."""
    received = dict(LocalProduct.objects.filter(merchant=merchant, deleted=False).values_list("sku_key", "received"))
    told = {key: product["attributes"] for key, product in held_products(merchant=merchant).items()}
    return {key: (told[key]["model"], told[key]["price"], times) for key, times in received.items()}
