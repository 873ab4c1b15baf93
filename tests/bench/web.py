"""Every web page with a million pages stored: its queries and the time that the server needs for it."""

import gc
import math
import statistics
import time
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalogsku.accounts.models import Merchant, Role, User
from ingestion.models import Job
from processing.editions.models import Edition
from processing.products.models import Sku
from processing.webhooks.models import WebhookEndpoint
from tests.bench import million

WARM_UPS, TURNS = 2, 20
# Documents of 2000 pages: one that has ended, one that waits for people, one in the middle of its pages.
ADDRESSES = {
    "documents": "/",
    "documents, last page": "/?page=25",
    "documents that run": "/?show=running",
    "documents by name": "/?q=Catalogue 42",
    "job": "/jobs/{waiting}/",
    "job that runs": "/jobs/{running}/",
    "job, live region": "/jobs/{running}/region/",
    "job, later tiles": "/jobs/{ended}/region/?from=1441",
    "job, side": "/jobs/{waiting}/region/?part=side",
    "job, sync": "/jobs/{running}/sync/",
    "evaluation": "/jobs/{ended}/evaluation/",
    "models of a page": "/jobs/{ended}/pages/77/models/",
    "models": "/models/",
    "all results": "/results/",
    "catalogue": "/catalogue/?merchant={merchant}",
    "catalogue, search": "/catalogue/?merchant={merchant}&q=餐椅",
    "catalogue, rare": "/catalogue/?merchant={merchant}&q=水壶 岩板",
    "catalogue, one character": "/catalogue/?merchant={merchant}&q=岩&order=price",
    "catalogue, to check": "/catalogue/?merchant={merchant}&show=open",
    "catalogue, failed": "/catalogue/?merchant={merchant}&show=failed",
    "catalogue, twice": "/catalogue/?merchant={merchant}&twice=model",
    "reports": "/reports/",
    "results": "/jobs/{ended}/results/",
    "results, last page": "/jobs/{ended}/results/?page=33",
    "results of one page": "/jobs/{ended}/results/?page_number=77",
    "results by name": "/jobs/{ended}/results/?q=A200",
    "sku": "/jobs/{ended}/skus/{sku}/",
    "edition": "/jobs/{edition}/edition/",
    "edition, removed": "/jobs/{edition}/edition/?show=removed",
    "export panel": "/exports/?job={ended}",
    "export panel of all": "/exports/",
    "imports": "/imports/",
    "imports of a document": "/jobs/{ended}/imports/",
    "webhooks": "/webhooks/",
    "webhook with its log": "/webhooks/{hook}/",
    "webhook, what was given up": "/webhooks/{hook}/?show=failed",
    "value with its proof": "/jobs/{ended}/skus/{sku}/?field=model",
    "tasks": "/tasks/",
}
MERCHANT = "Merchant 4"  # has documents in every state


def places() -> dict[str, Any]:
    """What the addresses name."""
    newest = Job.objects.filter(merchant__name=MERCHANT).order_by("-pk")
    ended = newest.filter(status="FULL_IMPORTED")[0]
    waiting, running = newest.filter(status="PARTIAL_IMPORTED")[0], newest.filter(status="PROCESSING")[0]
    sku = Sku.objects.get(job=ended, page__number=77)
    edition = Edition.objects.filter(job__merchant__name=MERCHANT).order_by("-pk")[0].job
    hook = WebhookEndpoint.objects.get(url=million.RECEIVER)
    jobs = {"edition": edition.uuid, "ended": ended.uuid, "waiting": waiting.uuid, "running": running.uuid}
    return {**jobs, "hook": hook.uuid, "sku": sku.sku_id, "merchant": ended.merchant_id}


def signed_in(role: str) -> Client:
    """Somebody of that role who works for MERCHANT; an admin sees the documents of all."""
    user, _ = User.objects.get_or_create(username=f"bench {role}", defaults={"role": role, "language": "en"})
    user.merchants.set(Merchant.objects.filter(name=MERCHANT))
    client = Client(headers={"host": "localhost"})
    client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    return client


def measure_web() -> dict[str, Any]:
    """Raises ValueError where the database is not empty."""
    began_s = time.monotonic()
    rows = million.fill()
    filled_s = time.monotonic() - began_s
    gc.collect()
    gc.freeze()  # what filling has left behind: no web process carries that
    named, client = places(), signed_in(Role.ADMIN)
    pages = {name: _page(client, address.format(**named)) for name, address in ADDRESSES.items()}
    slowest = max(pages, key=lambda name: pages[name]["p95_ms"])
    return {
        "rows": rows,
        "filled_s": round(filled_s, 1),
        "slowest": slowest,
        "slowest_p95_ms": pages[slowest]["p95_ms"],
        "most_queries": max(page["queries"] for page in pages.values()),
        "pages": pages,
    }


def _page(client: Client, address: str) -> dict[str, Any]:
    for _ in range(WARM_UPS):
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(address)
        if answer.status_code != 200:
            raise ValueError(f"{address}: {answer.status_code}")
        asked = len(queries)  # the log is emptied by the next request
    taken_ms = [_taken_ms(client, address) for _ in range(TURNS)]
    return {
        "queries": asked,
        "bytes": len(answer.content),
        "p50_ms": round(statistics.median(taken_ms), 1),
        "p95_ms": percentile(taken_ms, 95),
    }


def _taken_ms(client: Client, address: str) -> float:
    began_s = time.perf_counter()
    client.get(address)
    return (time.perf_counter() - began_s) * 1000


def percentile(values: list[float], share: int) -> float:
    """The smallest value that ``share`` percent of them do not exceed."""
    return round(sorted(values)[math.ceil(len(values) * share / 100) - 1], 1)
