"""What each step costs: a short document taken through its actors one after the other, in this process alone."""

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dramatiq
from django.core.management.base import CommandError
from django.db import connection

from catalogsku.accounts.models import Merchant
from catalogsku.core.messages import load_actors
from ingestion.kinds import CATALOGUE
from ingestion.lifecycle import JobStage, PageStage
from ingestion.models import Job, Page
from ingestion.services.receiving import submit_file
from processing.pages.services.taking_turns import DO
from tests.bench.storage import Storage, log_position

CHUNK = 8
SERVICES = {do.__name__: do for do in DO[CATALOGUE.key].values()}


class Step:
    """Seconds, seconds of them in the database, and statements of one kind of work."""

    def __init__(self) -> None:
        self.taken_s = self.database_s = 0.0
        self.statements = self.pages = self.log_bytes = 0

    @contextmanager
    def measured(self, pages: int) -> Iterator[None]:
        position, began_s = log_position(), time.perf_counter()
        with connection.execute_wrapper(self._count):
            yield
        self.taken_s += time.perf_counter() - began_s
        self.log_bytes += log_position() - position
        self.pages += pages

    def _count(self, execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        began_s = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.database_s += time.perf_counter() - began_s
            self.statements += 1

    def report(self) -> dict[str, float]:
        return {
            "ms_a_page": round(self.taken_s / self.pages * 1000, 2),
            "database_ms_a_page": round(self.database_s / self.pages * 1000, 2),
            "statements_a_page": round(self.statements / self.pages, 2),
            "log_bytes_a_page": round(self.log_bytes / self.pages),
        }


def measure_stages(file: Path) -> dict[str, Any]:
    """No worker may run meanwhile: it would take the work away. One thread, so cores do not add up."""
    load_actors()
    merchant = Merchant.objects.create(name=f"bench {uuid.uuid4()}")
    storage = Storage()
    job = submit_file(None, merchant.pk, file, key=f"bench-{uuid.uuid4()}")
    steps: dict[str, Step] = {}

    def take(name: str, argument: Any, pages: int) -> None:
        with steps.setdefault(name, Step()).measured(pages):
            do = SERVICES.get(name) or dramatiq.get_broker().get_actor(name).fn
            do(argument)

    for name, stage in (("inspect_job", JobStage.INSPECT), ("prescan_job", JobStage.PRESCAN)):
        while Job.objects.filter(pk=job.pk, stage=stage).exists():  # one turn may not do for all pages
            take(name, job.pk, 1)
    _read_until_evaluated(job, take)
    _chunks(job, PageStage.READ, "read_pages", take)
    _chunks(job, PageStage.UNDERSTAND_RULES, "understand_pages", take)
    done = list(Page.objects.filter(job=job, finished_at__isnull=False).order_by("number").values_list("pk", flat=True))
    _in_chunks(done, "deliver_pages", take)
    _in_chunks(done, "settle_pages", take)
    take("settle_job", job.pk, len(done))
    job.refresh_from_db()
    for name in ("inspect_job", "prescan_job", "evaluate_job"):  # once a document, shared out among its pages
        steps[name].pages = job.total_pages or 1
    log_bytes = sum(step.log_bytes for step in steps.values())
    return {
        "pages": len(done),
        "steps": {name: step.report() for name, step in steps.items()},
        "storage": {"log_bytes": round(log_bytes / len(done)), **storage.report(len(done))},
    }


def _read_until_evaluated(job: Job, take: Any) -> None:
    """The sampled pages are read first; then the document can be judged."""
    sampled = Page.objects.filter(job=job, sampled=True, stage=PageStage.READ).order_by("number")
    _in_chunks(list(sampled.values_list("pk", flat=True)), "read_pages", take)
    take("evaluate_job", job.pk, 1)
    job.refresh_from_db()
    if job.stage != JobStage.NONE:
        raise CommandError(f"The document was not evaluated: {job.status} {job.failure_code}")


def _chunks(job: Job, stage: str, name: str, take: Any) -> None:
    waiting = Page.objects.filter(job=job, stage=stage).order_by("number")
    _in_chunks(list(waiting.values_list("pk", flat=True)), name, take)
    if waiting.exists():
        raise CommandError(f"Pages were left behind by {name}")


def _in_chunks(ids: list[int], name: str, take: Any) -> None:
    for start in range(0, len(ids), CHUNK):
        chunk = ids[start : start + CHUNK]
        take(name, chunk, len(chunk))
