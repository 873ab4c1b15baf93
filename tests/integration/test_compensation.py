"""What went out is taken back: the downstream ends up as it was before, and twice changes nothing."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from annotation.tasks.services.settle import settle_pages
from ingestion.models import Page
from ingestion.services.jobs import cancel_job
from processing.corrections.services.correcting import Found, GivenSku, GivenValue, PageState, correct_page
from processing.imports.services import compensating, delivering, reconciling
from processing.models import ImportRecord, LocalProduct, Sku
from tests.support.downstream import Downstream, Mood
from tests.support.imports import corrected, importable, states, time_passes, written_as_sent
from tests.support.people import People
from tests.support.rows import make_job, make_sku

pytestmark = [pytest.mark.django_db, pytest.mark.req("X-UNDOIMP")]


@pytest.fixture
def downstream(settings: Any) -> Iterator[Downstream]:
    with Downstream() as server:
        settings.IMPORT_URL = server.url
        yield server
        written_as_sent(server)  # whatever the flow was
        kept = ImportRecord.objects.filter(state="CONFIRMED").exclude(payload=b"")
        assert set(kept.values_list("kind", flat=True)) <= {"restore"}


def deliver_all(page: Page) -> None:
    """Until nothing waits any more, however often it is lost."""
    for _ in range(12):
        if not ImportRecord.objects.filter(page=page, state__in=["PENDING", "SENDING", "UNKNOWN"]).exists():
            return
        time_passes(page)
        reconciling.settle_unknown()
        delivering.deliver_pages([page.pk])
    pytest.fail("imports never end")


def remove(page: Page, skus: list[Sku]) -> int:
    with transaction.atomic():
        return compensating.remove(page.job, skus)


def restore(page: Page, skus: list[Sku]) -> int:
    with transaction.atomic():
        return compensating.restore(page.job, skus)


def left_by_a_person(page: Page, rejected: str = "", **models: str) -> None:
    """The page as the workbench would send it; ``models`` by SKU."""
    given = tuple(
        GivenSku(
            sku_id=sku.sku_id,
            rejected=sku.sku_id == rejected,
            attributes={"model": GivenValue(models.get(sku.sku_id, sku.attributes["model"]))},
        )
        for sku in Sku.objects.filter(page=page, superseded=False)
    )
    with transaction.atomic():
        correct_page(page.job, page, PageState(page_type="C", skus=given), Found.of(page.job, page), "annotator")


@pytest.mark.req("TA-REV")
def test_a_product_that_a_person_rejects_leaves_the_downstream(people: People, downstream: Downstream) -> None:
    _, page, skus = importable(people, skus=2)
    deliver_all(page)
    left_by_a_person(page, rejected=skus[0].sku_id)
    settle_pages([page.pk])
    page.refresh_from_db()
    assert page.import_state == "pending"
    deliver_all(page)
    assert set(downstream.visible()) == {(people.merchant.pk, skus[1].sku_id)}
    assert downstream.taken[-1].body["product"] is None
    settle_pages([page.pk])
    page.refresh_from_db()
    assert page.import_state == "confirmed"
    assert Sku.objects.get(sku_id=skus[0].sku_id, superseded=False).status == "REJECTED"
    posts = len(downstream.posts())
    left_by_a_person(page, rejected=skus[0].sku_id)
    deliver_all(page)
    assert len(downstream.posts()) == posts, "the same again sends nothing"


def test_a_product_found_again_after_all_comes_back(people: People, downstream: Downstream) -> None:
    _, page, (sku,) = importable(people)
    deliver_all(page)
    before = downstream.visible()
    left_by_a_person(page, rejected=sku.sku_id)
    deliver_all(page)
    assert downstream.visible() == {}
    rejected = Sku.objects.get(superseded=False)
    corrected(rejected, "M-1")
    deliver_all(page)
    assert [p["attributes"] for p in downstream.visible().values()] == [p["attributes"] for p in before.values()]


def test_what_never_went_out_is_not_told(people: People, downstream: Downstream) -> None:
    _, page, skus = importable(people, skus=2)
    assert remove(page, skus) == 0
    assert states(page) == ["SUPERSEDED"] * 2
    deliver_all(page)
    assert downstream.posts() == []


def test_removing_twice_is_one_deletion(people: People, downstream: Downstream) -> None:
    _, page, skus = importable(people, skus=3)
    deliver_all(page)
    assert (remove(page, skus), remove(page, skus)) == (3, 0)
    deliver_all(page)
    assert remove(page, skus) == 0
    assert downstream.visible() == {}
    assert len(downstream.posts()) == 6


def test_a_deletion_waits_for_the_import_that_is_on_its_way(people: People, downstream: Downstream) -> None:
    _, page, skus = importable(people)
    downstream.moods.append(Mood.LOSSY)
    delivering.deliver_pages([page.pk])
    assert remove(page, skus) == 1
    assert delivering.deliver_pages([page.pk]) == 0
    deliver_all(page)
    assert (states(page), downstream.visible()) == (["CONFIRMED", "CONFIRMED"], {})


def test_a_correction_that_is_undone_leaves_the_bytes_of_before(people: People, downstream: Downstream) -> None:
    _, page, (sku,) = importable(people)
    deliver_all(page)
    before = downstream.visible()
    second = corrected(sku, "M-2")
    deliver_all(page)
    assert downstream.visible() != before
    assert (restore(page, [second]), restore(page, [second])) == (1, 0)
    deliver_all(page)
    assert downstream.visible() == before
    assert (downstream.taken[-1].generation, states(page)) == (3, ["CONFIRMED"] * 3)
    assert restore(page, [second]) == 0


def test_undoing_what_was_there_first_deletes_it(people: People, downstream: Downstream) -> None:
    _, page, skus = importable(people, skus=2)
    deliver_all(page)
    assert restore(page, skus) == 2
    deliver_all(page)
    assert downstream.visible() == {}


@pytest.mark.req("TA-CANCEL")
def test_a_cancelled_job_imports_nothing_and_can_still_be_taken_back(people: People, downstream: Downstream) -> None:
    job, page, skus = importable(people)
    deliver_all(page)
    later = importable(people, job=job)[1]
    cancel_job(job, "lead")
    assert delivering.deliver_pages([later.pk]) == 0
    assert len(downstream.visible()) == 1
    assert restore(page, skus) == 1
    assert delivering.deliver_pages([page.pk, later.pk]) == 1
    assert downstream.visible() == {}


@pytest.mark.req("TA-SKUSTABLE")
def test_a_product_that_a_rerun_no_longer_finds_leaves_the_downstream(people: People, downstream: Downstream) -> None:
    job, page, skus = importable(people, skus=2)
    deliver_all(page)
    Sku.objects.filter(pk__in=[sku.pk for sku in skus]).update(superseded=True, status="SUPERSEDED")
    make_sku(page, 1, revision=2)
    with transaction.atomic():
        assert compensating.remove_gone(job, [page.pk]) == 1
        assert compensating.remove_gone(job, [page.pk]) == 0
    deliver_all(page)
    assert set(downstream.visible()) == {(people.merchant.pk, skus[0].sku_id)}


def test_a_job_on_the_same_file_is_undone_to_what_the_first_had_sent(people: People, downstream: Downstream) -> None:
    job, page, _ = importable(people)
    deliver_all(page)
    before = downstream.visible()
    again = make_job(people.merchant, file_sha256=job.file_sha256)
    _, second, skus = importable(people, job=again, attributes={"model": "other"})
    deliver_all(second)
    assert downstream.visible() != before
    restore(second, skus)
    deliver_all(second)
    assert downstream.visible() == before


def test_the_local_target_loses_it_too(people: People) -> None:
    _, page, skus = importable(people)
    deliver_all(page)
    remove(page, skus)
    deliver_all(page)
    row = LocalProduct.objects.get()
    assert (row.deleted, row.generation) == (True, 2)


@pytest.mark.parametrize("seed", range(8))
def test_after_any_history_of_work_undone_the_downstream_is_as_before(
    people: People, downstream: Downstream, seed: int
) -> None:
    """Some SKUs were there, some come with the work; the network loses and repeats what it likes."""
    chance = random.Random(seed)
    moods = [Mood.OK, Mood.OK, Mood.LOSSY, Mood.UNHEARD, Mood.DUPLICATING, Mood.RATE_LIMITED, Mood.LATER]
    job, page, skus = importable(people, skus=3)
    deliver_all(page)
    before = downstream.visible()
    active = {sku.sku_id: sku for sku in skus}
    work: list[Sku] = []
    _, _, new = importable(people, job=job, skus=2)
    work += new
    active |= {sku.sku_id: sku for sku in new}
    for _ in range(8):
        key = chance.choice(sorted(active))
        active[key] = corrected(active[key], f"M-{chance.randint(1, 4)}")
        work.append(active[key])
        downstream.moods.extend(chance.choices(moods, k=3))
        pages = list(Page.objects.filter(job=job).values_list("pk", flat=True))
        ImportRecord.objects.update(not_before=None)
        delivering.deliver_pages(pages)
        if chance.random() < 0.5:
            time_passes(page)
            reconciling.settle_unknown()
    restore(page, work)
    downstream.moods.clear()
    for one in Page.objects.filter(job=job):
        deliver_all(one)
    assert downstream.visible() == before
    assert restore(page, work) == 0, "twice is a no-op"
