"""Documents' pages counted by what they are shown as, and how fast they get on: one query, however many."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import BooleanField, Case, Count, F, FloatField, Q, QuerySet, Sum, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Least

from catalogsku.core import clock
from catalogsku.core.prepared import Prepared, parameter
from ingestion.kinds import KINDS
from ingestion.lifecycle import SETTLED, JobStage, JobStatus, ModelsState
from ingestion.models import Job, Page
from ingestion.presentation import Groups
from ingestion.settling import tally

# Over how long a document's pace is measured.
RATE_WINDOW_S = 120


def claimed() -> Case:
    return Case(When(worker__isnull=False, then=Value(True)), default=Value(False), output_field=BooleanField())


def counted_pages(ids: Sequence[int]) -> "QuerySet[Page, Mapping[str, Any]]":
    """Pages, SKUs and deliveries of these jobs by all that decides what a page is shown as."""
    return _counted(Page.objects.filter(job__in=ids), _lately())


def _lately() -> datetime:
    return clock.now() - timedelta(seconds=RATE_WINDOW_S)


def _counted(pages: "QuerySet[Page]", lately: datetime | Combinable) -> "QuerySet[Page, Mapping[str, Any]]":
    return (
        pages.order_by()
        .values("job", "status", "import_state", "skip_reason", "stage", claimed=claimed())
        .annotate(
            pages=Count("pk"),
            skus=Sum("sku_count"),  # type: ignore[no-redef]  # of these rows: a page's own stays
            delivered=Sum("delivered_count"),
            versions=Sum("version"),
            sent=Sum(_share_sent()),
            bare=Count("pk", filter=Q(sku_count=0)),
            lately=Count("pk", filter=Q(finished_at__gte=lately)),
        )
    )


def _share_sent() -> Case:
    """Of a page's SKUs, how many are delivered, 0 to 1: unlike the document's it never falls as more is found."""
    share = Least(F("delivered_count") * 1.0 / F("sku_count"), 1.0)
    return Case(When(sku_count__gt=0, then=share), default=0.0, output_field=FloatField())


_COLUMNS = (
    "status", "import_state", "skip_reason", "stage", "claimed",
    "pages", "skus", "delivered", "versions", "sent", "bare", "lately",
)  # fmt: skip
_OF_ONE = Prepared(
    lambda: _counted(Page.objects.filter(job_id=parameter("job")), parameter("lately")).values_list(*_COLUMNS)
)


def groups_of(job: Job) -> Groups:
    """As whoever watches a document is told with each change of it."""
    groups = Groups(by_pages=KINDS[job.kind].by_pages)
    for values in _OF_ONE.rows(job=job.pk, lately=_lately()):
        row = dict(zip(_COLUMNS, values, strict=True))
        groups.add(
            row | {"versions": int(row["versions"] or 0), "sent": float(row["sent"] or 0)}
        )  # they come as numeric
    return groups


def groups_of_jobs(jobs: Sequence[Job]) -> dict[int, Groups]:
    """By job, with one query for all of them."""
    by_job = {job.pk: Groups(by_pages=KINDS[job.kind].by_pages) for job in jobs}
    for row in counted_pages(list(by_job)):
        by_job[row["job"]].add(row)
    return by_job


def took(job: Job, groups: Groups) -> tuple[float, float] | None:
    """(pages a second, seconds) from the upload until machines and people had done with it, or machines as far as they
    can; None while machines go on, and where it came to nothing."""
    ended = job.finished_at or job.progressed_at
    if not groups.total or tally(groups.census).machines or ended is None or job.status not in SETTLED:
        return None
    seconds = (ended - job.created_at).total_seconds()
    return (groups.total / seconds, seconds) if seconds > 0 else None


def pace(job: Job, groups: Groups) -> tuple[float, float] | None:
    """(pages understood a second over the last two minutes, seconds that the rest takes at that rate); None unknown,
    as long as pages wait for a batch or a person's word."""
    if groups.batched or job.models_state == ModelsState.ASKING:
        return None
    left = groups.counts["queued"] + groups.counts["reading"]
    if job.status not in (JobStatus.PROCESSING, JobStatus.DEGRADED_HUMAN, JobStatus.EVALUATING) or not left:
        return None
    now = clock.now()
    is_evaluated = JobStage.EVALUATE in KINDS[job.kind].stages
    since = job.evaluated_at if is_evaluated else job.checked_at  # from then on its pages are worked on
    begun = max(since or now, now - timedelta(seconds=RATE_WINDOW_S))
    seconds = (now - begun).total_seconds()
    if seconds < 1 or not groups.lately:
        return None
    return groups.lately / seconds, left * seconds / groups.lately
