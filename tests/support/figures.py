"""Days on which something happened: documents, moves of pages, tasks, corrections and calls, at a time of one's own."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django.utils import timezone

from annotation.models import Annotation, DayFigures, HumanTask
from catalogsku.accounts.models import Merchant, User
from catalogsku.core.models import Transition
from ingestion.models import Job, Page
from processing.models import ModelCall
from tests.support.rows import make_job, make_page


def at(day: date, hour: int = 12, minute: int = 0) -> datetime:
    return datetime.combine(day, time(hour, minute), tzinfo=timezone.get_default_timezone())


def moved(row: Job | Page, target: str, when: datetime, trigger: str = "settled") -> None:
    job = row if isinstance(row, Job) else row.job
    Transition.objects.create(
        entity="job" if row is job else "page",
        entity_id=row.pk,
        job_id=job.pk,
        target=target,
        trigger=trigger,
        actor="system",
        at=when,
    )


def came(merchant: Merchant, when: datetime, *, pages: int = 0, **columns: Any) -> Job:
    job = make_job(merchant, total_pages=pages, **columns)
    Job.objects.filter(pk=job.pk).update(created_at=when)
    return job


def finished(job: Job, when: datetime, status: str = "AI_COMPLETED", *, products: int = 0, **columns: Any) -> Page:
    number = Page.objects.filter(job=job).count() + 1
    page = make_page(job, number, status, sku_count=products, **{"stage": "NONE", "analyst": "rules-1", **columns})
    moved(page, status, when)
    return page


def worked(page: Page, who: User, when: datetime, *, seconds: float, changes: int = 0, purpose: str = "work") -> None:
    task = HumanTask.objects.create(
        job=page.job,
        page=page,
        type="PAGE_REVIEW",
        purpose=purpose,
        status="COMPLETED",
        worked_s=seconds,
        closed_by=who,
        closed_at=when,
    )
    Annotation.objects.bulk_create(
        Annotation(
            task=task,
            page=page,
            annotator=who,
            type="SKU_ATTRIBUTE",
            sku_id=f"s{n}",
            field="price",
            before="1",
            after="2",
            created_at=when,
        )
        for n in range(changes)
    )


def paid(job: Job, day: date, micro: int, operation: str = "read_page") -> None:
    call = ModelCall.objects.create(
        merchant=job.merchant,
        job=job,
        category=job.category,
        operation=operation,
        model="m",
        prompt_version="p",
        request_key=f"{job.pk}-{micro}-{operation}",
        state="ANSWERED",
        day=day,
        reserved_micro=0,
        settled_micro=micro,
        worker=0,
    )
    ModelCall.objects.filter(pk=call.pk).update(created_at=at(day))


def a_day(merchant: Merchant, who: User, day: date, category: str = "lamps") -> Job:
    """One document of four pages: two by machines, one of them without its model, one by a person, one skipped."""
    job = came(merchant, at(day, 8), pages=4, category=category)
    finished(job, at(day, 9), products=6)
    degraded = {"fallback_reason": "over_budget_day", "validation": {"asked": [{"code": "over_budget_day"}]}}
    finished(job, at(day, 10), products=2, **degraded)
    page = finished(job, at(day, 11), "HUMAN_COMPLETED", products=2)
    worked(page, who, at(day, 11), seconds=120, changes=3)
    finished(job, at(day, 10), "SKIPPED")
    moved(job, "FULL_IMPORTED", at(day, 11, 5))
    paid(job, day, 40_000)
    paid(job, day, 10_000, "evaluate_document")
    return job


def make_figures(days: int, merchants: list[Merchant], categories: tuple[str, ...] = ("", "lamps")) -> None:
    """So many days until today, of each merchant and of all together, without documents."""
    today, now = timezone.localdate(), timezone.now()
    share = {"documents_in": 3, "documents_out": 3, "pages_in": 90, "pages_machine": 60, "pages_person": 20,
             "pages_skipped": 10, "pages_degraded": 2, "products": 200, "corrections": 9, "tasks": 20,
             "person_s": 1800.0, "cost_micro": 250_000,
             "operations": {"read_page": 200_000, "evaluate_document": 50_000},
             "hours": {"9": [30, 10, 5], "14": [30, 10, 5]}}  # fmt: skip
    DayFigures.objects.bulk_create(
        (
            DayFigures(
                day=today - timedelta(days=n),
                merchant=merchant,
                category=category,
                gathered_at=now,
                **{name: _times(value, 1 + (n * 7 + len(category)) % 5) for name, value in share.items()},
            )
            for n in range(days)
            for merchant in (None, *merchants)
            for category in categories
        ),
        2_000,
    )


def _times(value: Any, n: int) -> Any:
    return (
        {key: _times(part, n) for key, part in value.items()}
        if isinstance(value, dict)
        else ([part * n for part in value] if isinstance(value, list) else value * n)
    )
