"""Several counts in one statement."""

from typing import Any

import pytest
from django.utils import timezone

from catalogsku.core.counts import count_each
from ingestion.models import Job
from ingestion.page_groups import groups_of, groups_of_jobs
from processing.llm.models import ModelCall
from processing.llm.presenters import spent_of, spent_on
from tests.support.figures import paid
from tests.support.people import People
from tests.support.rows import make_job, make_page

pytestmark = pytest.mark.django_db


def test_each_is_counted_in_one_statement_to_its_slice(people: People, django_assert_num_queries: Any) -> None:
    for _ in range(3):
        make_job(people.merchant)
    make_job(people.other)
    own = Job.objects.filter(merchant=people.merchant)
    with django_assert_num_queries(1):
        assert count_each(own, own[:2], Job.objects.none(), Job.objects.filter(merchant=people.other)) == [3, 2, 0, 1]


def test_pages_of_one_document_are_counted_as_those_of_many(people: People) -> None:
    """Once compiled, once by Django, which knows of each column what it is."""
    job, other = make_job(people.merchant), make_job(people.merchant)
    make_page(job, 1, "AI_COMPLETED", sku_count=3, delivered_count=1)
    make_page(job, 2, "AI_COMPLETED", sku_count=2, delivered_count=2)
    make_page(job, 3, "BLANK")
    make_page(other, 1, "BLANK")
    one, as_many = groups_of(job), groups_of_jobs([job, other])[job.pk]
    assert one == as_many and one.total == 3 and one.sent > 1.3
    assert {name: type(value) for name, value in vars(one).items()} == {
        name: type(value) for name, value in vars(as_many).items()
    }


def test_what_one_document_cost_is_what_its_calls_cost(people: People) -> None:
    job = make_job(people.merchant)
    for micro in (250_000, 40_000):
        paid(job, timezone.localdate(), micro)
    paid(make_job(people.merchant), timezone.localdate(), 1)
    ModelCall.objects.update(sent_at=timezone.now())
    spent, as_django_has_it = spent_on(job.pk), spent_of(ModelCall.objects.filter(job=job))
    assert (spent, spent.calls) == (as_django_has_it, 2)
    assert spent_on(make_job(people.merchant).pk) == spent_of(ModelCall.objects.none())
