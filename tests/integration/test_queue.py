"""The queue's screen: narrowed down by its address, a document's pages together, decisions about many at once."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.models import HumanTask
from annotation.queue import filtering, views
from annotation.queue.services import supervising
from annotation.tasks.services import locks, settle
from catalogsku.api import api
from catalogsku.core.models import Transition
from ingestion.models import Job, Page
from ingestion.reasons import REASONS
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job, make_page

pytestmark = pytest.mark.django_db
TAB = UUID(int=1)
QUERIES_MAX = 12


def make_task(job: Any, number: int, *codes: str, **columns: Any) -> HumanTask:
    page = make_page(job, number, "HUMAN_QUEUED", needs_review=True)
    reasons = [{"code": code, "params": {}} for code in codes]
    return HumanTask.objects.create(job=job, page=page, type="PAGE_REVIEW", reasons=reasons, **columns)


def named(merchant: Any, name: str) -> Job:
    job = make_job(merchant, "PARTIAL_IMPORTED")
    Job.objects.filter(pk=job.pk).update(source_name=name)
    return job


@pytest.fixture
def tasks(people: People) -> list[HumanTask]:
    """Three pages of one document and two of another, whose second page is overdue."""
    chairs = named(people.merchant, "Chairs.pdf")
    lamps = named(people.merchant, "Lamps.pdf")
    found = [make_task(chairs, n, "sku_doubtful") for n in (1, 2, 3)]
    found += [make_task(lamps, 1, "binding_ambiguous"), make_task(lamps, 2, "reported_wrong", "price_unclear")]
    HumanTask.objects.filter(pk=found[4].pk).update(clock_from=timezone.now() - timedelta(hours=4))
    make_task(named(people.other, "Foreign.pdf"), 1, "sku_doubtful")
    return found


def signed_in(client: Client, who: Any) -> Client:
    client.force_login(who)
    client.cookies["django_language"] = "en"
    return client


def shown(client: Client, query: str = "") -> list[str]:
    answer = client.get(f"{reverse('tasks')}?{query}")
    return [row.id for group in answer.context["groups"] for row in group.rows]


def names(*tasks: HumanTask) -> list[str]:
    return [str(task.uuid) for task in tasks]


def test_pages_of_a_document_stand_together_the_document_that_is_due_first_on_top(
    client: Client, people: People, tasks: list[HumanTask], django_assert_max_num_queries: Any
) -> None:
    signed_in(client, people.lead)
    with django_assert_max_num_queries(QUERIES_MAX):
        answer = client.get(reverse("tasks"))
    groups = [(group.name, [row.page_number for row in group.rows]) for group in answer.context["groups"]]
    assert groups == [("Lamps.pdf", [2, 1]), ("Chairs.pdf", [1, 2, 3])]
    assert "Foreign.pdf" not in answer.content.decode()


@pytest.mark.parametrize(
    ("query", "which"),
    [
        ("reason=unsure", [0, 1, 2]),
        ("reason=price_unclear", [4]),
        ("reason=reported", [4]),
        ("due=over", [4]),
        ("due=hour", [4]),
        ("due=later", [0, 1, 2, 3]),
        ("holder=annotator", [1]),
        ("holder=-", [0, 2, 3, 4]),
        ("show=PAGE_REVIEW&reason=pictures", [3]),
        ("show=SKU_CONFIRM", []),
        ("category=nonsense", []),
        ("due=nonsense&document=x", [0, 1, 2, 3, 4]),
    ],
)
def test_the_address_says_what_is_listed(
    client: Client, people: People, tasks: list[HumanTask], query: str, which: list[int]
) -> None:
    locks.claim_task(people.annotator, tasks[1].uuid, TAB)
    found = shown(signed_in(client, people.lead), query)
    assert sorted(found) == sorted(names(*(tasks[n] for n in which)))
    answer = client.get(f"{reverse('tasks')}?{query}")
    assert answer.context["listed"] == len(which), "the counts are of what is listed"
    if not which:
        assert "No page that waits is like this" in answer.content.decode()


def test_a_document_a_category_and_a_person_of_their_own(
    client: Client, people: People, tasks: list[HumanTask]
) -> None:
    lamps = tasks[3].job
    signed_in(client, people.annotator)
    assert sorted(shown(client, f"document={lamps.uuid}")) == sorted(names(*tasks[3:]))
    assert len(shown(client, f"category={lamps.schema.key}")) == 5
    assert shown(client, "holder=me") == []
    locks.claim_task(people.annotator, tasks[0].uuid, TAB)
    assert shown(client, "holder=me") == names(tasks[0])
    foreign = HumanTask.objects.exclude(job__merchant=people.merchant).get()
    assert shown(client, f"document={foreign.job.uuid}") == [], "of another merchant nothing is there"


@pytest.mark.req("TA-API")
@pytest.mark.parametrize(
    ("query", "which"),
    [
        ("", [0, 1, 2, 3, 4]),
        ("reason=unsure", [0, 1, 2]),
        ("reason=price_unclear&due=over", [4]),
        ("due=hour", [4]),
        ("due=risk", [4]),
        ("due=later", [0, 1, 2, 3]),
        ("holder=annotator", [1]),
        ("holder=me", []),
        ("holder=-&type=PAGE_REVIEW", [0, 2, 3, 4]),
        ("category=nonsense", []),
    ],
)
def test_programs_narrow_the_queue_down_as_its_screen_does(
    people: People, tasks: list[HumanTask], query: str, which: list[int]
) -> None:
    locks.claim_task(people.annotator, tasks[1].uuid, TAB)
    listed = Program(people.lead)("GET", f"/tasks?{query}").json()["items"]
    assert [task["task_id"] for task in listed] == names(*(tasks[n] for n in which))


def test_programs_ask_as_few_statements_for_many_tasks_as_for_one(people: People, tasks: list[HumanTask]) -> None:
    """No task asks for what its list has left out, whoever holds it."""
    locks.claim_task(people.annotator, tasks[1].uuid, TAB)
    program, asked = Program(people.lead), []
    for limit in (1, 5):
        with CaptureQueriesContext(connection) as statements:
            assert len(program("GET", f"/tasks?limit={limit}").json()["items"]) == limit
        asked.append(len(statements))
    assert asked[0] == asked[1]


def test_programs_ask_for_a_document_and_are_told_what_is_no_filter(people: People, tasks: list[HumanTask]) -> None:
    program, lamps = Program(people.annotator), tasks[3].job
    listed = program("GET", f"/tasks?document={lamps.uuid}&limit=1").json()
    assert [task["task_id"] for task in listed["items"]] == names(tasks[3])
    further = program("GET", f"/tasks?document={lamps.uuid}&cursor={listed['next']}").json()
    assert ([task["task_id"] for task in further["items"]], further["next"]) == (names(tasks[4]), None)
    foreign = HumanTask.objects.exclude(job__merchant=people.merchant).get()
    assert program("GET", f"/tasks?document={foreign.job.uuid}").json()["items"] == []
    for query in ("due=soon", "document=x", f"holder={'x' * 151}"):
        refused = program("GET", f"/tasks?{query}")
        assert (refused.status_code, refused.json()["code"]) == (422, "bad_request"), query
    parameters = api.get_openapi_schema()["paths"]["/api/v1/tasks"]["get"]["parameters"]
    due = next(parameter["schema"] for parameter in parameters if parameter["name"] == "due")
    assert set(due["enum"]) == {"", *filtering.DUE}


def test_every_reason_that_can_be_chosen_is_one() -> None:
    codes = [code for _word, codes in filtering.REASONS.values() for code in codes]
    assert len(codes) == len(set(codes)) and set(codes) <= set(REASONS)


def decide(client: Client, tasks: list[HumanTask], **given: Any) -> str:
    data = {"task": names(*tasks), **given}
    return client.post(reverse("tasks_supervise"), data, follow=True).content.decode()


def told(task: HumanTask, trigger: str) -> list[dict[str, Any]]:
    rows = Transition.objects.filter(entity="task", entity_id=task.pk, trigger=trigger)
    return [row.reason or {} for row in rows.order_by("pk")]


def test_a_decision_that_comes_twice_is_one(client: Client, people: People, tasks: list[HumanTask]) -> None:
    signed_in(client, people.lead)
    act = str(uuid4())
    given = {"do": "postpone", "minutes": "60", "reason": "Better scans come", "act": act}
    assert "2 tasks changed" in decide(client, tasks[:2], **given)
    put_off = HumanTask.objects.get(pk=tasks[0].pk).clock_from
    assert "0 tasks changed" in decide(client, tasks[:2], **given)
    assert HumanTask.objects.get(pk=tasks[0].pk).clock_from == put_off
    assert told(tasks[0], "postponed") == [{"minutes": 60, "reason": "Better scans come", "act": act}]
    assert "2 tasks changed" in decide(client, tasks[:2], **{**given, "act": str(uuid4())}), "another one is another"


@pytest.mark.parametrize(
    ("given", "trigger"),
    [
        ({"do": "assign", "person": "annotator"}, "assigned"),
        ({"do": "priority", "priority": "HIGH"}, "prioritised"),
        ({"do": "release"}, "freed"),
        ({"do": "retry"}, "by_machines"),
        ({"do": "skip"}, "skipped"),
    ],
)
def test_each_decision_keeps_its_reason_and_may_be_asked_again(
    client: Client, people: People, tasks: list[HumanTask], given: dict[str, str], trigger: str
) -> None:
    signed_in(client, people.lead)
    act = str(uuid4())
    for _ in (1, 2):
        decide(client, tasks[:2], **given, reason="As agreed", act=act)
        settle.settle_pages([task.page_id for task in tasks])
    for task in tasks[:2]:
        (reason,) = told(task, trigger)
        assert (reason["reason"], reason["act"]) == ("As agreed", act)


def test_what_takes_pages_away_asks_why(client: Client, people: People, tasks: list[HumanTask]) -> None:
    signed_in(client, people.lead)
    for do in ("release", "postpone", "retry", "skip"):
        assert "Say why" in decide(client, tasks, do=do, minutes="30", reason=" ")
    assert not Transition.objects.filter(entity="task").exists()


def test_all_that_is_listed_is_what_was_there(
    client: Client, people: People, tasks: list[HumanTask], monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_in(client, people.lead)
    at = timezone.now()
    late = make_task(tasks[0].job, 9, "sku_doubtful")
    given = {"do": "priority", "priority": "HIGH", "all": "1", "filter": "reason=unsure", "at": at.isoformat()}
    answer = client.post(reverse("tasks_supervise"), given)
    assert answer["Location"] == f"{reverse('tasks')}?reason=unsure", "back to the same list"
    changed = set(HumanTask.objects.filter(priority="HIGH").values_list("pk", flat=True))
    assert changed == {task.pk for task in tasks[:3]} and late.pk not in changed
    monkeypatch.setattr(supervising, "AT_ONCE", 2)
    text = client.post(reverse("tasks_supervise"), {**given, "priority": "CRITICAL"}, follow=True).content.decode()
    assert "2 tasks changed" in text and "2 are changed at once" in text


def test_what_is_refused_stops_no_other(client: Client, people: People, tasks: list[HumanTask]) -> None:
    locks.claim_task(people.annotator, tasks[0].uuid, TAB)
    settle.settle_pages([tasks[0].page_id])
    text = decide(signed_in(client, people.lead), tasks[:3], do="retry", reason="A newer reader")
    assert "2 tasks changed" in text and "1 stays as it was: Annotator has this task in hand." in text
    assert Page.objects.filter(status="AI_QUEUED").count() == 2


def test_of_other_merchants_nothing_is_decided(client: Client, people: People, tasks: list[HumanTask]) -> None:
    foreign = HumanTask.objects.exclude(job__merchant=people.merchant).get()
    signed_in(client, people.lead)
    assert "0 tasks changed" in decide(client, [foreign], do="priority", priority="HIGH")
    client.post(reverse("tasks_supervise"), {"do": "priority", "priority": "HIGH", "all": "1"})
    foreign.refresh_from_db()
    assert foreign.priority == "NORMAL"
    assert HumanTask.objects.filter(priority="HIGH").count() == 5


def test_what_is_done_meanwhile_hides_nothing_on_the_next_page(
    client: Client, people: People, tasks: list[HumanTask], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "TASKS_A_PAGE", 2)
    signed_in(client, people.lead)
    first = client.get(reverse("tasks"))
    assert (first.context["shown"], first.context["listed"]) == (2, 5) and 'rel="next"' in first.content.decode()
    HumanTask.objects.filter(pk=tasks[4].pk).update(status="SKIPPED")  # was the first of the first page
    after = first.context["next"]
    seen = [row.id for group in first.context["groups"] for row in group.rows]
    while after:
        answer = client.get(reverse("tasks"), {"after": after})
        seen += [row.id for group in answer.context["groups"] for row in group.rows]
        after = answer.context["next"]
    assert seen == names(tasks[4], *tasks[:4]), "each once"
    assert len(shown(client, "after=nonsense")) == 2
