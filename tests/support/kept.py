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
from tests.support import stages
from tests.support.people import People


def own_storage(settings: Any, folder: Path) -> None:
    """Nothing but the files of this test lies there."""
    settings.MEDIA_ROOT = str(folder)
    default = settings.STORAGES["default"]
    own = {**default, "OPTIONS": {**default["OPTIONS"], "location": str(folder)}}
    settings.STORAGES = {**settings.STORAGES, "default": own}


def process(people: People, path: Path, names: list[str], key: str = "") -> Job:
    """A page of products for each name, through all stages."""
    return stages.process(people, path, [stages.sheet(name) for name in names], key)


def ended(job: Job, days_ago: float) -> Job:
    Page.objects.filter(job=job).update(stage="NONE", status="HUMAN_COMPLETED")
    when = Now() - timedelta(days=days_ago)
    Job.objects.filter(pk=job.pk).update(status="FULL_IMPORTED", stage="NONE", worker=None, finished_at=when)
    return Job.objects.get(pk=job.pk)


def stored() -> set[str]:
    return set(storage.walk(""))


def screenshots(job: Job) -> set[str]:
    """The files of whole pages, small and large."""
    return {key for keys in job.pages.values_list("screenshot_key", "preview_key") for key in keys if key}


def long_installed() -> None:
    """The days that an update gives are over."""
    MigrationRecorder.Migration.objects.filter(app="ingestion", name="0005_keeping").update(applied="2020-01-01T00:00Z")


def at_work(monkeypatch: pytest.MonkeyPatch, settings: Any, folder: Path) -> None:
    """As a worker that has a storage of its own in ``folder``."""
    own_storage(settings, folder)
    long_installed()
    stages.as_worker(monkeypatch)


def open_task(job: Job, page: Page) -> HumanTask:
    return HumanTask.objects.create(job=job, page=page, type="PAGE_REVIEW", priority="NORMAL", reasons=[])
