"""What is kept of a document for a time goes when that is over: its source, the pictures of its pages.

Whatever was found, understood and decided stays: page fingerprints, thumbnails, pictures of products, readings, rows
(TA-KEEP). Files go first and the note of it last, so that a round that is cut off is made good by the next one.
"""

import time
from collections.abc import Callable

from django.db import transaction
from django.db.models import Q, QuerySet

from catalogsku.core import storage
from ingestion.keeping import selectors
from ingestion.keeping.models import Emptied
from ingestion.keeping.policies import FORGET_PICTURES, Kind
from ingestion.models import Job, Page
from ingestion.services.jobs import locked_with_files

AT_ONCE = 50
COPY = "copy-"


def empty_documents(within_s: float) -> dict[str, int]:
    """Until nothing is over or so many seconds have passed; how many documents by kind. Safe at any time."""
    ends_at = time.monotonic() + within_s
    return {
        Kind.SOURCES: _empty(Kind.SOURCES, _empty_source, ends_at),
        Kind.PICTURES: _empty(Kind.PICTURES, _empty_pictures, ends_at),
    }


def _empty(kind: Kind, empty_one: Callable[[Job], int], ends_at: float) -> int:
    emptied = 0
    while time.monotonic() < ends_at and (
        ids := list(_due(kind).order_by("pk").values_list("pk", flat=True)[:AT_ONCE])
    ):
        for pk in ids:
            if time.monotonic() > ends_at:
                break
            emptied += _empty_one(kind, pk, empty_one)
    return emptied


def _due(kind: Kind) -> QuerySet[Job]:
    due = selectors.over(kind)
    return selectors.alone(due, kind) if kind == Kind.SOURCES else due


def _empty_one(kind: Kind, pk: int, empty_one: Callable[[Job], int]) -> bool:
    """Looked at once more under the lock that a new document of the same file takes."""
    with transaction.atomic():
        job = locked_with_files(pk)
        if job is None or not _due(kind).filter(pk=pk).exists():
            return False
        files = empty_one(job)
        Emptied.objects.get_or_create(job=job, kind=kind, defaults={"files": files})
    return True


def _empty_source(job: Job) -> int:
    folder = storage.file_prefix(job.merchant_id, job.file_sha256)
    names = [name for name in storage.names_in(folder) if name == "source.pdf" or name.startswith(COPY)]
    for name in names:
        storage.delete_file(f"{folder}/{name}")
    return len(names)


def _empty_pictures(job: Job) -> int:
    """Those of whole pages; a picture that another document's page still shows stays until that is over as well."""
    pages = Page.objects.filter(job=job).exclude(screenshot_key="", preview_key="")
    keys = _pictures_of(pages)
    pages.update(screenshot_key="", preview_key="", **Page.visible_change())
    gone = keys - _shown_elsewhere(job, keys)
    for forget in FORGET_PICTURES:
        forget(job, gone)
    for key in gone:
        storage.delete_file(key)
    return len(gone)


def _shown_elsewhere(job: Job, keys: set[str]) -> set[str]:
    shown = Q(screenshot_key__in=keys) | Q(preview_key__in=keys)
    return _pictures_of(Page.objects.filter(shown, job__merchant=job.merchant_id).exclude(job=job))


def _pictures_of(pages: QuerySet[Page]) -> set[str]:
    return {key for keys in pages.values_list("screenshot_key", "preview_key") for key in keys if key}
