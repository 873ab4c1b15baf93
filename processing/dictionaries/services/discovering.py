"""What a merchant's stored pages print again and again and no dictionary knows, offered for theirs (TA-DICT)."""

import time
from collections import Counter
from dataclasses import dataclass, field

from django.db.models import Count

from catalogsku.accounts.models import Merchant
from catalogsku.core.text import squash
from catalogsku.profiles.models import CategorySchema
from catalogsku.profiles.services import BASE_CATEGORY, categories_above, dictionaries_for, words_in
from ingestion.models import Job
from processing.engine.page import unpack_page
from processing.engine.understanding.unknown_labels import unknown_labels
from processing.pages.services.reading import kept_pages
from processing.sandboxed import frozen

DOCUMENTS_MOST, PAGES_MOST, PAGES_OF_ONE, MOST_S = 40, 400, 40, 4.0
PAGES_LEAST, SHOWN, SAMPLES = 2, 50, 3


@dataclass
class Unknown:
    """``pages`` and ``documents`` on which it is printed; ``samples``: values under or behind it."""

    names: Counter[str] = field(default_factory=Counter)
    pages: int = 0
    documents: set[int] = field(default_factory=set)
    samples: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """As it is printed most often."""
        return max(self.names, key=lambda name: (self.names[name], name))


@dataclass
class Discovery:
    """``labels``: on at least PAGES_LEAST pages, the most frequent first. ``categories``: that documents name and
    nobody has described, with how many documents. ``pages``: that were looked at."""

    labels: list[Unknown] = field(default_factory=list)
    categories: list[tuple[str, int]] = field(default_factory=list)
    pages: int = 0


def discover(merchant: Merchant, category: str = "") -> Discovery:
    """Of the newest documents, those of the category and of what is below it, within the bounds; known is what holds
    for new documents of the category. Nothing is kept."""
    found, unknown, until = Discovery(), dict[str, Unknown](), time.monotonic() + MOST_S
    words = words_in(dictionaries_for(merchant.pk, category))
    for job in _documents(merchant, category):
        config = frozen.analyst_config(job, words)
        contents = kept_pages(job, range(1, PAGES_OF_ONE + 1))
        for content in contents.values():
            if found.pages >= PAGES_MOST or time.monotonic() > until:
                break
            found.pages += 1
            for label, value in unknown_labels(unpack_page(bytes(content.data)), config).items():
                _count(unknown.setdefault(squash(label), Unknown()), label, value, job.pk)
    often = [entry for entry in unknown.values() if entry.pages >= PAGES_LEAST]
    found.labels = sorted(often, key=lambda entry: (-entry.pages, entry.name))[:SHOWN]
    found.categories = _categories(merchant)
    return found


def _count(entry: Unknown, label: str, value: str, job_id: int) -> None:
    entry.names[label] += 1
    entry.pages += 1
    entry.documents.add(job_id)
    if len(entry.samples) < SAMPLES and value not in entry.samples:
        entry.samples.append(value[:60])


def _documents(merchant: Merchant, category: str) -> list[Job]:
    """One of each file: the others have the same pages."""
    rows = Job.objects.filter(merchant=merchant, total_pages__gt=0).select_related("profile", "schema").order_by("-pk")
    if category:
        below = [key for key in _keys() if category in categories_above(key)]
        rows = rows.filter(category__in=below)
    by_file = {job.file_sha256: job for job in reversed(rows[: 2 * DOCUMENTS_MOST])}
    return sorted(by_file.values(), key=lambda job: -job.pk)[:DOCUMENTS_MOST]


def _keys() -> list[str]:
    return list(CategorySchema.objects.filter(active=True).values_list("key", flat=True))


def _categories(merchant: Merchant) -> list[tuple[str, int]]:
    rows = Job.objects.filter(merchant=merchant).exclude(category__in=["", BASE_CATEGORY, *_keys()])
    counted = rows.values_list("category").annotate(n=Count("pk")).order_by("-n", "category")
    return list(counted[:SHOWN])
