"""A page that waits for people is one task: one row, one lock, one count, whatever is asked of it and by whom."""

from importlib import import_module
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.utils import translation

from annotation.facts import tasks_open
from annotation.models import Draft, HumanTask
from annotation.queue.selectors import closed_tasks, task_rows
from annotation.queue.services.reverting import reopen_own
from annotation.reports.models import SkuReport
from annotation.reports.services import report
from annotation.tasks.services import joining, locks, settle
from annotation.workbench import past
from annotation.workbench.events import whole_for
from annotation.workbench.services.submitting import submit_task
from catalogsku.core.models import Transition
from catalogsku.profiles.models import WorkRules
from ingestion.models import Page
from processing.corrections.services.correcting import PageState, content_version
from processing.imports.services import delivering
from processing.models import ImportRecord, Sku
from processing.products.page_state import GivenSku, GivenValue
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_sku

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-ONEHOLDER")]
TAB = UUID(int=1)
DOUBTFUL = {"code": "sku_doubtful", "severity": "review"}


def doubt(index: int) -> dict[str, Any]:
    return {**DOUBTFUL, "params": {"confidence": 0.5 + index / 100, "minimum": 0.7}, "sku": index}


@pytest.fixture
def page(people: People) -> Page:
    """Six SKUs, each doubtful for itself, and not settled yet."""
    WorkRules.objects.update(verdict_least=0, verdict_most=0)
    job = make_job(people.merchant, "PARTIAL_IMPORTED")
    blockers = [doubt(index) for index in range(6)]
    columns = {"page_type": "B", "layout_type": "L3", "sku_count": 6, "import_state": "confirmed"}
    page = make_page(job, 3, "AI_COMPLETED", needs_review=True, blockers=blockers, confidence=0.8, **columns)
    for index, blocker in enumerate(blockers):
        make_sku(page, index + 1, "BOUND", blockers=[blocker])
    return page


@pytest.fixture
def task(page: Page) -> HumanTask:
    settle.settle_pages([page.pk])
    return HumanTask.objects.get()


def sku_ids(page: Page) -> list[str]:
    return list(Sku.objects.filter(page=page, superseded=False).order_by("sku_id").values_list("sku_id", flat=True))


def submit(people: People, task: HumanTask) -> None:
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    page = Page.objects.get(pk=task.page_id)
    same = tuple(
        GivenSku(sku.sku_id, attributes={key: GivenValue(value) for key, value in sku.attributes.items() if value})
        for sku in Sku.objects.filter(page=page, superseded=False)
    )
    state = PageState(page_type="B", layout_type="L3", skus=same)
    submit_task(people.annotator, task.uuid, lock.token, uuid4(), content_version(page), state)
    settle.settle_pages([page.pk])


def refuse(page: Page, sku_id: str) -> None:
    (sku,) = Sku.objects.filter(sku_id=sku_id, superseded=False)
    delivering.ledger.open_imports(page.job, [sku])
    ImportRecord.objects.filter(sku=sku).update(state="REFUSED", response="no category")
    settle.settle_pages([page.pk])


def test_six_doubtful_skus_are_one_task_that_names_them(task: HumanTask, page: Page, people: People) -> None:
    assert (task.type, task.subject, sorted(task.skus())) == ("SKU_CONFIRM", "", sku_ids(page))
    with translation.override("en"):
        (row,) = task_rows([task])
        told = whole_for(people.lead, [task.uuid], alone=False)
    assert row.skus_word == "6 SKUs" and row.reasons == ["A product is doubtful: 0.5 is below 0.7 (6 SKUs)"]
    client = Client()
    client.force_login(people.lead)
    client.cookies["django_language"] = "en"
    shown = client.get("/tasks/")
    assert shown.content.decode().count("data-row=") == 1 and "6 SKUs" in shown.content.decode()
    assert shown.context["shell"]["task_count"] == 1
    assert (told["figures"]["tasks"], told["figures"]["filter.all"], told["rows"][0]["skus_word"]) == (
        "1",
        "1",
        "6 SKUs",
    )
    assert sum(tasks_open().values()) == 1


def test_a_page_of_which_one_sku_is_doubtful_is_about_that_one(page: Page) -> None:
    first, *others = sku_ids(page)
    Sku.objects.filter(sku_id__in=others).update(blockers=[])
    settle.settle_pages([page.pk])
    assert HumanTask.objects.get().subject == first


def test_what_concerns_the_page_and_its_skus_is_one_task_about_the_page(page: Page) -> None:
    whole: dict[str, Any] = {"code": "page_type_uncertain", "params": {}, "sku": None}
    Page.objects.filter(pk=page.pk).update(blockers=[whole, *page.blockers])
    settle.settle_pages([page.pk])
    task = HumanTask.objects.get()
    assert (task.type, len(task.skus()), len(task.reasons)) == ("PAGE_REVIEW", 6, 7)


def test_a_report_joins_the_open_task_and_has_its_own_time(task: HumanTask, page: Page, people: People) -> None:
    HumanTask.objects.update(clock_from="2026-01-01T00:00Z", sla_level=2)
    report(people.uploader, page.job.uuid, "missing", "M-9 below the table", number=3)
    report(people.uploader, page.job.uuid, "wrong", "The price", sku_id=sku_ids(page)[0])
    (waiting,) = HumanTask.objects.all()
    assert (waiting.pk, waiting.type, waiting.priority, waiting.sla_level) == (task.pk, "PAGE_REVIEW", "HIGH", 0)
    assert [reason["code"] for reason in waiting.reasons][6:] == ["reported_missing", "reported_wrong"]
    assert waiting.clock_from.year > 2025 and waiting.clock_from > task.clock_from, "nobody had three hours for it"
    assert set(SkuReport.objects.values_list("task", flat=True)) == {task.pk}


def test_a_report_ends_a_second_look_that_waits(task: HumanTask, page: Page, people: People) -> None:
    WorkRules.objects.update(verdict_least=1, verdict_most=1)
    submit(people, task)
    verdict = HumanTask.objects.get(purpose="verdict")
    assert verdict.status == "CREATED"
    report(people.uploader, page.job.uuid, "wrong", "The price", sku_id=sku_ids(page)[0])
    (waiting,) = HumanTask.objects.filter(status="CREATED")
    assert waiting.purpose == "work" and waiting.reasons[0]["code"] == "reported_wrong"
    verdict.refresh_from_db()
    assert verdict.status == "SKIPPED"


def test_refusals_of_imports_join_and_go_one_by_one(task: HumanTask, page: Page) -> None:
    first, second = sku_ids(page)[:2]
    refuse(page, first)
    refuse(page, second)
    task.refresh_from_db()
    refused = [reason["sku"] for reason in task.reasons if reason["code"] == "import_refused"]
    assert HumanTask.objects.count() == 1 and refused == [first, second]
    settle.settle_pages([page.pk])
    ImportRecord.objects.filter(sku__sku_id=first).update(state="CONFIRMED")
    settle.settle_pages([page.pk])
    task.refresh_from_db()
    left = [reason["sku"] for reason in task.reasons if reason["code"] == "import_refused"]
    assert left == [second] and len(task.reasons) == 7


def test_opening_again_finds_the_page_and_takes_in_what_waits(task: HumanTask, page: Page, people: People) -> None:
    submit(people, task)
    report(people.uploader, page.job.uuid, "missing", "M-9", number=3)
    waiting = HumanTask.objects.get(status="CREATED")
    Draft.objects.create(task=waiting, user=people.lead, body={}, seq=1, base_token=0, page_version=1)
    (decision,) = past.last_decisions(people.annotator)
    assert (decision.number, decision.task) == (3, str(task.uuid))
    reopen_own(people.annotator, task.uuid)
    (again,) = HumanTask.objects.filter(status="CREATED")
    assert (again.pk, again.type, again.priority, len(again.reasons)) == (task.pk, "PAGE_REVIEW", "HIGH", 7)
    assert SkuReport.objects.get().task_id == task.pk and Draft.objects.get().task_id == task.pk
    assert Transition.objects.filter(entity="task", entity_id=waiting.pk, trigger="joined").count() == 1
    settle.settle_pages([page.pk])
    submit(people, again)
    assert Page.objects.get(pk=page.pk).status == "HUMAN_COMPLETED"
    assert [done.pk for done in closed_tasks(people.lead)] == [task.pk], "the history shows the page once"
    assert len(past.last_decisions(people.annotator)) == 1


def test_a_database_with_several_open_tasks_a_page_comes_out_with_one(page: Page, people: People) -> None:
    migration = import_module("annotation.migrations.0002_one_task_a_page")
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX one_open_task")

    def old(subject: str, **columns: Any) -> HumanTask:
        named = {"job": page.job, "page": page, "subject": subject, "type": "SKU_CONFIRM"}
        return HumanTask.objects.create(
            **{**named, "reasons": [doubt(int(subject))] if subject.isdigit() else [], **columns}
        )

    lock = {"locked_by": people.annotator, "lock_session": TAB, "lease_until": "2030-01-01T00:00Z", "lock_token": 4}
    first = old("1", status="ESCALATED", priority="HIGH")
    held = old("2", status="PROCESSING", came_from="CREATED", **lock)
    third = old("3", type="BINDING_REVIEW")
    verdict = old("verdict", purpose="verdict", about=first)
    golden = old("7", purpose="honeypot")
    done = old("4", status="COMPLETED")
    elsewhere = old("5", page=make_page(page.job, 4, "HUMAN_QUEUED"))
    for task, seq in ((first, 1), (third, 2)):
        Draft.objects.create(task=task, user=people.lead, body={"n": seq}, seq=seq, base_token=0, page_version=1)
    told = {"job": page.job, "page": page, "kind": "wrong", "sku_id": "3", "text": "x", "reporter": people.uploader}
    SkuReport.objects.create(task=third, **told)
    with connection.cursor() as cursor:
        cursor.execute(migration.MERGE)

    for task in (first, held, third, verdict, golden, done, elsewhere):
        task.refresh_from_db()
    assert (held.status, held.lock_token, held.priority, held.came_from) == ("PROCESSING", 4, "HIGH", "ESCALATED")
    assert (held.type, held.subject, held.skus()) == ("SKU_CONFIRM", "", {"1", "2", "3"})
    assert [task.status for task in (first, third, verdict)] == ["SKIPPED"] * 3
    assert first.result == {"with": held.pk} and first.locked_by is None
    assert [task.status for task in (golden, done, elsewhere)] == ["CREATED", "COMPLETED", "CREATED"]
    assert SkuReport.objects.get().task_id == held.pk
    assert Draft.objects.filter(task=held).get().body == {"n": 2}, "what was typed last"
    moves = Transition.objects.filter(entity="task", target="SKIPPED").order_by("entity_id")
    assert [(move.entity_id, move.trigger) for move in moves] == [
        (first.pk, "joined"),
        (third.pk, "joined"),
        (verdict.pk, "superseded"),
    ]


def test_what_is_asked_already_is_not_asked_twice(page: Page, task: HumanTask) -> None:
    """A reason that comes again beside a new one: the row would name it twice, and count its SKU's reasons wrong."""
    new = {"code": "sku_reported", "params": {}, "sku": sku_ids(page)[0]}
    before = list(task.reasons)
    wanted = HumanTask(job=task.job, page=page, type=task.type, purpose=task.purpose, reasons=[before[0], new])
    assert joining.ask(wanted) == task
    task.refresh_from_db()
    assert task.reasons == [*before, new]
