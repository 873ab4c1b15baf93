"""Documents that have gone through their stages, in a storage of their own, for tests of what is kept of them."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.functions import Now

from annotation.models import HumanTask
from catalogsku.core import storage
from ingestion.models import Job, Page
from ingestion.services.receiving import submit_file
from processing.pages.services import checking, evaluating, reading, understanding
from tests.support.catalogues.small import tables_pdf
from tests.support.people import People
from tests.support.rows import make_worker

HEAD = ["型号", "品名", "材质", "价格(元)"]


def own_storage(settings: Any, folder: Path) -> None:
    """Nothing but the files of this test lies there."""
    settings.MEDIA_ROOT = str(folder)
    default = settings.STORAGES["default"]
    own = {**default, "OPTIONS": {**default["OPTIONS"], "location": str(folder)}}
    settings.STORAGES = {**settings.STORAGES, "default": own}


def _sheet(name: str, price: str = "100.00") -> list[list[str]]:
    return [HEAD, *([f"{name}-{n}0", f"{name} 餐椅", "橡木", price] for n in range(1, 4))]


def process(people: People, path: Path, names: list[str], key: str = "") -> Job:
    """A document through all stages of machines, as their units would run them."""
    if not path.exists():
        path.write_bytes(tables_pdf([_sheet(name) for name in names], header_rows=1))
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


def ended(job: Job, days_ago: float) -> Job:
    Page.objects.filter(job=job).update(stage="NONE", status="HUMAN_COMPLETED")
    when = Now() - timedelta(days=days_ago)
    Job.objects.filter(pk=job.pk).update(status="FULL_IMPORTED", stage="NONE", worker=None, finished_at=when)
    return Job.objects.get(pk=job.pk)


def stored() -> set[str]:
    return set(storage.walk(""))


def screenshots(job: Job) -> set[str]:
    return set(job.pages.exclude(screenshot_key="").values_list("screenshot_key", flat=True))


def long_installed() -> None:
    """The days that an update gives are over."""
    MigrationRecorder.Migration.objects.filter(app="ingestion", name="0005_keeping").update(applied="2020-01-01T00:00Z")


def at_work(monkeypatch: pytest.MonkeyPatch, settings: Any, folder: Path) -> None:
    """As a worker that has a storage of its own in ``folder``."""
    own_storage(settings, folder)
    long_installed()
    row = make_worker("cpu")
    for module in (checking, evaluating, reading, understanding):
        monkeypatch.setattr(module, "current_worker", lambda: row)


def open_task(job: Job, page: Page) -> HumanTask:
    return HumanTask.objects.create(job=job, page=page, type="PAGE_REVIEW", priority="NORMAL", reasons=[])
