"""The audit: do states still follow from what they are functions of, and do the invariants hold.

All rows are gone through, the newest first, in turns of bounded length; where a turn ends, the next one goes on. What
was found is looked at again each time, so that it is told until it is mended and no longer.
"""

import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from annotation.tasks.models import AuditPass
from annotation.tasks.services.settle import FOLLOWS_IMPORTS, newest_states
from annotation.tasks.settling import import_state
from catalogsku.core import clock
from ingestion.lifecycle import SETTLED, ImportState, JobStage, PageStage, Route
from ingestion.models import Job, Page
from ingestion.services.settle import status_of
from processing.imports.lifecycle import IN_FLIGHT
from processing.imports.models import ImportRecord
from processing.products.completeness import attribute_keys
from processing.products.models import Image, Sku

# So many of the newest rows every night, and in the command; so many in one bite of a pass; so many ids are kept.
NEWEST, AT_ONCE, FOUND_KEPT = 2000, 500, 1000
# A pass that has gone through all begins anew after so long.
PASS_EVERY = timedelta(hours=20)


@dataclass(frozen=True)
class Check:
    """``rows``: those that it is about; ``wrong``: of these ids, those that break the rule now."""

    rows: Callable[[], "QuerySet[Any]"]
    wrong: Callable[[Collection[int]], list[int]]


def audit() -> dict[str, int]:
    """Counts of what does not hold, by name; all zero in a healthy database. Looks at the newest 2000 of each, and at
    whatever was found before."""
    return {name: _look(name, check, list(_ids(check, None, NEWEST))) for name, check in CHECKS.items()}


def audit_further(within_s: float) -> dict[str, int]:
    """One turn through all rows: how many were looked at, how many do not hold, and how many checks have been through
    all of them within a day. Safe with several at once: they look at the same rows."""
    looked_at, ends_at = 0, time.monotonic()
    for name, check in CHECKS.items():
        ends_at = max(ends_at, time.monotonic()) + within_s / len(CHECKS)  # what one leaves over the next may use
        looked_at += _go_on(name, check, ends_at)
    passes = AuditPass.objects.filter(name__in=CHECKS)
    return {
        "looked_at": looked_at,
        "found": sum(len(found) for found in passes.values_list("found", flat=True)),
        "through": passes.filter(whole_at__gt=clock.now() - timedelta(days=1)).count(),
    }


def audit_all() -> dict[str, int]:
    """Every row of every check, now; counts as of ``audit``."""
    for name, check in CHECKS.items():
        AuditPass.objects.update_or_create(name=name, defaults={"position": None, "whole_at": None})
        _go_on(name, check, float("inf"))
    return {name: len(found) for name, found in AuditPass.objects.filter(name__in=CHECKS).values_list("name", "found")}


def _go_on(name: str, check: Check, ends_at: float) -> int:
    """From where the pass stands, until the end of time or of rows; how many rows."""
    state, _ = AuditPass.objects.get_or_create(name=name)
    row, looked_at = AuditPass.objects.filter(pk=state.pk), 0
    _look(name, check, [])
    if state.position is None:
        if state.whole_at and state.whole_at > clock.now() - PASS_EVERY:
            return 0
        row.update(began_at=Now(), looked_at=0)
        state.looked_at = 0
    while bite := list(_ids(check, state.position, AT_ONCE)):
        _look(name, check, bite)
        looked_at, state.position = looked_at + len(bite), bite[-1]
        row.update(position=state.position, looked_at=state.looked_at + looked_at)
        if time.monotonic() > ends_at:
            return looked_at
    row.update(position=None, whole_at=Now())
    return looked_at


def _ids(check: Check, below: int | None, most: int) -> Iterator[int]:
    rows = check.rows() if below is None else check.rows().filter(pk__lt=below)
    yield from rows.order_by("-pk").values_list("pk", flat=True)[:most]


def _look(name: str, check: Check, ids: Collection[int]) -> int:
    """At these, and at those that were found before; how many break the rule. What moved in the midst of the look is
    looked at once more."""
    state, _ = AuditPass.objects.get_or_create(name=name)
    suspects = {*ids, *state.found}
    wrong = check.wrong(sorted(check.wrong(sorted(suspects)))) if suspects else []
    if sorted(wrong) != sorted(state.found):
        AuditPass.objects.filter(pk=state.pk).update(found=sorted(wrong)[-FOUND_KEPT:])
    return len(wrong)


# --- the checks ----------------------------------------------------------------------------------


def _settled_jobs() -> "QuerySet[Job]":
    return Job.objects.filter(status__in=SETTLED, stage=JobStage.NONE)


def _jobs_against_pages(ids: Collection[int]) -> list[int]:
    return [job.pk for job in _settled_jobs().filter(pk__in=ids) if job.status != status_of(job)]


def _settled_pages() -> "QuerySet[Page]":
    done = Page.objects.filter(status__in=FOLLOWS_IMPORTS, stage=PageStage.NONE)
    return done.exclude(import_state__in=(ImportState.NONE, ImportState.STALE))


def _pages_against_imports(ids: Collection[int]) -> list[int]:
    pages = dict(_settled_pages().filter(pk__in=ids).values_list("pk", "import_state"))
    states = newest_states(list(pages))
    return [pk for pk, state in pages.items() if state != import_state(states.get(pk, []))]


def _pictures_in_search() -> "QuerySet[Image]":
    return Image.objects.filter(search_eligible=True)


def _skus_without_keys(ids: Collection[int]) -> list[int]:
    wanted: dict[int, set[str]] = {}
    wrong = []
    for sku in Sku.objects.filter(pk__in=ids).select_related("job__schema"):
        if sku.job_id not in wanted:
            wanted[sku.job_id] = set(attribute_keys(sku.job))
        if wanted[sku.job_id] - set(sku.attributes):
            wrong.append(sku.pk)
    return wrong


def _flights() -> "QuerySet[ImportRecord]":
    return ImportRecord.objects.filter(state__in=IN_FLIGHT)


def _those(rows: Callable[[], "QuerySet[Any]"], condition: Q) -> Check:
    """A rule that one statement can tell."""
    return Check(rows, lambda ids: list(rows().filter(condition, pk__in=ids).values_list("pk", flat=True)))


_ROUTE_WITHOUT_REASON = Q(route=Route.AUTO, degrade_reason__isnull=False) | Q(
    route=Route.HUMAN_ALL, degrade_reason__isnull=True
)

CHECKS: dict[str, Check] = {
    "jobs_against_pages": Check(_settled_jobs, _jobs_against_pages),
    "pages_against_imports": Check(_settled_pages, _pages_against_imports),
    "inv_03": _those(_pictures_in_search, Q(short_edge__lt=640)),
    "inv_11": _those(Job.objects.all, _ROUTE_WITHOUT_REASON),
    "inv_12": Check(Sku.objects.all, _skus_without_keys),
    "stale_flights": _those(_flights, Q(job__status="FULL_IMPORTED")),
}
