"""Queries that are compiled once: asked with the values, and in the transaction, of each time."""

from typing import Any

import pytest
from django.db import transaction
from django.db.models import QuerySet

from catalogsku.core.prepared import Prepared, parameter
from ingestion.models import Page
from tests.support.people import People
from tests.support.rows import in_threads, make_job, make_pages


@pytest.mark.django_db
def test_it_is_built_once_and_asked_with_the_values_of_each_time(people: People) -> None:
    built = []

    def build() -> QuerySet[Page, Any]:
        built.append(1)
        pages = Page.objects.filter(status="BLANK", number__gte=parameter("first"), job_id=parameter("job"))
        return pages.order_by("number").values_list("number", "pk")

    query = Prepared(build)
    one, other = make_job(people.merchant), make_job(people.merchant)
    pages = make_pages(one, range(1, 5), status="BLANK")
    make_pages(other, range(1, 3), status="BLANK")
    assert query.rows(job=one.pk, first=4) == [(4, pages[3].pk)]
    assert query.column(job=other.pk, first=1) == [1, 2]
    assert query.column(3, job=one.pk, first=1) == [1, 2, 3]
    assert query.column(job=one.pk, first=5) == []
    assert len(built) == 1
    with pytest.raises(KeyError):
        query.rows(job=one.pk)


def test_its_locks_are_those_of_the_transaction_that_asks(committed: None, people: People) -> None:
    job = make_job(people.merchant)
    make_pages(job, range(1, 4), status="BLANK")

    def build() -> QuerySet[Page, Any]:
        pages = Page.objects.filter(job_id=parameter("job")).order_by("number")
        return pages.select_for_update(skip_locked=True).values_list("number")

    query = Prepared(build)
    with transaction.atomic():
        assert query.column(2, job=job.pk) == [1, 2]
        assert in_threads([lambda: _asked(query, job.pk)]) == [[3]]
    assert in_threads([lambda: _asked(query, job.pk)]) == [[1, 2, 3]]


def _asked(query: Prepared, job_id: int) -> list[Any]:
    with transaction.atomic():
        return query.column(job=job_id)
