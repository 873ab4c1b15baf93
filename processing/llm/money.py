"""Budgets in integer micro-USD: reserve, settle, give back, in the transaction of whoever keeps the ledger.

Locks are always taken in this order: the merchant's row, then the day's; an earlier day before a later one.
"""

import datetime
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection

from processing.llm.models import BudgetScope

MICRO = 1_000_000

_TODAY = "(now() AT TIME ZONE %(zone)s)::date"
_RESERVED = "reserved_micro = b.reserved_micro + excluded.reserved_micro"
_FITS = "b.reserved_micro + b.settled_micro + excluded.reserved_micro"


def limit_sql(scope: str, merchant: str) -> str:
    """SQL: the merchant's own limit comes before the one for all; without any row nothing may be spent."""
    return f"""coalesce((SELECT limit_micro FROM processing_budgetlimit
        WHERE scope = {scope} AND (merchant_id = {merchant} OR merchant_id IS NULL)
        ORDER BY merchant_id NULLS LAST LIMIT 1), 0)"""


# One statement: of any number of callers together none goes over a limit. The day's row comes after the merchant's,
# because it is made from it.
_RESERVE = f"""
    WITH allowed AS (SELECT {limit_sql("'merchant'", "%(merchant)s")} AS merchant, {limit_sql("'day'", "NULL")} AS day),
    held AS (
        INSERT INTO processing_budget AS b (merchant_id, day, reserved_micro, settled_micro)
        SELECT %(merchant)s, {_TODAY}, %(micro)s, 0 FROM allowed WHERE %(micro)s <= allowed.merchant
        ON CONFLICT (merchant_id, day) DO UPDATE SET {_RESERVED} WHERE {_FITS} <= (SELECT merchant FROM allowed)
        RETURNING b.day),
    held_of_all AS (
        INSERT INTO processing_budget AS b (merchant_id, day, reserved_micro, settled_micro)
        SELECT NULL, held.day, %(micro)s, 0 FROM held, allowed WHERE %(micro)s <= allowed.day
        ON CONFLICT (merchant_id, day) DO UPDATE SET {_RESERVED} WHERE {_FITS} <= (SELECT day FROM allowed)
        RETURNING b.day)
    SELECT (SELECT day FROM held), (SELECT day FROM held_of_all)"""
_CHANGE = "reserved_micro = reserved_micro - %(reserved)s, settled_micro = settled_micro + %(settled)s"
_SETTLE = f"""
    WITH first AS (
        UPDATE processing_budget SET {_CHANGE} WHERE day = %(day)s AND merchant_id = %(merchant)s RETURNING day)
    UPDATE processing_budget SET {_CHANGE} WHERE day = (SELECT day FROM first) AND merchant_id IS NULL"""
_SPENT = f"""
    SELECT coalesce(sum(reserved_micro), 0)::bigint, coalesce(sum(settled_micro), 0)::bigint,
        {limit_sql("%(scope)s", "%(merchant)s")}
    FROM processing_budget WHERE day = %(day)s AND merchant_id IS NOT DISTINCT FROM %(merchant)s"""


class BudgetSpent(Exception):
    """The reservation does not fit into the budget of ``scope``; roll back."""

    def __init__(self, scope: BudgetScope) -> None:
        super().__init__(scope)
        self.scope = scope


@dataclass(frozen=True)
class Spent:
    """Micro-USD of one budget of a day."""

    reserved_micro: int
    settled_micro: int
    limit_micro: int

    @property
    def left_micro(self) -> int:
        return max(0, self.limit_micro - self.reserved_micro - self.settled_micro)


def today() -> datetime.date:
    """PostgreSQL's date in TIME_ZONE: the day that a reservation made now belongs to."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {_TODAY}", {"zone": settings.TIME_ZONE})
        day: datetime.date = cursor.fetchone()[0]
        return day


def reserve(merchant_id: int, micro: int) -> datetime.date:
    """Hold ``micro`` in both budgets of today, which is returned. Raises BudgetSpent, then the caller rolls back."""
    params: dict[str, Any] = {"merchant": merchant_id, "micro": micro, "zone": settings.TIME_ZONE}
    with connection.cursor() as cursor:
        cursor.execute(_RESERVE, params)
        held, held_of_all = cursor.fetchone()
    if held_of_all is None:
        raise BudgetSpent(BudgetScope.MERCHANT if held is None else BudgetScope.DAY)
    day: datetime.date = held_of_all
    return day


def settle(merchant_id: int, day: datetime.date, *, reserved_micro: int, settled_micro: int) -> None:
    """Give back what was reserved on ``day`` and charge what it has cost; a correction may be negative."""
    params: dict[str, Any] = {"merchant": merchant_id, "day": day, "reserved": reserved_micro, "settled": settled_micro}
    with connection.cursor() as cursor:
        cursor.execute(_SETTLE, params)


def spent(merchant_id: int | None, day: datetime.date) -> Spent:
    """Of a merchant, or (None) of all together, with the limit in force now."""
    scope = BudgetScope.DAY if merchant_id is None else BudgetScope.MERCHANT
    params: dict[str, Any] = {"scope": scope, "merchant": merchant_id, "day": day}
    with connection.cursor() as cursor:
        cursor.execute(_SPENT, params)
        return Spent(*cursor.fetchone())
