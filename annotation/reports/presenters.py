"""What people see of reports on products: each with its place, and what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy, pgettext_lazy

from annotation.reports.models import SkuReport
from annotation.tasks.lifecycle import FREE, OPEN, TASK, TaskStatus
from annotation.tasks.models import Annotation, HumanTask
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.models import Transition
from ingestion.lifecycle import SkipReason
from processing.products import presenters

T = Annotation.Type
OF_A_SKU = (T.SKU_ATTRIBUTE, T.BINDING, T.CUSTOM_ATTR_CONFIRM)
CHANGES_SHOWN = 5
# word, icon, tone
OUTCOMES = {
    "waits": (pgettext_lazy("report", "Waits for a person"), "person", "person"),
    "in_hand": (pgettext_lazy("report", "In hand"), "eye", "acc"),
    "corrected": (pgettext_lazy("report", "Corrected"), "pencil", "done"),
    "kept": (pgettext_lazy("report", "Looked at: it stays as it was"), "check", "ink2"),
    "closed": (pgettext_lazy("report", "Closed without a decision"), "slash", "ink2"),
}
TOO_LATE = gettext_lazy("Nobody came to it in time")


@dataclass(frozen=True)
class ReportRow:
    """``changes``: (attribute, before, after) of what was corrected; ``why``: of what was closed."""

    kind_word: str
    sku_id: str
    text: str
    job_name: str
    page_number: int
    place_url: str
    reporter: str
    at: datetime
    outcome: str
    word: str
    icon: str
    tone: str
    by: str
    closed_at: datetime | None
    changes: list[tuple[str, str, str]]
    why: str
    fresh: bool


def list_reports(actor: User) -> "QuerySet[SkuReport]":
    """The person's own, of leads all that they may see; the newest first."""
    rows = SkuReport.objects.visible_to(actor)
    rows = rows if may(actor, Action.SUPERVISE) else rows.filter(reporter=actor)
    return rows.select_related("job__schema", "page", "reporter", "task__closed_by").order_by("-pk")


def unseen_answers(actor: User) -> QuerySet[SkuReport]:
    """The person's own reports that were answered since they looked."""
    return SkuReport.objects.filter(reporter=actor, seen_at__isnull=True).exclude(task__status__in=OPEN)


def report_rows(actor: User, reports: Sequence[SkuReport]) -> list[ReportRow]:
    """With two queries for all of them."""
    changes, why = _changes(reports), _why(reports)
    return [_row(actor, report, changes.get(report.pk, []), why.get(report.task_id, "")) for report in reports]


def outcome_of(task: HumanTask, changed: bool) -> str:
    if task.status in FREE:
        return "waits"
    if task.status == TaskStatus.PROCESSING:
        return "in_hand"
    if task.status == TaskStatus.SKIPPED:
        return "closed"
    return "corrected" if changed else "kept"


def _row(actor: User, report: SkuReport, changes: list[Annotation], why: str) -> ReportRow:
    task, job = report.task, report.job
    closed = task.status not in OPEN
    outcome = outcome_of(task, bool(changes))
    word, icon, tone = OUTCOMES[outcome]
    labels = presenters.labels(job.schema)
    return ReportRow(
        kind_word=str(SkuReport.Kind(report.kind).label),
        sku_id=report.sku_id,
        text=report.text,
        job_name=job.source_name,
        page_number=report.page.number,
        place_url=f"{reverse('results', args=[job.uuid])}?page_number={report.page.number}",
        reporter=str(report.reporter),
        at=report.created_at,
        outcome=outcome,
        word=str(word),
        icon=icon,
        tone=tone,
        by=str(task.closed_by) if closed and task.closed_by else "",
        closed_at=task.closed_at if closed else None,
        changes=[(labels.get(c.field, c.field), _said(c.before), _said(c.after)) for c in changes[:CHANGES_SHOWN]],
        why=str(TOO_LATE) if closed and task.skip_reason == SkipReason.SLA else why if outcome == "closed" else "",
        fresh=closed and report.seen_at is None and report.reporter_id == actor.pk,
    )


def _changes(reports: Sequence[SkuReport]) -> dict[int, list[Annotation]]:
    """By report: what was changed of its SKU, or added to its page, by who did its task."""
    doing = {report.pk: report.task.result.get("with", report.task_id) for report in reports}
    rows = Annotation.objects.filter(task__in=set(doing.values()), type__in=OF_A_SKU).order_by("pk")
    by_place: dict[tuple[int, str], list[Annotation]] = {}
    for row in rows:
        by_place.setdefault((row.task_id, row.sku_id), []).append(row)
    return {report.pk: by_place.get((doing[report.pk], report.sku_id), []) for report in reports}


def _why(reports: Sequence[SkuReport]) -> dict[int, str]:
    skipped = [report.task_id for report in reports if report.task.status == TaskStatus.SKIPPED]
    rows = Transition.objects.filter(entity=TASK.entity, entity_id__in=skipped, trigger="skipped").order_by("pk")
    return {row.entity_id: str((row.reason or {}).get("reason", "")) for row in rows}


def _said(value: Any) -> str:
    if value is None or value == []:
        return "—"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
