"""Reads of a merchant's catalogue over all documents: search, filters, orders, steps, counts, and what is there twice.

A list walks the index of its order over the next WALKED entries and keeps what fits: that is enough for everything
common. Only for what is rarer all entries are asked, where a search goes by the index of grams. Attributes have no
index: their filters look at LOOKED_AT entries a step, and a step that found too few says where the next one begins.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Literal
from uuid import UUID

from django.db import connection
from django.db.models import Prefetch

from catalogsku.accounts.models import Merchant, User
from catalogsku.core import metrics
from catalogsku.core.deferred import all_but
from catalogsku.core.errors import NotFound
from catalogsku.profiles.models import CategorySchema
from ingestion.models import Job, Page
from processing.catalogue import cursors
from processing.catalogue.models import CatalogueEntry
from processing.catalogue.searching import key_of, search_for
from processing.imports.lifecycle import Delivery
from processing.lists.columns import Fragment
from processing.lists.conditions import Condition
from processing.products.lifecycle import SkuStatus
from processing.products.models import Sku, SkuImage

WALKED = 3000
LOOKED_AT = 100_000
# More hits than these are not counted.
COUNTED = 10_000
MERCHANTS_OFFERED = 100

_OF_JOB = all_but(Job, "job", "uuid", "source_name", "category", "schema")
_OF_PAGE = all_but(Page, "page", "number", "status")

Row = tuple[Any, ...]
Twice = Literal["", "model", "picture"]

# By the ledger, whose indexes know the few that failed.
_FAILED = " UNION ALL ".join(
    f"SELECT i.sku_id FROM processing_importrecord i WHERE i.state = '{state}'"
    for state in (Delivery.REFUSED, Delivery.STALE)
)
# One look at the SKU of each entry that is left: the planner would sooner read both tables side by side.
_SKU = """CROSS JOIN LATERAL (SELECT s.status, s.attributes, s.normalized, s.custom_attributes FROM processing_sku s
          WHERE s.id = e.sku_id OFFSET 0) s"""
# How a product stands; the same groups as in the results of one document.
GROUPS = {
    "delivered": f"s.status = '{SkuStatus.IMPORTED}'",
    "ready": f"NOT e.waits AND s.status NOT IN ('{SkuStatus.IMPORTED}', '{SkuStatus.IMPORT_FAILED}')",
    "open": "e.waits",
    "failed": f"e.sku_id IN ({_FAILED}) AND s.status = '{SkuStatus.IMPORT_FAILED}'",
}
# The same of an entry whose SKU was looked for among those that are not delivered: its status is NULL where it is.
_COUNTED = {
    "delivered": "u.status IS NULL",
    "ready": f"NOT e.waits AND u.status <> '{SkuStatus.IMPORT_FAILED}'",
    "open": "e.waits",
    "failed": f"u.status = '{SkuStatus.IMPORT_FAILED}' AND e.sku_id IN ({_FAILED})",
}
# By their own index, which is small; each of them alone, for where nothing goes out they are many.
_UNDELIVERED = f"""LEFT JOIN LATERAL (SELECT s.status FROM processing_sku s
                   WHERE s.id = e.sku_id AND s.status <> '{SkuStatus.IMPORTED}' OFFSET 0) u ON true"""


@dataclass(frozen=True)
class Order:
    """``columns``: as an index of the entries has them behind the merchant; the last is unique."""

    columns: tuple[str, ...]
    down: bool = False
    condition: str = "true"

    @property
    def sql(self) -> str:
        return ", ".join(f"e.{name}{' DESC' if self.down else ''}" for name in self.columns)

    @property
    def after(self) -> str:
        names, values = ", ".join(f"e.{name}" for name in self.columns), ", ".join(["%s"] * len(self.columns))
        return f"({names}) {'<' if self.down else '>'} ({values})"


BY_PICTURE = Order(("picture_hash", "job_id", "sku_id"), condition="e.picture_hash <> ''")
_UP = {
    "oldest": Order(("sku_id",)),
    "model": Order(("model_key", "brand_key", "job_id", "sku_id")),
    "brand": Order(("brand_key", "sku_id")),
    "price": Order(("price", "sku_id"), condition="e.price IS NOT NULL"),
    "complete": Order(("complete_percent", "sku_id")),
}
ORDERS = {**_UP, **{f"-{name}": replace(order, down=True) for name, order in _UP.items()}}
ORDERS["newest"] = ORDERS.pop("-oldest")
# Columns that two entries of different documents have in common where they may be the same product.
TWICE = {"model": ("model_key", "brand_key"), "picture": ("picture_hash",)}


@dataclass(frozen=True)
class Wanted:
    """What is looked for. ``twice``: what several documents have, by model and brand or by picture, in groups.
    ``alike``: the key of an entry, for itself and all that may be the same product. ``where``: by attributes."""

    q: str = ""
    show: str = "all"
    category: str = ""
    brand: str = ""
    document: UUID | None = None
    price_from: Decimal | None = None
    price_to: Decimal | None = None
    currency: str = ""
    complete: bool | None = None
    pictured: bool | None = None
    twice: Twice = ""
    alike: int | None = None
    where: tuple[Condition, ...] = ()
    order: str = "newest"

    @property
    def is_filtered(self) -> bool:
        return replace(self, order="newest") != Wanted()

    @property
    def reads_skus(self) -> bool:
        """Whether entries alone do not say what fits."""
        return bool(self.where) or self.show in GROUPS

    @property
    def order_name(self) -> str:
        return self.twice or self.order

    @property
    def sorted_by(self) -> Order:
        """Groups stand together, whatever the order."""
        if self.twice:
            return ORDERS["model"] if self.twice == "model" else BY_PICTURE
        return ORDERS[self.order]


@dataclass(frozen=True)
class Step:
    """``next``: the cursor of the following ones."""

    skus: list[Sku]
    next: str | None


@dataclass(frozen=True)
class Counts:
    """Hits by group and in ``all``; ``more``: there are more than were counted."""

    by_group: dict[str, int]
    more: bool


class _Where:
    """Conditions on an entry ``e`` and its SKU ``s``, joined by AND."""

    def __init__(self, text: str = "true", *values: Any) -> None:
        self.parts, self.values = [text], list(values)

    def add(self, text: str, *values: Any) -> None:
        self.parts.append(text)
        self.values += values

    @property
    def sql(self) -> str:
        return " AND ".join(f"({part})" for part in self.parts)


# --- whose ----------------------------------------------------------------------------------------


def merchants_of(actor: User) -> list[Merchant]:
    """Those whose catalogues the person may look at."""
    return actor.merchants_seen(MERCHANTS_OFFERED)


def get_merchant(actor: User, merchant_id: int | None = None) -> Merchant | None:
    """The one that was named, else the person's own, else None. Raises NotFound where it is not the person's."""
    if merchant_id is None:
        return actor.own_merchant()
    seen = actor.merchant_ids()
    merchant = Merchant.objects.filter(pk=merchant_id, is_active=True).first()
    if merchant is None or (seen is not None and merchant.pk not in seen):
        raise NotFound("not_found")
    return merchant


# --- the list -------------------------------------------------------------------------------------


def list_step(
    merchant: Merchant,
    wanted: Wanted,
    cursor: str,
    limit: int,
    schemas: Mapping[int, CategorySchema] = MappingProxyType({}),
) -> Step:
    """Raises Refused(bad_request) for a cursor that is none of this order. ``schemas``: those of the merchant by key,
    where they are read already."""
    began_s = time.perf_counter()
    order, filters, after = wanted.sorted_by, _filters(merchant, wanted), _Where()
    if cursor:
        after.add(order.after, *cursors.read(wanted.order_name, order.columns, cursor))
    method = "groups" if wanted.twice else "walked"
    if wanted.twice:
        rows = _groups(merchant, wanted, filters, after, limit + 1)
    else:
        rows = _walked(merchant, order, filters, after, limit + 1)
    end: Row | None = None
    if len(rows) <= limit and wanted.where and not wanted.twice and not search_for(wanted.q):
        method = "looked"
        rows = _walked(merchant, order, filters, after, limit + 1, LOOKED_AT)
        end = _last_walked(merchant, order, after) if len(rows) <= limit else None
    elif len(rows) <= limit and wanted.is_filtered and not wanted.twice:
        method = "indexed" if search_for(wanted.q) else "filtered"
        rows = _asked(merchant, wanted, filters, after, limit + 1)
    metrics.CATALOGUE_SECONDS.labels(way=method).observe(time.perf_counter() - began_s)
    last = rows[limit - 1] if len(rows) > limit else end
    following = cursors.written(wanted.order_name, last) if last else None
    return Step(_skus([row[-1] for row in rows[:limit]], schemas), following)


def count_hits(merchant: Merchant, wanted: Wanted) -> Counts:
    """By group, whatever ``wanted.show``; where there are more, of the newest COUNTED, and of a search of any. By
    attributes among the newest LOOKED_AT entries."""
    wanted = replace(wanted, show="all", twice="")
    filters = _filters(merchant, wanted)
    hits, values = _hits(merchant, wanted, filters)
    is_looked_at = bool(wanted.where) and not search_for(wanted.q)
    if is_looked_at:
        newest = "SELECT * FROM processing_catalogueentry e WHERE e.merchant_id = %s ORDER BY e.sku_id DESC"
        hits = f"FROM ({newest} LIMIT {LOOKED_AT}) e {_SKU} WHERE {filters.sql}"
        values = [merchant.pk, *filters.values]
    order = "" if search_for(wanted.q) else "ORDER BY e.sku_id DESC"
    groups = ", ".join(f"count(*) FILTER (WHERE {condition})" for condition in _COUNTED.values())
    counted = f"SELECT e.sku_id, e.waits {hits} {order} LIMIT {COUNTED + 1}"
    counts = fetch(f"SELECT count(*), {groups} FROM ({counted}) e {_UNDELIVERED}", values)[0]
    more = counts[0] > COUNTED or (is_looked_at and _last_walked(merchant, ORDERS["newest"], _Where()) is not None)
    return Counts(dict(zip(("all", *GROUPS), (min(n, COUNTED) for n in counts), strict=True)), more)


def _last_walked(merchant: Merchant, order: Order, after: _Where) -> Row | None:
    """The last of the next LOOKED_AT entries; None where there are not so many."""
    names = ", ".join(f"e.{name}" for name in order.columns)
    rows = fetch(
        f"""SELECT {names} FROM processing_catalogueentry e
            WHERE e.merchant_id = %s AND {order.condition} AND {after.sql}
            ORDER BY {order.sql} OFFSET {LOOKED_AT - 1} LIMIT 1""",
        [merchant.pk, *after.values],
    )
    return rows[0] if rows else None


def all_hits(merchant: Merchant, wanted: Wanted) -> Fragment:
    """The keys of all SKUs that fit, as SQL. Raises NotFound."""
    filters = _filters(merchant, wanted)
    if wanted.twice:
        names = TWICE[wanted.twice]
        same, keys = " AND ".join(f"g.{name} = e.{name}" for name in names), ", ".join(names)
        groups = f"""SELECT {keys} FROM processing_catalogueentry WHERE merchant_id = %s AND {names[0]} <> ''
            GROUP BY {keys} HAVING min(job_id) <> max(job_id)"""
        hits = f"FROM ({groups}) g JOIN processing_catalogueentry e ON {same} {_SKU} WHERE {filters.sql}"
        return f"SELECT e.sku_id {hits}", [merchant.pk, *filters.values]
    hits, values = _hits(merchant, wanted, filters)
    return f"SELECT e.sku_id {hits}", values


def _walked(
    merchant: Merchant, order: Order, filters: _Where, after: _Where, limit: int, entries: int = 0
) -> list[Row]:
    """``entries``: how many are looked at, else WALKED."""
    names = ", ".join(f"e.{name}" for name in order.columns)
    return fetch(
        f"""SELECT {names} FROM (
                SELECT e.* FROM processing_catalogueentry e
                WHERE e.merchant_id = %s AND {order.condition} AND {after.sql}
                ORDER BY {order.sql} LIMIT {entries or WALKED}
            ) e {_SKU}
            WHERE {filters.sql} ORDER BY {order.sql} LIMIT {limit}""",
        [merchant.pk, *after.values, *filters.values],
    )


def _asked(merchant: Merchant, wanted: Wanted, filters: _Where, after: _Where, limit: int) -> list[Row]:
    order = wanted.sorted_by
    hits, values = _hits(merchant, wanted, filters)
    names = ", ".join(f"e.{name}" for name in order.columns)
    return fetch(
        f"SELECT {names} {hits} AND {order.condition} AND {after.sql} ORDER BY {order.sql} LIMIT {limit}",
        [*values, *after.values],
    )


def _hits(merchant: Merchant, wanted: Wanted, filters: _Where) -> tuple[str, list[Any]]:
    """FROM and WHERE of all that fits, and their parameters; a search by its grams first, whatever the planner thinks:
    words that are common one by one may be rare together."""
    search, skus = search_for(wanted.q), _SKU if wanted.reads_skus else ""
    if search is None:
        return f"FROM processing_catalogueentry e {skus} WHERE {filters.sql}", filters.values
    return (
        f"""FROM (SELECT * FROM processing_catalogueentry e
                  WHERE e.grams @> %s::int[] OFFSET 0) e {skus} WHERE {filters.sql}""",
        [search.numbers(merchant.pk), *filters.values],
    )


def _groups(merchant: Merchant, wanted: Wanted, filters: _Where, after: _Where, limit: int) -> list[Row]:
    order, keys = wanted.sorted_by, ", ".join(f"e.{name}" for name in TWICE[wanted.twice])
    first = TWICE[wanted.twice][0]
    same = " AND ".join(f"g.{name} = e.{name}" for name in TWICE[wanted.twice])
    from_key = _Where(f"e.merchant_id = %s AND e.{first} <> ''", merchant.pk)
    if len(after.values):
        from_key.add(f"e.{first} >= %s", after.values[0])
    enough = "" if replace(wanted, twice="", order="newest").is_filtered else f"ORDER BY {keys} LIMIT {limit}"
    names = ", ".join(f"e.{name}" for name in order.columns)
    return fetch(
        f"""WITH g AS MATERIALIZED (
                SELECT {keys} FROM processing_catalogueentry e WHERE {from_key.sql}
                GROUP BY {keys} HAVING min(e.job_id) <> max(e.job_id) {enough})
            SELECT {names} FROM g JOIN processing_catalogueentry e ON {same}
            {_SKU} WHERE {filters.sql} AND {after.sql} ORDER BY {order.sql} LIMIT {limit}""",
        [*from_key.values, *filters.values, *after.values],
    )


def _filters(merchant: Merchant, wanted: Wanted) -> _Where:
    where = _Where("e.merchant_id = %s", merchant.pk)
    search = search_for(wanted.q)
    for pattern in search.likes if search else ():
        where.add("e.words LIKE %s", pattern)
    for pattern in search.starts if search else ():
        where.add("e.words ~ %s", pattern)
    if wanted.show in GROUPS:
        where.add(GROUPS[wanted.show])
    if wanted.category:
        where.add("e.category = %s", wanted.category)
    if wanted.brand:
        where.add("e.brand_key = %s", key_of(wanted.brand))
    if wanted.document:
        where.add("e.job_id = (SELECT j.id FROM ingestion_job j WHERE j.uuid = %s)", wanted.document)
    if wanted.price_from is not None:
        where.add("e.price >= %s", wanted.price_from)
    if wanted.price_to is not None:
        where.add("e.price <= %s", wanted.price_to)
    if wanted.currency:
        where.add("e.currency = %s", wanted.currency)
    if wanted.complete is not None:
        where.add(f"e.complete_percent {'=' if wanted.complete else '<'} 100")
    if wanted.pictured is not None:
        where.add(f"e.picture_hash {'<>' if wanted.pictured else '='} ''")
    for condition in wanted.where:
        text, values = condition.sql("s")
        where.add(text, *values)
    if wanted.alike is not None:
        _add_alike(where, merchant, wanted.alike)
    return where


def _add_alike(where: _Where, merchant: Merchant, sku_id: int) -> None:
    """Raises NotFound."""
    entry = CatalogueEntry.objects.filter(merchant=merchant, pk=sku_id).first()
    if entry is None:
        raise NotFound("not_found")
    parts, values = ["e.sku_id = %s"], [entry.pk]
    for columns in TWICE.values():
        if getattr(entry, columns[0]):
            parts.append("(" + " AND ".join(f"e.{name} = %s" for name in columns) + ")")
            values += [getattr(entry, name) for name in columns]
    where.add(" OR ".join(parts), *values)


def _skus(ids: Sequence[int], schemas: Mapping[int, CategorySchema]) -> list[Sku]:
    """In this order, with all that a row shows."""
    pictures = Prefetch("pictures", queryset=SkuImage.objects.select_related("image").order_by("rank"))
    rows = Sku.objects.filter(pk__in=ids).select_related("page", "job", "entry")
    rows = rows.defer("entry__words", "entry__grams", *_OF_JOB, *_OF_PAGE)
    by_id = {sku.pk: sku for sku in rows.prefetch_related(pictures, *([] if schemas else ["job__schema"]))}
    for sku in by_id.values():
        if schema := schemas.get(sku.job.schema_id):
            sku.job.schema = schema
    return [by_id[pk] for pk in ids if pk in by_id]


def fetch(sql: str, values: Sequence[Any]) -> list[Row]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())
