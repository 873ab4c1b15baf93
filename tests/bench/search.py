"""A million products in one merchant's catalogue: each kind of search, filter and order, the page, and its size."""

import gc
import resource
import statistics
import time
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from django.db import connection

from catalogsku.accounts.models import Merchant, Role
from processing.catalogue import selectors
from processing.catalogue.models import CatalogueEntry
from processing.catalogue.selectors import Wanted
from processing.catalogue.services.entries import catalogue_pages
from processing.products.models import Sku
from tests.bench import million
from tests.bench.web import percentile, signed_in

# Documents of 2000 pages, of which 1600 sell something: a million products of one merchant.
JOBS, MERCHANT = 625, "Merchant 1"
WARM_UPS, TURNS, ROWS = 2, 20, 50
# Products stand in a fortieth, materials in a twenty-fifth, both together in a thousandth of the entries.
WANTED: Mapping[str, Wanted] = {
    "1 Chinese character": Wanted(q="岩"),
    "1 Chinese character, in all": Wanted(q="青"),
    "2 Chinese characters": Wanted(q="餐椅"),
    "3 Chinese characters": Wanted(q="胡桃木"),
    "4 Chinese characters": Wanted(q="青禾餐椅"),
    "2 Chinese words": Wanted(q="水壶 岩板"),
    "Chinese, by price": Wanted(q="会议桌", order="price"),
    "Chinese, in none": Wanted(q="飞机"),
    "model": Wanted(q="A200-0500007"),
    "part of a model": Wanted(q="500007"),
    "model, in all": Wanted(q="a200"),
    "2 Latin letters": Wanted(q="a2"),
    "English word, in none": Wanted(q="chandelier"),
    "newest": Wanted(),
    "by model": Wanted(order="model"),
    "by completeness": Wanted(order="complete"),
    "price range": Wanted(price_from=Decimal(10), price_to=Decimal(12)),
    "something missing": Wanted(complete=False),
    "to check": Wanted(show="open"),
    "failed": Wanted(show="failed"),
    "same model": Wanted(twice="model"),
    "category, in none": Wanted(category="lighting"),
}
WRITTEN_PAGES = 200


def measure_search() -> dict[str, Any]:
    """Raises ValueError where the database is not empty."""
    began_s = time.monotonic()
    million.fill(JOBS, merchants=1)
    filled_s = time.monotonic() - began_s
    gc.collect()
    gc.freeze()
    merchant, client = Merchant.objects.get(name=MERCHANT), signed_in(Role.ADMIN)
    kinds = {name: _kind(merchant, wanted) for name, wanted in WANTED.items()}
    pages = {
        name: _figures(lambda address=address: client.get(address))  # type: ignore[misc]
        for name, address in {"page": "/catalogue/", "page, search": "/catalogue/?q=餐椅"}.items()
    }
    slowest = max(kinds, key=lambda name: kinds[name]["list_p95_ms"])
    return {
        "entries": CatalogueEntry.objects.count(),
        "filled_s": round(filled_s, 1),
        "slowest": slowest,
        "slowest_p95_ms": kinds[slowest]["list_p95_ms"],
        "slowest_page_p95_ms": max(page["p95_ms"] for page in pages.values()),
        "kinds": kinds,
        "pages": pages,
        "written_ms": _written_ms(),
        "process_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
        "sizes_mb": _sizes_mb(),
    }


def _kind(merchant: Merchant, wanted: Wanted) -> dict[str, float]:
    listed = _figures(lambda: selectors.list_step(merchant, wanted, "", ROWS))
    counted = _figures(lambda: selectors.count_hits(merchant, wanted))
    return {"list_p50_ms": listed["p50_ms"], "list_p95_ms": listed["p95_ms"], "count_p95_ms": counted["p95_ms"]}


def _figures(do: Callable[[], object]) -> dict[str, float]:
    for _ in range(WARM_UPS):
        do()
    taken_ms = []
    for _ in range(TURNS):
        began_s = time.perf_counter()
        do()
        taken_ms.append((time.perf_counter() - began_s) * 1000)
    return {"p50_ms": round(statistics.median(taken_ms), 1), "p95_ms": percentile(taken_ms, 95)}


def _written_ms() -> float:
    """Of one product's entry, while its page is recorded; of eight pages together, as they are."""
    job = Sku.objects.select_related("job__schema").latest("pk").job
    pages = list(job.pages.filter(sku_count__gt=0).order_by("number").values_list("pk", flat=True)[:WRITTEN_PAGES])
    began_s, written = time.perf_counter(), 0
    for at in range(0, len(pages), 8):
        written += catalogue_pages(job, pages[at : at + 8])
    return round((time.perf_counter() - began_s) * 1000 / written, 3)


def _sizes_mb() -> dict[str, float]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, pg_relation_size(oid) FROM pg_class WHERE relname LIKE 'entries\\_%%'"
            " OR relname = 'processing_catalogueentry' ORDER BY 2 DESC",
            [],
        )
        return {name: round(size / 2**20, 1) for name, size in cursor.fetchall()}
