"""A SKU as a target receives it: the same bytes for the same product, whatever job it came from."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ingestion.models import Job
from processing.imports.targets.shape import Shape
from processing.products.models import Sku, SkuImage

_encode = msgspec.json.Encoder(order="sorted").encode


class Shown(NamedTuple):
    """A picture of a SKU, as a target sees it; ``key`` is its name in the storage."""

    image_id: str
    role: str
    key: str
    sha256: str


def pictures_of(sku_ids: Sequence[int]) -> dict[int, list[Shown]]:
    """The pictures of SKUs, the best first."""
    rows = SkuImage.objects.filter(sku__in=sku_ids).order_by("sku_id", "rank")
    columns = ("image__image_id", "role", "image__storage_key", "image__content_hash")
    pictures: dict[int, list[Shown]] = {}
    for sku_id, *shown in rows.values_list("sku_id", *columns):
        pictures.setdefault(sku_id, []).append(Shown(*shown))
    return pictures


def product_content(job: Job, sku: Sku, pictures: Sequence[Shown], key: str) -> bytes:
    """Canonical JSON (keys sorted) without generation, revision or job: its hash says whether anything changed.

    ``key``: under which targets know the product.
    """
    return _encode(
        {
            "sku_id": key,
            "file_hash": job.file_sha256,
            "page_number": sku.page.number,
            "category": job.category or None,
            "validity": sku.validity,
            "quality_warning": sku.quality_warning,
            "attributes": sku.attributes,
            "attribute_source": sku.attribute_source,
            "normalized": sku.normalized,
            "custom_attributes": [{"name": c["name"], "value": c["value"]} for c in sku.custom_attributes],
            "images": [picture._asdict() for picture in pictures],
        }
    )


def content_hash(content: bytes | None, shape: Shape) -> str:
    """Says whether anything changed for the target; None: the product is taken away."""
    digest = hashlib.sha256(content or b"")
    if shape.fields or shape.id_pattern:
        digest.update(msgspec.json.encode([sorted(shape.fields.items()), shape.id_pattern]))
    return digest.hexdigest()


def body(shape: Shape, job: Job, sku: Sku, key: str, generation: int, content: bytes | None, digest: str) -> bytes:
    """What goes out. ``content``: canonical JSON of the product; None: it is taken away."""
    head = {
        "merchant_id": job.merchant_id,
        "sku_id": shape.external_id(job.merchant_id, key) or key,
        "generation": generation,
        "revision": sku.revision,
        "job_id": str(job.uuid),
        "content_hash": digest,
        "deleted": content is None,
    }
    return shape.body(head, content)
