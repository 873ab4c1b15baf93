"""result.json: what became of a document as a program takes it; of a catalogue, by schema 1.0, its pages, SKUs and
pictures (TA-JSON)."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.db.models import Sum

from ingestion.kinds import CATALOGUE
from ingestion.models import Job, Page
from processing.llm.models import ModelCall
from processing.products.models import Image
from processing.products.parts import sku_part
from processing.products.selectors import active_skus, result_etag

SCHEMA_VERSION = "1.0"
SCHEMA_FILE = Path(__file__).with_name("result.schema.json")
# The names of delivered pages, from both columns.
_IMPORT_NAMES = {
    "confirmed": "IMPORTED_CONFIRMED",
    "assumed": "IMPORTED_ASSUMED",
    "failed": "IMPORT_FAILED",
    "stale": "IMPORT_FAILED",
}


def result(job: Job) -> dict[str, Any]:
    """The whole file as one value."""
    return {
        "schema_version": SCHEMA_VERSION,
        "job": job_part(job),
        "pages": [page_part(page) for page in Page.objects.filter(job=job).order_by("number")],
        "skus": [sku_part(sku) for sku in active_skus(job)],
        "images": [image_part(image) for image in _images(job)],
    }


def stream(job: Job) -> Iterator[str]:
    """The file of a document of any kind as text, part by part."""
    return STREAMS[job.kind](job)


def etag(job: Job) -> str:
    """Names the version of the file of a document of any kind."""
    return ETAGS.get(job.kind, result_etag)(job)


def _stream(job: Job) -> Iterator[str]:
    """The same as ``result``, entry by entry: memory does not grow with the document."""
    head = {"schema_version": SCHEMA_VERSION, "job": job_part(job)}
    yield json.dumps(head, ensure_ascii=False)[:-1]
    parts: list[tuple[str, Iterator[dict[str, Any]]]] = [
        ("pages", map(page_part, Page.objects.filter(job=job).order_by("number").iterator(500))),
        ("skus", map(sku_part, active_skus(job).iterator(500))),
        ("images", map(image_part, _images(job).iterator(500))),
    ]
    for name, entries in parts:
        yield f', "{name}": ['
        for index, entry in enumerate(entries):
            yield (",\n" if index else "\n") + json.dumps(entry, ensure_ascii=False)
        yield "]"
    yield "}\n"


# By kind; an app that brings one enters its own as it is ready.
STREAMS: dict[str, Callable[[Job], Iterator[str]]] = {CATALOGUE.key: _stream}
# Where the file depends on more than the document, its pages and SKUs.
ETAGS: dict[str, Callable[[Job], str]] = {}


def _images(job: Job) -> Any:
    return Image.objects.filter(job=job).select_related("page", "duplicate_of").order_by("page__number", "image_id")


def job_part(job: Job) -> dict[str, Any]:
    return {
        "job_id": str(job.uuid),
        "source_file": job.source_name,
        "file_hash": job.file_sha256,
        "merchant_id": str(job.merchant_id),
        "category": job.category or None,
        "status": job.status,
        "route": job.route,
        "degrade_reason": job.degrade_reason,
        "profile_version": str(job.profile),
        "total_pages": job.total_pages or 0,
        "cost_micro": ModelCall.objects.filter(job=job).aggregate(micro=Sum("settled_micro"))["micro"] or 0,
    }


def page_part(page: Page) -> dict[str, Any]:
    return {
        "page_number": page.number,
        "page_type": page.page_type or None,
        "layout_type": page.layout_type or None,
        "status": _IMPORT_NAMES.get(page.import_state, page.status) if page.status == "AI_COMPLETED" else page.status,
        "confidence": page.confidence,
        "needs_review": page.needs_review,
        "parser_backend": page.reader,
        "extraction_method": page.extraction_method,
    }


def image_part(image: Image) -> dict[str, Any]:
    return {
        "image_id": image.image_id,
        "page_number": image.page.number,
        "role": image.role,
        "bbox": image.box,
        "path": image.storage_key,
        "resolution": [image.width_px, image.height_px],
        "short_edge": image.short_edge,
        "quality_grade": image.grade,
        "search_eligible": image.search_eligible,
        "is_duplicate": image.duplicate_of_id is not None,
        "duplicate_of": image.duplicate_of.image_id if image.duplicate_of else None,
        "content_hash": image.content_hash,
        "perceptual_hash": image.perceptual_hash,
    }
