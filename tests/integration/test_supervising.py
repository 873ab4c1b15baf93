"""What leads decide about other people's tasks, for their merchants only, with a line in each task's history."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db.models.functions import Now

from annotation.models import Draft, HumanTask
from annotation.queue.selectors import comments_of
from annotation.queue.services import supervising
from annotation.tasks.services import locks, settle
from annotation.tasks.services.locks import LockLost, TaskHeld
from annotation.workbench.events import whole_for
from annotation.workbench.services import drafts
from catalogsku.accounts.models import Role, User
from catalogsku.core.errors import NotFound, Refused
from catalogsku.core.models import Transition
from catalogsku.profiles.models import WorkRules
from ingestion.models import Page
from tests.support.people import People
from tests.support.rows import make_job, make_page

TAB, OTHER_TAB = UUID(int=1), UUID(int=2)
pytestmark = pytest.mark.django_db


@pytest.fixture
def tasks(people: People) -> list[HumanTask]:
    job = make_job(people.merchant, "PARTIAL_IMPORTED")
    return [make_task(job, n) for n in (1, 2, 3)]


def make_task(job: Any, number: int, **columns: Any) -> HumanTask:
    page = make_page(job, number, "HUMAN_QUEUED", needs_review=True)
    return HumanTask.objects.create(job=job, page=page, type="PAGE_REVIEW", **columns)


@pytest.fixture
def second(people: People) -> User:
    user = User.objects.create(username="second", role=Role.ANNOTATOR, display_name="Second", language="en")
    user.merchants.set([people.merchant])
    return user


def ids(*tasks: HumanTask) -> list[UUID]:
    return [task.uuid for task in tasks]


def fresh(task: HumanTask) -> HumanTask:
    return HumanTask.objects.get(pk=task.pk)


def history(task: HumanTask) -> list[tuple[str, str]]:
    rows = Transition.objects.filter(entity="task", entity_id=task.pk).order_by("pk")
    return list(rows.values_list("trigger", "actor"))


@pytest.mark.req("TA-T79", "TA-SLA4H")
def test_an_assigned_task_is_kept_for_its_person_until_the_reservation_lapses(
    people: People, tasks: list[HumanTask], second: User
) -> None:
    assert supervising.assign(people.lead, ids(*tasks[:2]), second) == 2
    with pytest.raises(TaskHeld, match="task_reserved") as refused:
        locks.claim_task(people.annotator, tasks[0].uuid, TAB)
    assert refused.value.params["by"] == "Second"
    locks.claim_task(second, tasks[0].uuid, TAB)
    assert fresh(tasks[0]).assigned_to is None, "who has claimed it has used up the reservation"
    HumanTask.objects.filter(pk=tasks[1].pk).update(assigned_until=Now() - timedelta(seconds=1))
    locks.claim_task(people.annotator, tasks[1].uuid, OTHER_TAB)
    assert history(tasks[0]) == [("assigned", "lead"), ("claimed", "second")]


@pytest.mark.req("TA-SLA4H")
def test_an_escalated_task_may_be_given_to_anyone_of_its_merchants(
    people: People, second: User, tasks: list[HumanTask]
) -> None:
    HumanTask.objects.update(status="ESCALATED")
    with pytest.raises(Refused, match="task_escalated"):
        locks.claim_task(second, tasks[0].uuid, TAB)
    supervising.assign(people.lead, ids(tasks[0]), second)
    lock = locks.claim_task(second, tasks[0].uuid, TAB)
    locks.release_task(second, tasks[0].uuid, lock.token)
    assert fresh(tasks[0]).status == "ESCALATED"
    for person in (people.outsider, people.uploader):
        with pytest.raises(Refused, match="person_unknown"):
            supervising.assign(people.lead, ids(tasks[1]), person)


@pytest.mark.req("TA-T79")
def test_giving_a_task_to_another_takes_it_out_of_its_holders_hands_and_keeps_the_draft(
    people: People, tasks: list[HumanTask], second: User
) -> None:
    lock = locks.claim_task(people.annotator, tasks[0].uuid, TAB)
    drafts.save_draft(people.annotator, tasks[0].uuid, lock.token, 1, 1, {"typed": True})
    supervising.assign(people.lead, ids(tasks[0]), second)
    assert locks.renew_locks(people.annotator, TAB, {tasks[0].uuid: lock.token}) == [tasks[0].uuid]
    with pytest.raises(LockLost):
        locks.release_task(people.annotator, tasks[0].uuid, lock.token)
    assert Draft.objects.filter(task=tasks[0], user=people.annotator).exists()
    assert locks.claim_task(second, tasks[0].uuid, OTHER_TAB).token > lock.token


@pytest.mark.req("TA-T79")
def test_nobody_gets_more_than_the_rules_allow(people: People, tasks: list[HumanTask], second: User) -> None:
    WorkRules.objects.update(open_most=2)
    with pytest.raises(Refused, match="too_many_open"):
        supervising.assign(people.lead, ids(*tasks), second)
    locks.claim_task(second, tasks[0].uuid, TAB)
    supervising.assign(people.lead, ids(tasks[1]), second)
    with pytest.raises(Refused, match="too_many_open"):
        supervising.assign(people.lead, ids(tasks[2]), second)
    assert supervising.open_of(second) == 2


def test_a_task_is_put_off_and_its_time_with_it(people: People, tasks: list[HumanTask]) -> None:
    before = tasks[0].clock_from
    assert supervising.postpone(people.lead, ids(tasks[0]), 60) == 1
    task = fresh(tasks[0])
    assert task.clock_from - before == timedelta(minutes=60) and task.postponed_until is not None
    for minutes in (0, -5, 7 * 24 * 60 + 1):
        with pytest.raises(Refused, match="no_minutes"):
            supervising.postpone(people.lead, ids(tasks[0]), minutes)


def test_priority_is_set_for_many_at_once(people: People, tasks: list[HumanTask]) -> None:
    assert supervising.set_priority(people.lead, ids(*tasks), "CRITICAL") == 3
    assert {fresh(task).priority for task in tasks} == {"CRITICAL"}
    with pytest.raises(Refused, match="no_priority"):
        supervising.set_priority(people.lead, ids(*tasks), "AUTO_RESOLVE")


@pytest.mark.req("TA-SKIPWHY")
def test_many_tasks_are_skipped_at_once_with_their_reason(people: People, tasks: list[HumanTask]) -> None:
    lock = locks.claim_task(people.annotator, tasks[0].uuid, TAB)
    with pytest.raises(Refused, match="reason_missing"):
        supervising.skip(people.lead, ids(*tasks), "  ")
    assert supervising.skip(people.lead, ids(*tasks[:2]), "a torn catalogue") == 2
    settle.settle_pages([task.page_id for task in tasks])
    assert [Page.objects.get(pk=task.page_id).status for task in tasks] == ["SKIPPED", "SKIPPED", "HUMAN_QUEUED"]
    assert set(Page.objects.filter(status="SKIPPED").values_list("skip_reason", flat=True)) == {"person"}
    row = Transition.objects.get(entity="task", entity_id=tasks[0].pk, target="SKIPPED")
    assert (row.actor, row.reason) == ("lead", {"reason": "a torn catalogue"})
    assert locks.renew_locks(people.annotator, TAB, {tasks[0].uuid: lock.token}) == [tasks[0].uuid]


def test_a_lead_frees_what_somebody_holds(people: People, tasks: list[HumanTask]) -> None:
    locks.claim_task(people.annotator, tasks[0].uuid, TAB)
    assert supervising.release(people.lead, ids(tasks[0])) == 1
    assert fresh(tasks[0]).status == "CREATED" and fresh(tasks[0]).locked_by is None


def test_people_tell_each_other_about_a_task(people: People, tasks: list[HumanTask]) -> None:
    said = uuid4()
    for _ in (1, 2):  # the answer to the first was lost on its way
        supervising.comment(people.annotator, tasks[0].uuid, " The price is in yen. ", said)
    supervising.comment(people.lead, tasks[0].uuid, "Then skip it.", uuid4())
    rows = tasks[0].comments.order_by("pk").values_list("author__username", "text")
    assert list(rows) == [("annotator", "The price is in yen."), ("lead", "Then skip it.")]
    with pytest.raises(Refused, match="comment_missing"):
        supervising.comment(people.lead, tasks[0].uuid, " ", uuid4())
    with pytest.raises(NotFound):
        supervising.comment(people.outsider, tasks[0].uuid, "x", uuid4())


@pytest.mark.req("X-HONEY")
def test_comments_are_of_the_page_but_golden_pages_have_their_own(people: People, tasks: list[HumanTask]) -> None:
    work, page = tasks[0], tasks[0].page
    done = {"purpose": "verdict", "subject": "v", "status": "COMPLETED"}
    verdict = HumanTask.objects.create(job=work.job, page=page, type="PAGE_REVIEW", **done)
    golden = HumanTask.objects.create(job=work.job, page=page, type="PAGE_REVIEW", purpose="honeypot", subject="h")
    before = work.version
    supervising.comment(people.annotator, work.uuid, "Yen.", uuid4())
    supervising.comment(people.lead, golden.uuid, "Odd.", uuid4())
    assert [[one["text"] for one in comments_of(task)] for task in (work, verdict, golden)] == [
        ["Yen."],
        ["Yen."],
        ["Odd."],
    ]
    assert fresh(work).version > before, "whoever has it open is told"
    shown = whole_for(people.lead, [work.uuid], alone=True)["rows"]
    assert [(one["who"], one["text"]) for one in shown[0]["comments"]] == [("Annotator", "Yen.")]


@pytest.mark.req("TA-RERUN")
def test_models_do_a_page_again_but_never_one_that_somebody_holds(people: People, tasks: list[HumanTask]) -> None:
    lock = locks.claim_task(people.annotator, tasks[0].uuid, TAB)
    settle.settle_pages([tasks[0].page_id])
    with pytest.raises(TaskHeld, match="task_held"):
        supervising.retry_by_models(people.lead, tasks[0].uuid)
    locks.release_task(people.annotator, tasks[0].uuid, lock.token)
    settle.settle_pages([tasks[0].page_id])
    supervising.retry_by_models(people.lead, tasks[0].uuid)
    settle.settle_pages([tasks[0].page_id])
    page = Page.objects.get(pk=tasks[0].page_id)
    assert (page.status, page.stage) == ("AI_QUEUED", "READ") and fresh(tasks[0]).status == "SKIPPED"
    assert history(tasks[0])[-1] == ("superseded", "system")
    with pytest.raises(TaskHeld, match="task_closed"):
        supervising.retry_by_models(people.lead, tasks[0].uuid)


@pytest.mark.req("X-MATRIX")
def test_only_leads_decide_and_only_for_their_merchants(people: People, tasks: list[HumanTask]) -> None:
    theirs = make_task(make_job(people.other), 1)
    calls = (
        lambda who, task: supervising.assign(who, ids(task), people.lead),
        lambda who, task: supervising.release(who, ids(task)),
        lambda who, task: supervising.postpone(who, ids(task), 5),
        lambda who, task: supervising.set_priority(who, ids(task), "HIGH"),
        lambda who, task: supervising.skip(who, ids(task), "because"),
    )
    for call in calls:
        with pytest.raises(Refused, match="supervise_forbidden"):
            call(people.annotator, tasks[0])
        assert call(people.lead, theirs) == 0
    assert fresh(theirs).version == theirs.version and not Transition.objects.filter(entity_id=theirs.pk).exists()
    with pytest.raises(NotFound):
        supervising.retry_by_models(people.lead, theirs.uuid)
    assert supervising.set_priority(people.lead, [uuid4()], "HIGH") == 0
