"""settle_pages: a page's status and import state follow its tasks and its imports; nothing else moves it then."""

import logging
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Count, Q

from annotation.tasks.lifecycle import FREE, MOVES_THE_PAGE, TaskStatus
from annotation.tasks.models import HumanTask
from annotation.tasks.services.tasks import (
    is_about_refusal,
    lacks_tasks,
    open_task,
    pages_taken_back,
    pages_without_tasks,
    settle_import_tasks,
    supersede_tasks,
)
from annotation.tasks.settling import import_state, page_status
from catalogsku.core import crash_points
from catalogsku.core.moves import move
from ingestion.lifecycle import PAGE, PAGE_IMPORT, ImportState, JobStatus, PageStage, PageStatus, SkipReason
from ingestion.models import Page
from ingestion.services.pages import MACHINE_TROUBLE, set_tiles
from processing.editions.services.approving import unsent
from processing.imports.lifecycle import Delivery, ImportKind
from processing.imports.models import ImportRecord
from processing.products.lifecycle import SkuStatus
from processing.products.models import Sku

log = logging.getLogger(__name__)

TOGETHER = 50  # pages settled, and locked, in one transaction
FOLLOWS_IMPORTS = (
    PageStatus.AI_COMPLETED, PageStatus.HUMAN_QUEUED, PageStatus.HUMAN_PROCESSING, PageStatus.HUMAN_COMPLETED
)  # fmt: skip


def settle_pages(page_ids: Sequence[int]) -> None:
    """Open the tasks that are missing, then set the pages' states from their children. Rings the job.

    Where pages cannot be settled together each is settled alone: the one at fault stays as it is, for the sweep.
    """
    for at in range(0, len(page_ids), TOGETHER):
        together = page_ids[at : at + TOGETHER]
        try:
            _settle(together)
        except MACHINE_TROUBLE:
            raise
        except Exception:
            log.exception("pages not settled", extra={"pages": list(together)})
            if len(together) > 1:
                for page_id in together:
                    settle_pages([page_id])


@transaction.atomic
def _settle(page_ids: Sequence[int]) -> None:
    pages = list(Page.objects.select_for_update(no_key=True).filter(pk__in=page_ids).order_by("pk"))
    for page in pages:
        if page.status == PageStatus.AI_QUEUED:
            supersede_tasks(page.pk)
    pages = [page for page in pages if page.status in FOLLOWS_IMPORTS]
    if not pages:
        return
    for page in pages:
        if lacks_tasks(page):
            open_task(page)
    ids = [page.pk for page in pages]
    tasks, ledger = _work_tasks(ids), newest_states(ids)
    if _refusals_differ(tasks, ledger):
        settle_import_tasks(pages)
        tasks = _work_tasks(ids)
    wanted = {page.pk: page_status(page.status, [t.status for t in tasks.get(page.pk, ())]) for page in pages}
    _move(pages, wanted, {pk: why_skipped(of_page) for pk, of_page in tasks.items()})
    _move_imports(pages, {page.pk: import_state(ledger.get(page.pk, ())) for page in pages})
    _show(pages, tasks)
    crash_points.reached("settle.before_commit")


def _refusals_differ(tasks: dict[int, list[HumanTask]], ledger: dict[int, list[str]]) -> bool:
    """Whether an import was refused, or a task waits that was opened because one had been."""
    refused = any(Delivery.REFUSED in states for states in ledger.values())
    return refused or any(t.status in FREE and is_about_refusal(t) for of_page in tasks.values() for t in of_page)


def _work_tasks(page_ids: Sequence[int]) -> dict[int, list[HumanTask]]:
    rows = HumanTask.objects.filter(page__in=page_ids, purpose__in=MOVES_THE_PAGE)
    by_page: dict[int, list[HumanTask]] = {}
    for task in rows.order_by("pk").select_related("locked_by"):
        by_page.setdefault(task.page_id, []).append(task)
    return by_page


def _move(pages: Sequence[Page], wanted: dict[int, PageStatus], reasons: dict[int, SkipReason]) -> None:
    steps: dict[tuple[PageStatus, SkipReason | None], list[int]] = {}
    for page in pages:
        status = wanted[page.pk]
        reason = reasons[page.pk] if status == PageStatus.SKIPPED else None
        if status != page.status:
            steps.setdefault((status, reason), []).append(page.pk)
    for (status, reason), ids in steps.items():
        skipped = {"skip_reason": reason} if reason else {}
        move(PAGE, Page.objects.filter(pk__in=ids), to=status, trigger="settled", changes=skipped)


def why_skipped(tasks: Sequence[HumanTask]) -> SkipReason:
    """A page that nobody came to in time is not settled (TA-SKIPWHY), whatever people said of its other tasks."""
    skipped = [task for task in tasks if task.status == TaskStatus.SKIPPED]
    return SkipReason.SLA if any(task.skip_reason == SkipReason.SLA for task in skipped) else SkipReason.PERSON


def _move_imports(pages: Sequence[Page], wanted: dict[int, ImportState]) -> None:
    done = [page for page in pages if page.stage == PageStage.NONE]
    for state in dict.fromkeys(wanted[page.pk] for page in done):
        ids = [page.pk for page in done if wanted[page.pk] == state != page.import_state]
        if ids:
            move(PAGE_IMPORT, Page.objects.filter(pk__in=ids), to=state, trigger="settled")


def _show(pages: Sequence[Page], tasks: dict[int, list[HumanTask]]) -> None:
    """What the pages' tiles show of their tasks and SKUs."""
    ids = [page.pk for page in pages]
    rows = Sku.objects.filter(page__in=ids, superseded=False).order_by()
    counts = {
        row["page_id"]: row
        for row in rows.values("page_id").annotate(
            skus=Count("pk"), delivered=Count("pk", filter=Q(status=SkuStatus.IMPORTED))
        )
    }
    tiles = []
    for page in pages:
        count = counts.get(page.pk, {"skus": 0, "delivered": 0})
        held = [str(t.locked_by) for t in tasks.get(page.pk, ()) if t.locked_by and t.status == TaskStatus.PROCESSING]
        tile = {"holder": held[0] if held else "", "sku_count": count["skus"], "delivered_count": count["delivered"]}
        if any(getattr(page, name) != value for name, value in tile.items()):
            tiles.append({"id": page.pk, **tile})
    set_tiles(tiles)


def newest_states(page_ids: Sequence[int]) -> dict[int, list[str]]:
    """By page: the states of the newest ledger row of each of its active SKUs, and of those taken back."""
    newest = (
        ImportRecord.objects.filter(Q(sku__superseded=False) | ~Q(kind=ImportKind.PUT), page__in=page_ids)
        .order_by("page_id", "target", "sku_key", "-pk")
        .distinct("page_id", "target", "sku_key")
    )
    states: dict[int, list[str]] = {}
    for page_id, state in newest.values_list("page_id", "state"):
        states.setdefault(page_id, []).append(state)
    held = Sku.objects.filter(unsent(), page__in=page_ids, job__import_hold=True).order_by("page_id")
    for page_id in held.values_list("page_id", flat=True).distinct():
        states.setdefault(page_id, []).append(Delivery.PENDING)  # its row is opened once the job is let go
    return states


def unsettled_pages(limit: int = 500) -> list[int]:
    """Finished pages whose import state is not final, or that lack their tasks: the sweep's find."""
    held = Q(import_state="pending", job__import_hold=True)
    open_imports = Page.objects.filter(
        status=PageStatus.AI_COMPLETED, import_state__in=["none", "pending"], stage=PageStage.NONE
    ).exclude(held)
    page_ids = list(open_imports.order_by("job_id", "pk").values_list("pk", flat=True)[:limit])  # as their index
    checked = Page.objects.filter(
        status=PageStatus.HUMAN_COMPLETED,
        import_state__in=["none", "pending"],
        job__status__in=(JobStatus.PROCESSING, JobStatus.DEGRADED_HUMAN, JobStatus.PARTIAL_IMPORTED),
    ).exclude(held)
    page_ids += checked.order_by("job_id", "pk").values_list("pk", flat=True)[:limit]
    return list(dict.fromkeys([*page_ids, *pages_without_tasks(limit), *pages_taken_back(limit)]))


def settle_pages_of_job(job_id: int) -> int:
    """Settle what waits for it in one job; the number of pages looked at."""
    ids = pages_without_tasks(limit=5000, job_id=job_id)
    settle_pages(ids)
    return len(ids)
