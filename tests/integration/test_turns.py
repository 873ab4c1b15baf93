"""A thread that is free takes what is to be done next: in fair shares, in order, in pieces worth a turn."""

import itertools
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from catalogsku.core import messages, work
from ingestion import queueing, selectors
from ingestion.lifecycle import PageStage
from ingestion.models import Job, MachineUse, Page, Quota
from ingestion.page_groups import groups_of
from ingestion.services import dispatch, machine_time, turns
from ingestion.services.jobs import cancel_job, requeue_job
from ingestion.services.settle import touch_progress
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_worker, waiting_pages

READ, RULES = PageStage.READ, PageStage.UNDERSTAND_RULES
pytestmark = pytest.mark.django_db


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Names of the actors that were woken."""
    woken: list[str] = []
    monkeypatch.setattr(messages, "send_unless_waiting", lambda actor: bool(woken.append(actor)) or True)
    return woken


def taken(unit: str = "cpu") -> tuple[str, list[int]] | None:
    """Stage and page numbers of the next turn, claimed as its worker would; of a job's own stage the job's id."""
    turn = turns.next_turn(unit)
    if turn is None:
        return None
    worker = make_worker(unit, threads=0)
    if isinstance(turn.subject, int):
        work.claim(Job.objects.filter(pk=turn.subject), turn.stage, worker)
        return turn.stage, [turn.subject]
    work.claim(Page.objects.filter(pk__in=turn.subject), turn.stage, worker)
    return turn.stage, sorted(Page.objects.filter(pk__in=turn.subject).values_list("number", flat=True))


def all_taken(most: int = 100, unit: str = "cpu") -> list[list[int]]:
    """Page numbers of the turns until nothing is left."""
    found = itertools.islice(iter(lambda: taken(unit), None), most)
    return [pages for _, pages in found]


@pytest.mark.req("TA-G1", "LX-SCATTER")
def test_turns_are_whole_chunks_of_neighbours_and_the_end_is_shared_alike(people: People) -> None:
    make_worker("cpu", threads=2)
    waiting_pages(make_job(people.merchant), range(1, 43))
    assert [taken() for _ in range(3)] == [(READ, list(range(at, at + 7))) for at in (1, 8, 15)]
    small = make_job(people.merchant)
    Page.objects.all().delete()
    waiting_pages(small, range(1, 11))
    assert all_taken() == [[1, 2, 3], [4, 5, 6], [7, 8], [9, 10]], "every thread has some"


def test_nobody_waits_for_a_worker_that_is_dead(people: People) -> None:
    waiting_pages(make_job(people.merchant), range(1, 11))
    make_worker("cpu", seen_at=timezone.now() - timedelta(seconds=31))
    assert taken() == (READ, [1, 2, 3, 4, 5]), "whoever asks is alive"


@pytest.mark.req("TA-EVAL")
def test_sampled_pages_go_first_and_the_others_are_read_meanwhile(people: People) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant, status="EVALUATING", stage="EVALUATE", route="")
    waiting_pages(job, range(1, 61), status="PENDING", sampled=lambda n: n % 20 == 0)
    assert taken() == (READ, [20, 40, 60]), "none of the others keeps the evaluation waiting"
    assert taken() == (READ, list(range(1, 9)))
    assert taken("llm") is None, "it waits for its sample"
    Page.objects.filter(job=job, sampled=True).update(stage=RULES, **work.CLEARED)
    assert taken("llm") == ("EVALUATE", [job.pk]), "the rest may still be read"
    assert taken() == (READ, list(range(9, 17))), "nothing is understood before the route is known"


def test_a_sample_is_shared_by_the_threads(people: People) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant, status="EVALUATING", stage="EVALUATE", route="")
    waiting_pages(job, range(1, 201), status="PENDING", sampled=lambda n: n % 5 == 0)
    sizes = [len(pages) for _, pages in (taken() or ("", []) for _ in range(6))]
    assert sizes == [8, 8, 8, 8, 4, 4], "small while nobody knows how long a page takes; what is left in equal parts"
    touch_progress(job.pk, READ, 0.05)
    assert taken() == (READ, [n for n in range(1, 19) if n % 5]), "half of what two seconds hold, beside the sample"


@pytest.mark.req("TA-BR17")
def test_a_page_is_understood_once_the_ten_before_it_have_been_read(people: People) -> None:
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


def test_pages_are_understood_in_whole_chunks_while_more_are_being_read(people: People) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant)
    waiting_pages(job, range(1, 21), stage=RULES)
    waiting_pages(job, range(21, 117), stage=READ)
    make_page(job, 117, stage=READ, worker=make_worker(threads=0).pk, claimed_at=timezone.now())
    assert taken() == (READ, list(range(21, 29))), "twenty are no whole chunk"
    Page.objects.filter(job=job, stage=READ).update(stage="NONE", worker=None, dispatched_at=None)
    assert taken() == (RULES, list(range(1, 11))), "nothing more comes: shared by both threads"


@pytest.mark.req("TA-D3")
def test_what_a_thread_took_and_never_claimed_is_anybodys_after_twenty_seconds(people: People) -> None:
    make_worker("cpu", threads=1)
    waiting_pages(make_job(people.merchant), range(1, 5))
    assert turns.next_turn("cpu") is not None and turns.next_turn("cpu") is not None
    assert turns.next_turn("cpu") is None
    Page.objects.update(dispatched_at=F("dispatched_at") - timedelta(seconds=15))
    assert turns.next_turn("cpu") is None
    Page.objects.update(dispatched_at=F("dispatched_at") - timedelta(seconds=6))
    assert turns.next_turn("cpu") is not None


@pytest.mark.req("TA-D3")
def test_a_claimed_page_is_nobodys_else_however_long_it_takes(people: People) -> None:
    waiting_pages(make_job(people.merchant), [1])
    assert taken() == (READ, [1])
    Page.objects.update(dispatched_at=F("dispatched_at") - timedelta(minutes=10))
    assert taken() is None


@pytest.mark.req("TA-CANCEL", "TA-D6")
def test_cancelled_and_held_jobs_have_no_turn(people: People, rung: list[str]) -> None:
    cancelled, held = make_job(people.merchant), make_job(people.merchant, held_reason="looked at")
    for job in (cancelled, held):
        waiting_pages(job, range(1, 5))
    cancel_job(cancelled, "uploader")
    assert taken() is None
    requeue_job(held, "operator")
    assert taken() == (READ, [1, 2])


def test_the_jobs_own_stages_are_taken_once(people: People) -> None:
    job = make_job(people.merchant, status="UPLOADED", stage="INSPECT", route="")
    assert turns.next_turn("cpu") == turns.Turn("INSPECT", job.pk, job.pk)
    assert turns.next_turn("cpu") is None
    Job.objects.filter(pk=job.pk).update(stage="PRESCAN", dispatched_at=None)
    assert turns.next_turn("cpu") == turns.Turn("PRESCAN", job.pk, job.pk)


def test_a_turn_says_whether_anything_of_the_unit_is_left(people: People) -> None:
    """Else each turn wakes a thread that finds nothing: two of five looks of a document were such."""
    make_worker("cpu", threads=2)
    job = make_job(people.merchant)
    waiting_pages(job, range(1, 3))
    first = turns.next_turn("cpu")
    assert first is not None
    assert not first.is_last
    Page.objects.filter(job=job, dispatched_at__isnull=False).update(stage="NONE")
    second = turns.next_turn("cpu")
    assert second is not None
    assert second.is_last


def test_a_turn_is_not_the_last_while_another_document_waits(people: People) -> None:
    waiting_pages(make_job(people.merchant), [1])
    waiting_pages(make_job(people.other), [1])
    turn = turns.next_turn("cpu")
    assert turn is not None
    assert not turn.is_last


@pytest.mark.req("TA-G1")
def test_a_merchant_with_no_thread_goes_before_one_that_has_some(people: People) -> None:
    make_worker("cpu", threads=4)
    theirs = [make_job(people.merchant, status="UPLOADED", stage="INSPECT", route="") for _ in range(20)]
    assert [taken() for _ in range(3)] == [("INSPECT", [job.pk]) for job in theirs[:3]], "alone it may have all"
    mine = make_job(people.other, status="UPLOADED", stage="INSPECT", route="")
    assert taken() == ("INSPECT", [mine.pk]), "twenty came before, and three are in hand"


@pytest.mark.req("TA-G1")
def test_machine_time_had_lately_decides_between_merchants_and_is_forgotten(people: People) -> None:
    first, second = (waiting_pages(make_job(m), [1])[0].job for m in (people.merchant, people.other))
    machine_time.spend(first, 30.0)
    machine_time.spend(second, 10.0)
    assert [waiting.job_id for waiting in queueing.in_order("cpu")] == [second.pk, first.pk]
    MachineUse.objects.filter(merchant=people.merchant).update(at=F("at") - timedelta(seconds=2 * 600))
    order = queueing.in_order("cpu")
    assert [waiting.job_id for waiting in order] == [first.pk, second.pk], "half of it each ten minutes"
    assert order[0].used_s == pytest.approx(7.5, abs=0.1)
    Quota.objects.create(merchant=people.other, weight=4.0)
    assert [waiting.job_id for waiting in queueing.in_order("cpu")] == [second.pk, first.pk], (
        "ten seconds of four shares"
    )


@pytest.mark.req("TA-G1")
def test_a_small_document_is_not_behind_a_long_one_of_its_merchant_and_the_long_one_comes_up_again(
    people: People,
) -> None:
    long, small, later = (make_job(people.merchant) for _ in range(3))
    for job in (long, small, later):
        waiting_pages(job, range(1, 500))
    Job.objects.filter(pk=long.pk).update(machine_s=100.0, progressed_at=timezone.now())
    assert [waiting.job_id for waiting in queueing.in_order("cpu")] == [small.pk, later.pk, long.pk]
    assert [(w.spent_s, w.level) for w in queueing.in_order("cpu")] == [(0.0, 0), (0.0, 0), (100.0, 3)]
    stood_still = timezone.now() - timedelta(minutes=4)
    Job.objects.filter(pk=long.pk).update(progressed_at=stood_still, created_at=stood_still)
    assert queueing.in_order("cpu")[0].job_id == long.pk


def test_work_that_is_put_off_keeps_nobody_from_their_turn(people: People) -> None:
    off, mine = make_job(people.merchant), make_job(people.other)
    waiting_pages(off, [1], not_before=timezone.now() + timedelta(seconds=30))
    waiting_pages(mine, [1])
    machine_time.spend(mine, 100.0)
    turn = turns.next_turn("cpu")
    assert turn is not None and turn.job_id == mine.pk
    Page.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    assert taken() == (READ, [1])


@pytest.mark.req("TA-OCR")
@pytest.mark.parametrize(("size", "chunks"), [(8, [[1, 2], [3, 4, 5, 6]]), (32, [[1, 2], [3, 4, 5, 6]]), (1, None)])
def test_pages_to_be_recognised_weigh_half_a_chunk(people: People, size: int, chunks: list[list[int]] | None) -> None:
    job = make_job(people.merchant)
    waiting_pages(job, range(1, 7), prescan=lambda n: {"needs_ocr": True} if n in (2, 3) else {})
    pages = turns.pages_to_take(job.pk, READ, 10)
    by_id = {p.pk: p.number for p in pages}
    found = [[by_id[pk] for pk in chunk] for chunk in turns.chunk_pages(pages, size)]
    assert found == (chunks or [[n] for n in range(1, 7)])


@pytest.mark.parametrize(("page_s", "together"), [(None, 8), (5.0, 8), (0.2, 10), (0.1, 20), (0.001, 32)])
def test_quick_pages_go_together_until_they_take_two_seconds(
    people: People, page_s: float | None, together: int
) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant)
    waiting_pages(job, range(1, 641))
    touch_progress(job.pk, RULES, 0.001)
    if page_s is not None:
        touch_progress(job.pk, READ, page_s)
    assert [len((taken() or ("", []))[1]) for _ in range(4)] == [together] * 4
    other = make_job(people.other)
    waiting_pages(other, range(1, 321))
    assert taken() == (READ, list(range(1, 9))), "another document's pages may be slow"


def test_what_is_left_to_read_is_not_cut_finer_while_pages_to_understand_fill_up_the_end(people: People) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant)
    touch_progress(job.pk, READ, 0.06)
    waiting_pages(job, range(1, 89), stage=RULES)
    Page.objects.filter(job=job).update(worker=-1)
    waiting_pages(job, range(89, 129))
    assert [len(pages) for pages in all_taken()] == [32, 8], "a further chunk costs a further process"


@pytest.mark.parametrize(
    ("pages", "sizes"), [(80, [20, 20, 20, 20]), (64, [32, 32]), (40, [20, 20]), (320, [32] * 8 + [24, 20, 20])]
)
def test_what_is_left_to_understand_is_cut_no_finer_than_thirty_two_but_alike_for_every_thread(
    people: People, pages: int, sizes: list[int]
) -> None:
    make_worker("cpu", threads=2)
    job = make_job(people.merchant)
    waiting_pages(job, range(1, pages + 1), stage=RULES)
    found = []
    while turn := turns.next_turn("cpu"):
        assert isinstance(turn.subject, list)
        found.append(len(turn.subject))
        if len(found) >= 2:  # the first of two threads has done with its pages
            Page.objects.filter(stage=RULES, worker=-1).update(stage="NONE", worker=None)
        Page.objects.filter(pk__in=turn.subject).update(worker=-1, dispatched_at=None)
    assert found == sizes


def test_a_page_that_failed_goes_last_and_alone(people: People) -> None:
    make_worker("cpu", threads=1)
    job = make_job(people.merchant)
    pages = waiting_pages(job, range(1, 7))
    Page.objects.filter(pk=pages[0].pk).update(failures=1)
    assert [one for pages in all_taken() for one in pages][-1] == 1
    assert [1] in [sorted(ids) for ids in turns.chunk_pages([_page(n, failures=n == 1) for n in range(1, 5)], 8)]


def _page(number: int, *, failures: int) -> turns.Ready:
    return turns.Ready(number, number, sampled=False, losses=0, failures=failures, needs_ocr=False)


def test_looking_for_a_turn_takes_few_questions_however_many_documents_wait(people: People) -> None:
    make_worker("cpu", threads=2)
    for merchant, _ in itertools.product((people.merchant, people.other), range(20)):
        waiting_pages(make_job(merchant), range(1, 3))
    with CaptureQueriesContext(connection) as asked:
        assert turns.next_turn("cpu") is not None
    assert len([one for one in asked if "SAVEPOINT" not in one["sql"]]) <= 8


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


def test_the_units_for_which_something_waits_are_woken_and_no_others(people: People, rung: list[str]) -> None:
    job = make_job(people.merchant)
    assert dispatch.dispatch_job(job.pk) == [] and rung == []
    waiting_pages(job, [1])
    assert dispatch.dispatch_job(job.pk) == ["cpu"]
    waiting_pages(job, [2], stage=PageStage.UNDERSTAND)
    assert dispatch.dispatch_job(job.pk) == ["cpu", "llm"]
    assert rung == ["take_cpu_turn", "take_cpu_turn", "take_llm_turn"]


def test_a_merchant_is_told_how_many_go_before_and_nothing_once_it_is_served(people: People) -> None:
    first, second = (make_job(people.merchant, status="UPLOADED", stage="INSPECT", route="") for _ in range(2))
    assert (queueing.place_of(first), queueing.place_of(second)) == (queueing.Place(0), queueing.Place(1))
    with translation.override("en"):
        assert selectors.waiting_words(second, groups_of(second)) == "Waiting for a turn, 1 before it"
        assert selectors.waiting_words(first, groups_of(first)) == "Waiting for a turn, next"
    assert taken() == ("INSPECT", [first.pk])
    first.refresh_from_db()
    assert queueing.place_of(first) is None and selectors.waiting_words(first, groups_of(first)) == ""


def test_who_has_a_thread_and_for_how_long_is_known(people: People) -> None:
    job = make_job(people.merchant, status="UPLOADED", stage="INSPECT", route="")
    waiting_pages(make_job(people.other), range(1, 3))
    assert taken("cpu") is not None and taken("cpu") is not None
    Job.objects.filter(pk=job.pk).update(claimed_at=timezone.now() - timedelta(seconds=90))
    held = queueing.held_turns()
    assert [(one.merchant, one.stage) for one in held] == [
        (str(people.merchant), "INSPECT"),
        (str(people.other), "READ"),
    ]
    assert held[0].seconds == pytest.approx(90, abs=5)
    assert [one.merchant for one in queueing.held_turns({people.other.pk})] == [str(people.other)]
