"""Locks of tasks: one holder, a token that fences, leases by the database's clock, drafts that outlive all of it."""

import contextlib
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db.models.functions import Now

from annotation.models import Draft, HumanTask
from annotation.tasks.services import locks
from annotation.tasks.services.locks import LockLost, TaskHeld
from annotation.workbench.services import drafts
from catalogsku.core.errors import NotFound, Refused
from catalogsku.core.models import Transition
from tests.support.people import People
from tests.support.rows import in_threads, make_job, make_page

TAB, OTHER_TAB = UUID(int=1), UUID(int=2)


@pytest.fixture
def task(db: None, people: People) -> HumanTask:
    return make_task(people)


def make_task(people: People, number: int = 1, **columns: Any) -> HumanTask:
    page = make_page(columns.pop("job", None) or make_job(people.merchant), number, "HUMAN_QUEUED", needs_review=True)
    return HumanTask.objects.create(job=page.job, page=page, type="PAGE_REVIEW", **columns)


def expire(task: HumanTask) -> None:
    HumanTask.objects.filter(pk=task.pk).update(lease_until=Now() - timedelta(seconds=1))


def state(task: HumanTask) -> tuple[str, str, int]:
    task.refresh_from_db()
    return task.status, str(task.locked_by or ""), task.lock_token


def test_a_claim_takes_the_task_and_the_same_tab_keeps_its_token(task: HumanTask, people: People) -> None:
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    assert state(task) == ("PROCESSING", "Annotator", lock.token)
    again = locks.claim_task(people.annotator, task.uuid, TAB)
    assert again.token == lock.token and again.lease_until >= lock.lease_until


def test_nobody_else_gets_it_while_the_lease_runs(task: HumanTask, people: People) -> None:
    locks.claim_task(people.annotator, task.uuid, TAB)
    for actor, tab in ((people.lead, OTHER_TAB), (people.annotator, OTHER_TAB)):
        with pytest.raises(TaskHeld) as held:
            locks.claim_task(actor, task.uuid, tab)
        assert held.value.code == "task_held" and held.value.params["by"] == "Annotator"


@pytest.mark.req("X-FENCE", "TA-LOCK")
def test_a_lease_that_ran_out_is_free_and_its_token_is_worth_nothing(task: HumanTask, people: People) -> None:
    old = locks.claim_task(people.annotator, task.uuid, TAB)
    expire(task)
    new = locks.claim_task(people.lead, task.uuid, OTHER_TAB)
    assert new.token > old.token and state(task)[1] == "Lead"
    assert locks.renew_locks(people.annotator, TAB, {task.uuid: old.token}) == [task.uuid]
    with pytest.raises(LockLost):
        locks.release_task(people.annotator, task.uuid, old.token)
    assert locks.renew_locks(people.lead, OTHER_TAB, {task.uuid: new.token}) == []


@pytest.mark.req("TA-LOCK")
def test_the_sweep_gives_back_what_nobody_renewed_for_all_to_see(task: HumanTask, people: People) -> None:
    locks.claim_task(people.annotator, task.uuid, TAB)
    assert locks.free_expired() == 0
    expire(task)
    assert locks.free_expired() == 1
    assert state(task)[:2] == ("CREATED", "")
    assert Transition.objects.filter(entity="task", entity_id=task.pk, trigger="lock_lost", target="CREATED").exists()


@pytest.mark.req("TA-LOCK")
def test_a_closed_tab_has_its_grace_and_comes_back_in_it(task: HumanTask, people: People, settings: Any) -> None:
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    assert locks.close_session(people.annotator, TAB) == 1
    task.refresh_from_db()
    assert task.lease_until is not None
    assert task.lease_until < lock.lease_until - timedelta(seconds=settings.LOCK_LEASE_S - settings.LOCK_GRACE_S - 5)
    assert locks.renew_locks(people.annotator, TAB, {task.uuid: lock.token}) == []
    locks.close_session(people.annotator, TAB)
    assert locks.close_session(people.annotator, OTHER_TAB) == 0
    expire(task)
    locks.close_session(people.annotator, TAB)
    assert locks.free_expired() == 1, "a grace does not lengthen a lease"


def test_handing_back_leaves_an_escalated_task_escalated_and_only_leads_claim_it(people: People, db: None) -> None:
    task = make_task(people, status="ESCALATED")
    with pytest.raises(Refused, match="task_escalated"):
        locks.claim_task(people.annotator, task.uuid, TAB)
    lock = locks.claim_task(people.lead, task.uuid, TAB)
    locks.release_task(people.lead, task.uuid, lock.token)
    assert state(task)[:2] == ("ESCALATED", "")


def test_a_lead_takes_over_and_a_person_takes_it_from_a_tab_of_their_own(task: HumanTask, people: People) -> None:
    first = locks.claim_task(people.annotator, task.uuid, TAB)
    moved = locks.take_over(people.annotator, task.uuid, OTHER_TAB)
    assert moved.token == first.token + 1
    taken = locks.take_over(people.lead, task.uuid, UUID(int=3))
    assert state(task) == ("PROCESSING", "Lead", taken.token)
    with pytest.raises(Refused, match="take_over_forbidden"):
        locks.take_over(people.annotator, task.uuid, TAB)
    assert locks.renew_locks(people.annotator, OTHER_TAB, {task.uuid: moved.token}) == [task.uuid]
    assert Transition.objects.filter(entity="task", entity_id=task.pk, trigger="taken_over").count() == 2


def test_a_free_or_closed_task_cannot_be_taken_over_nor_a_closed_one_claimed(people: People, db: None) -> None:
    with pytest.raises(TaskHeld, match="task_not_held"):
        locks.take_over(people.lead, make_task(people).uuid, TAB)
    with pytest.raises(TaskHeld, match="task_closed"):
        locks.claim_task(people.lead, make_task(people, status="COMPLETED").uuid, TAB)


@pytest.mark.req("TA-ONEHOLDER")
def test_one_person_holds_a_page_also_where_it_measures_somebody_else(task: HumanTask, people: People) -> None:
    golden = {"purpose": "honeypot", "subject": str(people.lead.pk), "assigned_to": people.lead}
    other = HumanTask.objects.create(job=task.job, page=task.page, type="PAGE_REVIEW", **golden)
    locks.claim_task(people.annotator, task.uuid, TAB)
    with pytest.raises(TaskHeld) as held:
        locks.claim_task(people.lead, other.uuid, OTHER_TAB)
    assert held.value.params["by"] == "Annotator"
    assert state(other)[0] == "CREATED"


def test_tasks_of_other_merchants_are_not_there(task: HumanTask, people: People) -> None:
    for call in (
        lambda: locks.claim_task(people.outsider, task.uuid, TAB),
        lambda: locks.take_over(people.outsider, task.uuid, TAB),
        lambda: locks.release_task(people.outsider, task.uuid, 0),
        lambda: drafts.save_draft(people.outsider, task.uuid, 0, 1, 1, {}),
        lambda: drafts.draft_of(people.outsider, task.uuid),
        lambda: locks.claim_task(people.annotator, uuid4(), TAB),
    ):
        with pytest.raises(NotFound):
            call()


@pytest.mark.req("TA-P1-18", "X-FENCE")
def test_of_200_claims_at_once_one_wins(committed: None, people: People) -> None:
    task = make_task(people)
    won: list[Any] = []

    def claim() -> None:
        with contextlib.suppress(TaskHeld):
            won.append(locks.claim_task(people.annotator, task.uuid, uuid4()))

    for _ in range(5):
        in_threads([claim] * 40)
    assert len(won) == 1 and state(task)[2] == won[0].token


@pytest.mark.req("X-DRAFT")
def test_a_late_save_changes_nothing_and_a_lost_lock_keeps_the_draft(task: HumanTask, people: People) -> None:
    lock = locks.claim_task(people.annotator, task.uuid, TAB)

    def save(seq: int, text: str) -> tuple[int, bool]:
        saved = drafts.save_draft(people.annotator, task.uuid, lock.token, seq, 1, {"model": text})
        return saved.seq, saved.stale

    assert save(2, "new") == (2, False)
    assert save(1, "old") == (2, False)
    kept = drafts.draft_of(people.annotator, task.uuid)
    assert kept is not None and kept.body == {"model": "new"}
    locks.take_over(people.lead, task.uuid, OTHER_TAB)
    assert save(3, "typed after the lock was lost\x00") == (3, True)
    assert Draft.objects.get(task=task, user=people.annotator).body == {"model": "typed after the lock was lost"}
    assert drafts.draft_of(people.lead, task.uuid) is None


def test_a_draft_beyond_its_limit_is_refused(task: HumanTask, people: People) -> None:
    with pytest.raises(Refused, match="draft_too_large"):
        drafts.save_draft(people.annotator, task.uuid, 0, 1, 1, {"text": "x" * 1_000_001})
