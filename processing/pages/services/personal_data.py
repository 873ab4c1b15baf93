"""Personal data in a merchant's documents: a person's number or address looked for, and pages counted anew (TA-PII)."""

import logging
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.crypto import salted_hmac

from catalogsku.accounts.models import Merchant
from catalogsku.core.personal_data import Sought, counted
from ingestion.models import Job, Page
from ingestion.personal_data import not_looked_at
from processing.engine.page import unpack_page
from processing.engine.personal_data import found_on, texts_of
from processing.pages.models import PageContent
from processing.pages.services.reading import kept_pages
from processing.sandboxed import frozen

log = logging.getLogger(__name__)

AT_ONCE = 200


@dataclass(frozen=True)
class Hits:
    """``pages``: numbers by document, newest first; ``searched``: how many pages were looked through; ``unsearched``:
    documents that were read, of which nothing is kept to look through. ``is_all``: that there were no more pages."""

    pages: dict[Job, list[int]]
    searched: int
    unsearched: list[Job]
    is_all: bool = True


def search(merchant: Merchant, said: str, by: str, most: int | None = None) -> Hits:
    """Look through what was read of the merchant's documents. Raises ValueError as ``Sought``. The log says that, and
    by whom, with a keyed hash of what was looked for. ``most``: for who waits for it; of the pages that show personal
    data, or at which nobody has looked, the newest ones."""
    sought = Sought(said)
    digest = salted_hmac("catalogsku.personal_data", said, algorithm="sha256").hexdigest()[:16]
    log.info("personal data looked for", extra={"merchant_id": merchant.pk, "by": by, "sought": digest})
    files, searched, known = defaultdict[str, list[int]](list), 0, set[str]()
    contents = _contents(merchant)
    if most is not None:
        contents = contents.filter(_may_show()).order_by("-pk")[: most + 1]
    for content in contents.iterator(AT_ONCE):
        if searched == most:
            return Hits(_documents(merchant, files), searched, [], is_all=False)
        searched += 1
        known.add(content.file_sha256)
        if sought.is_in(texts_of(unpack_page(bytes(content.data)))):
            files[content.file_sha256].append(content.number)
    hits = _documents(merchant, files)
    if most is not None:
        return Hits(hits, searched, [])
    jobs = Job.objects.filter(merchant=merchant).exclude(file_sha256__in=known).order_by("-pk")
    read = Page.objects.filter(job=OuterRef("pk")).exclude(reader="")
    return Hits(hits, searched, list(jobs.filter(Exists(read))))


def _documents(merchant: Merchant, files: Mapping[str, list[int]]) -> dict[Job, list[int]]:
    jobs = Job.objects.filter(merchant=merchant, file_sha256__in=files).order_by("-pk")
    return {job: sorted(files[job.file_sha256]) for job in jobs}


def _contents(merchant: Merchant) -> QuerySet[PageContent]:
    rows = PageContent.objects.filter(merchant=merchant, reading_key=frozen.reading_key())
    return rows.order_by("pk").only("file_sha256", "number", "data")


def _may_show() -> Exists:
    same = {"job__merchant": OuterRef("merchant"), "job__file_sha256": OuterRef("file_sha256")}
    return Exists(Page.objects.filter(**same, number=OuterRef("number")).exclude(personal_data={}))


def count_again(job: Job) -> int:
    """Look at its pages that were read before anybody did, where what was read is kept; how many."""
    numbers = list(not_looked_at(job).values_list("number", flat=True))
    contents = kept_pages(job, numbers)
    for number, content in contents.items():
        counts = counted(found_on(unpack_page(bytes(content.data))))
        Page.objects.filter(job=job, number=number, personal_data__isnull=True).update(personal_data=counts)
    return len(contents)
