"""A SKU as a target receives it: the same bytes for the same product, whatever job it came from."""

import msgspec

from ingestion.models import Job
from processing.models import Sku

_encode = msgspec.json.Encoder(order="sorted").encode


def product_content(job: Job, sku: Sku) -> bytes:
    """Canonical JSON (keys sorted) without generation, revision or job: its hash says whether anything changed."""
    pictures = sorted(sku.pictures.all(), key=lambda p: p.rank)
    return _encode(
        {
            "sku_id": sku.sku_id,
            "file_hash": job.file_sha256,
            "page_number": sku.page.number,
            "category": job.category or None,
            "validity": sku.validity,
            "quality_warning": sku.quality_warning,
            "attributes": sku.attributes,
            "attribute_source": sku.attribute_source,
            "normalized": sku.normalized,
            "custom_attributes": [{"name": c["name"], "value": c["value"]} for c in sku.custom_attributes],
            "images": [
                {
                    "image_id": p.image.image_id,
                    "role": p.role,
                    "key": p.image.storage_key,
                    "sha256": p.image.content_hash,
                }
                for p in pictures
            ],
        }
    )
