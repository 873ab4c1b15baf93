"""Several counts in one statement, for what stands on every screen."""

from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet


def count_each(*querysets: "QuerySet[Any, Any]") -> list[int]:
    """Rows of each queryset, in their order; a sliced one counts no further than its slice."""
    parts: list[str] = []
    params: list[Any] = []
    for queryset in querysets:
        try:
            sql, own = queryset.values("pk").query.sql_with_params()
        except EmptyResultSet:
            parts.append("0")
            continue
        parts.append(f"(SELECT count(*) FROM ({sql}) AS counted)")
        params += own
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(parts)}", params)
        return list(cursor.fetchone())
