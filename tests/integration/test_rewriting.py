"""What the ledger no longer keeps of confirmed imports is written anew, byte for byte as it went out."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from django.db import transaction
from msgspec.structs import replace

from processing.engine.page import Picture
from processing.imports.services import compensating, delivering
from processing.imports.services.rewriting import as_generation
from processing.models import ImportRecord, ImportTarget, Sku
from tests.integration.test_recording import found, record, result
from tests.support.downstream import Downstream
from tests.support.editions import approve, deliver_everything, finish_all, make_earlier, make_later
from tests.support.imports import corrected, importable, written_as_sent
from tests.support.people import People
from tests.support.rows import make_job, make_page

pytestmark = [pytest.mark.django_db, pytest.mark.req("X-UNDOIMP", "TA-IMPKEY")]
BOOK = ["cover", "Alba", "Bruno", "Cleo", "Dora", "terms"]
PICTURE = Picture("P1", (0.0, 0.0, 50.0, 50.0), 800, 800, file="1.jpg", content_hash="1" * 64)


@pytest.fixture
def downstream(settings: Any) -> Iterator[Downstream]:
    with Downstream() as server:
        settings.IMPORT_URL = server.url
        yield server


def put_back(sku: Sku) -> int:
    with transaction.atomic():
        return compensating.restore(sku.job, [sku])


def test_what_is_confirmed_is_not_kept_and_a_restored_product_is(people: People, downstream: Downstream) -> None:
    _, page, (sku,) = importable(people)
    assert ImportRecord.objects.exclude(payload=b"").count() == 1
    delivering.deliver_pages([page.pk])
    second = corrected(sku, "M-2")
    delivering.deliver_pages([page.pk])
    assert ImportRecord.objects.exclude(payload=b"").count() == 0
    assert put_back(second) == 1
    delivering.deliver_pages([page.pk])
    first, _, third = downstream.taken
    assert third.body == {**first.body, "generation": 3}
    assert ImportRecord.objects.exclude(payload=b"").get().kind == "restore"
    assert written_as_sent(downstream) == 3


def test_pictures_that_a_rerun_writes_over_are_restored_as_they_were(people: People, downstream: Downstream) -> None:
    page = record(make_page(make_job(people.merchant)), result(found("A-1", pictures=("P1",))), (PICTURE,))
    delivering.deliver_pages([page.pk])
    other = replace(PICTURE, file="2.jpg", content_hash="2" * 64)
    record(page, result(found("A-1", pictures=("P1",))), (other,))
    delivering.deliver_pages([page.pk])
    assert [taken.product["images"][0]["sha256"][0] for taken in downstream.taken] == ["1", "2"]
    assert written_as_sent(downstream) == 2
    put_back(Sku.objects.get(page=page, superseded=False))
    delivering.deliver_pages([page.pk])
    assert downstream.taken[2].body == {**downstream.taken[0].body, "generation": 3}


def test_products_of_an_edition_that_went_on_as_they_were_are_written_as_the_earlier_ones(
    people: People, downstream: Downstream
) -> None:
    make_earlier(people.merchant, BOOK)
    new = make_later(people.merchant, [*BOOK[:-1], "Egon", "terms"])
    finish_all(new, {6: {"Egon": "9"}})
    approve(new)
    deliver_everything()
    went_on = ImportRecord.objects.filter(job=new, attempt=0, state="CONFIRMED")
    assert went_on.count() == len(BOOK) - 2
    assert written_as_sent(downstream) == ImportRecord.objects.count() - went_on.count()
    for row in went_on:
        first = next(taken.body for taken in downstream.taken if taken.sku == row.sku_key)
        assert as_generation(row, 1) == as_generation(ImportRecord.objects.get(sku_key=row.sku_key, generation=1), 1)
        assert first["content_hash"] == row.payload_hash
    row = went_on.all()[0]
    ImportRecord.objects.filter(pk=row.pk).update(drift="missing")
    assert delivering.retry_imports([row.pk], "lead") == 1
    delivering.deliver_pages([row.page_id])
    first = next(taken.body for taken in downstream.taken if taken.sku == row.sku_key)
    assert downstream.taken[-1].body == {**first, "generation": row.generation + 1}


def test_in_a_form_that_has_changed_since_the_earlier_product_comes_in_the_new_one(
    people: People, downstream: Downstream
) -> None:
    names = {"code": "sku_id", "seq": "generation", "title": "attributes.model", "hash": "content_hash"}
    whose = {"who": "merchant_id"}
    downstream.names = {"sku_id": "code", "generation": "seq", "content_hash": "hash", "merchant_id": "who"}
    target = ImportTarget.objects.create(name="shop", fields={**names, **whose})
    _, page, (sku,) = importable(people)
    delivering.deliver_pages([page.pk])
    second = corrected(sku, "M-2")
    delivering.deliver_pages([page.pk])
    assert not ImportRecord.objects.exclude(payload=b"").exists()
    ImportTarget.objects.filter(pk=target.pk).update(fields={"number": "sku_id", "n": "generation", **whose})
    assert put_back(second) == 1
    assert put_back(second) == 0, "twice is a no-op"
    row = ImportRecord.objects.get(state="PENDING")
    assert msgspec.json.decode(bytes(row.payload)) == {"number": sku.sku_id, "n": 3, "who": people.merchant.pk}


def test_a_deletion_that_the_target_lost_goes_out_again_as_it_was(people: People, downstream: Downstream) -> None:
    _, page, (sku,) = importable(people)
    delivering.deliver_pages([page.pk])
    with transaction.atomic():
        compensating.remove(page.job, [sku])
    delivering.deliver_pages([page.pk])
    row = ImportRecord.objects.get(kind="delete")
    assert bytes(row.payload) == b""
    ImportRecord.objects.filter(pk=row.pk).update(drift="not_deleted")
    delivering.retry_imports([row.pk], "lead")
    delivering.deliver_pages([page.pk])
    assert downstream.taken[2].body == {**downstream.taken[1].body, "generation": 3}
    assert written_as_sent(downstream) == 3
