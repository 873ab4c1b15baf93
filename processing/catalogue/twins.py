"""What of a merchant's catalogue may be the same product in another document."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import msgspec

from catalogsku.accounts.models import Merchant
from processing.catalogue.selectors import TWICE, fetch
from processing.products.models import Sku

TWINS_EACH = 10


@dataclass(frozen=True)
class Twin:
    """A SKU of another document that may be the same product."""

    sku_id: str
    job_id: int
    job_uuid: UUID
    attributes: dict[str, str | None]


def twins_of(merchant: Merchant, skus: Sequence[Sku]) -> dict[int, list[Twin]]:
    """By key: of each at most TWINS_EACH, the newest first."""
    same = " UNION ".join(
        f"""(SELECT t.sku_id FROM processing_catalogueentry t WHERE t.merchant_id = e.merchant_id
             AND t.job_id <> e.job_id AND t.{columns[0]} <> ''
             AND {" AND ".join(f"t.{name} = e.{name}" for name in columns)}
             ORDER BY t.job_id DESC, t.sku_id DESC LIMIT {TWINS_EACH})"""  # as the index goes, and its condition
        for columns in TWICE.values()
    )
    rows = fetch(
        f"""SELECT e.sku_id, s.sku_id, s.job_id, j.uuid, s.attributes FROM processing_catalogueentry e
            CROSS JOIN LATERAL ({same}) t JOIN processing_sku s ON s.id = t.sku_id
            JOIN ingestion_job j ON j.id = s.job_id
            WHERE e.merchant_id = %s AND e.sku_id = ANY(%s) ORDER BY e.sku_id, s.id DESC""",
        [merchant.pk, [sku.pk for sku in skus]],
    )
    twins: dict[int, list[Twin]] = {}
    for pk, sku_id, job_id, job_uuid, attributes in rows:
        decoded = msgspec.json.decode(attributes) if isinstance(attributes, str) else attributes
        twins.setdefault(pk, []).append(Twin(sku_id, job_id, job_uuid, decoded))
    return twins
