"""Budgets in integer micro-USD: reserve, settle, give back, in the transaction of whoever keeps the ledger.

Locks are always taken in this order: the merchant's row, then the day's; an earlier day before a later one.
"""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.db import connection

from processing.models.llm import BudgetScope

MICRO = 1_000_000

# The merchant's own limit comes before the one for all; without any row nothing may be spent.
_LIMIT = """coalesce((SELECT limit_micro FROM processing_budgetlimit
    WHERE scope = %(scope)s AND (merchant_id = %(merchant)s OR merchant_id IS NULL)
    ORDER BY merchant_id NULLS LAST LIMIT 1), 0)"""
_TODAY = "(now() AT TIME ZONE %(zone)s)::date"
# One statement: of any number of callers together none goes over the limit.
_RESERVE = f"""
    WITH allowed AS (SELECT {_LIMIT} AS limit_micro)
    INSERT INTO processing_budget AS b (merchant_id, day, reserved_micro, settled_micro)
    SELECT %(merchant)s, {_TODAY}, %(micro)s, 0 FROM allowed WHERE %(micro)s <= limit_micro
    ON CONFLICT (merchant_id, day) DO UPDATE SET reserved_micro = b.reserved_micro + excluded.reserved_micro
    WHERE b.reserved_micro + b.settled_micro + excluded.reserved_micro <= (SELECT limit_micro FROM allowed)
    RETURNING b.day"""
_SETTLE = """
    UPDATE processing_budget
    SET reserved_micro = reserved_micro - %(reserved)s, settled_micro = settled_micro + %(settled)s
    WHERE day = %(day)s AND merchant_id IS NOT DISTINCT FROM %(merchant)s"""


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
    day: datetime.date | None = None
    for scope, merchant in _scopes(merchant_id):
        given = {"scope": scope, "merchant": merchant, "micro": micro, "zone": settings.TIME_ZONE}
        with connection.cursor() as cursor:
            cursor.execute(_RESERVE, given)
            row = cursor.fetchone()
        if row is None:
            raise BudgetSpent(scope)
        day = row[0]
    assert day is not None
    return day


def settle(merchant_id: int, day: datetime.date, *, reserved_micro: int, settled_micro: int) -> None:
    """Give back what was reserved on ``day`` and charge what it has cost; a correction may be negative."""
    with connection.cursor() as cursor:
        for _, merchant in _scopes(merchant_id):
            given = {"merchant": merchant, "day": day, "reserved": reserved_micro, "settled": settled_micro}
            cursor.execute(_SETTLE, given)


def spent(merchant_id: int | None, day: datetime.date) -> Spent:
    """Of a merchant, or (None) of all together, with the limit in force now."""
    scope = BudgetScope.DAY if merchant_id is None else BudgetScope.MERCHANT
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT coalesce(sum(reserved_micro), 0)::bigint, coalesce(sum(settled_micro), 0)::bigint, {_LIMIT}"
            " FROM processing_budget WHERE day = %(day)s AND merchant_id IS NOT DISTINCT FROM %(merchant)s",
            {"scope": scope, "merchant": merchant_id, "day": day},
        )
        return Spent(*cursor.fetchone())


def _scopes(merchant_id: int) -> Iterator[tuple[BudgetScope, int | None]]:
    yield BudgetScope.MERCHANT, merchant_id
    yield BudgetScope.DAY, None
