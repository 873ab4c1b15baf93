"""What a task's page tells beside its form: what is printed, what became of it, and what comes next."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from annotation.models import HumanTask
from annotation.tasks.services import locks
from annotation.workbench import past, presenters, printed
from annotation.workbench.services.submitting import submit_task
from catalogsku.core.moves import audit_rows
from ingestion.models import Job, Page
from processing.corrections.services.correcting import content_version
from processing.engine.page import Block, Cell, Line, ParsedPage, Table, Word, pack_page
from processing.engine.result import DocumentFacts, Evidence, Value
from processing.models import Evaluation, PageContent, Sku
from processing.products.page_state import PAYLOADS, GivenSku, GivenValue, PageState
from processing.sandboxed import frozen
from tests.support.people import People
from tests.support.rows import make_image, make_job, make_page, make_sku

pytestmark = pytest.mark.django_db
TAB = UUID(int=1)
BOX = (1.04, 2.0, 30.06, 8.0)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def task(people: People) -> HumanTask:
    merge = {"table": "G1", "page_number": 1, "before": "G3", "reason": "head_inherited", "rows": 4, "repeated_rows": 0}
    job = make_job(people.merchant, total_pages=3)
    page = make_page(
        job,
        2,
        "HUMAN_QUEUED",
        needs_review=True,
        page_type="A",
        layout_type="L4",
        validation={"merges": [merge]},
        screenshot_key="pages/2.jpg",
    )
    make_page(job, 1, screenshot_key="pages/1.jpg", thumbnail_key="pages/1-small.jpg")
    make_page(job, 3)
    make_sku(page, 1, attributes={"price": "$3"})
    make_image(page, 1)
    return HumanTask.objects.create(job=job, page=page, type="PAGE_REVIEW")


def corrected(people: People, task: HumanTask, **parts: Any) -> None:
    sku = Sku.objects.get(page=task.page_id, superseded=False)
    values = {"model": GivenValue("M-1"), "price": GivenValue("$4")}
    state = PageState(page_type="C", layout_type="L4", skus=(GivenSku(sku.sku_id, attributes=values),), **parts)
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    submit_task(people.annotator, task.uuid, lock.token, uuid4(), content_version(task.page), state)


def test_what_is_printed_comes_word_by_word(task: HumanTask) -> None:
    assert printed.printed(task) == {"blocks": [], "tables": []}
    line = Line("Oak chair", BOX, (Word("Oak", BOX), Word("chair", BOX)))
    table = Table("G1", BOX, 1, 1, (Cell(0, 0, "Oak", BOX),))
    read = ParsedPage(2, 595, 842, 0, "x", blocks=(Block("T1", BOX, (line,)),), tables=(table,))
    PageContent.objects.create(
        merchant=task.job.merchant,
        file_sha256=task.job.file_sha256,
        number=2,
        reading_key=frozen.reading_key(),
        data=pack_page(read),
    )
    box = [1.0, 2.0, 30.1, 8.0]
    assert printed.printed(task) == {
        "blocks": [["T1", box, [["Oak chair", box, [["Oak", box], ["chair", box]]]]]],
        "tables": [["G1", box, [box]]],
    }


@pytest.mark.req("TA-P1-4")
def test_shows_what_lies_around_the_page(
    client: Client, task: HumanTask, people: People, django_assert_max_num_queries: Any
) -> None:
    before = task.job.pages.get(number=1)
    make_sku(before, 1, attributes={"model": "A-1"})
    make_sku(before, 2, "REJECTED", attributes={"model": "A-2"})
    for n in range(3, 20):
        make_sku(before, n, attributes={"model": f"A-{n}"})
    cells = (Cell(1, 0, "A-1", BOX), Cell(0, 1, "Price", BOX), Cell(0, 0, "Model", BOX))
    read = ParsedPage(1, 595, 842, 0, "x", tables=(Table("G1", BOX, 2, 2, cells),))
    PageContent.objects.create(
        merchant=task.job.merchant,
        file_sha256=task.job.file_sha256,
        number=1,
        reading_key=frozen.reading_key(),
        data=pack_page(read),
    )
    brand = Value("Acme", Evidence("Acme", 1, BOX))
    facts = DocumentFacts(running_lines=("Acme 2026",), index_pages=(2,), inherited={"brand": brand})
    row = Evaluation.objects.create(
        merchant=task.job.merchant,
        file_sha256=task.job.file_sha256,
        profile=task.job.profile,
        model="rules",
        c_doc=0.9,
        route="AUTO",
        report={},
        facts=frozen.jsonable(facts),
    )
    Job.objects.filter(pk=task.job_id).update(route_reason={"evaluation": row.pk})
    client.force_login(people.annotator)
    client.cookies["django_language"] = "en"
    with django_assert_max_num_queries(12):
        told = client.get(reverse("task_around", args=[task.uuid])).content.decode()
    for words in (
        "Page 1",
        "Page 3",
        "<span>Model</span><span>Price</span>",
        "A-1<",
        "and 6 more",
        "Acme 2026",
        "Brand",
    ):
        assert words in told, words
    assert "A-2<" not in told and "The table began here" not in told
    Page.objects.filter(pk=task.page_id).update(continues=1)
    assert "The table began here" in client.get(reverse("task_around", args=[task.uuid])).content.decode()


@pytest.mark.req("TA-P1-4", "X-MERGE")
def test_shows_the_pages_around_and_tables_that_go_on(task: HumanTask, people: People) -> None:
    meta = presenters.bench(people.annotator, presenters.get_task(people.annotator, task.uuid))["meta"]
    assert [near["number"] for near in meta["around"]] == [1], "those that have a picture can be peeked at"
    assert meta["merges"] == [{"table": "G1", "words": "goes on with page 1, 4 rows"}]


@pytest.mark.req("GR-SIG", "TA-ANN8")
def test_tells_who_changed_what_from_what_to_what(task: HumanTask, people: People) -> None:
    reason = {task.page_id: {"page": 2, "states": {"BOUND": 1}}}
    audit_rows("sku", task.job_id, reason, target="RECORDED", trigger="understood")
    corrected(people, task, separate=("G1",), new_type="Fold-out")
    events = past.page_past(task)
    (done,) = (event for event in events if event.differences)
    assert (done.word, done.who, done.machine) == ("Done", "Annotator", False)
    sku_id = Sku.objects.filter(page=task.page_id).values_list("sku_id", flat=True)[0]
    assert [(d.subject, d.label, d.before, d.after) for d in done.differences[::-1]] == [
        (sku_id, "Price", "$3", "$4"),
        ("", "Kind of page", "Table, a row a product", "Grid of pictures"),
        ("", "None of these kinds", "Grid of pictures", "Fold-out"),
        ("G1", "Goes on with a table", "page 1, G3", "—"),
    ]
    assert {event.word for event in events} == {"Read", "Done"}


def test_tells_what_another_reading_found_otherwise(task: HumanTask, people: People) -> None:
    old = Sku.objects.get(page=task.page_id)
    Sku.objects.filter(pk=old.pk).update(superseded=True, status="SUPERSEDED")
    make_sku(task.page, 1, revision=2, attributes={"price": "$5"})
    audit_rows("sku", task.job_id, {task.page_id: {"states": {"BOUND": 1}}}, target="RECORDED", trigger="understood")
    (read,) = past.page_past(task)
    assert (read.word, read.who, read.machine, read.why) == ("Read", "", True, "1 SKU")
    assert [(d.label, d.before, d.after) for d in read.differences] == [("Price", "$3", "$5")]


def test_the_last_decisions_lead_back_to_their_pages(task: HumanTask, people: People) -> None:
    assert past.last_decisions(people.annotator) == []
    corrected(people, task)
    (decision,) = past.last_decisions(people.annotator)
    assert (decision.number, decision.url) == (2, reverse("task", args=[task.uuid]))
    assert past.last_decisions(people.lead) == []


@pytest.mark.req("X-MATRIX")
@pytest.mark.parametrize("name", ["task_print", "task_past", "task_next", "task_around"])
def test_they_are_for_those_who_do_tasks_of_this_merchant(
    client: Client, task: HumanTask, people: People, name: str
) -> None:
    address = reverse(name, args=[task.uuid])
    seen = {}
    for person in ("annotator", "uploader", "outsider"):
        client.force_login(people.named(person))  # type: ignore[arg-type]
        seen[person] = client.get(address).status_code
    assert seen == {"annotator": 200, "uploader": 403, "outsider": 404}


@pytest.mark.req("TA-T68")
def test_names_the_files_of_the_task_after_this_one(client: Client, task: HumanTask, people: People) -> None:
    locks.claim_task(people.annotator, task.uuid, TAB)
    elsewhere = make_page(task.job, 4, "HUMAN_QUEUED", needs_review=True, screenshot_key="pages/4.jpg")
    following = HumanTask.objects.create(job=task.job, page=elsewhere, type="PAGE_REVIEW")
    client.force_login(people.annotator)
    files = json.loads(client.get(reverse("task_next", args=[task.uuid])).content)["files"]
    image = reverse("page_image", args=[task.job.uuid, 4])
    assert files == [image, reverse("task_print", args=[following.uuid])]


@pytest.mark.req("TA-ANN8")
def test_every_kind_of_annotation_has_a_form() -> None:
    kinds = {kind for kind, _ in HumanTask.annotations.rel.related_model.Type.choices}
    assert kinds == set(PAYLOADS) and len(kinds) == 8


def test_history_speaks_the_readers_language(task: HumanTask, people: People) -> None:
    corrected(people, task)
    with translation.override("zh-hans"):
        (done,) = past.page_past(task)
    assert all("\u3400" <= sign <= "\u9fff" for sign in done.word)
