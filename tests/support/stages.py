"""A document through all stages of machines in the test's own process, as their units would run them."""

from pathlib import Path
from typing import Any

import pytest

from ingestion.models import Job, Page
from ingestion.services.receiving import submit_file
from processing.pages.services import checking, evaluating, reading, understanding
from tests.support.catalogues.small import tables_pdf
from tests.support.people import People
from tests.support.rows import make_worker

HEAD = ["型号", "品名", "材质", "价格(元)"]


def sheet(name: str, price: str = "100.00") -> list[list[str]]:
    """Three products under a head."""
    return [HEAD, *([f"{name}-{n}0", f"{name} 餐椅", "橡木", price] for n in range(1, 4))]


def as_worker(monkeypatch: pytest.MonkeyPatch, *more: Any) -> None:
    """The stages, and the modules ``more``, ask for the worker that they run in."""
    row = make_worker("cpu")
    for module in (checking, evaluating, reading, understanding, *more):
        monkeypatch.setattr(module, "current_worker", lambda: row)


def process(people: People, path: Path, sheets: list[list[list[str]]], key: str = "") -> Job:
    """A page a sheet; the file is written where it is not there."""
    if not path.exists():
        path.write_bytes(tables_pdf(sheets, header_rows=1))
    job = submit_file(None, people.merchant.pk, path, key=key or path.name)
    checking.inspect_job(job.pk)
    checking.prescan_job(job.pk)
    take(job, "READ", reading.read_pages, sampled=True)
    evaluating.evaluate_job(job.pk)
    take(job, "READ", reading.read_pages)
    take(job, "UNDERSTAND_RULES", understanding.understand_pages)
    return Job.objects.get(pk=job.pk)


def take(job: Job, stage: str, work: Any, **which: Any) -> None:
    rows = Page.objects.filter(job=job, stage=stage, **which)
    if ids := list(rows.order_by("number").values_list("pk", flat=True)):
        work(ids)
