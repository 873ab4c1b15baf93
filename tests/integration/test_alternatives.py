"""What another extractor proposed for a page waits beside its result for whoever looks at it; a submit takes it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from django.test import Client
from django.utils.translation import override

from annotation.models import Annotation, HumanTask
from annotation.tasks.services import locks, settle
from annotation.workbench.alternatives import WAYS, way_of
from annotation.workbench.commands import run_command
from annotation.workbench.presenters import bench
from annotation.workbench.services import drafts
from annotation.workbench.services.submitting import Invalid, skip_task, submit_task
from catalogsku.core import metrics
from catalogsku.core.models import Transition
from ingestion.models import Page
from processing.corrections.services.correcting import GivenSku, GivenValue, PageState, content_version
from processing.engine.page import Picture
from processing.engine.result import Alternative, Binding, Blocker, CustomValue, Evidence, PageResult, Value
from processing.engine.result import Sku as FoundSku
from processing.engine.understanding.records.propose import PROPOSERS
from processing.models import ImportRecord, PageAlternatives, Sku
from processing.pages.services.alternatives import alternatives_of
from tests.integration.test_recording import record, result
from tests.support.people import People
from tests.support.rows import make_job, make_page

pytestmark = pytest.mark.django_db
Commits = Callable[..., AbstractContextManager[Any]]
WHERE = (10.0, 20.0, 100.0, 30.0)
PICTURE = Picture("P1", (10, 40, 90, 90), 300, 300, file="p1.png", content_hash="a" * 64)
UNSURE = (Blocker("page_type_uncertain"),)


def value(text: str, *, page: int = 1, match: float = 1.0) -> Value:
    return Value(text, Evidence(text, page, WHERE, match, "text_line"))


def found(name: str, **more: Any) -> FoundSku:
    attributes = {"product_name": value(name), "price": value("$5"), **more.pop("attributes", {})}
    return FoundSku((5.0, 15.0, 600.0, 35.0), attributes, **more)


MUG = found(
    "Mug",
    attributes={"material": value("clay", page=2), "color": value("blue", match=0.0), "shine": value("matt")},
    custom=(CustomValue("Glaze", "salt", Evidence("salt", 1, WHERE)),),
    bindings=(Binding("P1", "PRODUCT_MAIN", "caption", 0.9), Binding("P9", "DETAIL", "caption", 0.9)),
)
BY_LINES = Alternative("repeat.lines.across", 0.3, "B", "L3", (MUG, found("Cup")))
BY_TABLE = Alternative("grid.ruled.beside", 0.2, "A", "L4", (found("Bowl"), FoundSku(WHERE, {"color": value("red")})))


def no_products(**more: Any) -> PageResult:
    return result(page_type="D", alternatives=(BY_LINES, BY_TABLE), **more)


@pytest.fixture
def commits(django_capture_on_commit_callbacks: Commits) -> Commits:
    return django_capture_on_commit_callbacks


@pytest.fixture
def page(people: People) -> Page:
    return make_page(make_job(people.merchant), width_pt=595, height_pt=842)


def waiting(page: Page, outcome: PageResult | None = None) -> HumanTask:
    record(page, outcome or no_products(blockers=UNSURE), (PICTURE,))
    settle.settle_pages([page.pk])
    return HumanTask.objects.get(page=page)


def taken(task: HumanTask, proposer: str = "repeat.lines.across") -> tuple[GivenSku, ...]:
    return next(one.skus for one in alternatives_of(task.page) if one.proposer == proposer)


def submit(people: People, task: HumanTask, *skus: GivenSku, page_type: Any = "B") -> None:
    lock = locks.claim_task(people.annotator, task.uuid, UUID(int=1))
    state = PageState(page_type=page_type, skus=skus)
    submit_task(people.annotator, task.uuid, lock.token, uuid4(), content_version(task.page), state)
    settle.settle_pages([task.page_id])


def counted(proposer: str, outcome: str) -> float:
    return (
        metrics.REGISTRY.get_sample_value("catalogsku_alternatives_total", {"proposer": proposer, "outcome": outcome})
        or 0.0
    )


# --- what is kept ----------------------------------------------------------------------------------


@pytest.mark.req("X-OTHERS")
def test_it_is_kept_as_a_person_would_have_added_it(page: Page) -> None:
    record(page, no_products(blockers=UNSURE), (PICTURE,))
    by_lines, by_table = alternatives_of(page)
    assert (by_lines.proposer, by_lines.page_type, by_lines.layout_type) == ("repeat.lines.across", "B", "L3")
    mug = by_lines.skus[0]
    assert mug.attributes == {
        "product_name": GivenValue("Mug", WHERE),
        "price": GivenValue("$5", WHERE),
        "material": GivenValue("clay"),
    }  # what is not printed, or no attribute of the category, is not offered
    assert (mug.sku_id, mug.offered, mug.box) == (None, "repeat.lines.across", (5, 15, 595, 35))
    assert [custom.name for custom in mug.custom] == ["Glaze"] and len(mug.pictures) == 1
    assert [sku.attributes["product_name"] for sku in by_table.skus] == [GivenValue("Bowl", WHERE)]  # what has a name


@pytest.mark.parametrize(
    ("outcome", "kept"),
    [
        ({"blockers": UNSURE}, True),
        ({"page_type": "D", "confidence": 0.94}, True),  # may be checked by a person (skip_checks)
        ({"page_type": "D", "confidence": 0.96}, False),
        ({}, False),
    ],
)
def test_only_for_pages_that_people_look_at(page: Page, outcome: dict[str, Any], kept: bool) -> None:
    record(page, msgspec.structs.replace(no_products(), **({"page_type": "A"} | outcome)))
    assert bool(alternatives_of(page)) is kept


def test_a_page_that_is_in_peoples_hands_keeps_those_of_its_last_reading(page: Page) -> None:
    waiting(page)
    Page.objects.filter(pk=page.pk).update(status="HUMAN_QUEUED")
    record(page, msgspec.structs.replace(no_products(), alternatives=(BY_TABLE,)))
    assert [one.proposer for one in alternatives_of(page)] == ["grid.ruled.beside"]
    Page.objects.filter(pk=page.pk).update(status="AI_COMPLETED")
    record(page, result(page_type="D", alternatives=()))
    assert not PageAlternatives.objects.exists()


def test_they_go_with_their_document(page: Page) -> None:
    record(page, no_products(blockers=UNSURE))
    page.delete()
    assert not PageAlternatives.objects.exists()


# --- what is shown ---------------------------------------------------------------------------------


def test_the_workbench_shows_them_in_the_form_of_its_state(page: Page, people: People) -> None:
    task = waiting(page)
    with override("en"):
        shown = bench(people.annotator, task)["meta"]["alternatives"]
    assert [(one["proposer"], one["way"], len(one["skus"])) for one in shown] == [
        ("repeat.lines.across", "by lines", 2),
        ("grid.ruled.beside", "by a ruled table", 1),
    ]
    mug = shown[0]["skus"][0]
    assert mug["attributes"]["size"] is None and mug["attributes"]["price"]["text"] == "$5"
    assert mug.keys() == {*GivenSku.__struct_fields__}


def test_programs_see_them_with_the_task(page: Page, people: People) -> None:
    client = Client()
    client.force_login(people.annotator)
    task = waiting(page)
    context = client.get(f"/api/v1/tasks/{task.uuid}").json()["context"]
    assert [one["proposer"] for one in context["alternatives"]] == ["repeat.lines.across", "grid.ruled.beside"]


def test_a_page_without_any_shows_none(page: Page, people: People) -> None:
    task = waiting(page, result(page_type="D", blockers=UNSURE))
    assert bench(people.annotator, task)["meta"]["alternatives"] == []


def test_every_way_has_a_word() -> None:
    assert {way_of(name).split(".")[0] for name in WAYS} == {"rules", *PROPOSERS}


# --- what is taken ---------------------------------------------------------------------------------


@pytest.mark.req("X-OTHERS")
def test_what_was_taken_says_where_it_comes_from_and_goes_out(page: Page, people: People, commits: Commits) -> None:
    task = waiting(page)
    mug, cup = taken(task)
    other = msgspec.structs.replace(cup, attributes={**cup.attributes, "price": GivenValue("$6", WHERE)})
    before = counted("repeat.lines", "taken"), counted("grid.ruled", "left")
    with commits(execute=True):
        submit(people, task, mug, other, GivenSku(attributes={"model": GivenValue("M-9")}))
    first, second, typed = Sku.objects.filter(page=page, superseded=False).order_by("sku_id")
    assert first.decisions == {"product": True, "pictures": True, "offered": "repeat.lines.across"}
    assert {key: proof["method"] for key, proof in first.evidence.items()} == dict.fromkeys(first.evidence, "offered")
    assert first.evidence["price"]["bbox"] == [*WHERE] and first.pictures.count() == 1
    assert first.custom_attributes[0]["evidence"]["method"] == "offered"
    assert second.evidence["price"]["method"] == "person" and second.evidence["product_name"]["method"] == "offered"
    assert typed.evidence["model"]["method"] == "person" and "offered" not in typed.decisions
    assert {sku.attribute_source["product_name"] for sku in (first, second)} == {"person"}  # who answers for it
    assert ImportRecord.objects.filter(page=page, state="PENDING").count() == 3
    assert Page.objects.get(pk=page.pk).status == "HUMAN_COMPLETED"
    moved = Transition.objects.get(entity="task", entity_id=task.pk, trigger="completed")
    assert moved.reason["offered"] == {"repeat.lines.across": 2} and moved.actor == people.annotator.username
    said = Annotation.objects.filter(task=task, field="product_name").values_list("before", "after")
    assert sorted(said) == [(None, "Cup"), (None, "Mug")]
    assert (counted("repeat.lines", "taken"), counted("grid.ruled", "left")) == (before[0] + 1, before[1] + 1)


def test_a_skipped_page_has_left_them(page: Page, people: People, commits: Commits) -> None:
    task = waiting(page)
    before = counted("repeat.lines", "left")
    lock = locks.claim_task(people.annotator, task.uuid, UUID(int=1))
    with commits(execute=True):
        skip_task(people.annotator, task.uuid, lock.token, uuid4(), "unreadable")
    assert counted("repeat.lines", "left") == before + 1


def test_of_the_page_as_it_is_read_again_where_it_comes_from_is_still_told(page: Page, people: People) -> None:
    task = waiting(page)
    submit(people, task, *taken(task))
    assert "offered" in bench(people.annotator, task)["state"]["skus"][0]  # so that it is not offered again
    record(page, no_products(blockers=UNSURE))
    assert {sku.decisions["offered"] for sku in Sku.objects.filter(page=page, superseded=False)} == {
        "repeat.lines.across"
    }


def test_what_nobody_offered_cannot_be_taken(page: Page, people: People) -> None:
    task = waiting(page)
    with pytest.raises(Invalid) as refused:
        submit(people, task, msgspec.structs.replace(taken(task)[0], offered="grid.open"))
    assert [(fault.path, fault.code) for fault in refused.value.faults] == [("skus[0].offered", "unknown_offer")]


def test_the_ordinary_checks_are_made_of_what_was_taken(page: Page, people: People) -> None:
    task = waiting(page)
    wrong = msgspec.structs.replace(taken(task)[0], attributes={"price": GivenValue("five")})
    with pytest.raises(Invalid) as refused:
        submit(people, task, wrong)
    assert {fault.code for fault in refused.value.faults} == {"identity_missing", "price_unclear"}
    with pytest.raises(Invalid) as refused:
        submit(people, task, *taken(task), page_type="D")
    assert {fault.code for fault in refused.value.faults} == {"products_on_empty_page"}


def test_who_has_the_page_in_hand_takes_them_and_nobody_else(page: Page, people: People) -> None:
    task = waiting(page)
    lock = locks.claim_task(people.annotator, task.uuid, UUID(int=1))
    body = {"page_type": "B", "skus": msgspec.to_builtins(taken(task)), "page_version": content_version(page)}
    command = {"id": str(uuid4()), "name": "submit", "task": str(task.uuid), "session": str(UUID(int=2)), "body": body}
    for token in (lock.token - 1, 0):
        status, answer = run_command(people.lead, msgspec.json.encode(command | {"token": token}))
        assert (status, answer["code"]) == (409, "lock_lost")
    assert run_command(people.other_uploader, msgspec.json.encode(command))[0] == 404
    assert not Sku.objects.filter(page=page).exists()


def test_a_draft_keeps_that_it_was_taken(page: Page, people: People) -> None:
    task = waiting(page)
    lock = locks.claim_task(people.annotator, task.uuid, UUID(int=1))
    state = {"page_type": "B", "skus": msgspec.to_builtins(taken(task))}
    saved = drafts.save_draft(people.annotator, task.uuid, lock.token, 1, content_version(page), state)
    assert not saved.doubts
    draft = bench(people.annotator, task)["draft"]
    assert {sku["offered"] for sku in draft["state"]["skus"]} == {"repeat.lines.across"}
