"""settle_page: a page's status and import state follow its tasks and its imports; nothing else moves it then."""

from django.db import transaction
from django.db.models import Max

from annotation.lifecycle import Purpose
from annotation.models import HumanTask
from annotation.services.tasks import (
    lacks_tasks,
    open_tasks,
    pages_taken_back,
    pages_without_tasks,
    supersede_tasks,
)
from annotation.settling import import_state, page_status
from catalogsku.core import crash_points
from catalogsku.core.moves import move
from ingestion.lifecycle import PAGE, PAGE_IMPORT, JobStatus, PageStage, PageStatus, SkipReason
from ingestion.models import Page
from ingestion.services.pages import set_tile
from processing.lifecycle import SkuStatus
from processing.models import ImportRecord, Sku

FOLLOWS_IMPORTS = (
    PageStatus.AI_COMPLETED, PageStatus.HUMAN_QUEUED, PageStatus.HUMAN_PROCESSING, PageStatus.HUMAN_COMPLETED
)  # fmt: skip


@transaction.atomic
def settle_page(page_id: int) -> None:
    """Open the tasks that are missing, then set the page's state from its children. Rings the job."""
    page = Page.objects.select_for_update().filter(pk=page_id).first()
    if page is not None and page.status == PageStatus.AI_QUEUED:
        supersede_tasks(page.pk)
    if page is None or page.status not in FOLLOWS_IMPORTS:
        return
    if lacks_tasks(page):
        open_tasks(page)
    work_tasks = HumanTask.objects.filter(page=page, purpose__in=(Purpose.WORK, Purpose.DOCUMENT)).order_by("pk")
    tasks = list(work_tasks.values_list("status", flat=True))
    status = page_status(page.status, tasks)
    rows = Page.objects.filter(pk=page.pk)
    if status != page.status:
        skipped = {"skip_reason": SkipReason.PERSON} if status == PageStatus.SKIPPED else {}
        move(PAGE, rows, to=status, trigger="settled", changes=skipped)
    imports = import_state(newest_states(page))
    if page.stage == PageStage.NONE and imports != page.import_state:
        move(PAGE_IMPORT, rows, to=imports, trigger="settled")
    holder = work_tasks.filter(locked_by__isnull=False, status="PROCESSING").select_related("locked_by").first()
    skus = list(Sku.objects.filter(page=page, superseded=False).values_list("status", flat=True))
    set_tile(
        page.pk,
        holder=str(holder.locked_by) if holder else "",
        sku_count=len(skus),
        delivered_count=skus.count(SkuStatus.IMPORTED),
    )
    crash_points.reached("settle.before_commit")


def newest_states(page: Page) -> list[str]:
    """States of the newest ledger row of each active SKU of the page."""
    newest = (
        ImportRecord.objects.filter(page=page, sku__superseded=False)
        .values("target", "sku_key")
        .annotate(last=Max("pk"))
        .values("last")
    )
    return list(ImportRecord.objects.filter(pk__in=newest).values_list("state", flat=True))


def unsettled_pages(limit: int = 500) -> list[int]:
    """Finished pages whose import state is not final, or that lack their tasks: the sweep's find."""
    open_imports = Page.objects.filter(
        status=PageStatus.AI_COMPLETED, import_state__in=["none", "pending"], stage=PageStage.NONE
    )
    found = list(open_imports.order_by("pk").values_list("pk", flat=True)[:limit])
    checked = Page.objects.filter(
        status=PageStatus.HUMAN_COMPLETED, import_state__in=["none", "pending"],
        job__status__in=(JobStatus.PROCESSING, JobStatus.DEGRADED_HUMAN, JobStatus.PARTIAL_IMPORTED),
    )  # fmt: skip
    found += checked.order_by("pk").values_list("pk", flat=True)[:limit]
    return list(dict.fromkeys([*found, *pages_without_tasks(limit), *pages_taken_back(limit)]))


def settle_pages_of_job(job_id: int) -> int:
    """Settle what waits for it in one job; the number of pages looked at."""
    ids = pages_without_tasks(limit=5000, job_id=job_id)
    for page_id in ids:
        settle_page(page_id)
    return len(ids)
