"""Pages' products become entries of the merchant's catalogue: where their SKUs are written, in the same transaction."""

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db import transaction

from catalogsku.core import bulk
from ingestion.models import Job, Page
from processing.completeness import complete_percent, required_keys
from processing.lifecycle import SKU_WAITS, SkuStatus
from processing.models import CatalogueEntry, Sku, SkuImage
from processing.searching import gram_numbers, grams_of, key_of, words_of

PRICE_MOST = Decimal(10) ** 12
PAGES_AT_ONCE = 200


def catalogue_pages(job: Job, page_ids: Sequence[int]) -> int:
    """The entries of these pages are those of their products as they stand; the number of them. Twice is once."""
    CatalogueEntry.objects.filter(page__in=page_ids).delete()
    rows = list(_rows(job, page_ids))
    bulk.insert_rows(CatalogueEntry, rows, returning=("sku_id",))
    return len(rows)


def catalogue_job(job: Job) -> int:
    """The same for all pages of a document, in small transactions."""
    pages = list(Page.objects.filter(job=job).order_by("pk").values_list("pk", flat=True))
    written = 0
    for at in range(0, len(pages), PAGES_AT_ONCE):
        with transaction.atomic():
            locked = Page.objects.select_for_update().filter(pk__in=pages[at : at + PAGES_AT_ONCE]).order_by("pk")
            written += catalogue_pages(job, list(locked.values_list("pk", flat=True)))
    return written


def _rows(job: Job, page_ids: Sequence[int]) -> Iterator[dict[str, Any]]:
    skus = Sku.objects.filter(page__in=page_ids, superseded=False).exclude(status=SkuStatus.REJECTED)
    found = list(skus.order_by("pk").values("pk", "page", "status", "attributes", "normalized"))
    pictures = _first_pictures([row["pk"] for row in found])
    required = required_keys(job.schema)
    for row in found:
        attributes = row["attributes"]
        words = words_of(attributes)
        price, currency = _price(row["normalized"].get("price") or {}, attributes)
        yield {
            "sku_id": row["pk"], "merchant_id": job.merchant_id, "job_id": job.pk, "page_id": row["page"],
            "category": job.category, "brand_key": key_of(attributes.get("brand")),
            "model_key": key_of(attributes.get("model")), "price": price, "currency": currency,
            "complete_percent": complete_percent(required, attributes),
            "picture_hash": pictures.get(row["pk"], ""), "waits": row["status"] in SKU_WAITS,
            "words": words, "grams": gram_numbers(job.merchant_id, grams_of(words)),
        }  # fmt: skip


def _first_pictures(sku_ids: Sequence[int]) -> dict[int, str]:
    rows = SkuImage.objects.filter(sku__in=sku_ids).order_by("sku", "rank", "pk").distinct("sku")
    return {int(sku): str(found) for sku, found in rows.values_list("sku", "image__content_hash")}


def _price(given: dict[str, Any], attributes: dict[str, str | None]) -> tuple[str | None, str]:
    """(first amount as decimal text or None, ISO currency or nothing)."""
    currency = str(given.get("currency") or attributes.get("currency") or "")
    try:
        value = Decimal(str(given.get("value")))
    except InvalidOperation:
        return None, ""
    within = value.is_finite() and 0 <= value < PRICE_MOST
    return (str(value), currency if len(currency) == 3 else "") if within else (None, "")
