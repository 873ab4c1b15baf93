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
from annotation.figures.sums import COUNTED, Sums, sum_of
from catalogsku.accounts.models import Merchant, User
from catalogsku.core import clock

_SUMS: Mapping[str, Any] = {f"sum_{name}": Sum(name) for name in COUNTED}

# Series of one metric for merchants and categories, and what all others are called there.
MOST_LABELS, REST = 50, "other"


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


def today() -> Sums:
    """Of all merchants together, as last counted."""
    rows = DayFigures.objects.filter(merchant=None, day=clock.today())
    return _sums(rows.aggregate(**_SUMS))


def today_by_labels() -> dict[tuple[str, str], Sums]:
    """By (id of a merchant, category), as metrics name them: those in which people did most, the rest as one."""
    rows = DayFigures.objects.filter(day=clock.today(), merchant__isnull=False)
    columns = ("tasks", "person_s", "pages_person", "corrections", "cost_micro")
    found = [
        ((str(merchant), category), Sums(**dict(zip(columns, values, strict=True))))
        for merchant, category, *values in rows.order_by().values_list("merchant_id", "category", *columns)
    ]
    found.sort(key=lambda entry: (-entry[1].person_s, -entry[1].cost_micro, entry[0]))
    labelled, rest = dict(found[:MOST_LABELS]), found[MOST_LABELS:]
    if rest:
        labelled[REST, REST] = sum_of(sums for _labels, sums in rest)
    return labelled


def _sums(row: Mapping[str, Any]) -> Sums:
    given: dict[str, Any] = {name: row[f"sum_{name}"] or 0 for name in COUNTED}
    return Sums(**given)
