"""An edition beside its predecessor: every product that was added, removed or changed becomes a row (X-DIFF)."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

from catalogsku.core import bulk, live
from ingestion.lifecycle import PAGES_WITH_MACHINES, PAGES_WITH_PEOPLE, PageStatus, SkipReason
from ingestion.models import Job, Page
from processing.editions.models import Edition, EditionChange, EditionState
from processing.editions.services import renaming
from processing.editions.services.carrying import pairs_of
from processing.engine.editions.products import (
    CHANGED,
    REMOVED,
    UNCHANGED,
    Difference,
    Product,
    difference,
    match_products,
    rank,
)
from processing.products.lifecycle import SkuStatus
from processing.products.models import Sku, SkuImage

# Not products, or not yet: people have refused them, or have to say what they are.
_NO_PRODUCTS = (SkuStatus.REJECTED, SkuStatus.INVALID)


@dataclass(frozen=True)
class Compared:
    """``rows``: the SKUs of both by their ids; ``not_compared``: earlier products whose page is not done."""

    differences: Sequence[Difference]
    earlier: Mapping[str, int]
    later: Mapping[str, int]
    not_compared: int


def compare(edition: Edition) -> Compared:
    """As both documents stand now; writes nothing."""
    pairs = {pair.later: pair.earlier for pair in pairs_of(edition)}
    earlier = _products(edition.predecessor, None)
    later = _products(edition.job, pairs)
    taken = renaming.taken(edition)
    matched = match_products([product for product, _ in earlier], [product for product, _ in later], taken)
    differences = [
        difference(before, after, renamed=bool(before and after and taken.get(after.key) == before.key))
        for before, after in matched
    ]
    undone = {pairs[number] for number in _undone(edition.job) if number in pairs}
    seen = [
        change
        for change in differences
        if change.kind != REMOVED or (change.earlier and change.earlier.page not in undone)
    ]
    return Compared(
        seen, {p.key: pk for p, pk in earlier}, {p.key: pk for p, pk in later}, len(differences) - len(seen)
    )


def _undone(job: Job) -> list[int]:
    """Pages of which nobody can say yet what is on them: their earlier products are not gone for that."""
    pages = Page.objects.filter(job=job).values_list("number", "status", "skip_reason")
    waiting = {*PAGES_WITH_MACHINES, *PAGES_WITH_PEOPLE, PageStatus.DEAD_LETTER}
    unlooked = (SkipReason.SLA, SkipReason.CANCELLED)
    return [number for number, status, reason in pages if status in waiting or reason in unlooked]


def _products(job: Job, earlier_of: Mapping[int, int] | None) -> list[tuple[Product, int]]:
    rows = Sku.objects.filter(job=job, superseded=False).exclude(status__in=_NO_PRODUCTS)
    shown: defaultdict[int, set[str]] = defaultdict(set)
    bound = SkuImage.objects.filter(sku__job=job, sku__superseded=False)
    for sku, content in bound.values_list("sku_id", "image__content_hash"):
        shown[sku].add(content)
    columns = ("pk", "sku_id", "predecessor", "page__number", "attributes", "normalized", "custom_attributes")
    return [
        (_product(row, number if earlier_of is None else earlier_of.get(number, 0), shown), row["pk"])
        for row in rows.order_by("page__number", "sku_id").values(*columns)
        for number in [row["page__number"]]
    ]


def _product(row: Mapping[str, Any], page: int, shown: Mapping[int, set[str]]) -> Product:
    price = row["normalized"].get("price") or {}
    custom = {attribute["name"]: attribute["value"] for attribute in row["custom_attributes"]}
    return Product(
        key=row["sku_id"],
        predecessor=row["predecessor"],
        page=page,
        model=row["attributes"].get("model") or "",
        name=row["attributes"].get("product_name") or "",
        attributes={**custom, **row["attributes"]},
        price=str(price.get("value") or ""),
        currency=price.get("currency") or "",
        pictures=frozenset(shown.get(row["pk"], ())),
    )


# Open editions of which a page of either document was changed since they were compared, or by a transaction that was
# not over by then (docs/protocols.md P5: no commit is missed). The pages go by their index of changes.
_MOVED_ON = """
    SELECT e.job_id FROM processing_edition e JOIN ingestion_job j ON j.id = e.job_id
    WHERE e.state = 'open' AND j.status NOT IN ('CANCELLED', 'REJECTED') AND (e.compared IS NULL OR EXISTS (
        SELECT FROM ingestion_page p
        WHERE p.job_id = ANY(ARRAY[e.job_id, e.predecessor_id]) AND p.changed >= e.compared::text::xid8))
    ORDER BY e.job_id"""


def moved_on() -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(_MOVED_ON)
        return [job_id for (job_id,) in cursor.fetchall()]


def _moment() -> int:
    """Whatever a transaction commits after this, its id is not below."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
        return int(cursor.fetchone()[0])


@transaction.atomic
def compare_edition(job_id: int) -> bool:
    """Bring the changes up to date; what a person has said of one stays. False where no edition is open."""
    rows = Edition.objects.select_for_update(no_key=True, of=("self",)).filter(job=job_id, state=EditionState.OPEN)
    edition = rows.select_related("job", "predecessor").first()
    if edition is None:
        return False
    moment = _moment()  # before the look: a page that changes meanwhile brings the next one
    compared = compare(edition)
    changes = [_row(edition, change, compared) for change in compared.differences if change.kind != UNCHANGED]
    EditionChange.objects.filter(edition=edition).exclude(key__in=[row["key"] for row in changes]).delete()
    _write(changes)
    renaming.propose(edition, compared.differences)
    Edition.objects.filter(pk=edition.pk).update(compared=moment, tally=_tally(compared), digest=digest_of(compared))
    live.hint_after_commit(job_id)
    return True


def _write(changes: Sequence[Mapping[str, Any]]) -> None:
    """New ones with what is done about their kind by itself: a removed product stays where it is."""
    known = dict(
        EditionChange.objects.filter(edition__in={row["edition_id"] for row in changes}).values_list("key", "goes")
    )
    rows = [{**row, "goes": known.get(row["key"], row["kind"] != REMOVED)} for row in changes]
    bulk.insert_rows(EditionChange, rows, unique=("edition_id", "key"))


def _row(edition: Edition, change: Difference, compared: Compared) -> dict[str, Any]:
    place, weight = rank(change)
    return {
        "edition_id": edition.pk,
        "key": change.later.key if change.later else f"-{change.earlier.key}" if change.earlier else "",
        "kind": change.kind,
        "later_id": compared.later[change.later.key] if change.later else None,
        "earlier_id": compared.earlier[change.earlier.key] if change.earlier else None,
        "fields": list(change.fields),
        "price_change": change.price_change,
        "rank": place,
        "weight": weight,
    }


def digest_of(compared: Compared) -> str:
    """The same for the same changes, whatever else happened to the pages."""
    described = [
        (change.kind, change.earlier and change.earlier.key, change.later and change.later.key, change.fields)
        for change in compared.differences
    ]
    return hashlib.sha256(repr(described).encode()).hexdigest()[:16]


def _tally(compared: Compared) -> dict[str, int]:
    kinds = [change.kind for change in compared.differences]
    return {
        **{kind: kinds.count(kind) for kind in dict.fromkeys([CHANGED, *kinds])},
        "price": sum(change.price_differs for change in compared.differences),
        "not_compared": compared.not_compared,
    }


def compare_moved_on() -> int:
    """The sweep's find; how many were compared."""
    return sum(compare_edition(job_id) for job_id in moved_on())
