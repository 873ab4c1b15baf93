"""Opening and closing tasks; a page's blockers become the tasks that say why a person is needed (X-BLOCKER)."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, Value
from django.db.models.functions import Coalesce, Now

from annotation.tasks.lifecycle import FREE, OPEN, TASK, TASKS_TOPIC, Purpose, TaskStatus, TaskType
from annotation.tasks.models import HumanTask
from annotation.tasks.services.joining import ask, subject_of
from catalogsku.core import crash_points, live, messages
from catalogsku.core.moves import audit_rows, move
from ingestion.kinds import KINDS
from ingestion.lifecycle import PageStage, PageStatus
from ingestion.models import Page
from processing.imports.lifecycle import Delivery
from processing.imports.models import ImportRecord
from processing.products.models import Sku

WHOLE_PAGE = frozenset({"route_human_all", "eval_failed", "prescan_reject"})
LONG_AGO = Value(datetime(2000, 1, 1, tzinfo=UTC))
BINDING = frozenset({"binding_ambiguous"})
REFUSED = "import_refused"


def open_task(page: Page) -> bool:
    """Open the task that the page's blockers ask for; one that is open already stays. Call with the page locked."""
    wanted = wanted_task(page)
    if wanted is None:
        return False
    HumanTask.objects.bulk_create([wanted], ignore_conflicts=True)
    crash_points.reached("tasks.before_commit")
    audit_rows("task", page.job_id, {page.pk: {"tasks": 1}}, target=TaskStatus.CREATED, trigger="opened")
    live.hint_after_commit(TASKS_TOPIC)
    return True


def wanted_task(page: Page) -> HumanTask | None:
    """One for all of the page's blockers: about the page where anything concerns all of it, else about its SKUs."""
    if not page.needs_review:
        return None
    blockers: list[dict[str, Any]] = page.blockers or [{"code": "review", "params": {}}]
    on_page = [blocker for blocker in blockers if blocker.get("sku") is None]
    of_skus = _of_skus(page)
    if not on_page and of_skus and page.sku_count:
        kinds = {blocker["code"] in BINDING for blocker in of_skus}
        return _task(page, TaskType.BINDING_REVIEW if kinds == {True} else TaskType.SKU_CONFIRM, of_skus)
    whole = page.sku_count == 0 or any(blocker["code"] in WHOLE_PAGE for blocker in on_page)
    document = any(blocker["code"] == "prescan_reject" for blocker in on_page)
    kind = TaskType.FULL_PAGE_ANNOTATION if whole else TaskType.PAGE_REVIEW
    reasons = [*on_page, *of_skus] or blockers
    return _task(page, kind, reasons, purpose=Purpose.DOCUMENT if document else Purpose.WORK)


def _of_skus(page: Page) -> list[dict[str, Any]]:
    rows = Sku.objects.filter(page=page, superseded=False).order_by("sku_id").values_list("sku_id", "blockers")
    return [{**blocker, "sku": sku_id} for sku_id, blockers in rows for blocker in blockers]


def _task(page: Page, kind: str, reasons: list[dict[str, Any]], *, purpose: str = Purpose.WORK) -> HumanTask:
    return HumanTask(
        job_id=page.job_id,
        page=page,
        type=kind,
        subject=subject_of(kind, reasons),
        purpose=purpose,
        reasons=reasons,
        confidence=page.confidence,
    )


def settle_import_tasks(pages: Sequence[Page]) -> None:
    """A target's refusal is asked of a person with its answer as the reason (TA-4XX); one that is over needs nobody.

    Asked once a refusal: who closed the task without a change has seen it. Call with the pages locked.
    """
    by_id = {page.pk: page for page in pages}
    current = ImportRecord.objects.filter(page__in=list(by_id)).exclude(state=Delivery.SUPERSEDED)
    current = current.select_related("sku")
    newest = current.order_by("target", "merchant_id", "sku_key", "-generation").distinct(
        "target", "merchant_id", "sku_key"
    )
    refused = [row for row in newest if row.state in (Delivery.REFUSED, Delivery.STALE)]
    tasks = list(HumanTask.objects.filter(page__in=list(by_id), reasons__contains=[{"code": REFUSED}]))
    asked_already = {(task.page_id, reason["params"].get("import")) for task in tasks for reason in task.reasons}
    still = {(row.page_id, row.sku.sku_id) for row in refused}
    for task in tasks:
        if task.status in FREE:
            _drop_what_is_over(task, still)
    for row in refused:
        if _is_permanent(row, asked_already):
            ask(_task(by_id[row.page_id], TaskType.SKU_CONFIRM, [_refusal(row)]))


def _drop_what_is_over(task: HumanTask, still: Collection[tuple[int, str]]) -> None:
    left = [
        reason
        for reason in task.reasons
        if reason["code"] != REFUSED or (task.page_id, reason.get("sku") or task.subject) in still
    ]
    rows = HumanTask.objects.filter(pk=task.pk)
    if not left:
        move(TASK, rows, to=TaskStatus.COMPLETED, trigger="accepted", reason={"code": "import_over"})
        rows.update(closed_at=Now())
    elif left != task.reasons:
        rows.update(reasons=left, subject=subject_of(task.type, left), **HumanTask.visible_change())


def is_about_refusal(task: HumanTask) -> bool:
    return any(reason["code"] == REFUSED for reason in task.reasons)


def _is_permanent(row: ImportRecord, asked_already: Collection[tuple[int, Any]]) -> bool:
    """What has only failed for a day is not the product's fault."""
    return row.state == Delivery.REFUSED and (row.page_id, row.pk) not in asked_already


def _refusal(row: ImportRecord) -> dict[str, Any]:
    said = {"response": str(row.response or "")[:200], "import": row.pk}
    return {"code": REFUSED, "params": said, "sku": row.sku.sku_id}


def lacks_tasks(page: Page) -> bool:
    """True where the page needs a person, machines have done with it, and nothing was opened since they did."""
    return page.needs_review and Page.objects.filter(_without_tasks(), pk=page.pk).exists()


def pages_without_tasks(limit: int = 500, job_id: int | None = None) -> list[int]:
    """The same for all pages, or those of one job: what the sweep finds after a lost message."""
    rows = Page.objects.filter(_without_tasks(), needs_review=True)
    rows = rows.filter(job=job_id) if job_id is not None else rows
    return list(rows.order_by("pk").values_list("pk", flat=True)[:limit])


def _without_tasks() -> Q:
    tasks = HumanTask.objects.filter(page=OuterRef("pk"))
    current = tasks.filter(Q(status__in=OPEN) | Q(created_at__gte=Coalesce(OuterRef("finished_at"), LONG_AGO)))
    waiting = Q(status__in=[PageStatus.AI_COMPLETED, PageStatus.HUMAN_QUEUED], stage=PageStage.NONE)
    by_pages = [kind.key for kind in KINDS.values() if kind.by_pages]
    return waiting & Q(~Exists(current), job__kind__in=by_pages)


def pages_taken_back(limit: int = 500) -> list[int]:
    """Pages that went back to the machines and still have open tasks."""
    tasks = HumanTask.objects.filter(page=OuterRef("pk"), status__in=OPEN)
    rows = Page.objects.filter(Exists(tasks), status=PageStatus.AI_QUEUED)
    return list(rows.order_by("pk").values_list("pk", flat=True)[:limit])


@transaction.atomic
def close_tasks(job_id: int, trigger: str = "cancelled") -> int:
    """Close what is open of a job that was cancelled, or whose pages go back to the machines."""
    rows = HumanTask.objects.filter(job=job_id)
    closed = move(TASK, rows, to=TaskStatus.SKIPPED, trigger=trigger)
    HumanTask.objects.filter(pk__in=[row.id for row in closed]).update(closed_at=Now())
    if closed:
        live.hint_after_commit(job_id)
    return len(closed)


@transaction.atomic
def supersede_tasks(page_id: int) -> int:
    """The page went back to the machines: its open tasks end, whoever holds one loses the lock (its token moves on)."""
    rows = HumanTask.objects.filter(page=page_id, status__in=OPEN)
    tokens = dict(rows.values_list("pk", "lock_token"))
    closed = move(TASK, rows, to=TaskStatus.SKIPPED, trigger="superseded")
    for row in closed:
        HumanTask.objects.filter(pk=row.id).update(lock_token=tokens[row.id] + 1, closed_at=Now())
    if closed:
        messages.send_after_commit("settle_job", closed[0].job_id)
    return len(closed)
