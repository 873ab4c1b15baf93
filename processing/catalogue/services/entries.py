"""Pages' products become entries of the merchant's catalogue: where their SKUs are written, in the same transaction."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db import transaction
from django.db.models import Q

from catalogsku.core import bulk
from ingestion.models import Job, Page
from processing.catalogue.models import CatalogueEntry
from processing.catalogue.searching import gram_numbers, grams_of, key_of, words_of
from processing.imports.services import ledger
from processing.products.completeness import complete_percent, required_keys
from processing.products.lifecycle import SKU_WAITS, SkuStatus
from processing.products.models import Sku, SkuImage

PRICE_MOST = Decimal(10) ** 12
PAGES_AT_ONCE = 200
_READ = ("page", "status", "attributes", "normalized", "sku_id", "downstream_id")


def catalogue_pages(job: Job, page_ids: Sequence[int]) -> int:
    """The entries of these pages are those of their products as they stand; the number of them. Twice is once.

    A product that goes on in a later edition has its entry there: it is one product.
    """
    CatalogueEntry.objects.filter(page__in=page_ids).delete()
    skus = list(Sku.objects.filter(page__in=page_ids, superseded=False).only(*_READ).order_by("pk"))
    gone_on = ledger.taken_over(job, skus)
    return enter(job, [sku for sku in skus if sku.key not in gone_on], _first_pictures([sku.pk for sku in skus]))


def leave(sku_ids: Sequence[int]) -> None:
    """These go on in a later edition."""
    CatalogueEntry.objects.filter(sku__in=sku_ids).delete()


def enter(job: Job, skus: Sequence[Sku], pictures: Mapping[int, str]) -> int:
    """Entries of SKUs of pages that have none; ``pictures``: content hash of the first one, by SKU. The number."""
    rows = list(_rows(job, [sku for sku in skus if sku.status != SkuStatus.REJECTED], pictures))
    bulk.insert_rows(CatalogueEntry, rows, returning=("sku_id",))
    return len(rows)


def enter_again(job: Job, keys: Collection[str]) -> int:
    """Products with these keys at targets that had left for a later edition; the number of them."""
    rows = Sku.objects.filter(Q(sku_id__in=keys) | Q(downstream_id__in=keys), job=job, superseded=False)
    skus = [sku for sku in rows.filter(entry__isnull=True).only(*_READ).order_by("pk") if sku.key in keys]
    return enter(job, skus, _first_pictures([sku.pk for sku in skus]))


def catalogue_job(job: Job) -> int:
    """The same for all pages of a document, in small transactions."""
    pages = list(Page.objects.filter(job=job).order_by("pk").values_list("pk", flat=True))
    written = 0
    for at in range(0, len(pages), PAGES_AT_ONCE):
        with transaction.atomic():
            locked = Page.objects.select_for_update().filter(pk__in=pages[at : at + PAGES_AT_ONCE]).order_by("pk")
            written += catalogue_pages(job, list(locked.values_list("pk", flat=True)))
    return written


def _rows(job: Job, skus: Sequence[Sku], pictures: Mapping[int, str]) -> Iterator[dict[str, Any]]:
    required = required_keys(job.schema)
    for sku in skus:
        words = words_of(sku.attributes)
        price, currency = _price(sku.normalized.get("price") or {}, sku.attributes)
        yield {
            "sku_id": sku.pk,
            "merchant_id": job.merchant_id,
            "job_id": job.pk,
            "page_id": sku.page_id,
            "category": job.category,
            "brand_key": key_of(sku.attributes.get("brand")),
            "model_key": key_of(sku.attributes.get("model")),
            "price": price,
            "currency": currency,
            "complete_percent": complete_percent(required, sku.attributes, sku.normalized),
            "picture_hash": pictures.get(sku.pk, ""),
            "waits": sku.status in SKU_WAITS,
            "words": words,
            "grams": gram_numbers(job.merchant_id, grams_of(words)),
        }


def _first_pictures(sku_ids: Sequence[int]) -> dict[int, str]:
    rows = SkuImage.objects.filter(sku__in=sku_ids).order_by("sku", "rank", "pk").distinct("sku")
    return {int(sku): str(content_hash) for sku, content_hash in rows.values_list("sku", "image__content_hash")}


def _price(normalized: dict[str, Any], attributes: dict[str, str | None]) -> tuple[str | None, str]:
    """(first amount as decimal text or None, ISO currency or nothing)."""
    currency = str(normalized.get("currency") or attributes.get("currency") or "")
    try:
        value = Decimal(str(normalized.get("value")))
    except InvalidOperation:
        return None, ""
    within = value.is_finite() and 0 <= value < PRICE_MOST
    return (str(value), currency if len(currency) == 3 else "") if within else (None, "")
