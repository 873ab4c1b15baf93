"""Few-shot examples: offered from what people corrected, shown to models once confirmed (TA-T36, LA-PROMPT)."""

from collections.abc import Collection, Mapping

from django.db.models import Q

from catalogsku.core.personal_data import Masks
from ingestion.models import Job, Page
from processing.engine.guard.inspect import inspect, policy_for
from processing.engine.page import ParsedPage, unpack_page
from processing.engine.personal_data import masked_page, masks_for
from processing.llm.prompts.examples import MIN_QUALITY, Example, chosen
from processing.llm.prompts.taught import Corrected, Taught, products_taught
from processing.pages.models import AnnotationExample
from processing.pages.services.reading import kept_pages
from processing.products.lifecycle import SkuStatus
from processing.products.models import Sku

# What is learnt. Not the type of a page: examples are chosen by it, and would only say what is thought already.
KEY = "read_page"


def offer_example(page: Page, corrected: Collection[str], trust: float) -> bool:
    """A candidate from a page that a person has submitted; False where there is nothing to learn from it.

    ``corrected``: ids of the SKUs with values that the person changed; ``trust`` 0 to 1: in the person's work on this
    page. The quality is that times the share of the values that are printed where they are said to be. A page that
    speaks to machines teaches nothing, and personal data is taught to nobody: it is masked.
    """
    content = kept_pages(page.job, [page.number]).get(page.number)
    if content is None:
        return False
    parsed = unpack_page(bytes(content.data))
    if policy_for(inspect(parsed).score) != "normal":
        return False
    taught = _products(page, parsed, corrected)
    return taught is not None and _offered(page, taught, trust)


def _products(page: Page, parsed: ParsedPage, corrected: Collection[str]) -> Taught | None:
    rows = Sku.objects.filter(page=page, superseded=False, sku_id__in=corrected)
    skus = rows.exclude(status__in=(SkuStatus.REJECTED, SkuStatus.INVALID)).order_by("sku_id")
    masks = masks_for([parsed])
    products = [_corrected(sku, page.number, masks) for sku in skus]
    return products_taught(masked_page(parsed, masks), page.page_type, products)


def _corrected(sku: Sku, number: int, masks: Masks) -> Corrected:
    own = {key: place for key, place in sku.evidence.items() if place.get("page_number") == number}
    boxes = {key: tuple(place["bbox"]) for key, place in own.items() if place.get("bbox")}
    elsewhere = sku.evidence.keys() - own.keys()  # inherited from another page: not to be learnt here
    values = {key: text for key, text in sku.attributes.items() if text and key not in elsewhere}
    return Corrected({key: masks.masked(text) for key, text in values.items()}, boxes)


def _offered(page: Page, taught: Taught, trust: float) -> bool:
    """One that a person has decided about stays as it is."""
    job, quality = page.job, round(taught.proved * trust, 3)
    example = Example(0, KEY, job.category, page.page_type, True, 1.0, taught.shown, taught.answer)
    if not chosen([example], KEY, job.category, page.page_type):  # too long to be shown
        return False
    columns = {
        "merchant_id": job.merchant_id,
        "category": job.category,
        "page_type": page.page_type,
        "quality": quality,
        "shown": taught.shown,
        "answer": taught.answer,
    }
    row, created = AnnotationExample.objects.get_or_create(page=page, key=KEY, defaults=columns)
    if not created:
        rows = AnnotationExample.objects.filter(pk=row.pk, confirmed_at=None, withdrawn_at=None)
        rows.update(**columns)
    return True


def examples_for(job: Job, page_type: str) -> Mapping[str, tuple[Example, ...]]:
    """Those of each prompt that a page of this type of the job is asked with, by the prompt's key. Personal data in one
    that was offered before any was masked is masked here."""
    mask = Masks().masked
    rows = AnnotationExample.objects.filter(
        Q(merchant=job.merchant_id) | Q(shared=True),
        key=KEY,
        category=job.category,
        page_type=page_type,
        confirmed_at__lte=job.created_at,
        withdrawn_at=None,
        quality__gte=MIN_QUALITY,
    )
    examples = [
        Example(r.pk, r.key, r.category, r.page_type, True, r.quality, mask(r.shown), mask(r.answer))
        for r in rows.order_by("-quality", "-pk")[:100]
    ]
    return {KEY: chosen(examples, KEY, job.category, page_type)}
