"""A report on a product becomes a task at that place; its reporter sees what came of it (TA-REPORT)."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from annotation.reports.models import SkuReport
from annotation.tasks.lifecycle import OPEN, TASKS_TOPIC, Priority, TaskType
from annotation.tasks.models import HumanTask
from annotation.tasks.services.joining import ask
from catalogsku.accounts.models import User
from catalogsku.core import live, messages
from catalogsku.core.errors import NotFound, Refused
from catalogsku.core.moves import move
from ingestion.lifecycle import PAGE, JobStatus, PageStatus
from ingestion.models import Page
from ingestion.selectors import get_page
from processing.products.selectors import get_sku

ENDED = (JobStatus.CANCELLED, JobStatus.REJECTED)
WITH_MACHINES = (PageStatus.PENDING, PageStatus.AI_QUEUED, PageStatus.AI_FAILED)
CLOSED = (PageStatus.BLANK, PageStatus.SKIPPED, PageStatus.DEAD_LETTER)
Kind = SkuReport.Kind


def report(
    actor: User, job_id: UUID, kind: str, text: str, *, sku_id: str = "", number: int | None = None
) -> SkuReport:
    """``sku_id`` of what is wrong or none; ``number`` of the page where one is missing.

    The page goes back to people, as it was delivered; its open task takes the report too.
    Raises NotFound, Refused (job_ended, page_with_machines).
    """
    if kind == Kind.MISSING:
        if number is None:
            raise NotFound("not_found")
        seen, sku_id = get_page(actor, job_id, number), ""
    else:
        seen = get_sku(actor, job_id, sku_id).page
    with transaction.atomic():
        page = Page.objects.select_for_update(no_key=True, of=("self",)).select_related("job").get(pk=seen.pk)
        if page.job.status in ENDED:
            raise Refused("job_ended")
        if page.status in WITH_MACHINES:
            raise Refused("page_with_machines")
        reason = {"code": f"reported_{kind}", "params": {"text": text, "by": str(actor)}}
        task = ask(_wanted(page, sku_id, reason))
        _to_people(page, reason, actor)
        return SkuReport.objects.create(
            job_id=page.job_id, page=page, sku_id=sku_id, kind=kind, text=text, reporter=actor, task=task
        )


def _wanted(page: Page, sku_id: str, reason: dict[str, Any]) -> HumanTask:
    return HumanTask(
        job_id=page.job_id,
        page=page,
        type=TaskType.SKU_CONFIRM if sku_id else TaskType.PAGE_REVIEW,
        subject=sku_id,
        reasons=[{**reason, "sku": sku_id or None}],
        confidence=page.confidence,
        priority=Priority.HIGH,
    )


def _to_people(page: Page, reason: dict[str, Any], actor: User) -> None:
    rows = Page.objects.filter(pk=page.pk)
    closed = rows.filter(status__in=CLOSED)
    move(
        PAGE, closed, to=PageStatus.HUMAN_QUEUED, trigger="reported", actor=actor.username, changes={"skip_reason": ""}
    )
    rows.update(needs_review=True, blockers=[*page.blockers, reason], **Page.visible_change())
    messages.send_after_commit("settle_pages", [page.pk])
    live.hint_after_commit(TASKS_TOPIC)


def mark_seen(actor: User, reports: list[int]) -> None:
    """Their reporter has read the answers."""
    own = SkuReport.objects.filter(pk__in=reports, reporter=actor, seen_at__isnull=True)
    own.exclude(task__status__in=OPEN).update(seen_at=Now())
