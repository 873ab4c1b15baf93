"""Imports into an HTTP product API: what the ledger makes of its answers, its silence and its mistakes."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db.models import F
from django.utils import timezone

from annotation.models import HumanTask
from annotation.tasks.services.settle import settle_pages
from ingestion.models import Page
from processing.imports.services import delivering, ledger, reconciling
from processing.models import ImportRecord, ImportTarget, LocalProduct, Sku
from tests.support.downstream import Downstream, Mood
from tests.support.imports import HOUR, corrected, importable, states, time_passes
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_sku

pytestmark = pytest.mark.django_db


@pytest.fixture
def downstream(settings: Any) -> Iterator[Downstream]:
    with Downstream() as server:
        settings.IMPORT_URL = server.url
        yield server


def target(**switches: Any) -> ImportTarget:
    """The switches of IMPORT_URL."""
    row = ImportTarget(**{"name": "shop", **switches})
    row.full_clean()
    row.save()
    return row


def deliver(page: Page) -> int:
    """Also what waits for its back-off."""
    ImportRecord.objects.filter(page=page).update(not_before=None)
    return delivering.deliver_pages([page.pk])


def every() -> list[int]:
    return list(ImportRecord.objects.values_list("pk", flat=True))


def row_of(page: Page) -> ImportRecord:
    return ImportRecord.objects.filter(page=page).order_by("-pk")[0]


def model_of(downstream: Downstream) -> Any:
    """Of the one product that its customers see."""
    (product,) = downstream.visible().values()
    return product["attributes"]["model"]


# --- answers -------------------------------------------------------------------------------------


@pytest.mark.req("TA-IMPORT", "TA-IMPKEY")
def test_products_arrive_with_merchant_sku_generation_and_revision(people: People, downstream: Downstream) -> None:
    job, page, skus = importable(people, skus=3)
    assert deliver(page) == 3
    assert states(page) == ["CONFIRMED"] * 3
    body = downstream.taken[0].body
    expected = {"merchant_id": people.merchant.pk, "sku_id": skus[0].sku_id, "generation": 1, "revision": 1}
    assert {name: body[name] for name in expected} == expected
    assert (body["job_id"], body["content_hash"]) == (str(job.uuid), ImportRecord.objects.first().payload_hash)
    assert LocalProduct.objects.count() == 0
    assert set(Sku.objects.values_list("status", flat=True)) == {"IMPORTED"}


@pytest.mark.req("TA-IMPRETRY")
def test_back_off_doubles_up_to_ten_minutes_and_is_no_attempt_of_the_page(
    people: People, downstream: Downstream
) -> None:
    _, page, _ = importable(people)
    downstream.otherwise, downstream.retry_after = Mood.RATE_LIMITED, "soon"
    waits = []
    for _ in range(9):
        assert deliver(page) == 1
        waits.append(round((row_of(page).not_before - timezone.now()).total_seconds(), -1))
    assert waits == [10, 20, 40, 80, 160, 320, 600, 600, 600]
    assert (row_of(page).attempt, states(page)) == (9, ["PENDING"])
    page.refresh_from_db()
    assert (page.failures, page.losses) == (0, 0)
    downstream.retry_after = "90000"
    deliver(page)
    assert (row_of(page).not_before - timezone.now()).total_seconds() <= 600
    assert delivering.deliver_pages([page.pk]) == 0, "it waits"


@pytest.mark.req("TA-IMPRETRY")
@pytest.mark.parametrize("mood", [Mood.DOWN, Mood.RATE_LIMITED])
def test_six_hours_without_the_downstream_bury_nothing_and_drain_by_themselves(
    people: People, downstream: Downstream, mood: Mood
) -> None:
    _, page, _ = importable(people, skus=2)
    downstream.otherwise = mood
    for _ in range(6):
        time_passes(page)
        ImportRecord.objects.update(failing_since=F("failing_since") - HOUR)
        reconciling.settle_unknown()
        reconciling.give_up_stale()
        deliver(page)
    assert set(states(page)) <= {"PENDING", "UNKNOWN"}
    downstream.otherwise = Mood.OK
    time_passes(page)
    reconciling.settle_unknown()
    time_passes(page)
    reconciling.settle_unknown()
    deliver(page)
    assert states(page) == ["CONFIRMED"] * 2
    assert row_of(page).failing_since is None
    assert len(downstream.taken) == 2


@pytest.mark.req("TA-RECON", "TA-IMPRETRY")
def test_what_has_failed_for_a_day_is_given_up_shown_and_sent_by_a_person(
    people: People, downstream: Downstream
) -> None:
    _, page, _ = importable(people)
    downstream.otherwise = Mood.RATE_LIMITED
    deliver(page)
    ImportRecord.objects.update(failing_since=timezone.now() - 23 * HOUR)
    assert reconciling.give_up_stale() == 0
    ImportRecord.objects.update(failing_since=timezone.now() - 25 * HOUR)
    assert reconciling.give_up_stale() == 1
    settle_pages([page.pk])
    page.refresh_from_db()
    assert (states(page), page.import_state, Sku.objects.get().status) == (["STALE"], "stale", "IMPORT_FAILED")
    downstream.otherwise = Mood.OK
    assert deliver(page) == 0, "no longer by itself"
    assert delivering.retry_imports(every(), "lead") == 1
    assert deliver(page) == 1
    settle_pages([page.pk])
    page.refresh_from_db()
    assert (states(page), page.import_state, Sku.objects.get().status) == (["CONFIRMED"], "confirmed", "IMPORTED")


@pytest.mark.req("TA-RECON")
def test_what_may_have_arrived_is_asked_about_before_a_person_sends_it_again(
    people: People, downstream: Downstream
) -> None:
    _, page, _ = importable(people)
    downstream.otherwise = Mood.LOSSY
    deliver(page)
    ImportRecord.objects.update(failing_since=timezone.now() - 25 * HOUR)
    reconciling.give_up_stale()
    downstream.otherwise = Mood.OK
    assert delivering.retry_imports(every(), "lead") == 1
    assert states(page) == ["UNKNOWN"]
    time_passes(page)
    assert reconciling.settle_unknown() == 1
    assert (states(page), len(downstream.posts())) == (["CONFIRMED"], 1)


@pytest.mark.req("TA-4XX")
def test_a_conflict_is_tried_five_times_then_people_see_it(people: People, downstream: Downstream) -> None:
    _, page, _ = importable(people)
    downstream.otherwise = Mood.CONFLICT
    for _ in range(5):
        assert deliver(page) == 1
        assert states(page) == ["PENDING"]
    assert deliver(page) == 1
    assert (states(page), len(downstream.posts())) == (["REFUSED"], 6)


@pytest.mark.req("TA-4XX", "TA-IMPKEY")
def test_a_downstream_that_is_ahead_gets_the_product_as_a_later_generation(
    people: People, downstream: Downstream
) -> None:
    """Our database was restored: the generations begin again below what the downstream has."""
    _, page, (sku,) = importable(people)
    downstream.take([{"merchant_id": people.merchant.pk, "sku_id": sku.sku_id, "generation": 7, "product": {}}])
    downstream.moods.append(Mood.CONFLICT)
    deliver(page)
    deliver(page)
    assert states(page) == ["SUPERSEDED", "CONFIRMED"]
    assert (downstream.taken[-1].generation, model_of(downstream)) == (8, "M-1")


@pytest.mark.req("TA-4XX")
def test_a_refusal_opens_a_task_with_the_answer_and_a_correction_goes_out(
    people: People, downstream: Downstream
) -> None:
    _, page, (sku, _) = importable(people, skus=2)
    downstream.moods.append(Mood.REFUSING)
    deliver(page)
    settle_pages([page.pk])
    settle_pages([page.pk])
    task = HumanTask.objects.get(page=page)
    assert (task.type, task.subject, task.reasons[0]["code"]) == ("SKU_CONFIRM", sku.sku_id, "import_refused")
    assert "category is missing" in task.reasons[0]["params"]["response"]
    page.refresh_from_db()
    assert (page.status, page.import_state, states(page)) == ("HUMAN_QUEUED", "failed", ["REFUSED", "CONFIRMED"])
    assert deliver(page) == 0, "never again by itself"
    corrected(Sku.objects.get(pk=sku.pk), "M-9")
    assert deliver(page) == 1
    settle_pages([page.pk])
    page.refresh_from_db()
    task.refresh_from_db()
    assert (page.import_state, task.status) == ("confirmed", "COMPLETED")


@pytest.mark.req("TA-4XX")
def test_a_refusal_that_a_person_has_seen_is_not_asked_about_again(people: People, downstream: Downstream) -> None:
    _, page, _ = importable(people)
    downstream.otherwise = Mood.REFUSING
    deliver(page)
    settle_pages([page.pk])
    HumanTask.objects.update(status="COMPLETED")
    settle_pages([page.pk])
    page.refresh_from_db()
    assert (HumanTask.objects.count(), page.status, page.import_state) == (1, "HUMAN_COMPLETED", "failed")


# --- no answer -----------------------------------------------------------------------------------


@pytest.mark.req("PL-C3")
@pytest.mark.parametrize(("mood", "posts"), [(Mood.LOSSY, 1), (Mood.BROKEN, 1), (Mood.UNHEARD, 2), (Mood.GARBAGE, 1)])
def test_a_lost_answer_is_asked_for_once_it_cannot_be_on_its_way(
    people: People, downstream: Downstream, mood: Mood, posts: int
) -> None:
    downstream.inserts = True
    target(writes="insert")
    _, page, _ = importable(people)
    downstream.moods.append(mood)
    deliver(page)
    assert reconciling.settle_unknown() == 0, "untouched before three times the timeout"
    time_passes(page)
    assert reconciling.settle_unknown() == 1
    deliver(page)
    assert (states(page), len(downstream.posts()), len(downstream.taken)) == (["CONFIRMED"], posts, 1)


@pytest.mark.req("PL-C3")
def test_while_the_downstream_cannot_say_nothing_is_sent(people: People, downstream: Downstream) -> None:
    _, page, _ = importable(people)
    downstream.moods.append(Mood.LOSSY)
    deliver(page)
    time_passes(page)
    downstream.otherwise = Mood.DOWN
    assert reconciling.settle_unknown() == 0
    assert reconciling.unknown_imports().count() == 0, "asked again in a minute"
    assert deliver(page) == 0
    downstream.otherwise = Mood.OK
    time_passes(page)
    assert reconciling.settle_unknown() == 1
    assert (states(page), len(downstream.taken)) == (["CONFIRMED"], 1)


@pytest.mark.req("PL-C3", "TA-ADAPT")
def test_a_replacing_target_that_cannot_be_asked_gets_the_same_bytes_again(
    people: People, downstream: Downstream
) -> None:
    target(query="none")
    _, page, _ = importable(people)
    downstream.moods.append(Mood.LOSSY)
    deliver(page)
    time_passes(page)
    assert reconciling.settle_unknown() == 1
    deliver(page)
    first, second = downstream.posts()
    assert (first.body, first.headers["idempotency-key"]) == (second.body, second.headers["idempotency-key"])
    assert (states(page), len(downstream.taken)) == (["CONFIRMED"], 1)


@pytest.mark.req("PL-C3", "TA-IMPKEY")
def test_what_may_have_arrived_keeps_the_earlier_product_from_counting_as_there(
    people: People, downstream: Downstream
) -> None:
    """The second product arrived without a word and was corrected back before it was sent again."""
    target(query="none")
    _, page, (sku,) = importable(people)
    deliver(page)
    second = corrected(sku, "M-2")
    downstream.moods.append(Mood.LOSSY)
    deliver(page)
    time_passes(page)
    reconciling.settle_unknown()
    corrected(second, "M-1")
    deliver(page)
    assert (model_of(downstream), states(page)) == ("M-1", ["CONFIRMED", "SUPERSEDED", "CONFIRMED"])


@pytest.mark.req("PL-C3", "TA-ADAPT")
def test_an_inserting_target_that_cannot_be_asked_never_gets_it_again(people: People, downstream: Downstream) -> None:
    downstream.inserts = True
    target(query="none", writes="insert")
    _, page, _ = importable(people)
    downstream.moods.append(Mood.LOSSY)
    deliver(page)
    time_passes(page)
    assert reconciling.settle_unknown() == 1
    for _ in range(3):
        time_passes(page)
        assert (reconciling.settle_unknown(), deliver(page)) == (0, 0)
        reconciling.confirm_assumed()
    assert (states(page), len(downstream.posts())) == (["ASSUMED"], 1)
    assert delivering.confirm_by_hand(every(), "lead") == 1
    assert states(page) == ["CONFIRMED"]


# --- reconciliation ------------------------------------------------------------------------------


@pytest.mark.req("TA-RECON")
def test_what_was_taken_for_later_is_confirmed_once_it_is_there(people: People, downstream: Downstream) -> None:
    _, page, _ = importable(people, skus=3)
    downstream.otherwise = Mood.LATER
    deliver(page)
    settle_pages([page.pk])
    page.refresh_from_db()
    assert (states(page), page.import_state) == (["ASSUMED"] * 3, "assumed")
    lost = downstream.taken[1]
    downstream.forget(lost.sku)
    downstream.otherwise = Mood.OK
    assert reconciling.confirm_assumed() == {"confirmed": 2, "sent_again": 0, "unclear": 0}
    time_passes(page)
    assert reconciling.confirm_assumed() == {"confirmed": 0, "sent_again": 1, "unclear": 0}
    assert deliver(page) == 1
    assert (states(page), len(downstream.visible())) == (["CONFIRMED"] * 3, 3)
    assert set(Sku.objects.values_list("status", flat=True)) == {"IMPORTED"}


@pytest.mark.req("TA-RECON")
@pytest.mark.parametrize("query", ["sku", "job"])
def test_ten_planted_differences_are_found_and_nothing_else(people: People, downstream: Downstream, query: str) -> None:
    target(batch=50, query=query)
    _, page, skus = importable(people, skus=60)
    deliver(page)
    planted = {sku.sku_id for sku in skus[5:15]}
    for number, key in enumerate(sorted(planted)):
        if number % 2:
            downstream.forget(key)
        else:
            one = downstream.held()[people.merchant.pk, key]
            one.body.update(content_hash="somebody else's", generation=0)
    rows = ImportRecord.objects.order_by("pk")
    found = reconciling.find_drift(rows[0].pk, rows.last().pk)
    assert found == {"checked": 60, "drifted": 10, "unclear": 0}
    assert set(ImportRecord.objects.exclude(drift="").values_list("sku_key", flat=True)) == planted
    assert delivering.retry_imports(every(), "lead") == 10
    deliver(page)
    again = ImportRecord.objects.order_by("pk").last()
    assert reconciling.find_drift(rows[0].pk, again.pk) == {"checked": 60, "drifted": 0, "unclear": 0}


@pytest.mark.req("TA-RECON")
def test_a_downstream_that_contradicts_itself_is_noted_and_nothing_is_sent(
    people: People, downstream: Downstream
) -> None:
    _, page, _ = importable(people)
    deliver(page)
    row = row_of(page)
    downstream.moods.append(Mood.INCONSISTENT)
    assert reconciling.find_drift(row.pk, row.pk)["drifted"] == 1
    assert (row_of(page).drift, deliver(page)) == ("missing", 0)
    assert reconciling.find_drift(row.pk, row.pk)["drifted"] == 0
    assert row_of(page).drift == ""


@pytest.mark.req("TA-RECON")
def test_the_rounds_of_the_drift_check_walk_over_the_whole_ledger(
    people: People, downstream: Downstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    importable(people, skus=30)
    monkeypatch.setattr(reconciling, "CHECKED_A_ROUND", 7)
    ids = set(ImportRecord.objects.values_list("pk", flat=True))
    rounds = -(-max(ids) // 7)
    seen: set[int] = set()
    for number in range(rounds):
        first, last = reconciling.drift_window(number * 1800.0)
        seen |= set(range(first, last + 1))
    assert ids <= seen


# --- the switches of a target --------------------------------------------------------------------


@pytest.mark.req("TA-ADAPT", "TA-IMPKEY")
def test_a_target_that_takes_a_sku_once_gets_its_correction_by_hand(people: People, downstream: Downstream) -> None:
    downstream.inserts = True
    target(writes="once")
    _, page, (sku,) = importable(people)
    deliver(page)
    corrected(sku, "M-2")
    assert deliver(page) == 0
    assert (states(page), len(downstream.taken)) == (["CONFIRMED", "REFUSED"], 1)
    settle_pages([page.pk])
    assert "takes each SKU once" in HumanTask.objects.get().reasons[0]["params"]["response"]


@pytest.mark.req("TA-ADAPT", "TA-SKUKEY")
def test_ids_take_the_targets_form_and_are_asked_for_in_it(people: People, downstream: Downstream) -> None:
    target(id_pattern="{number}{page}{sequence}")
    job, page, _ = importable(people)
    downstream.moods.append(Mood.LOSSY)
    deliver(page)
    time_passes(page)
    reconciling.settle_unknown()
    assert states(page) == ["CONFIRMED"]
    assert downstream.taken[0].sku == row_of(page).external_id == f"{int(job.hash8, 16):010d}00010001"


@pytest.mark.req("TA-ADAPT", "TA-IMPORT")
def test_fields_take_the_targets_names(people: People, downstream: Downstream) -> None:
    downstream.names = {"sku_id": "code", "generation": "seq", "merchant_id": "shop", "deleted": "gone"}
    fields = {
        "code": "sku_id", "seq": "generation", "shop": "merchant_id", "title": "attributes.model", "gone": "deleted",
    }  # fmt: skip
    target(fields=fields)
    _, page, (sku,) = importable(people)
    deliver(page)
    assert downstream.taken[0].body == {
        "code": sku.sku_id,
        "seq": 1,
        "shop": people.merchant.pk,
        "title": "M-1",
        "gone": False,
    }
    again = make_job(people.merchant, file_sha256=page.job.file_sha256)
    _, second, _ = importable(people, job=again)
    assert (states(second), len(downstream.posts())) == (["CONFIRMED"], 1)


@pytest.mark.req("TA-ADAPT", "TA-T35")
def test_documents_go_out_whole_once_nobody_works_on_them(people: People, downstream: Downstream) -> None:
    target(whole_job=True)
    job, first, _ = importable(people, skus=2)
    _, second, _ = importable(people, skus=2, job=job)
    waiting = make_page(job, 3, "HUMAN_QUEUED")
    ImportRecord.objects.update(created_at=timezone.now() - HOUR)
    assert (deliver(first), ledger.due_pages()) == (0, [])
    Page.objects.filter(pk=waiting.pk).update(status="HUMAN_COMPLETED")
    assert ledger.due_pages() == [first.pk, second.pk]
    assert deliver(first) == 4
    assert (len(downstream.posts()), len(downstream.taken)) == (1, 4)


@pytest.mark.req("TA-IMPORT")
def test_a_merchant_may_have_a_target_of_its_own(people: People, settings: Any, tmp_path: Any) -> None:
    settings.IMPORT_TOKENS_DIR = str(tmp_path)
    settings.IMPORT_PRIVATE_HOSTS = ["127.0.0.1"]
    (tmp_path / "north").write_text("a made-up secret of north\n")
    with Downstream(token="a made-up secret of north") as north, Downstream() as shared:
        settings.IMPORT_URL, settings.IMPORT_TOKEN = shared.url, "a made-up secret of all"
        target(name="north", merchant=people.merchant, url=north.url)
        _, page, _ = importable(people)
        theirs = make_job(people.other)
        other = make_page(theirs, 1, "AI_COMPLETED")
        ledger.open_imports(theirs, [make_sku(other, 1)])
        deliver(page)
        deliver(other)
        assert (len(north.taken), len(shared.taken)) == (1, 1)
        assert shared.posts()[0].headers["authorization"] == "Bearer a made-up secret of all"


@pytest.mark.req("TA-IMPORT")
def test_a_target_that_is_switched_off_keeps_its_imports_waiting(people: People, downstream: Downstream) -> None:
    row = target()
    _, page, _ = importable(people)
    ImportTarget.objects.update(enabled=False)
    assert (deliver(page), states(page)) == (0, ["PENDING"])
    row.save()
    assert (deliver(page), states(page)) == (1, ["CONFIRMED"])


@pytest.mark.parametrize(
    ("switches", "field"),
    [
        ({"name": "local"}, "name"),
        ({"url": "http://shop.example/x"}, "url"),
        ({"url": "https://user@shop.example/x"}, "url"),
        ({"url": "https://shop.example/x?y=1"}, "url"),
        ({"id_pattern": "{page}"}, "id_pattern"),
        ({"fields": {"a": "sku_id"}}, "fields"),
        ({"batch": 0}, "batch"),
        ({}, "url"),
    ],
)
def test_switches_are_checked(switches: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        ImportTarget(**{"name": "shop", **switches}).full_clean()
    assert field in refused.value.message_dict
