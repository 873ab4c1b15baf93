"""What the operations page shows: what waits, who works, what was given up and why; within the person's merchants."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db.models import CharField, Count, QuerySet, Value
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from catalogsku.accounts.models import User
from catalogsku.core import clock
from catalogsku.core.facts import UNITS, disk_ratios, last_runs, queue_lengths
from catalogsku.core.models import Worker
from catalogsku.core.periodic import cron_tasks
from catalogsku.core.work import DEAD_WORKER_S
from ingestion import selectors
from ingestion.lifecycle import ImportState, JobStage, PageStage, PageStatus
from ingestion.models import Job, Page
from ingestion.presentation import Filter
from ingestion.queueing import HeldTurn
from ingestion.reasons import reason_sentence

HELD_SHOWN = 50


@dataclass(frozen=True)
class Queue:
    """Work of one kind: what waits for a worker and what one has in hand."""

    key: str
    word: str
    icon: str
    waiting: int
    in_hand: int


@dataclass(frozen=True)
class StoppedRow:
    id: int
    number: int
    job_name: str
    job_url: str
    merchant: str
    code: str
    reason: str
    failures: int
    losses: int
    worker: str
    at: datetime | None


@dataclass(frozen=True)
class HeldRow:
    id: str
    name: str
    url: str
    merchant: str
    code: str
    reason: str
    detail: str
    pages: int | None
    since: datetime | None


@dataclass(frozen=True)
class WorkerRow:
    unit: str
    host: str
    pid: int
    threads: int
    seen_at: datetime
    alive: bool


@dataclass(frozen=True)
class PeriodicRow:
    name: str
    when: str
    at: datetime | None
    state: str
    outcome: str


@dataclass(frozen=True)
class DiskRow:
    place: str
    word: str
    percent: int
    tone: str


def queues(actor: User, turns: Sequence[HeldTurn]) -> list[Queue]:
    """By what a machine does next: what waits, with one query over the small indexes of it, and what ``turns`` hold."""
    waiting, in_hand = dict(_waiting_work(actor)), Counter[str]()
    for turn in turns:
        in_hand[turn.stage] += turn.pages or 1
    words = (
        (JobStage.INSPECT, pgettext("queue", "Check"), "shield"),
        (JobStage.PRESCAN, pgettext("queue", "Look through"), "sheet"),
        (JobStage.EVALUATE, pgettext("queue", "Evaluate"), "gauge"),
        (JobStage.EXTRACT, pgettext("queue", "Extract"), "pencil"),
        (JobStage.ASK, pgettext("queue", "Ask about"), "bolt-line"),
        (PageStage.READ, pgettext("queue", "Read"), "text"),
        (PageStage.UNDERSTAND_RULES, pgettext("queue", "Understand"), "ruler"),
        (PageStage.UNDERSTAND, pgettext("queue", "Ask models"), "bolt"),
        ("DELIVER", pgettext("queue", "Deliver"), "deliver"),
    )
    return [Queue(str(key), word, icon, waiting.get(str(key), 0), in_hand[str(key)]) for key, word, icon in words]


def _waiting_work(actor: User) -> Iterable[tuple[str, int]]:
    pages, jobs = Page.objects.visible_to(actor).order_by(), Job.objects.visible_to(actor).order_by()
    delivering = pages.filter(
        status__in=[PageStatus.AI_COMPLETED, PageStatus.HUMAN_COMPLETED],
        import_state__in=[ImportState.NONE, ImportState.PENDING],
    ).values_list(Value("DELIVER", CharField()))
    parts = [
        rows.filter(worker__isnull=True).exclude(stage="NONE").values_list("stage").annotate(n=Count("pk"))
        for rows in (pages, jobs)
    ]
    return delivering.annotate(n=Count("pk")).union(*parts, all=True)


def stopped_filters(actor: User) -> list[Filter]:
    """The codes of the last errors, most frequent first, after all of them together."""
    rows = selectors.stopped_pages(actor).order_by()
    counts = dict(rows.values_list("last_error__code").annotate(n=Count("pk")))
    named = sorted(((code or "unknown", n) for code, n in counts.items()), key=lambda pair: (-pair[1], pair[0]))
    return [
        Filter("all", _("All"), "", sum(counts.values())),
        *(Filter(code, reason_sentence(code), "", n) for code, n in named),
    ]


def stopped(actor: User, code: str = "all") -> QuerySet[Page]:
    """The dead letters this person may see, all or those whose last error has that code."""
    rows = selectors.stopped_pages(actor)
    if code == "unknown":
        return rows.filter(last_error__code__isnull=True)
    return rows if code == "all" else rows.filter(last_error__code=code)


def stopped_rows(pages: QuerySet[Page] | Sequence[Page]) -> list[StoppedRow]:
    return [_stopped_row(page) for page in pages]


def _stopped_row(page: Page) -> StoppedRow:
    error = page.last_error or {}
    code = error.get("code", "unknown")
    return StoppedRow(
        id=page.pk,
        number=page.number,
        job_name=page.job.source_name,
        merchant=page.job.merchant.name,
        job_url=f"{reverse('job', args=[page.job.uuid])}#page-{page.number}",
        code=code,
        reason=reason_sentence(code, error.get("params")),
        failures=page.failures,
        losses=page.losses,
        worker=page.handled_by,
        at=page.finished_at,
    )


def held_rows(actor: User) -> list[HeldRow]:
    """The newest fifty; there are seldom more than a few."""
    rows = selectors.held_jobs(actor).select_related("merchant")[:HELD_SHOWN]
    return [
        HeldRow(
            id=str(job.uuid),
            name=job.source_name,
            url=reverse("job", args=[job.uuid]),
            merchant=job.merchant.name,
            code=job.held_reason,
            reason=reason_sentence(job.held_reason),
            pages=job.total_pages,
            detail=str((job.last_error or {}).get("detail", "")),
            since=job.progressed_at or job.created_at,
        )
        for job in rows
    ]


def workers() -> list[WorkerRow]:
    """Known worker processes by unit; a unit without any has no row. Silent ones are kept for ten minutes."""
    now = clock.now()
    return [
        WorkerRow(
            worker.unit,
            worker.host,
            worker.pid,
            worker.threads,
            worker.seen_at,
            (now - worker.seen_at).total_seconds() < DEAD_WORKER_S,
        )
        for worker in Worker.objects.order_by("unit", "host", "pid")[:200]
    ]


def missing_units(rows: Sequence[WorkerRow]) -> list[str]:
    alive = {row.unit for row in rows if row.alive}
    return [unit for unit in UNITS if unit not in alive]


def periodic_rows() -> list[PeriodicRow]:
    """Each declared periodic task with its newest run (TA-CRON)."""
    runs = {run.task: run for run in last_runs()}
    rows = []
    for name, task in sorted(cron_tasks().items()):
        run = runs.get(name)
        at = datetime.fromtimestamp(run.started_at_s, UTC) if run else None
        said = _outcome(run.outcome, run.error) if run else ""
        rows.append(PeriodicRow(name, task.cron, at, run.state if run else "never", said))
    return rows


def _outcome(outcome: dict[str, Any] | None, error: str) -> str:
    """Its error, else what it found; counts of nothing are not worth a line."""
    return error[:160] or ", ".join(f"{key} {value}" for key, value in (outcome or {}).items() if value)[:160]


def disks() -> list[DiskRow]:
    """How full the disks are, and how that is judged: worth a look, or urgent (TA-DISK)."""
    words = {"storage": pgettext("disk", "Files"), "var": pgettext("disk", "Working folder")}
    return [DiskRow(place, words[place], round(used * 100), _disk_tone(used)) for place, used in disk_ratios().items()]


def _disk_tone(used: float) -> str:
    if used > settings.DISK_CLEAN_RATIO:
        return "fault"
    return "person" if used > settings.DISK_WARN_RATIO else "done"


def redis_state() -> tuple[bool, int]:
    """Whether Redis answers, and how many messages lie there."""
    lengths = queue_lengths()
    return lengths is not None, sum((lengths or {}).values())
