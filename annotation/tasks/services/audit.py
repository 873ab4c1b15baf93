"""The nightly audit: do states still follow from what they are functions of, and do the invariants hold."""

from collections.abc import Callable
from typing import Any

from django.db.models import Q, QuerySet

from annotation.tasks.services.settle import FOLLOWS_IMPORTS, newest_states
from annotation.tasks.settling import import_state
from ingestion.lifecycle import SETTLED, ImportState, JobStage, PageStage, Route
from ingestion.models import Job, Page
from ingestion.services.settle import status_of
from processing.imports.lifecycle import IN_FLIGHT
from processing.imports.models import ImportRecord
from processing.products.completeness import attribute_keys
from processing.products.models import Image, Sku

LOOKED_AT = 2000


def audit() -> dict[str, Any]:
    """Counts of what does not hold, by name; all zero in a healthy database. Looks at the latest 2000 of each."""
    return {name: check() for name, check in CHECKS.items()}


def jobs_against_pages() -> int:
    return sum(job.status != status_of(job) for job in _settled_jobs())


def pages_against_imports() -> int:
    return sum(_differs(page) for page in _settled_pages())


def small_pictures_in_search() -> int:
    return Image.objects.filter(search_eligible=True, short_edge__lt=640).count()


def routes_against_reasons() -> int:
    without = Q(route=Route.AUTO, degrade_reason__isnull=False) | Q(route=Route.HUMAN_ALL, degrade_reason__isnull=True)
    return Job.objects.filter(without).count()


def skus_without_keys() -> int:
    return sum(_lacks_keys(sku) for sku in Sku.objects.order_by("-pk").select_related("job__schema")[:LOOKED_AT])


def stale_flights() -> int:
    return ImportRecord.objects.filter(state__in=IN_FLIGHT, job__status="FULL_IMPORTED").count()


CHECKS: dict[str, Callable[[], int]] = {
    "jobs_against_pages": jobs_against_pages,
    "pages_against_imports": pages_against_imports,
    "inv_03": small_pictures_in_search,
    "inv_11": routes_against_reasons,
    "inv_12": skus_without_keys,
    "stale_flights": stale_flights,
}


def _settled_jobs() -> "QuerySet[Job]":
    return Job.objects.filter(status__in=SETTLED, stage=JobStage.NONE).order_by("-pk")[:LOOKED_AT]


def _settled_pages() -> "QuerySet[Page]":
    done = Page.objects.filter(status__in=FOLLOWS_IMPORTS, stage=PageStage.NONE)
    return done.exclude(import_state__in=(ImportState.NONE, ImportState.STALE)).order_by("-pk")[:LOOKED_AT]


def _differs(page: Page) -> bool:
    return page.import_state != import_state(newest_states([page.pk]).get(page.pk, []))


def _lacks_keys(sku: Sku) -> bool:
    return set(attribute_keys(sku.job)) - set(sku.attributes) != set()
