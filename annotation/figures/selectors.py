"""Figures of a period by day, category and operation: of all merchants, of those that somebody works for, or of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Sum
from django.db.models.query import QuerySet

from annotation.figures.models import DayFigures
from annotation.figures.sums import COUNTED, Sums
from catalogsku.accounts.models import Merchant, User

_SUMS: Mapping[str, Any] = {f"sum_{name}": Sum(name) for name in COUNTED}


@dataclass(frozen=True)
class Period:
    """Both ends included."""

    first: date
    last: date


def figures_of(actor: User, merchant: Merchant | None, period: Period) -> "QuerySet[DayFigures]":
    """Whoever sees all merchants reads the rows of all together: as few for a hundred merchants as for one."""
    rows = DayFigures.objects.visible_to(actor).filter(day__gte=period.first, day__lte=period.last)
    if merchant is not None:
        return rows.filter(merchant=merchant)
    return rows.filter(merchant__isnull=actor.merchant_ids() is None)


def by_day(rows: "QuerySet[DayFigures]") -> dict[date, Sums]:
    return {row["day"]: _sums(row) for row in rows.order_by().values("day").annotate(**_SUMS)}


def by_category(rows: "QuerySet[DayFigures]") -> dict[str, Sums]:
    return {row["category"]: _sums(row) for row in rows.order_by().values("category").annotate(**_SUMS)}


def by_operation(rows: "QuerySet[DayFigures]") -> dict[str, int]:
    """Micro-USD."""
    try:
        chosen, given = rows.exclude(operations={}).values("operations").query.sql_with_params()
    except EmptyResultSet:  # who works for no merchant
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT key, sum(value::bigint)::bigint FROM ({chosen}) figures, jsonb_each_text(figures.operations)"
            " GROUP BY key ORDER BY 2 DESC, 1",
            given,
        )
        return {operation: int(micro) for operation, micro in cursor.fetchall()}


def by_hour(rows: "QuerySet[DayFigures]") -> dict[int, Sums]:
    """Pages of the rows of one day."""
    whole = Sums()
    for hours in rows.values_list("hours", flat=True):
        whole.add(Sums(hours=hours))
    return {
        int(hour): Sums(pages_machine=machine, pages_person=person, pages_skipped=skipped)
        for hour, (machine, person, skipped) in whole.hours.items()
    }


def counted_at() -> datetime | None:
    """When figures were last counted; None where none were."""
    marks = DayFigures.objects.filter(merchant=None, category="")
    newest: datetime | None = marks.order_by("-day").values_list("gathered_at", flat=True).first()
    return newest


def by_merchant_and_category(day: date) -> dict[tuple[int, str], Sums]:
    rows = DayFigures.objects.filter(day=day, merchant__isnull=False).order_by()
    columns = ("merchant_id", "category", "tasks", "person_s", "corrections", "cost_micro")
    return {
        (merchant, category): Sums(tasks=tasks, person_s=person_s, corrections=corrections, cost_micro=cost_micro)
        for merchant, category, tasks, person_s, corrections, cost_micro in rows.values_list(*columns)
    }


def _sums(row: Mapping[str, Any]) -> Sums:
    return Sums(**{name: row[f"sum_{name}"] for name in COUNTED})
