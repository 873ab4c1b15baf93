"""What words would change, on pages that are stored: nothing is read again, no model is asked, nothing is kept."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from catalogsku.core.structs import ready
from catalogsku.profiles.models import MerchantDictionary
from catalogsku.profiles.services import categories_above, dictionaries_for, words_in
from ingestion.models import Job, Page
from ingestion.stages import LOOK_BACK_PAGES
from processing.engine.quality.shadow import Difference, PageProducts, difference, products_of
from processing.engine.result import PageResult
from processing.pages.services import analyst, consulting
from processing.pages.services.reading import kept_pages
from processing.sandboxed import frozen

PAGES_MOST, PAGES_AT_ONCE = 50, 10


@dataclass(frozen=True)
class TriedPage:
    number: int
    before: PageProducts
    after: PageProducts
    difference: Difference


@dataclass(frozen=True)
class Tried:
    """``pages``: those that were understood both ways. ``unread``: numbers that are not stored, or failed. ``holds``:
    whether the words would hold for a document of this category at all."""

    pages: list[TriedPage] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)
    holds: bool = True

    @property
    def changed(self) -> list[TriedPage]:
        return [page for page in self.pages if not page.difference.is_none]

    @property
    def counts(self) -> dict[str, int]:
        """Pages, pages that change, products before and after, values that change."""
        return {
            "pages": len(self.pages),
            "changed_pages": len(self.changed),
            "products_before": sum(len(page.before.products) for page in self.pages),
            "products_after": sum(len(page.after.products) for page in self.pages),
            "gained": sum(len(page.difference.gained) for page in self.pages),
            "lost": sum(len(page.difference.lost) for page in self.pages),
            "changed": sum(len(page.difference.changed) for page in self.pages),
        }


def numbers_to_try(job: Job, given: Sequence[int] = (), most: int = PAGES_AT_ONCE) -> list[int]:
    """Those named, else the first pages that were read."""
    pages = Page.objects.filter(job=job).order_by("number").values_list("number", flat=True)
    return list((pages.filter(number__in=given) if given else pages)[:most])


def try_words(draft: MerchantDictionary, job: Job, numbers: Sequence[int]) -> Tried:
    """By the rules alone, with the words that hold for new documents now and with the draft among them.

    ``draft``: of the document's merchant, checked; ``numbers``: at most PAGES_MOST.
    """
    if draft.merchant_id != job.merchant_id:
        raise ValueError("words of one merchant are not tried on documents of another")
    wanted = sorted(set(numbers))[:PAGES_MOST]
    contents = kept_pages(job, sorted({m for n in wanted for m in range(max(1, n - LOOK_BACK_PAGES), n + 1)}))
    read = [number for number in wanted if number in contents]
    active = dictionaries_for(job.merchant_id, job.category)
    holds = draft.category in ("", *categories_above(job.category))
    now, then = words_in(active), words_in(active, draft) if holds else words_in(active)
    evidence = consulting.evidence_of(job, contents)
    results = []
    for words in (now, then):
        config = frozen.jsonable(frozen.analyst_config(job, words))
        found, _outcome = analyst.understand(read, evidence.pages, evidence.facts, config) if read else ({}, None)
        results.append({n: products_of(msgspec.json.decode(raw, type=ready(PageResult))) for n, raw in found.items()})
    before, after = results
    pages = [
        TriedPage(n, before[n], after[n], difference(before[n], after[n])) for n in read if n in before and n in after
    ]
    return Tried(pages, [n for n in wanted if n not in {page.number for page in pages}], holds)


def told(tried: Tried) -> dict[str, Any]:
    """For programs: counts, and each page that would change."""
    pages = [
        {
            "page": page.number,
            "before": list(page.before.products),
            "after": list(page.after.products),
            "gained": list(page.difference.gained),
            "lost": list(page.difference.lost),
            "changed": [msgspec.to_builtins(value) for value in page.difference.changed],
        }
        for page in tried.changed
    ]
    return {**tried.counts, "holds": tried.holds, "unread": tried.unread, "pages_changed": pages}
