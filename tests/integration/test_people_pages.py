"""The screens of supervision: the queue's bar and next task, closed tasks, people's figures; and the command."""

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Annotation, AnnotatorProfile, HumanTask, Judgement, TaskComment
from catalogsku.accounts.models import User
from ingestion.models import Page
from tests.support.people import People
from tests.support.rows import make_job, make_page

pytestmark = pytest.mark.django_db
QUERIES_MAX = 12


@pytest.fixture
def tasks(people: People) -> list[HumanTask]:
    job = make_job(people.merchant, "PARTIAL_IMPORTED")
    found = []
    for number in range(1, 7):
        page = make_page(job, number, "HUMAN_QUEUED", needs_review=True, thumbnail_key="t.jpg")
        found.append(HumanTask.objects.create(job=job, page=page, type="PAGE_REVIEW", confidence=0.8))
    closed = found[4:]
    ids = [task.pk for task in closed]
    HumanTask.objects.filter(pk__in=ids).update(
        status="COMPLETED", closed_by=people.annotator, closed_at=Now(), worked_s=130
    )
    Page.objects.filter(tasks__in=ids).update(status="HUMAN_COMPLETED", needs_review=False)
    return found


def read(client: Client, who: User, name: str, language: str = "en") -> str:
    client.force_login(who)
    client.cookies["django_language"] = language
    with CaptureQueriesContext(
        connection,
    ) as asked:
        answer = client.get(reverse(name))
    assert answer.status_code == 200 and len(asked) <= QUERIES_MAX, [query["sql"][:90] for query in asked]
    return answer.content.decode()


def post(client: Client, who: User, tasks: list[HumanTask], **given: Any) -> str:
    client.force_login(who)
    client.cookies["django_language"] = "en"
    data = {"task": [str(task.uuid) for task in tasks], **given}
    return client.post(reverse("tasks_supervise"), data, follow=True).content.decode()


def test_who_is_offered_nothing_reads_why_where_pages_wait(
    client: Client, people: People, tasks: list[HumanTask]
) -> None:
    HumanTask.objects.update(confidence=0.2)  # hard ones: for people of proven accuracy, and nobody has any yet
    assert "Nothing is picked for you now" in read(client, people.annotator, "tasks_next")
    assert "Next for you" in read(client, people.lead, "tasks_next"), "nobody else may be there"
    HumanTask.objects.update(status="COMPLETED", closed_by=people.annotator, closed_at=Now())
    assert not read(client, people.annotator, "tasks_next").strip(), "the list says that nothing waits"


@pytest.mark.req("TA-T79")
def test_the_queue_offers_leads_their_decisions_and_nobody_else(
    client: Client, people: People, tasks: list[HumanTask]
) -> None:
    lead = read(client, people.lead, "tasks")
    assert lead.count('name="task"') == 4 and 'value="assign"' in lead and "Annotator (0 open, 80 %)" in lead
    annotator = read(client, people.annotator, "tasks")
    assert 'name="task"' not in annotator and 'value="assign"' not in annotator and "Closed tasks" not in annotator


@pytest.mark.req("TA-T79")
def test_the_next_task_comes_with_the_reason_why_it_is_this_persons(
    client: Client, people: People, tasks: list[HumanTask]
) -> None:
    text = read(client, people.annotator, "tasks_next")
    assert f"{reverse('task', args=[tasks[0].uuid])}?claim=1" in text and "It has waited longest" not in text
    assert "You know its document" in text
    chosen = tasks[2]
    post(client, people.lead, [chosen], do="assign", person="annotator")
    text = read(client, people.annotator, "tasks_next")
    assert str(chosen.uuid) in text and "A lead gave it to you" in text
    assert "组长指派给你" in read(client, people.annotator, "tasks_next", "zh-hans")
    HumanTask.objects.all().delete()
    assert read(client, people.annotator, "tasks_next").strip() == ""


def test_ticked_tasks_are_changed_together_and_what_is_wrong_is_said(
    client: Client, people: People, tasks: list[HumanTask]
) -> None:
    two = tasks[:2]
    assert "2 tasks changed" in post(client, people.lead, two, do="priority", priority="CRITICAL")
    assert {task.priority for task in HumanTask.objects.filter(pk__in=[t.pk for t in two])} == {"CRITICAL"}
    assert "Say why: who works" in post(client, people.lead, [tasks[2]], do="postpone", minutes="30")
    given = {"do": "postpone", "minutes": "30", "reason": "The supplier sends better scans"}
    assert "1 task changed" in post(client, people.lead, [tasks[2]], **given)
    assert "Say why this page is skipped" in post(client, people.lead, two, do="skip")
    assert "There is nobody of that name" in post(client, people.lead, two, do="assign", person="uploader")
    for wrong in ({"do": "priority"}, {"do": "nonsense", "task": ["x"]}):
        assert "Tick the tasks" in post(client, people.lead, [], **wrong)
    client.force_login(people.annotator)
    answer = client.post(reverse("tasks_supervise"), {"task": [str(tasks[0].uuid)], "do": "release"})
    assert answer.status_code == 403


@pytest.mark.req("TA-T76")
def test_closed_tasks_are_listed_for_leads_and_taken_back_there(
    client: Client, people: People, tasks: list[HumanTask]
) -> None:
    HumanTask.objects.create(
        job=tasks[0].job,
        page=tasks[0].page,
        type="PAGE_REVIEW",
        purpose="honeypot",
        status="COMPLETED",
        closed_at=Now(),
    )
    text = read(client, people.lead, "tasks_closed")
    assert text.count('name="task"') == 2, "golden pages are nobody's business"
    assert "1 task changed" in post(client, people.lead, [tasks[4]], do="revert", reason="wrong list", closed="1")
    assert HumanTask.objects.get(pk=tasks[4].pk).status == "CREATED"
    assert "not closed" in post(client, people.lead, [tasks[4]], do="revert", reason="again", closed="1")
    client.force_login(people.annotator)
    assert client.get(reverse("tasks_closed")).status_code == 403
    HumanTask.objects.all().delete()
    assert "No task was closed yet" in read(client, people.lead, "tasks_closed")
    assert "还没有关闭的任务" in read(client, people.lead, "tasks_closed", "zh-hans")


def test_leads_see_their_people_and_an_annotator_only_themself(
    client: Client, people: People, tasks: list[HumanTask]
) -> None:
    AnnotatorProfile.objects.create(
        user=people.annotator,
        tasks=41,
        duration_s=97,
        accuracy=0.91,
        judged=12,
        kappa=0.77,
        golden_score=0.5,
        specialties=["BINDING_REVIEW"],
    )
    for _ in range(3):
        Annotation.objects.create(
            task=tasks[4], page=tasks[4].page, annotator=people.annotator, type="SKU_ATTRIBUTE", field="price"
        )
    Judgement.objects.create(
        kind="verdict",
        outcome="fixed",
        task=tasks[4],
        about=tasks[4],
        annotator=people.annotator,
        type="PAGE_REVIEW",
        score=0.5,
    )
    lead = read(client, people.lead, "people")
    for words in ("Annotator", "Lead", "0.91", "0.77", "Picture to choose", "Price", "fixed and accepted"):
        assert words in lead, words
    own = read(client, people.annotator, "people")
    assert "My figures" in own and "0.91" in own and ">Lead<" not in own
    assert "我的数据" in read(client, people.annotator, "people", "zh-hans")
    theirs = read(client, people.outsider, "people")
    assert "0.91" not in theirs and "Nothing was corrected" in theirs


def test_a_comment_is_kept_with_its_task(client: Client, people: People, tasks: list[HumanTask]) -> None:
    client.force_login(people.annotator)
    address = reverse("task_comment", args=[tasks[0].uuid])
    assert client.post(address, {"text": "Prices in yen"}).status_code == 302
    assert client.post(address, {"text": " "}).status_code == 302
    assert list(TaskComment.objects.values_list("text", flat=True)) == ["Prices in yen"]
    client.force_login(people.outsider)
    assert client.post(address, {"text": "x"}).status_code == 404


def run(*words: str) -> Any:
    out = StringIO()
    call_command("tasks", *words, "--json", stdout=out)
    return json.loads(out.getvalue())


@pytest.mark.req("TA-T76", "TA-T79")
def test_the_command_lists_gives_skips_and_takes_back(people: People, tasks: list[HumanTask]) -> None:
    rows = run("list")
    assert [row["page"] for row in rows] == [1, 2, 3, 4] and rows[0]["status"] == "CREATED"
    first, second = str(tasks[0].uuid), str(tasks[1].uuid)
    assert run("reassign", first, "--to", "annotator", "--by", "lead") == {"reassigned": 1}
    assert run("list")[0]["kept_for"] == "annotator"
    assert run("skip", second, "--reason", "torn", "--by", "lead") == {"skipped": 1}
    assert run("retry", str(tasks[2].uuid), "--by", "lead") == {"sent": 1}
    found = run("revert", "--annotator", "annotator", "--reason", "a bad day", "--by", "lead")
    assert found == {"reverted": 2, "refused": []}
    for words in (("skip", first, "--by", "lead"), ("revert", first, "--by", "annotator", "--reason", "x")):
        with pytest.raises(CommandError):
            run(*words)
    with pytest.raises(CommandError, match="--by must name a person"):
        run("skip", first, "--reason", "x")
    with pytest.raises(CommandError, match="Name tasks"):
        run("revert", "--by", "lead", "--reason", "x")
    HumanTask.objects.filter(pk=tasks[3].pk).update(clock_from=Now() - timedelta(hours=2))
    assert run("list", "--status", "CREATED")[0]["page"] == 4
