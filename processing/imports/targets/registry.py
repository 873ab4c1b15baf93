"""The import targets by name. `local` keeps in this database which generation of a product it holds."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import F, Q

from catalogsku.core.secret_files import secrets_in
from processing.imports.models import ImportTarget, LocalProduct, url_fault
from processing.imports.targets.http import HttpTarget
from processing.imports.targets.port import Answer, Envelope, Found, Held, Target, Traits
from processing.imports.targets.shape import Shape

LOCAL, HTTP = "local", "http"

_UPSERT = """
    INSERT INTO processing_localproduct
        (merchant_id, sku_key, generation, payload_hash, deleted, received, updated_at)
    SELECT merchant_id, sku_key, generation, payload_hash, deleted, 1, now()
    FROM json_populate_recordset(NULL::processing_localproduct, %s)
    ON CONFLICT ON CONSTRAINT one_product DO UPDATE SET generation = excluded.generation,
        payload_hash = excluded.payload_hash, product = NULL, deleted = excluded.deleted,
        received = processing_localproduct.received + 1, updated_at = now()
    WHERE processing_localproduct.generation < excluded.generation"""


class LocalTarget:
    """Upserts by (merchant, SKU); an older generation never overwrites a newer one, the same one changes nothing.

    A deleted product keeps its row, so that a late older generation does not bring it back.
    """

    traits = Traits(batch=1000, here=True)  # more than a message's pages hold: rounds cost more than rows

    def put(self, envelopes: Sequence[Envelope], timeout_s: float) -> list[Answer]:
        rows = [
            {
                "merchant_id": e.merchant_id,
                "sku_key": e.sku_key,
                "generation": e.generation,
                "payload_hash": e.payload_hash,
                "deleted": e.deleted,
            }
            for e in envelopes
        ]
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL statement_timeout = %s", [int(timeout_s * 1000)])
                cursor.execute(_UPSERT, [msgspec.json.encode(rows).decode()])
        except DatabaseError as error:
            return [Answer.lost(repr(error))] * len(envelopes)
        return [Answer.confirmed()] * len(envelopes)

    def query(self, envelopes: Sequence[Envelope], timeout_s: float) -> list[Held]:
        wanted = Q(pk__in=())
        for e in envelopes:
            wanted |= Q(merchant_id=e.merchant_id, sku_key=e.sku_key)
        rows = LocalProduct.objects.filter(wanted)
        held = {(row.merchant_id, row.sku_key): Found(row.generation, row.payload_hash) for row in rows}
        return [held.get((e.merchant_id, e.sku_key)) for e in envelopes]


_TARGETS: dict[str, Target] = {LOCAL: LocalTarget()}


def target_of(merchant_id: int) -> tuple[str, Shape]:
    """Where the merchant's products go, and in which form."""
    rows = ImportTarget.objects.filter(Q(merchant=merchant_id) | Q(merchant=None), enabled=True)
    usable = rows if settings.IMPORT_URL else rows.exclude(url="")
    row = usable.order_by(F("merchant").asc(nulls_last=True)).first()
    if row is not None:
        return row.name, row.shape
    return (HTTP if settings.IMPORT_URL else LOCAL), Shape()


def target_names() -> list[str]:
    """Every name that the ledger may hold: its index begins with it."""
    return [LOCAL, HTTP, *ImportTarget.objects.values_list("name", flat=True)]


def shape_of(name: str) -> Shape:
    """The form of products at the target of that name."""
    row = ImportTarget.objects.filter(name=name).first()
    return row.shape if row is not None else Shape()


def target_named(name: str) -> Target:
    """KeyError for a target that does not exist, or is not to be used."""
    if name in _TARGETS:
        return _TARGETS[name]
    row = ImportTarget.objects.filter(name=name).first()
    if row is None and name == HTTP and settings.IMPORT_URL:
        return HttpTarget(settings.IMPORT_URL, Traits(), private=True, token=_token)
    if row is None or not row.enabled or not (row.url or settings.IMPORT_URL):
        raise KeyError(name)
    if row.url and url_fault(row.url, settings.IMPORT_PRIVATE_HOSTS):
        raise KeyError(name)
    private = not row.url or urlsplit(row.url).hostname in settings.IMPORT_PRIVATE_HOSTS
    token = partial(_token_of, row.name) if row.url else _token
    url = row.url or settings.IMPORT_URL
    return HttpTarget(url, row.traits, row.shape, private=private, auth_header=row.auth_header, token=token)


def _token() -> str:
    """The secret for IMPORT_URL; it is never sent elsewhere."""
    if settings.IMPORT_TOKEN_FILE:
        return next(iter(secrets_in(settings.IMPORT_TOKEN_FILE)), "")
    return str(settings.IMPORT_TOKEN)


def _token_of(name: str) -> str:
    """The secret of a target with an address of its own."""
    folder = settings.IMPORT_TOKENS_DIR
    return next(iter(secrets_in(str(Path(folder) / name))), "") if folder else ""
