"""Many rows at once: whatever a document's text holds arrives in the database as it was."""

from typing import Any

import pytest
from django.db import DataError, IntegrityError, transaction

from catalogsku.core import bulk
from processing.models import Sku
from processing.products.lifecycle import SkuStatus
from tests.support.people import People
from tests.support.rows import make_job, make_page

pytestmark = pytest.mark.django_db
PRINTED = "a\tb\\N\n\"c\" 'd' \\. %s {e} \r 灯具 €"


def made(page_id: int, job_id: int, number: int) -> Sku:
    return Sku(
        job_id=job_id,
        page_id=page_id,
        sku_id=f"k{number}",
        status=SkuStatus.BOUND,
        validity="full",
        confidence=0.1 + 0.2,
        box=[0.5, 1, 2, 3],
        attributes={"model": PRINTED, "size": None},
        custom_attributes=[{"name": PRINTED}],
        quality_warning=PRINTED[:40] if number % 2 else None,
        left_out=bool(number % 2),
    )


def test_new_objects_arrive_as_they_are_and_know_their_keys(people: People) -> None:
    page = make_page(make_job(people.merchant))
    skus = [made(page.pk, page.job_id, number) for number in range(30)]
    bulk.insert_new(skus)
    stored = Sku.objects.in_bulk([sku.pk for sku in skus])
    assert len(stored) == 30, "each has a key of its own"
    for given in skus:
        columns = [
            field.attname for field in Sku._meta.concrete_fields if field.attname not in ("created_at", "changed")
        ]
        there = stored[given.pk]
        assert {name: getattr(there, name) for name in columns} == {name: getattr(given, name) for name in columns}
        assert there.created_at is not None, "what the database fills in"
    later = made(page.pk, page.job_id, 31)
    later.save()
    assert later.pk not in stored, "drawn keys are used up"


def test_nothing_is_inserted_where_one_object_breaks_a_rule(people: People) -> None:
    page = make_page(make_job(people.merchant))
    with pytest.raises(IntegrityError), transaction.atomic():
        bulk.insert_new([made(page.pk, page.job_id, 1), made(page.pk, page.job_id, 2), made(page.pk, page.job_id, 1)])
    assert not Sku.objects.exists()
    bulk.insert_new([])


@pytest.mark.parametrize("told", [{"attributes": {"model": "a\0b"}}, {"downstream_id": "a\0b"}, {"sku_id": "k" * 41}])
def test_what_a_column_cannot_hold_is_the_databases_error_and_leaves_nothing(
    people: People, told: dict[str, Any]
) -> None:
    page = make_page(make_job(people.merchant))
    wrong = made(page.pk, page.job_id, 2)
    for name, value in told.items():
        setattr(wrong, name, value)
    with pytest.raises(DataError), transaction.atomic():
        bulk.insert_new([made(page.pk, page.job_id, 1), wrong])
    assert not Sku.objects.exists()
