"""Pages of shadows as rows: chosen when a page is recorded, begun at most once, ended with what differs (X-SHADOW).

A shadow has one page in hand at a time, so that it takes one thread of a unit at most, and begins none once it has
spent its limit of the day: it can go over it by the calls of one page.
"""

from collections.abc import Sequence
from datetime import timedelta

import msgspec
from django.db import transaction
from django.db.models import Sum
from django.db.models.functions import Now, TruncDate
from django.utils.timezone import get_default_timezone

from catalogsku.core import messages, metrics
from catalogsku.core.structs import ready
from catalogsku.profiles.trials import is_in_share
from ingestion.lifecycle import Route
from ingestion.models import Job
from processing.engine.quality.shadow import PageProducts, difference, products_of
from processing.engine.result import PageResult
from processing.llm import money
from processing.shadows.models import Shadow, ShadowPage

# Above the time limit of the actors: whoever had the page is dead.
IN_HAND = timedelta(minutes=25)
FORGOTTEN = timedelta(days=1)
# Shadows leave so much of the real budgets to documents.
KEPT_FOR_DOCUMENTS = 0.5


class Seen(msgspec.Struct, frozen=True):
    """What a shadow found; times in milliseconds, costs in micro-USD, ``own_``: of the result beside it."""

    products: PageProducts
    before: PageProducts | None = None
    cost_micro: int = 0
    own_cost_micro: int = 0
    ms: int = 0
    own_ms: int = 0


def choose_pages(job: Job, results: Sequence[tuple[int, int, PageResult]]) -> None:
    """(page id, number, result) of pages that were just recorded; those in a running shadow's share will be looked at.

    By the file and not by the job: the same page is in the share or not, whenever it comes.
    """
    if job.route == Route.HUMAN_ALL:
        return
    rows = [
        ShadowPage(shadow=shadow, job=job, page_id=page_id, before=msgspec.to_builtins(products_of(result)))
        for shadow in Shadow.objects.filter(running=True)
        for page_id, number, result in results
        if is_in_share(f"shadow {shadow.pk}", f"{job.file_sha256}/{number}", shadow.share)
    ]
    ShadowPage.objects.bulk_create(rows, ignore_conflicts=True)


def send_waiting() -> dict[str, int]:
    """The sweep: the next page of each running shadow that has none in hand. What has waited for a day is forgotten."""
    waiting = ShadowPage.objects.filter(begun_at=None)
    forgotten, _ = waiting.filter(created_at__lt=Now() - FORGOTTEN).delete()
    sent = sum(map(send_next, Shadow.objects.filter(running=True)))
    return {"sent": sent, "forgotten": forgotten}


def send_next(shadow: Shadow) -> bool:
    """The message goes to the unit whose work it is."""
    row = ShadowPage.objects.filter(shadow=shadow, begun_at=None).order_by("pk").first()
    if row is None or _is_in_hand(shadow) or (not shadow.reader and spent_today(shadow) >= shadow.limit_micro):
        return False
    return messages.send("shadow_reader" if shadow.reader else "shadow_models", row.pk)


def _is_in_hand(shadow: Shadow) -> bool:
    return ShadowPage.objects.filter(shadow=shadow, ended_at=None, begun_at__gte=Now() - IN_HAND).exists()


def spent_today(shadow: Shadow) -> int:
    """Micro-USD, by the day of the budgets."""
    rows = ShadowPage.objects.filter(shadow=shadow, ended_at__gte=Now() - timedelta(days=1))
    of_today = rows.annotate(day=TruncDate("ended_at", tzinfo=get_default_timezone())).filter(day=money.today())
    spent: int = of_today.aggregate(micro=Sum("paid_micro"))["micro"] or 0
    return spent


def begin(pk: int) -> ShadowPage | None:
    """The row, this process's alone; None where it was begun, its shadow was stopped or has another page in hand."""
    with transaction.atomic():
        row = ShadowPage.objects.select_related("shadow").filter(pk=pk, begun_at=None).first()
        if row is None:
            return None
        shadow = Shadow.objects.select_for_update().filter(pk=row.shadow_id, running=True).first()
        if shadow is None or _is_in_hand(shadow):
            return None
        mine = ShadowPage.objects.filter(pk=pk, begun_at=None).update(begun_at=Now())
    rows = ShadowPage.objects.select_related(
        "shadow__prompt", "shadow__model", "page__job__profile", "page__job__schema", "page__job__routing"
    )
    return rows.get(pk=pk) if mine else None


def has_room(row: ShadowPage) -> bool:
    """Whether documents would have enough left of today's budgets."""
    today = money.today()
    budgets = (money.spent(row.page.job.merchant_id, today), money.spent(None, today))
    return all(spent.left_micro >= KEPT_FOR_DOCUMENTS * spent.limit_micro for spent in budgets)


def end_seen(row: ShadowPage, seen: Seen, paid_micro: int) -> None:
    before = seen.before or msgspec.convert(row.before, ready(PageProducts))
    differences = difference(before, seen.products)
    metrics.SHADOW_PAGES.labels(row.shadow_id, "same" if differences.is_none else "different").inc()
    ShadowPage.objects.filter(pk=row.pk).update(
        difference=msgspec.to_builtins(differences),
        skus_before=len(before.products),
        skus_after=len(seen.products.products),
        gained=len(differences.gained),
        lost=len(differences.lost),
        changed=len(differences.changed),
        paid_micro=paid_micro,
        cost_micro=seen.cost_micro,
        own_cost_micro=seen.own_cost_micro,
        ms=seen.ms,
        own_ms=seen.own_ms,
        ended_at=Now(),
    )


def end_without(row: ShadowPage, code: str, paid_micro: int = 0) -> None:
    """Nothing to compare, for this reason."""
    metrics.SHADOW_PAGES.labels(row.shadow_id, "unseen").inc()
    ShadowPage.objects.filter(pk=row.pk).update(code=code[:60], paid_micro=paid_micro, ended_at=Now())
