"""Budgets that are nearly spent are told to whom they concern: at WARNED_AT per cent, and when nothing is left."""

from django.db import connection, transaction

from ingestion.models import Notice
from ingestion.notices.kinds import Kind
from ingestion.notices.services.telling import tell_about
from processing.llm.models import BudgetScope
from processing.llm.money import limit_sql, today

WARNED_AT, SPENT = 80, 100
_MERCHANT, _DAY = f"'{BudgetScope.MERCHANT.value}'", f"'{BudgetScope.DAY.value}'"
# Of today's budgets; what is reserved counts as spent, as it does for who asks.
_NEARLY = f"""
    SELECT merchant_id, least(100 * used / limit_micro, 100)::int FROM (
        SELECT b.merchant_id, b.reserved_micro + b.settled_micro AS used, CASE WHEN b.merchant_id IS NULL
            THEN {limit_sql(_DAY, "NULL")} ELSE {limit_sql(_MERCHANT, "b.merchant_id")} END AS limit_micro
        FROM processing_budget b WHERE b.day = %s) AS budgets
    WHERE limit_micro > 0 AND 100 * used >= %s * limit_micro ORDER BY merchant_id NULLS FIRST"""


def warn_of_budgets() -> int:
    """Merchant by merchant to its leads, of all together to administrators; how many budgets were told of."""
    day = today()
    with connection.cursor() as cursor:
        cursor.execute(_NEARLY, [day, WARNED_AT])
        nearly = cursor.fetchall()
    return sum(_tell(merchant_id, day.isoformat(), int(percent)) for merchant_id, percent in nearly)


@transaction.atomic
def _tell(merchant_id: int | None, day: str, percent: int) -> bool:
    level = SPENT if percent >= SPENT else WARNED_AT
    notices = Notice.objects.filter(kind=Kind.BUDGET, about=day, merchant=merchant_id)
    if notices.filter(facts__percent__gte=level).exists():
        return False
    notices.update(read_at=None, mailed_at=None, **Notice.visible_change())  # that nothing is left is another matter
    return tell_about(Kind.BUDGET, day, merchant_id, {"percent": percent}) > 0
