"""Queries that are asked again and again: built and compiled once a process.

Django builds a query's text anew each time, which takes 2 to 5 ms of a core where it has a few conditions: the sweep of
jobs of a product in which nothing happened took 52 ms, most of it for that, and takes 11 with these.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL


class _Named(str):
    """In place of a parameter's value, until the query is asked."""


def parameter(name: str) -> RawSQL:
    """What ``rows`` gives under this name, where a condition takes a value."""
    return RawSQL("%s", (_Named(name),))


class Prepared:
    """``build`` makes the query, once: nothing in it may change but its ``parameter``s. Of its columns it names those
    that are wanted (``values_list``)."""

    def __init__(self, build: Callable[[], "QuerySet[Any, Any]"]) -> None:
        self._build = build

    @cached_property
    def _compiled(self) -> tuple[str, tuple[Any, ...]]:
        return self._build().query.sql_with_params()

    def rows(self, most: int | None = None, **values: Any) -> list[tuple[Any, ...]]:
        """Asked now, in the transaction that is open; not more than ``most`` of them."""
        sql, params = self._compiled
        with connection.cursor() as cursor:
            bound = [values[p] if isinstance(p, _Named) else p for p in params]
            cursor.execute(f"{sql} LIMIT %s", [*bound, most])  # NULL is no limit
            return list(cursor.fetchall())

    def column(self, most: int | None = None, **values: Any) -> list[Any]:
        """The first of each row."""
        return [row[0] for row in self.rows(most, **values)]
