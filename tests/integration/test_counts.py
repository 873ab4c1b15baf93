"""Several counts in one statement."""

from typing import Any

import pytest

from catalogsku.core.counts import count_each
from ingestion.models import Job
from tests.support.people import People
from tests.support.rows import make_job

pytestmark = pytest.mark.django_db


def test_each_is_counted_in_one_statement_to_its_slice(people: People, django_assert_num_queries: Any) -> None:
    for _ in range(3):
        make_job(people.merchant)
    make_job(people.other)
    own = Job.objects.filter(merchant=people.merchant)
    with django_assert_num_queries(1):
        assert count_each(own, own[:2], Job.objects.none(), Job.objects.filter(merchant=people.other)) == [3, 2, 0, 1]
