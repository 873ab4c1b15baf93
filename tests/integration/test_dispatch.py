"""Waiting work is sent in windows, in order and in fair shares; what was lost on the way is sent again."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalogsku.core import messages, work
from ingestion.lifecycle import PageStage
from ingestion.models import Job, Page
from ingestion.services import dispatch
from ingestion.services.jobs import cancel_job, requeue_job
from ingestion.services.settle import touch_progress
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_worker, waiting_pages

READ, RULES = PageStage.READ, PageStage.UNDERSTAND_RULES
pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, Any]]]:
    """(actor, argument) of every message, as soon as its transaction asks for it."""
    outgoing: list[tuple[str, Any]] = []
    monkeypatch.setattr(messages, "send_after_commit", lambda actor, *args: outgoing.append((actor, args[0])))
    yield outgoing


def numbers(chunks: list[tuple[str, Any]], actor: str = "read_pages") -> list[list[int]]:
    by_id = dict(Page.objects.values_list("pk", "number"))
    return [[by_id[pk] for pk in ids] for name, ids in chunks if name == actor]


@pytest.mark.req("TA-G1", "LX-SCATTER")
def test_a_window_of_whole_chunks_of_neighbours_is_sent_and_no_more(people: People, sent: list[Any]) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant)
    waiting_pages(job, range(1, 101))
    assert dispatch.dispatch_job(job.pk) == 32
    assert numbers(sent) == [list(range(at, at + 8)) for at in (1, 9, 17, 25)]
    assert dispatch.dispatch_job(job.pk) == 0
    Page.objects.filter(job=job, number__lte=12).update(stage="NONE", dispatched_at=None)
    sent.clear()
    assert dispatch.dispatch_job(job.pk) == 8, "room for twelve is one whole chunk while more waits"
    assert numbers(sent) == [list(range(33, 41))]


@pytest.mark.req("TA-G1")
def test_a_small_job_is_cut_so_that_every_thread_has_some(people: People, sent: list[Any]) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant)
    waiting_pages(job, range(1, 11))
    assert dispatch.dispatch_job(job.pk) == 10
    assert numbers(sent) == [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10]]


def test_nothing_is_sent_where_no_worker_lives(people: People, sent: list[Any]) -> None:
    job = make_job(people.merchant)
    waiting_pages(job, range(1, 11))
    make_worker("cpu", seen_at=timezone.now() - timedelta(seconds=31))
    assert dispatch.dispatch_job(job.pk) == 0
    assert sent == []


@pytest.mark.req("TA-EVAL")
def test_sampled_pages_go_first_and_the_others_are_read_meanwhile(people: People, sent: list[Any]) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant, status="EVALUATING", stage="EVALUATE", route="")
    waiting_pages(job, range(1, 61), status="PENDING", sampled=lambda n: n % 20 == 0)
    dispatch.dispatch_job(job.pk)
    assert numbers(sent)[0] == [20, 40, 60], "none of the others keeps the evaluation waiting"
    assert numbers(sent)[1:] == [list(range(1, 9))], "no more than keeps two threads at work, in whole chunks"
    assert not any(actor == "evaluate_job" for actor, _ in sent)
    sent.clear()
    Page.objects.filter(job=job, sampled=True).update(stage=RULES, dispatched_at=None)
    dispatch.dispatch_job(job.pk)
    assert sent[0] == ("evaluate_job", job.pk), "the rest may still be read"
    assert {actor for actor, _ in sent[1:]} <= {"read_pages"}, "nothing is understood before the route is known"


def test_a_sample_is_shared_evenly_and_read_ahead_of_in_half_chunks(people: People, sent: list[Any]) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant, status="EVALUATING", stage="EVALUATE", route="")
    waiting_pages(job, range(1, 201), status="PENDING", sampled=lambda n: n % 5 == 0)

    def dispatched() -> list[list[int]]:
        sent.clear()
        dispatch.dispatch_job(job.pk)
        return [ids for _, ids in sent]

    def have_been_read(pages: list[int]) -> None:
        Page.objects.filter(pk__in=pages).update(stage=RULES, dispatched_at=None)

    first, second, third, fourth = dispatched()
    assert {len(ids) for ids in (first, second, third, fourth)} == {8}, "small while nobody knows how long a page takes"
    assert numbers(sent) == [list(range(at, at + 40, 5)) for at in (5, 45, 85, 125)], (
        "another chunk waits for each thread"
    )
    touch_progress(job.pk, READ, 0.05)  # a chunk may have 32 of them, half of one 16
    have_been_read(first)
    assert [len(ids) for ids in dispatched()] == [4, 4], "what is left in equal parts"
    have_been_read(second)
    assert dispatched() == [], "24 of the sample are under way for two threads: nothing is read ahead"
    have_been_read(third)
    have_been_read(fourth)
    assert [len(ids) for ids in dispatched()] == [15], (
        "of the others as much as keeps both threads at work, in equal parts"
    )


def test_room_for_less_than_a_chunk_is_not_asked_about_while_every_thread_has_one(
    people: People, sent: list[Any]
) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant)
    pages = waiting_pages(job, range(1, 201))

    def asked_for_pages() -> int:
        with CaptureQueriesContext(connection) as asked:
            dispatch.dispatch_job(job.pk)
        return sum("FOR NO KEY UPDATE" in one["sql"] for one in asked)

    assert (asked_for_pages(), len(sent)) == (1, 4)
    Page.objects.filter(pk__in=[page.pk for page in pages[:7]]).update(stage="NONE")
    assert (asked_for_pages(), len(sent)) == (0, 4)
    Page.objects.filter(pk=pages[7].pk).update(stage="NONE")
    assert (asked_for_pages(), len(sent)) == (1, 5)


@pytest.mark.req("TA-BR17", "TA-BR17")
def test_a_page_is_understood_once_the_ten_before_it_have_been_read(people: People, sent: list[Any]) -> None:
    make_worker("cpu", threads=8)
    job = make_job(people.merchant)
    pages = {p.number: p for p in waiting_pages(job, range(1, 31), stage=RULES)}

    def understandable() -> list[int]:
        return sorted(dispatch.ready_pages(RULES).filter(job=job).values_list("number", flat=True))

    assert understandable() == list(range(1, 31))
    Page.objects.filter(pk=pages[15].pk).update(stage=READ)
    assert understandable() == [*range(1, 15), *range(26, 31)]
    Page.objects.filter(pk=pages[15].pk).update(worker=make_worker().pk)
    assert 16 not in understandable(), "being read is not read"
    Page.objects.filter(pk=pages[15].pk).update(stage="NONE", status="DEAD_LETTER", worker=None)
    assert understandable() == [n for n in range(1, 31) if n != 15]
    other = make_job(people.merchant)
    make_page(other, 14, stage=READ)
    assert 16 in understandable(), "another document's pages are not its neighbours"


@pytest.mark.req("TA-D3")
def test_a_lost_message_is_sent_again_after_twenty_seconds(people: People, sent: list[Any]) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant)
    waiting_pages(job, range(1, 5))
    assert dispatch.dispatch_job(job.pk) == 4
    Page.objects.update(dispatched_at=F("dispatched_at") - timedelta(seconds=15))
    assert dispatch.jobs_with_work() == []
    assert dispatch.dispatch_job(job.pk) == 0
    Page.objects.update(dispatched_at=F("dispatched_at") - timedelta(seconds=6))
    assert dispatch.jobs_with_work() == [job.pk]
    assert dispatch.dispatch_job(job.pk) == 4


@pytest.mark.req("TA-D3")
def test_a_claimed_page_is_not_sent_again_however_long_it_takes(people: People, sent: list[Any]) -> None:
    worker = make_worker("cpu", threads=2)
    job = make_job(people.merchant)
    page = waiting_pages(job, [1])[0]
    dispatch.dispatch_job(job.pk)
    work.claim(dispatch.active_pages().filter(pk=page.pk), READ, worker)
    Page.objects.update(dispatched_at=F("dispatched_at") - timedelta(minutes=10))
    assert dispatch.dispatch_job(job.pk) == 0


@pytest.mark.req("TA-CANCEL", "TA-D6")
def test_cancelled_and_held_jobs_send_nothing(people: People, sent: list[Any]) -> None:
    make_worker("cpu", threads=2)
    cancelled, held = make_job(people.merchant), make_job(people.merchant, held_reason="looked at")
    for job in (cancelled, held):
        waiting_pages(job, range(1, 5))
    cancel_job(cancelled, "uploader")
    sent.clear()
    assert [dispatch.dispatch_job(job.pk) for job in (cancelled, held)] == [0, 0]
    assert dispatch.jobs_with_work() == []
    requeue_job(held, "operator")
    assert dispatch.dispatch_job(held.pk) == 4


def test_the_jobs_own_stages_are_sent_once(people: People, sent: list[Any]) -> None:
    job = make_job(people.merchant, status="UPLOADED", stage="INSPECT", route="")
    assert dispatch.dispatch_job(job.pk) == 1
    assert sent == [("inspect_job", job.pk)]
    assert dispatch.dispatch_job(job.pk) == 0
    Job.objects.filter(pk=job.pk).update(stage="PRESCAN", dispatched_at=None)
    dispatch.dispatch_job(job.pk)
    assert sent[-1] == ("prescan_job", job.pk)


@pytest.mark.req("TA-G1")
def test_merchants_share_the_unit_and_a_small_job_passes_a_large_one(people: People, sent: list[Any]) -> None:
    make_worker("cpu", threads=4)
    large, small = make_job(people.merchant), make_job(people.other)
    waiting_pages(large, range(1, 2001))
    assert dispatch.dispatch_job(large.pk) == 64, "alone it may have the whole window"
    Page.objects.update(dispatched_at=None)
    waiting_pages(small, range(1, 21))
    assert dispatch.dispatch_job(large.pk) == 32
    sent.clear()
    assert dispatch.dispatch_job(small.pk) == 20
    second = make_job(people.merchant)
    waiting_pages(second, range(1, 21))
    assert 0 < dispatch.dispatch_job(second.pk) <= 16, "its part of the merchant's share, although that is all in use"
    assert dispatch.dispatch_job(large.pk) == 0, "the large one waits until it is below its own part"


@pytest.mark.req("TA-G1")
def test_new_documents_are_served_first_then_those_with_the_fewest_pages_in_hand(people: People) -> None:
    worker = make_worker("cpu", threads=4)
    busy, idle = make_job(people.merchant), make_job(people.merchant)
    theirs, new = make_job(people.other), make_job(people.merchant, status="UPLOADED", stage="INSPECT", route="")
    for job in (busy, idle, theirs):
        waiting_pages(job, range(1, 5))
    in_hand = Page.objects.filter(job=busy, number__in=(1, 2))
    work.claim(in_hand, READ, worker)
    assert dispatch.jobs_with_work() == [new.pk, theirs.pk, idle.pk, busy.pk]


@pytest.mark.req("TA-OCR")
@pytest.mark.parametrize(("size", "chunks"), [(8, [[1, 2], [3, 4, 5, 6]]), (32, [[1, 2], [3, 4, 5, 6]]), (1, None)])
def test_pages_to_be_recognised_weigh_half_a_chunk(people: People, size: int, chunks: list[list[int]] | None) -> None:
    job = make_job(people.merchant)
    waiting_pages(job, range(1, 7), prescan=lambda n: {"needs_ocr": True} if n in (2, 3) else {})
    pages = dispatch.pages_to_send(job.pk, READ, 10)
    by_id = {p.pk: p.number for p in pages}
    found = [[by_id[pk] for pk in chunk] for chunk in dispatch.chunk_pages(pages, size)]
    assert found == (chunks or [[n] for n in range(1, 7)])


@pytest.mark.parametrize(("page_s", "together"), [(None, 8), (5.0, 8), (0.2, 10), (0.1, 20), (0.001, 32)])
def test_quick_pages_go_together_until_they_take_two_seconds(
    people: People, sent: list[Any], page_s: float | None, together: int
) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant)
    waiting_pages(job, range(1, 321))
    touch_progress(job.pk, RULES, 0.001)
    if page_s is not None:
        touch_progress(job.pk, READ, page_s)
    dispatch.dispatch_job(job.pk)
    sizes = [len(message[1]) for message in sent if message[0] == "read_pages"]
    assert sizes == [together] * 4, "two messages a thread"
    other = make_job(people.merchant)
    waiting_pages(other, range(1, 321))
    sent.clear()
    dispatch.dispatch_job(other.pk)
    assert max(len(ids) for _, ids in sent) <= 8, "another document's pages may be slow"


def test_pages_are_understood_in_chunks_four_times_as_large_as_they_are_read(people: People, sent: list[Any]) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant)
    waiting_pages(job, range(1, 321), stage=RULES)
    dispatch.dispatch_job(job.pk)
    assert numbers(sent, "understand_pages") == [list(range(at, at + 32)) for at in (1, 33, 65, 97)]


def test_what_is_left_to_understand_is_cut_no_finer_than_thirty_two_but_alike_for_every_thread(
    people: People, sent: list[Any]
) -> None:
    make_worker("cpu", threads=2)
    for pages, sizes in ((80, [20, 20, 20, 20]), (64, [32, 32]), (40, [20, 20])):
        job = make_job(people.merchant)
        waiting_pages(job, range(1, pages + 1), stage=RULES)
        sent.clear()
        dispatch.dispatch_job(job.pk)
        assert [len(ids) for _, ids in sent] == sizes
        Page.objects.filter(job=job).update(stage="NONE", dispatched_at=None)


def test_what_is_left_beside_pages_at_work_is_cut_alike(people: People, sent: list[Any]) -> None:
    worker = make_worker("cpu", threads=2)
    job = make_job(people.merchant)
    waiting_pages(job, range(33, 73), stage=RULES)
    for number in range(1, 33):
        make_page(job, number, stage=RULES, worker=worker.pk, claimed_at=timezone.now())
    dispatch.dispatch_job(job.pk)
    assert [len(ids) for _, ids in sent] == [20, 20], "32 and 8 leave a core idle for the time of 24"


def test_a_page_waits_out_its_backoff(people: People, sent: list[Any]) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant)
    waiting_pages(job, [1], not_before=timezone.now() + timedelta(seconds=30))
    assert dispatch.dispatch_job(job.pk) == 0
    Page.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    assert dispatch.dispatch_job(job.pk) == 1


@pytest.mark.req("LA-RATE")
def test_pages_that_were_put_off_to_one_moment_order_one_look_at_their_job(monkeypatch: pytest.MonkeyPatch) -> None:
    ordered: list[tuple[int, int]] = []
    monkeypatch.setattr(messages, "send", lambda actor, job_id, delay_ms: ordered.append((job_id, delay_ms)))
    monkeypatch.setattr(dispatch, "_looks", {})
    for wait_s in (30.0, 29.99, 29.98):
        dispatch.dispatch_again(1, wait_s)
    dispatch.dispatch_again(2, 30.0)
    dispatch.dispatch_again(1, 5.0)
    assert [job_id for job_id, _ in ordered] == [1, 2, 1]
    assert ordered[0][1] > 30_000 > ordered[2][1] > 5_000, "after they are due"
