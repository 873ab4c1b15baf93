"""A product as result.json and programs have it (TA-JSON)."""

from typing import Any

from processing.products.models import Sku


def sku_part(sku: Sku) -> dict[str, Any]:
    return {
        "sku_id": sku.sku_id,
        "revision": sku.revision,
        "page_number": sku.page.number,
        "validity": sku.validity,
        "status": sku.status,
        "confidence": sku.confidence,
        "quality_warning": sku.quality_warning,
        "source_bbox": sku.box,
        "normalized": sku.normalized,
        "attributes": sku.attributes,
        "attribute_source": sku.attribute_source,
        "evidence": sku.evidence,
        "custom_attributes": [{"name": c["name"], "value": c["value"]} for c in sku.custom_attributes],
        "images": [
            {
                "image_id": binding.image.image_id,
                "role": binding.role,
                "binding_method": binding.method,
                "binding_confidence": binding.confidence,
            }
            for binding in sorted(sku.pictures.all(), key=lambda b: b.rank)
        ],
        "binding_candidates": [
            {"image_id": c["image_id"], "confidence": c["confidence"], "reason": c["reason"]} for c in sku.candidates
        ],
    }
