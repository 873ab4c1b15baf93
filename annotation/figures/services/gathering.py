"""A day's figures are counted from the rows that are still there, and written over what was counted before.

By the log of moves: a page counts where its last move of the day was an outcome, whatever becomes of it later. So a
day counts the same however often it is counted; one of which documents have gone since stays as it was counted before.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from annotation.calibration.services.evidence import annotations_between
from annotation.figures.models import OTHER, DayFigures
from annotation.figures.sums import Sums, sum_of
from annotation.tasks.lifecycle import OPEN, Purpose
from annotation.tasks.models import Annotation, HumanTask
from catalogsku.core import clock
from catalogsku.core.models import Transition
from ingestion.lifecycle import JobStatus, PageStatus
from processing.engine.evaluation.scores import BY_RULES
from processing.llm.models import ModelCall

# A merchant's categories that have rows of their own on a day.
MOST_CATEGORIES = 20
# As long as a year of the screen with what surrounds it; and so many days a turn.
MOST_DAYS, A_TURN = 400, 31
# What belongs to a day may come so late: answers of batches, an import that is confirmed.
SETTLED = timedelta(days=2)
AGAIN = timedelta(hours=6)
LOCK = 0x5C4
# Why no model has answered though one was to be asked: it was away, refused, slow, or there was no money for it; as in
# processing.llm.presenters. Not: it has answered, and nothing could be made of that.
AWAY = (
    *("no_model", "open", "half_open_full", "disabled", "retired", "unusable", "no_key", "bad_key", "bad_url"),
    *("over_budget_day", "over_budget_merchant", "quota", "quota_spent", "account", "rate_limited", "rate_requests"),
    *("rate_tokens", "connection", "connection_lost", "timeout", "unreadable_body", "worker_lost"),
)
ENDED = (JobStatus.FULL_IMPORTED, JobStatus.PARTIAL_FAILED)
# Counted from rows that nothing changes once they are there.
MOVED = ("documents_in", "documents_out", "pages_machine", "pages_person", "pages_skipped")

Key = tuple[int, str]
Days = dict[Key, Sums]

_PAGES = """
    WITH moved AS (
        SELECT DISTINCT ON (entity_id) entity_id, target, trigger, at FROM core_transition
        WHERE entity = 'page' AND at >= %(since)s AND at < %(until)s ORDER BY entity_id, id DESC)
    SELECT job.merchant_id, job.category, extract(hour FROM moved.at AT TIME ZONE %(zone)s)::int,
        count(*) FILTER (WHERE target = %(machine)s), count(*) FILTER (WHERE target = %(person)s),
        count(*) FILTER (WHERE target = %(skipped)s),
        count(*) FILTER (WHERE starts_with(page.analyst, %(by_rules)s) AND page.validation->'asked' <> '[]'::jsonb
            AND (page.fallback_reason = ANY(%(away)s) OR starts_with(page.fallback_reason, 'http_'))),
        coalesce(sum(page.sku_count) FILTER (WHERE target <> %(skipped)s), 0)
    FROM moved JOIN ingestion_page page ON page.id = moved.entity_id JOIN ingestion_job job ON job.id = page.job_id
    WHERE moved.target IN (%(machine)s, %(person)s, %(skipped)s) AND moved.trigger <> 'cancelled' GROUP BY 1, 2, 3"""
# One look a merchant at the index of its documents by age: there is none of all.
_CAME = """
    SELECT job.merchant_id, job.category, count(*), coalesce(sum(job.total_pages), 0)
    FROM accounts_merchant merchant JOIN ingestion_job job ON job.merchant_id = merchant.id
    WHERE job.created_at >= %(since)s AND job.created_at < %(until)s GROUP BY 1, 2"""
_WENT = """
    WITH moved AS (
        SELECT DISTINCT ON (entity_id) entity_id, target FROM core_transition
        WHERE entity = 'job' AND at >= %(since)s AND at < %(until)s ORDER BY entity_id, id DESC)
    SELECT job.merchant_id, job.category, count(*) FROM moved JOIN ingestion_job job ON job.id = moved.entity_id
    WHERE moved.target = ANY(%(ended)s) GROUP BY 1, 2"""


def gather_due() -> dict[str, int]:
    """As the schedule asks for it: today, days that may still change, and days that were never counted."""
    days = due_days(clock.today())
    return {"days": len(days), "rows": sum(map(gather, days))}


def due_days(today: date) -> list[date]:
    """The newest first, today among them."""
    now = clock.now()
    known = dict(_marks().filter(day__gte=today - timedelta(days=MOST_DAYS)).values_list("day", "gathered_at"))
    begun = Transition.objects.order_by("pk").values_list("at", flat=True).first() or now
    first = max(timezone.localtime(begun).date(), today - timedelta(days=MOST_DAYS))
    earlier = (today - timedelta(days=n) for n in range(1, (today - first).days + 1))
    return [today, *(day for day in earlier if _is_due(day, known.get(day), now))][:A_TURN]


def _marks() -> "QuerySet[DayFigures]":
    return DayFigures.objects.filter(merchant=None, category="")


def _is_due(day: date, gathered_at: datetime | None, now: datetime) -> bool:
    if gathered_at is None:
        return True
    if gathered_at < ends(day):  # before it was over
        return True
    return gathered_at < ends(day) + SETTLED and now - gathered_at >= AGAIN


def begins(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=timezone.get_default_timezone())


def ends(day: date) -> datetime:
    return begins(day + timedelta(days=1))


def gather(day: date) -> int:
    """The day's rows in place of those that were there; how many there are, 0 where those before say more."""
    now = clock.now()
    found: Days = defaultdict(Sums)
    for key, part in _parts(day):
        found[key].add(part)
    merchants: dict[int | None, dict[str, Sums]] = defaultdict(dict)
    for (merchant, category), sums in found.items():
        merchants[merchant][category] = sums
    merchants[None] = {"": Sums(), **_together(found)}
    rows = [
        DayFigures(day=day, merchant_id=merchant, category=category, gathered_at=now, **asdict(sums))
        for merchant, categories in merchants.items()
        for category, sums in bounded(categories).items()
    ]
    with transaction.atomic():
        with connection.cursor() as cursor:  # two at once would both write
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        if day < clock.today() and _moves(sum_of(merchants[None].values())) < _moves(counted_before(day)):
            _marks().filter(day=day).update(gathered_at=now)
            return 0
        DayFigures.objects.filter(day=day).delete()
        DayFigures.objects.bulk_create(rows, 500)
    return len(rows)


def counted_before(day: date) -> Sums:
    rows = DayFigures.objects.filter(merchant=None, day=day)
    given: dict[str, Any] = {name: value or 0 for name, value in rows.aggregate(**{n: Sum(n) for n in MOVED}).items()}
    return Sums(**given)


def _moves(sums: Sums) -> int:
    """What can only become more while nothing is deleted or archived."""
    return sum(getattr(sums, name) for name in MOVED)


def _together(found: Mapping[Key, Sums]) -> dict[str, Sums]:
    by_category: dict[str, Sums] = defaultdict(Sums)
    for (_merchant, category), sums in found.items():
        by_category[category].add(sums)
    return by_category


def bounded(categories: Mapping[str, Sums]) -> dict[str, Sums]:
    """Those that had the most, and the rest as one."""
    ranked = sorted(filter(None, categories), key=lambda name: (*_size(categories[name]), name))
    kept, rest = ranked[:MOST_CATEGORIES], ranked[MOST_CATEGORIES:]
    chosen = {name: categories[name] for name in ("", *kept) if name in categories}
    if rest:
        others = (categories[name] for name in rest)
        chosen[OTHER] = sum_of([chosen[OTHER], *others] if OTHER in chosen else others)
    return chosen


def _size(sums: Sums) -> tuple[int, int]:
    """Less for what had more."""
    return -sums.pages_done - sums.pages_in, -sums.cost_micro


def _parts(day: date) -> Iterator[tuple[Key, Sums]]:
    since, until = begins(day), ends(day)
    yield from _of_pages(since, until)
    between = {"since": since, "until": until}
    for merchant, category, documents, pages in _rows(_CAME, between):
        yield (merchant, category), Sums(documents_in=documents, pages_in=pages)
    for merchant, category, documents in _rows(_WENT, {**between, "ended": [str(status) for status in ENDED]}):
        yield (merchant, category), Sums(documents_out=documents)
    closed = HumanTask.objects.exclude(status__in=OPEN).exclude(purpose=Purpose.HONEYPOT)
    worked = closed.filter(closed_at__gte=since, closed_at__lt=until, worked_s__gt=0).order_by()
    for merchant, category, tasks, seconds in worked.values_list("job__merchant", "job__category").annotate(
        tasks=Count("pk"), seconds=Sum("worked_s")
    ):
        yield (merchant, category), Sums(tasks=tasks, person_s=seconds)
    changed = annotations_between(since, until).exclude(type=Annotation.Type.CUSTOM_ATTR_CONFIRM).order_by()
    of_job = changed.values_list("page__job__merchant", "page__job__category")
    for merchant, category, changes in of_job.annotate(changes=Count("pk")):
        yield (merchant, category), Sums(corrections=changes)
    yield from _of_calls(day)


def _of_pages(since: datetime, until: datetime) -> Iterator[tuple[Key, Sums]]:
    given = {
        "since": since, "until": until, "zone": settings.TIME_ZONE, "away": list(AWAY), "by_rules": BY_RULES,
        "machine": PageStatus.AI_COMPLETED, "person": PageStatus.HUMAN_COMPLETED, "skipped": PageStatus.SKIPPED,
    }  # fmt: skip
    for merchant, category, hour, machine, person, skipped, degraded, products in _rows(_PAGES, given):
        yield (
            (merchant, category),
            Sums(
                pages_machine=machine,
                pages_person=person,
                pages_skipped=skipped,
                pages_degraded=degraded,
                products=products,
                hours={str(hour): [machine, person, skipped]},
            ),
        )


def _of_calls(day: date) -> Iterator[tuple[Key, Sums]]:
    """By the day of the budgets that they are charged to; the index is by when they were made."""
    near = {"created_at__gte": begins(day) - timedelta(days=1), "created_at__lt": ends(day) + timedelta(days=1)}
    calls = ModelCall.objects.filter(day=day, settled_micro__gt=0, **near).order_by()
    spent = calls.values_list("merchant", "category", "operation").annotate(micro=Sum("settled_micro"))
    for merchant, category, operation, micro in spent:
        yield (merchant, category), Sums(cost_micro=micro, operations={operation: micro})


def _rows(statement: str, given: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
