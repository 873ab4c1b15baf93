"""Pages that machines passed over as without products are checked on the least certain ones of each document.

See `catalogsku.core.acceptance` for how many, and why a page's own confidence is not enough.
"""

from typing import Any

from django.db.models import Count, Exists, OuterRef, Q

from catalogsku.core import messages, metrics
from catalogsku.core.acceptance import SKIP_DOUBTFUL, Claims, checks_due
from catalogsku.core.models import Transition
from catalogsku.core.moves import move
from catalogsku.profiles.figures import CLASSIFICATION, completed
from ingestion.lifecycle import PAGE, PAGES_WITH_PEOPLE, PageStatus, SkipReason
from ingestion.models import Job, Page

_DOUBTED = Transition.objects.filter(entity="page", entity_id=OuterRef("pk"), trigger="doubted")
# Machines have looked at it and found nothing; also where a model, not the rules, said so of a page that was checked.
_FOUND_NONE = Q(carried=False) & (Q(extraction_method="") & ~Q(page_type="") | Exists(_DOUBTED))
_LOOKED_AT = _FOUND_NONE & (Q(status=PageStatus.HUMAN_COMPLETED) | Q(skip_reason=SkipReason.PERSON))
# A check that nobody came to in time is none, and no reason for the next one.
_WAITS = _FOUND_NONE & (Q(status__in=PAGES_WITH_PEOPLE) | Q(skip_reason=SkipReason.SLA))


def doubt_skips(job: Job) -> int:
    """Give people the skipped pages that are due to be checked; how many. The caller holds the job's row.

    A page that was carried over was decided in its edition; what people said of a page is in no doubt.
    """
    figures = completed(job.profile.classification, CLASSIFICATION)
    pages = Page.objects.filter(job=job)
    passed_over = Q(status=PageStatus.SKIPPED, skip_reason=SkipReason.NO_PRODUCT, carried=False, type_confidence__lt=1)
    doubtful = passed_over & Q(confidence__lt=figures["skip_doubtful_below"])
    counts = pages.aggregate(
        confirmed=Count("pk", filter=_LOOKED_AT & Q(sku_count=0)),
        refuted=Count("pk", filter=_LOOKED_AT & Q(sku_count__gt=0)),
        waiting=Count("pk", filter=_WAITS),
        doubtful=Count("pk", filter=doubtful),
    )
    due = checks_due(Claims(**counts), int(figures["skips_checked"]))
    if not due:
        return 0
    ids = list(pages.filter(doubtful).order_by("confidence", "number").values_list("pk", flat=True)[:due])
    reason: dict[str, Any] = {"code": SKIP_DOUBTFUL, "params": {}}
    moved = move(
        PAGE,
        Page.objects.filter(pk__in=ids),
        to=PageStatus.HUMAN_QUEUED,
        trigger="doubted",
        reason=reason,
        changes={"skip_reason": "", "blockers": [reason], "needs_review": True},
    )
    if moved:
        messages.send_after_commit("settle_pages", [row.id for row in moved])  # opens their tasks
        metrics.after_commit(metrics.BLOCKERS, len(moved), code=SKIP_DOUBTFUL)
    return len(moved)
