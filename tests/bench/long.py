"""A document of 2000 pages: when its first SKUs are there, what memory it takes, whether a small one gets its turn."""

import time
from pathlib import Path
from typing import Any

from ingestion.models import Job, Page
from processing.products.models import Sku
from tests.bench.job import job_figures
from tests.bench.memory import Memory
from tests.bench.product import Product, has_ended, pages_done

SMALL_AFTER_PAGES = 100


def measure_long(product: Product, file: Path, small: Path, timeout_s: float) -> dict[str, Any]:
    """``small`` is sent once 100 pages of ``file`` are done."""
    job, memory, times = product.submit(file), Memory(), _Times()

    def look() -> None:
        done = pages_done(job)
        memory.look(product.supervisor.pids(), done)
        times.look(job, done, lambda: product.submit(small))

    product.follow(job, timeout_s, look)
    return {**job_figures(job), **times.report(), "memory": memory.verdict() | {"by_process": memory.report()}}


class _Times:
    def __init__(self) -> None:
        self.began_s = time.monotonic()
        self.first_skus_s: float | None = None
        self.first_page_s: float | None = None
        self.small: Job | None = None
        self.small_sent_s = 0.0
        self.small_job_s: float | None = None
        self.pages_at_small_end = 0

    def look(self, job: Job, done: int, send_small: Any) -> None:
        now_s = time.monotonic() - self.began_s
        if self.first_skus_s is None and Sku.objects.filter(job=job).exists():
            self.first_skus_s = now_s
        if self.first_page_s is None and Page.objects.filter(job=job, finished_at__isnull=False).exists():
            self.first_page_s = now_s
        if self.small is None and done >= SMALL_AFTER_PAGES:
            self.small, self.small_sent_s = send_small(), now_s
        elif self.small is not None and self.small_job_s is None and has_ended(self.small):
            self.small_job_s, self.pages_at_small_end = now_s - self.small_sent_s, done

    def report(self) -> dict[str, Any]:
        found = {"first_page_s": self.first_page_s, "first_skus_s": self.first_skus_s, "small_job_s": self.small_job_s}
        return {
            **{name: round(value, 1) for name, value in found.items() if value is not None},
            "pages_done_when_the_small_job_ended": self.pages_at_small_end,
        }
