"""Machine work on rows under real concurrency: claims, tokens, failures, losses, late and dead workers."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.db import DataError, InternalError, OperationalError, connection, transaction
from django.db.models import F
from django.utils import timezone

from catalogsku.core import presence, work
from catalogsku.core.models import Worker
from ingestion.lifecycle import PageStage
from ingestion.models import Job, Page
from ingestion.services import dispatch, pages, steps, sweep, turns
from ingestion.services.jobs import cancel_job
from tests.support.people import People
from tests.support.rows import in_threads, make_job, make_page, make_pages, make_worker, waiting_pages

READ, RULES = PageStage.READ, PageStage.UNDERSTAND_RULES


def claim(page: Page, worker: Worker, stage: str = READ) -> work.Claim:
    found = work.claim(dispatch.active_pages().filter(pk=page.pk), stage, worker)
    assert len(found) == 1
    return found[0]


def fail(page: Page, held: work.Claim, code: str = "boom", *, permanent: bool = False) -> None:
    with work.recording(Page, held) as row:
        pages.record_failure(row, {"code": code, "params": {}}, permanent=permanent)


def the_backoff_is_over(page: Page) -> None:
    Page.objects.filter(pk=page.pk).update(not_before=timezone.now() - timedelta(seconds=1))


def unseen_for(worker: Worker, seconds: float) -> None:
    Worker.objects.filter(pk=worker.pk).update(seen_at=timezone.now() - timedelta(seconds=seconds))


# --- claims --------------------------------------------------------------------------------------


@pytest.mark.req("LX-GHOST", "TA-LEASE", "LX-SCATTER")
def test_eight_threads_claim_five_hundred_pages_none_twice(committed: None, people: People) -> None:
    job = make_job(people.merchant)
    ids = [page.pk for page in waiting_pages(job, range(1, 501))]
    workers = [make_worker() for _ in range(8)]

    def grab(worker: Worker) -> Callable[[], list[int]]:
        def run() -> list[int]:
            mine: list[int] = []
            chunks = [ids[at : at + 8] for at in range(0, 500, 8)]
            random.Random(worker.pk).shuffle(chunks)
            for chunk in chunks:
                mine += [c.id for c in work.claim(dispatch.active_pages().filter(pk__in=chunk), READ, worker)]
            return mine

        return run

    taken = in_threads([grab(worker) for worker in workers])
    assert sorted(pk for mine in taken for pk in mine) == ids
    assert sum(bool(mine) for mine in taken) > 1
    for worker, mine in zip(workers, taken, strict=True):
        assert set(Page.objects.filter(worker=worker.pk).values_list("pk", flat=True)) == set(mine)
    assert Page.objects.values("claim_token").distinct().count() == 500


def test_claims_are_lost_where_none_of_them_counts_any_more(people: People) -> None:
    first, second = waiting_pages(make_job(people.merchant), (1, 2))
    held = [claim(page, make_worker()) for page in (first, second)]
    assert not work.are_lost(Page, held)
    work.release(Page, held[:1])
    claim(first, make_worker())
    assert not work.are_lost(Page, held)  # one of them still does
    work.release(Page, held[1:])
    claim(second, make_worker())
    assert work.are_lost(Page, held)
    assert not work.are_lost(Page, [work.Claim(10**9, 1)])  # a row that is gone says nothing


@pytest.mark.req("LX-GHOST")
def test_pages_that_are_locked_just_now_are_waited_for(committed: None, people: People) -> None:
    job = make_job(people.merchant, status="EVALUATED")
    ids = [page.pk for page in waiting_pages(job, range(1, 5))]
    locked, worker = threading.Event(), make_worker()

    def route() -> None:  # the document's way is decided: all its pages change their status
        with transaction.atomic():
            Page.objects.filter(pk__in=ids[1:]).update(status="HUMAN_QUEUED", version=F("version") + 1)
            locked.set()
            time.sleep(0.3)

    def grab() -> list[int]:
        locked.wait(5)
        return [c.id for c in work.claim(Page.objects.filter(pk__in=ids), READ, worker)]

    assert in_threads([route, grab])[1] == ids
    assert set(Page.objects.filter(pk__in=ids[1:]).values_list("worker", "status")) == {(worker.pk, "HUMAN_QUEUED")}


@pytest.mark.req("LX-GHOST", "TA-T44")
def test_pages_that_go_away_while_a_claim_waits_are_not_taken(committed: None, people: People) -> None:
    job = make_job(people.merchant)
    ids = [page.pk for page in waiting_pages(job, range(1, 5))]
    locked, worker = threading.Event(), make_worker()

    def cancel() -> None:
        with transaction.atomic():
            cancel_job(job, "test")
            locked.set()
            time.sleep(0.3)

    def grab() -> list[work.Claim]:
        locked.wait(5)
        return work.claim(dispatch.active_pages().filter(pk__in=ids), READ, worker)

    assert in_threads([cancel, grab])[1] == []
    assert not Page.objects.filter(worker__isnull=False).exists()


@pytest.mark.django_db
@pytest.mark.req("LX-GHOST", "TA-T44")
def test_a_redelivered_message_finds_nothing_to_claim(people: People) -> None:
    page = waiting_pages(make_job(people.merchant), [1])[0]
    worker = make_worker()
    claim(page, worker)
    again = dispatch.active_pages().filter(pk=page.pk)
    assert work.claim(again, READ, make_worker()) == []
    assert work.claim(again, READ, worker) == []
    page.refresh_from_db()
    assert page.handled_by == str(worker)


@pytest.mark.django_db
@pytest.mark.req("LX-GHOST")
def test_a_page_that_is_done_or_elsewhere_is_not_claimed(people: People) -> None:
    worker = make_worker()
    held_back = make_job(people.merchant, held_reason="operator")
    cases = [
        make_page(make_job(people.merchant), stage="NONE", status="AI_COMPLETED"),
        make_page(make_job(people.merchant), stage="UNDERSTAND_RULES"),
        make_page(make_job(people.merchant, status="CANCELLED"), stage=READ),
        make_page(held_back, stage=READ),
    ]
    for page in cases:
        assert work.claim(dispatch.active_pages().filter(pk=page.pk), READ, worker) == []
    judged = make_job(people.merchant, status="EVALUATING")
    read = make_page(judged, 1, stage="UNDERSTAND_RULES", status="PENDING", sampled=True)
    assert work.claim(dispatch.active_pages().filter(pk=read.pk), "UNDERSTAND_RULES", worker) == []
    for sampled in (True, False):
        claim(make_page(judged, 2 + sampled, stage=READ, status="PENDING", sampled=sampled), worker)


@pytest.mark.req("TA-D3", "LX-GHOST")
def test_eight_threads_at_once_take_no_page_twice_and_each_its_neighbours(committed: None, people: People) -> None:
    make_worker("cpu", threads=4)
    job = make_job(people.merchant)
    waiting_pages(job, range(1, 301))
    taken = [turn.subject for turn in in_threads([lambda: turns.next_turn("cpu")] * 8) if turn is not None]
    by_id = dict(Page.objects.values_list("pk", "number"))
    assert sorted(by_id[pk] for ids in taken if isinstance(ids, list) for pk in ids) == list(range(1, 65))
    assert all(isinstance(ids, list) and ids == list(range(ids[0], ids[0] + 8)) for ids in taken)


# --- tokens --------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("TA-LEASE")
def test_a_result_is_recorded_under_its_own_token_alone(people: People) -> None:
    page = waiting_pages(make_job(people.merchant), [1])[0]
    late = claim(page, make_worker())
    sweep.free_dead_claims([Page.objects.get(pk=page.pk).worker])
    fresh = claim(page, make_worker())
    with work.recording(Page, late) as row:
        assert row is None
    work.release(Page, [late])
    with work.recording(Page, fresh) as row:
        pages.record_read([(row, {"reader": "pymupdf"})])
    page.refresh_from_db()
    assert (page.stage, page.reader, page.worker, page.claim_token) == ("UNDERSTAND_RULES", "pymupdf", None, None)


@pytest.mark.req("TA-LEASE", "TA-T52")
def test_a_stopped_worker_that_wakes_up_late_changes_nothing(committed: None, people: People) -> None:
    """Frozen between claim and record (SIGSTOP), taken for dead, its page done by another: its result is dropped."""
    page = waiting_pages(make_job(people.merchant), [1])[0]
    frozen, other = make_worker(), make_worker()
    late = claim(page, frozen)
    unseen_for(frozen, 31)
    assert sweep.free_dead_claims() == 1
    fresh = claim(page, other)

    def record(held: work.Claim, reader: str) -> Callable[[], bool]:
        def run() -> bool:
            with work.recording(Page, held) as row:
                if row is not None:
                    pages.record_read([(row, {"reader": reader})])
                return row is not None

        return run

    assert in_threads([record(late, "late"), record(fresh, "fresh")]) == [False, True]
    page.refresh_from_db()
    assert (page.reader, page.losses, page.failures) == ("fresh", 0, 0)


@pytest.mark.req("TA-BEAT")
def test_a_worker_whose_row_was_forgotten_comes_back_under_a_new_one(committed: None, people: People) -> None:
    first = presence.current_worker()
    Worker.objects.filter(pk=first.pk).delete()
    presence.beat()
    assert presence.current_worker().pk != first.pk
    assert Worker.objects.filter(pk=presence.current_worker().pk).exists()
    presence.leave()
    assert not Worker.objects.exists()


@pytest.mark.django_db
@pytest.mark.req("TA-CANCEL")
def test_a_result_for_a_cancelled_job_is_not_wanted(people: People) -> None:
    job = make_job(people.merchant)
    page = waiting_pages(job, [1])[0]
    held = claim(page, make_worker())
    assert cancel_job(job, "uploader") == 1
    with work.recording(Page, held) as row:
        assert not pages.page_is_wanted(row)
    page.refresh_from_db()
    assert (page.status, page.skip_reason, page.stage) == ("SKIPPED", "cancelled", "NONE")


# --- failures ------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("TA-D2", "LX-GHOST")
def test_five_failures_end_in_the_dead_letters_with_the_last_error(people: People) -> None:
    page = waiting_pages(make_job(people.merchant), [1])[0]
    worker, waits = make_worker(), []
    for attempt in range(1, 6):
        fail(page, claim(page, worker), f"boom_{attempt}")
        page.refresh_from_db()
        assert page.failures == attempt
        if attempt < 5:
            assert page.status == "AI_FAILED"
            with connection.cursor() as cursor:
                left = "SELECT extract(epoch FROM not_before - now()) FROM ingestion_page WHERE id = %s"
                cursor.execute(left, [page.pk])
                waits.append(float(cursor.fetchone()[0]))
            assert not dispatch.ready_pages(READ).filter(pk=page.pk).exists()
            the_backoff_is_over(page)
            assert dispatch.ready_pages(READ).filter(pk=page.pk).exists()
    assert waits == pytest.approx([5, 10, 20, 40], abs=4), "from the statement that wrote them; the test has its time"
    assert (page.status, page.stage, page.last_error["code"]) == ("DEAD_LETTER", "NONE", "boom_5")


@pytest.mark.django_db
@pytest.mark.req("TA-D2")
def test_a_permanent_failure_goes_to_people_at_once_with_its_reason(people: People) -> None:
    page = waiting_pages(make_job(people.merchant), [1])[0]
    fail(page, claim(page, make_worker()), "sandbox_crashed", permanent=True)
    page.refresh_from_db()
    assert (page.status, page.stage, page.needs_review, page.worker) == ("HUMAN_QUEUED", "NONE", True, None)
    assert page.blockers == [{"code": "sandbox_crashed", "params": {}}]


@pytest.mark.django_db
@pytest.mark.req("TA-D2")
@pytest.mark.parametrize("status", ["PENDING", "HUMAN_QUEUED"])
def test_a_page_that_people_will_do_anyway_is_given_to_them_when_machines_give_up(people: People, status: str) -> None:
    """Before its route is known, or on the people-only route: no machine result, but a reason and a need for review."""
    job = make_job(people.merchant, status="EVALUATING" if status == "PENDING" else "DEGRADED_HUMAN")
    page = waiting_pages(job, [1], status=status, sampled=True)[0]
    for _ in range(5):
        fail(page, claim(page, make_worker()))
        the_backoff_is_over(page)
    page.refresh_from_db()
    assert (page.status, page.stage, page.needs_review) == (status, "NONE", True)
    assert page.blockers[0]["code"] == "boom"


@pytest.mark.django_db
@pytest.mark.req("TA-D2")
def test_success_forgets_earlier_failures_and_losses(people: People) -> None:
    page = waiting_pages(make_job(people.merchant), [1], failures=3, losses=2, last_error={"code": "x"})[0]
    with work.recording(Page, claim(page, make_worker())) as row:
        pages.record_read([(row, {"reader": ""})])
    page.refresh_from_db()
    assert (page.failures, page.losses, page.last_error) == (0, 0, None)


@pytest.mark.django_db
def test_release_counts_nothing_and_may_wait(people: People) -> None:
    page = waiting_pages(make_job(people.merchant), [1], failures=2, losses=1)[0]
    work.release(Page, [claim(page, make_worker())])
    page.refresh_from_db()
    assert (page.failures, page.losses, page.worker, page.not_before) == (2, 1, None, None)
    work.release(Page, [claim(page, make_worker())], delay_s=60)
    assert not dispatch.ready_pages(READ).filter(pk=page.pk).exists()


@pytest.mark.req("TA-D2", "LX-GHOST")
@pytest.mark.parametrize(
    ("trouble", "failures"),
    [(OSError("disk full"), 0), (OperationalError("gone"), 0), (DataError("no such text"), 1), (ValueError("odd"), 1)],
    ids=lambda value: type(value).__name__,
)
def test_trouble_of_the_machine_counts_for_nothing_and_everything_else_is_an_attempt(
    committed: None, people: People, trouble: Exception, failures: int
) -> None:
    """A value that no repetition makes storable must not go round for ever."""
    page = waiting_pages(make_job(people.merchant), [1])[0]
    held = claim(page, make_worker())
    with pages.pages_held([held]):
        raise trouble
    page.refresh_from_db()
    assert (page.worker, page.failures, page.status) == (None, failures, "AI_FAILED" if failures else "AI_QUEUED")
    assert not dispatch.ready_pages(READ).filter(pk=page.pk).exists(), "not at once"
    assert held.token not in work._held


# --- losses --------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("TA-D3", "TA-T52")
def test_only_the_claims_of_dead_workers_are_freed(people: People) -> None:
    job = make_job(people.merchant)
    alive, slow, dead, gone = (make_worker() for _ in range(4))
    held = {w.pk: claim(p, w) for w, p in zip((alive, slow, dead, gone), waiting_pages(job, range(1, 5)), strict=True)}
    unseen_for(slow, 25)
    unseen_for(dead, 31)
    gone_pk = gone.pk
    gone.delete()
    assert sweep.free_dead_claims() == 2
    still = dict(Page.objects.values_list("pk", "worker"))
    assert still == {
        held[alive.pk].id: alive.pk,
        held[slow.pk].id: slow.pk,
        held[dead.pk].id: None,
        held[gone_pk].id: None,
    }
    assert set(Page.objects.filter(worker=None).values_list("losses", "failures")) == {(1, 0)}
    assert dispatch.ready_pages(READ).count() == 2


@pytest.mark.django_db
@pytest.mark.req("TA-D3")
def test_what_the_supervisor_saw_dying_is_freed_at_once(people: People) -> None:
    page = waiting_pages(make_job(people.merchant), [1])[0]
    worker = make_worker()
    claim(page, worker)
    assert sweep.free_process("elsewhere", [worker.pid]) == 0
    assert sweep.free_process(worker.machine, [worker.pid]) == 1
    assert not Worker.objects.filter(pk=worker.pk).exists()
    page.refresh_from_db()
    assert (page.worker, page.losses) == (None, 1)


@pytest.mark.django_db
@pytest.mark.req("TA-LEASE")
def test_a_claim_that_could_not_be_given_back_is_freed_with_a_later_sign_of_life(people: People) -> None:
    me, another = make_worker(), make_worker()
    in_hand, forgotten, recent, theirs = waiting_pages(make_job(people.merchant), range(1, 5))
    with work.holding([claim(in_hand, me)]):
        for page, worker in ((forgotten, me), (recent, me), (theirs, another)):
            with work.holding([claim(page, worker)]):
                pass  # the work ended, and the database was away
        old = timezone.now() - timedelta(seconds=work.FORGOTTEN_S + 1)
        Page.objects.filter(pk__in=[in_hand.pk, forgotten.pk, theirs.pk]).update(claimed_at=old)
        version = Page.objects.get(pk=forgotten.pk).version
        assert work.free_forgotten(me) == 1
        freed = Page.objects.get(pk=forgotten.pk)
        assert (freed.worker, freed.claim_token, freed.claimed_at, freed.version) == (None, None, None, version + 1)
        assert not Page.objects.filter(pk__in=[in_hand.pk, recent.pk, theirs.pk], worker=None).exists()


@pytest.mark.django_db
@pytest.mark.req("TA-D3")
def test_after_three_losses_a_page_goes_alone_and_last_and_after_ten_not_at_all(people: People) -> None:
    job = make_job(people.merchant)
    suspect, *others = waiting_pages(job, range(1, 6))
    for losses in range(1, 11):
        worker = make_worker()
        claim(suspect, worker)
        worker.delete()
        sweep.free_dead_claims()
        suspect.refresh_from_db()
        assert suspect.losses == losses
        chunks = turns.chunk_pages(turns.pages_to_take(job.pk, PageStage.READ, 8), 8)
        rest = [p.pk for p in others]
        alone = [[suspect.pk]] if losses < 10 else []
        assert chunks == ([[suspect.pk, *rest]] if losses < 3 else [rest, *alone])
        assert (suspect.status == "DEAD_LETTER") == (losses == 10)
    assert suspect.failures == 0
    assert suspect.last_error == {"code": "worker_lost", "params": {"losses": 10}}


@pytest.mark.req("TA-D3")
def test_many_sweeps_at_once_count_each_loss_once(committed: None, people: People) -> None:
    pages_ = waiting_pages(make_job(people.merchant), range(1, 101))
    worker = make_worker()
    work.claim(Page.objects.filter(pk__in=[p.pk for p in pages_]), READ, worker)
    worker.delete()
    assert sum(in_threads([sweep.free_dead_claims] * 6)) == 100
    assert set(Page.objects.values_list("losses", "worker")) == {(1, None)}


# --- whole documents -----------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("TA-P1-16")
def test_an_evaluation_that_keeps_failing_gives_the_document_to_people(people: People) -> None:
    job = make_job(people.merchant, status="EVALUATING", stage="EVALUATE", route="")
    make_pages(job, [1, 2], status="PENDING", stage="UNDERSTAND_RULES", sampled=True)
    for attempt in range(1, 6):
        held = work.claim(dispatch.active_jobs().filter(pk=job.pk), "EVALUATE", make_worker())
        steps.record_job_failure(held[0], {"code": f"evaluation_failed_{attempt}"}, permanent=False)
        Job.objects.filter(pk=job.pk).update(not_before=None)
    job.refresh_from_db()
    assert (job.status, job.route, job.degrade_reason, job.stage) == (
        "DEGRADED_HUMAN",
        "HUMAN_ALL",
        "eval_failed",
        "NONE",
    )
    assert set(Page.objects.filter(job=job).values_list("status", "needs_review")) == {("HUMAN_QUEUED", True)}
    moved = transition_reasons(job, "EVAL_FAILED")
    assert moved == [{"code": "evaluation_failed_5"}], "the audit names the last error"


def transition_reasons(job: Job, target: str) -> list[Any]:
    from catalogsku.core.models import Transition

    rows = Transition.objects.filter(entity="job", entity_id=job.pk, target=target)
    return list(rows.values_list("reason", flat=True))


@pytest.mark.django_db
@pytest.mark.req("TA-D6", "TA-BEAT")
def test_a_job_without_workers_is_orphaned_and_resumed_and_the_third_time_held(people: People) -> None:
    job = make_job(people.merchant)
    waiting_pages(job, [1], last_error={"code": "sandbox_lost"})
    old = timezone.now() - timedelta(minutes=16)
    expected = ["PROCESSING", "PROCESSING", "ORPHANED"]
    for outcome in expected:
        Job.objects.filter(pk=job.pk).update(created_at=old, resumed_at=None)
        Worker.objects.all().delete()
        assert sweep.watch_progress()["orphaned"] == 1
        job.refresh_from_db()
        assert job.status == "ORPHANED"
        assert sweep.watch_progress()["resumed"] == 0, "no worker lives yet"
        make_worker()
        sweep.watch_progress()
        job.refresh_from_db()
        assert job.status == outcome
    assert "sandbox_lost" in job.held_reason
    assert turns.next_turn("cpu") is None


@pytest.mark.django_db
@pytest.mark.req("TA-D6")
def test_progress_between_two_resumes_starts_the_count_anew(people: People) -> None:
    job = make_job(people.merchant)
    waiting_pages(job, [1])
    make_worker()
    for _ in range(5):
        Job.objects.filter(pk=job.pk).update(
            created_at=F("created_at") - timedelta(hours=1), resumed_at=None, progressed_at=None
        )
        sweep.watch_progress()
        job.refresh_from_db()
        assert (job.status, job.held_reason) == ("PROCESSING", "")
        with transaction.atomic():
            Job.objects.filter(pk=job.pk).update(resumes=[], progressed_at=None)


# --- recorded together ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    claim: work.Claim


@pytest.mark.django_db
@pytest.mark.req("LX-GHOST")
def test_of_pages_recorded_together_only_the_one_at_fault_pays(people: People) -> None:
    rows = waiting_pages(make_job(people.merchant), [1, 2, 3])
    worker = make_worker()
    entries = [Entry(claim(page, worker)) for page in rows]
    broken = rows[1].pk

    def record(some: Sequence[Entry]) -> None:
        with work.recording_all(Page, [entry.claim for entry in some]) as held:
            pages.record_read([(page, {"reader": "pymupdf"}) for page in held.values()])
            if broken in held:
                raise DataError("a value that the database does not take")

    pages.record_together(entries, record)
    found = Page.objects.filter(pk__in=[p.pk for p in rows]).order_by("number")
    assert list(found.values_list("stage", "failures")) == [(RULES, 0), (READ, 1), (RULES, 0)]
    assert not found.filter(worker__isnull=False).exists()


@pytest.mark.django_db
@pytest.mark.req("TA-LEASE")
def test_trouble_of_the_machine_is_charged_to_no_page(people: People) -> None:
    rows = waiting_pages(make_job(people.merchant), [1, 2])
    worker = make_worker()
    for trouble in (OperationalError("gone"), InternalError("stood still in its transaction"), OSError(28, "full")):
        claims = [claim(page, worker) for page in rows]

        def record(some: Sequence[Entry], trouble: Exception = trouble) -> None:
            raise trouble

        with pages.pages_held(claims):
            pages.record_together([Entry(held) for held in claims], record)
        for page in rows:
            page.refresh_from_db()
            assert (page.failures, page.worker, page.stage, page.status) == (0, None, READ, "AI_QUEUED")
            the_backoff_is_over(page)
