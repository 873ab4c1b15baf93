"""The import targets by name. `local` keeps products in this database, their pictures stay in storage."""

from collections.abc import Sequence

import msgspec
from django.db import DatabaseError, connection, transaction

from processing.delivery.port import Answer, Envelope, Found, Target
from processing.models import LocalProduct

_UPSERT = """
    INSERT INTO processing_localproduct (merchant_id, sku_key, generation, payload_hash, product, received, updated_at)
    SELECT merchant_id, sku_key, generation, payload_hash, product, 1, now()
    FROM json_populate_recordset(NULL::processing_localproduct, %s)
    ON CONFLICT ON CONSTRAINT one_product DO UPDATE SET generation = excluded.generation,
        payload_hash = excluded.payload_hash, product = excluded.product,
        received = processing_localproduct.received + 1, updated_at = now()
    WHERE processing_localproduct.generation < excluded.generation"""


class LocalTarget:
    """Upserts by (merchant, SKU); an older generation never overwrites a newer one, the same one changes nothing."""

    def put(self, envelopes: Sequence[Envelope], timeout_s: float) -> list[Answer]:
        rows = [
            {"merchant_id": e.merchant_id, "sku_key": e.sku_key, "generation": e.generation,
             "payload_hash": e.payload_hash, "product": msgspec.Raw(e.payload)}
            for e in envelopes
        ]  # fmt: skip
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL statement_timeout = %s", [int(timeout_s * 1000)])
                cursor.execute(_UPSERT, [msgspec.json.encode(rows).decode()])
        except DatabaseError as error:
            return [Answer.lost(repr(error))] * len(envelopes)
        return [Answer.confirmed()] * len(envelopes)

    def query(self, merchant_id: int, sku_key: str) -> Found | None:
        row = LocalProduct.objects.filter(merchant_id=merchant_id, sku_key=sku_key).first()
        return Found(row.generation, row.payload_hash) if row else None


def target_named(name: str) -> Target:
    """KeyError for a target that is not configured."""
    return _TARGETS[name]


_TARGETS: dict[str, Target] = {"local": LocalTarget()}
