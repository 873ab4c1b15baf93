"""Builders of jobs, pages and what is on them, in whatever state a test needs; no service is involved."""

import hashlib
import threading
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any, TypeVar

from django.db import connection

from catalogsku.accounts.models import Merchant
from catalogsku.core.models import Worker
from catalogsku.profiles.services import profile_for, routing_now, schema_for
from ingestion.lifecycle import PageStage
from ingestion.models import Job, Page
from processing.engine.result import BASE_KEYS
from processing.models import Image, Sku
from processing.products.lifecycle import SkuStatus

T = TypeVar("T")
_serial = count(1)


def make_job(merchant: Merchant, status: str = "PROCESSING", **columns: Any) -> Job:
    number = next(_serial)
    sha256 = columns.pop("file_sha256", hashlib.sha256(f"file {number}".encode()).hexdigest())
    if columns.get("route") == "HUMAN_ALL":
        columns.setdefault("degrade_reason", "low_c_doc")
    return Job.objects.create(
        merchant=merchant,
        status=status,
        idempotency_key=f"key-{number}",
        source_name=f"catalogue {number}.pdf",
        source_key=f"m{merchant.pk}/{sha256}.pdf",
        source_bytes=1000,
        file_sha256=sha256,
        profile=columns.pop("profile", None) or profile_for(""),
        schema=columns.pop("schema", None) or schema_for(""),
        routing=columns.pop("routing", None) or routing_now(),
        **{"stage": "NONE", "hash8": sha256[:8], "route": "AUTO", **columns},
    )


def make_pages(job: Job, numbers: Iterable[int], status: str = "AI_QUEUED", **columns: Any) -> list[Page]:
    """``columns`` may be callables of the page number."""
    pages = [
        Page(
            job=job,
            number=n,
            status=status,
            **{name: value(n) if callable(value) else value for name, value in columns.items()},
        )
        for n in numbers
    ]
    return Page.objects.bulk_create(pages)


def make_page(job: Job, number: int = 1, status: str = "AI_QUEUED", **columns: Any) -> Page:
    return make_pages(job, [number], status, **columns)[0]


def make_worker(unit: str = "cpu", threads: int = 2, **columns: Any) -> Worker:
    number = next(_serial)
    return Worker.objects.create(unit=unit, host="here", machine="here", pid=number, threads=threads, **columns)


def make_sku(page: Page, sequence: int = 1, status: str = SkuStatus.BOUND, **columns: Any) -> Sku:
    attributes = {**dict.fromkeys(BASE_KEYS), "model": f"M-{sequence}", **columns.pop("attributes", {})}
    sku_id = columns.pop("sku_id", f"{page.job.hash8}_p{page.number:02d}_{sequence:03d}")
    defaults = {"validity": "full", "confidence": 0.9, "box": [0, 0, 10, 10], "attributes": attributes}
    return Sku.objects.create(job=page.job, page=page, sku_id=sku_id, status=status, **{**defaults, **columns})


def make_image(page: Page, sequence: int = 1, **columns: Any) -> Image:
    defaults = {
        "picture": f"P{sequence}", "status": "DELIVERABLE", "role": "PRODUCT_MAIN", "box": [0, 0, 100, 100],
        "width_px": 800, "height_px": 700, "short_edge": 700, "grade": "good", "content_hash": "a" * 64,
        "perceptual_hash": "0" * 16, "storage_key": f"pictures/{page.pk}-{sequence}.jpg",
    }  # fmt: skip
    image_id = f"img_{page.job.hash8}_{page.number:02d}_{sequence:03d}"
    return Image.objects.create(job=page.job, page=page, image_id=image_id, **{**defaults, **columns})


def waiting_pages(job: Job, numbers: Iterable[int], stage: str = PageStage.READ, **columns: Any) -> list[Page]:
    return make_pages(job, numbers, **{"status": "AI_QUEUED", "stage": stage, **columns})


def in_threads(calls: Iterable[Callable[[], T]], timeout_s: float = 60) -> list[T]:
    """Run all at once, each with a database connection of its own; the first error of any is raised here."""
    todo = list(calls)
    gate = threading.Barrier(len(todo))
    results: list[Any] = [None] * len(todo)
    errors: list[BaseException] = []

    def run(index: int, call: Callable[[], T]) -> None:
        try:
            gate.wait()
            results[index] = call()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(i, call), daemon=True) for i, call in enumerate(todo)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout_s)
    assert not any(thread.is_alive() for thread in threads), "a thread hangs"
    if errors:
        raise errors[0]
    return results
