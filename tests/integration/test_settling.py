"""Pages and jobs follow their children, whoever is first or last, and back again."""

import itertools
import random
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from annotation.models import HumanTask
from annotation.tasks.services import settle
from annotation.tasks.services.settle import settle_pages, settle_pages_of_job, unsettled_pages
from catalogsku.core.models import Transition
from catalogsku.core.moves import move
from ingestion.lifecycle import PAGE, SETTLED, ImportState, PageStatus
from ingestion.models import Job, Page
from ingestion.services.jobs import rerun_pages
from ingestion.services.settle import settle_job, unsettled_jobs
from ingestion.settling import job_status
from processing.imports.services import delivering, ledger
from processing.models import ImportRecord, Sku
from tests.support.people import People
from tests.support.rows import in_threads, make_job, make_page, make_pages, make_sku


def delivered(job: Job, number: int, **columns: Any) -> Page:
    return make_page(job, number, "AI_COMPLETED", import_state="confirmed", **columns)


# --- the job -------------------------------------------------------------------------------------


@pytest.mark.req("PL-C2", "LX-SCATTER")
@pytest.mark.parametrize("turn", range(6))
def test_of_two_last_pages_ending_at_once_the_job_ends_once(committed: None, people: People, turn: int) -> None:
    job = make_job(people.merchant)
    last = make_pages(job, [1, 2], status="HUMAN_QUEUED", import_state="confirmed", sku_count=3)
    Job.objects.filter(pk=job.pk).update(status="PARTIAL_IMPORTED")

    def end(page: Page) -> Callable[[], str | None]:
        def run() -> str | None:
            with transaction.atomic():
                move(PAGE, Page.objects.filter(pk=page.pk), to="HUMAN_COMPLETED", trigger="settled")
            return settle_job(job.pk)

        return run

    outcomes = in_threads([end(page) for page in last])
    assert sorted(map(str, outcomes)) == ["FULL_IMPORTED", "None"]
    job.refresh_from_db()
    assert (job.status, job.completion) == ("FULL_IMPORTED", {"pages": {"HUMAN_COMPLETED/confirmed": 2}, "skus": 6})
    assert Transition.objects.filter(entity="job", entity_id=job.pk).count() == 1


@pytest.mark.req("PL-C2")
def test_a_count_taken_before_the_last_page_ended_does_not_overwrite_the_end(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = make_job(people.merchant, status="PARTIAL_IMPORTED")
    last = make_page(job, 1, "HUMAN_QUEUED", import_state="confirmed")
    count, counted = Page.census, threading.Event()

    def slow(job_id: int) -> Any:
        found = count(job_id)
        if not counted.is_set():
            counted.set()
            time.sleep(0.4)
        return found

    monkeypatch.setattr(Page, "census", staticmethod(slow))

    def ends() -> str | None:
        counted.wait(5)
        Page.objects.filter(pk=last.pk).update(status="HUMAN_COMPLETED")
        return settle_job(job.pk)

    in_threads([lambda: settle_job(job.pk), ends])
    assert Job.objects.get(pk=job.pk).status == "FULL_IMPORTED"


@pytest.mark.django_db
@pytest.mark.req("TA-P0-1", "TA-P0-1")
@pytest.mark.parametrize(
    ("route", "pages", "source"),
    [
        ("AUTO", ["AI_COMPLETED", "AI_COMPLETED"], "machine"),
        ("HYBRID", ["AI_COMPLETED", "HUMAN_COMPLETED"], "mixed"),
        ("HUMAN_ALL", ["HUMAN_COMPLETED", "HUMAN_COMPLETED"], "human_all"),
        ("AUTO", ["BLANK", "SKIPPED"], "no_products"),
        ("HUMAN_ALL", ["BLANK", "SKIPPED"], "no_products"),
    ],
)
def test_completion_says_who_finished_it_and_keeps_the_count(
    people: People, route: str, pages: list[str], source: str
) -> None:
    job = make_job(
        people.merchant,
        status="DEGRADED_HUMAN" if route == "HUMAN_ALL" else "PROCESSING",
        route=route,
        password=b"secret",
    )
    for number, status in enumerate(pages, 1):
        done = status in ("AI_COMPLETED", "HUMAN_COMPLETED")
        make_page(job, number, status, import_state="confirmed" if done else "none", sku_count=2 * done)
    assert settle_job(job.pk) == "FULL_IMPORTED"
    job.refresh_from_db()
    assert job.completion_source == source
    assert sum(job.completion["pages"].values()) == 2
    assert job.completion["skus"] == (0 if source == "no_products" else 4)
    assert job.finished_at is not None
    assert job.password is None
    assert settle_job(job.pk) is None, "settling twice changes nothing"


@pytest.mark.django_db
@pytest.mark.req("PL-C2", "TA-P0-1")
def test_a_finished_job_is_taken_up_again_and_ends_again(people: People) -> None:
    job = make_job(people.merchant)
    page = delivered(job, 1)
    assert settle_job(job.pk) == "FULL_IMPORTED"
    rerun_pages(job, [1], "uploader")
    assert settle_job(job.pk) == "PROCESSING"
    job.refresh_from_db()
    assert (job.finished_at, job.completion, job.completion_source) == (None, None, "")
    Page.objects.filter(pk=page.pk).update(status="DEAD_LETTER", stage="NONE")
    assert settle_job(job.pk) == "PARTIAL_FAILED"
    Page.objects.filter(pk=page.pk).update(status="SKIPPED", skip_reason="person")
    assert settle_job(job.pk) == "FULL_IMPORTED"


@pytest.mark.django_db
@pytest.mark.req("TA-CANCEL")
@pytest.mark.parametrize("status", ["CANCELLED", "REJECTED", "UPLOADED", "EVALUATING", "ORPHANED"])
def test_a_job_in_any_other_state_does_not_follow_its_pages(people: People, status: str) -> None:
    job = make_job(people.merchant, status=status)
    delivered(job, 1)
    assert settle_job(job.pk) is None
    assert job.pk not in unsettled_jobs()


@pytest.mark.django_db
@pytest.mark.req("TA-ADR09", "TA-D3")
def test_the_sweep_finds_every_job_whose_status_is_not_what_its_pages_say(people: People) -> None:
    chance = random.Random(7)
    kinds = [
        ("AI_QUEUED", "none", ""), ("AI_COMPLETED", "pending", ""), ("AI_COMPLETED", "confirmed", ""),
        ("AI_COMPLETED", "failed", ""), ("HUMAN_QUEUED", "confirmed", ""), ("HUMAN_COMPLETED", "none", ""),
        ("HUMAN_COMPLETED", "confirmed", ""), ("DEAD_LETTER", "none", ""), ("SKIPPED", "none", "sla"),
        ("SKIPPED", "none", "person"), ("BLANK", "none", ""),
    ]  # fmt: skip
    wrong, right = set(), set()
    for status, kind in itertools.product(SETTLED, kinds):
        route = "HUMAN_ALL" if status == "DEGRADED_HUMAN" else "AUTO"
        job = make_job(people.merchant, status=status, route=route)
        mixed = [kind, *chance.choices(kinds, k=chance.randrange(3))]
        for number, (page, imports, skip) in enumerate(mixed, 1):
            stage = "READ" if page == "AI_QUEUED" else "NONE"
            make_page(
                job,
                number,
                page,
                import_state=imports,
                skip_reason=skip,
                stage=stage,
                needs_review=page == "HUMAN_QUEUED",
            )
        target = job_status(Page.census(job.pk), route)
        if (status, target) == ("FULL_IMPORTED", "PARTIAL_FAILED"):  # nothing leads from the one to the other directly
            job.delete()
        else:
            (right if target == status else wrong).add(job.pk)
    found = set(unsettled_jobs())
    assert found & right == set(), "nothing is settled for nothing"
    missed = {(j.status, str(Page.census(j.pk))) for j in Job.objects.filter(pk__in=wrong - found)}
    assert not missed
    for pk in found:
        assert settle_job(pk) is not None
    assert unsettled_jobs() == []


# --- the page ------------------------------------------------------------------------------------


def page_for_review(people: People, **columns: Any) -> Page:
    job = make_job(people.merchant)
    blockers = [{"code": "low_confidence", "params": {"confidence": 0.5, "minimum": 0.7}, "sku": None}]
    return make_page(job, 1, "AI_COMPLETED", needs_review=True, sku_count=1, **{"blockers": blockers, **columns})


@pytest.mark.django_db
@pytest.mark.req("X-BLOCKER", "TA-ONEHOLDER")
def test_a_page_that_needs_a_person_gets_its_task_once_and_waits(people: People) -> None:
    page = page_for_review(people)
    make_sku(page)
    for _ in range(3):
        settle_pages([page.pk])
    task = HumanTask.objects.get(page=page)
    assert (task.type, task.purpose, task.status) == ("PAGE_REVIEW", "work", "CREATED")
    page.refresh_from_db()
    assert (page.status, page.import_state) == ("HUMAN_QUEUED", "confirmed")


@pytest.mark.req("TA-ONEHOLDER")
def test_settling_at_once_opens_one_task(committed: None, people: People) -> None:
    page = page_for_review(people)
    make_sku(page)
    in_threads([lambda: settle_pages([page.pk])] * 8)
    assert HumanTask.objects.filter(page=page).count() == 1


@pytest.mark.django_db
@pytest.mark.req("PL-C2", "X-PURPOSE")
def test_only_work_and_document_tasks_move_the_page(people: People) -> None:
    page = make_page(make_job(people.merchant), 1, "AI_COMPLETED")
    for purpose in ("verdict", "audit", "honeypot", "edition"):
        task = HumanTask.objects.create(job=page.job, page=page, type="PAGE_REVIEW", subject=purpose, purpose=purpose)
        settle_pages([page.pk])
        page.refresh_from_db()
        assert page.status == "AI_COMPLETED"
        task.delete()


@pytest.mark.django_db
@pytest.mark.req("TA-T35", "PL-C3", "TA-P0-1")
def test_the_import_state_follows_the_newest_rows_of_active_skus(people: People) -> None:
    job = make_job(people.merchant)
    page = make_page(job, 1, "AI_COMPLETED")
    skus = [make_sku(page, n) for n in (1, 2)]
    ledger.open_imports(job, skus)

    def state() -> str:
        settle_pages([page.pk])
        page.refresh_from_db()
        return page.import_state

    assert state() == "pending"
    assert settle_job(job.pk) is None, "what is not delivered is not done"
    delivering.deliver_pages([page.pk])
    assert state() == "confirmed"
    assert settle_job(job.pk) == "FULL_IMPORTED"
    first = ImportRecord.objects.filter(sku=skus[0])
    for other, expected in (("REFUSED", "failed"), ("ASSUMED", "assumed"), ("UNKNOWN", "pending")):
        first.update(state=other)
        assert state() == expected
    Sku.objects.filter(pk=skus[0].pk).update(superseded=True, status="SUPERSEDED")
    assert state() == "confirmed"


@pytest.mark.django_db
@pytest.mark.req("TA-P0-1", "TA-SKIPWHY")
@pytest.mark.parametrize(("ending", "status"), [("COMPLETED", "HUMAN_COMPLETED"), ("SKIPPED", "SKIPPED")])
def test_a_page_ends_with_its_last_task_and_comes_back_with_a_revert(people: People, ending: str, status: str) -> None:
    page = page_for_review(people)
    make_sku(page)
    settle_pages([page.pk])
    task = HumanTask.objects.filter(page=page)
    task.update(status=ending)
    settle_pages([page.pk])
    page.refresh_from_db()
    assert page.status == status
    if status == "SKIPPED":
        assert page.skip_reason == "person"
        return
    task.update(status="CREATED", rework_count=1)
    settle_pages([page.pk])
    page.refresh_from_db()
    assert page.status == "HUMAN_QUEUED"


@pytest.mark.django_db
@pytest.mark.req("TA-BR25", "TA-P0-1")
def test_a_blank_document_ends_when_its_document_task_is_closed(people: People) -> None:
    job = make_job(people.merchant, status="DEGRADED_HUMAN", route="HUMAN_ALL", degrade_reason="prescan_reject")
    blocker = {"code": "prescan_reject", "params": {}}
    page = make_page(job, 1, "HUMAN_QUEUED", needs_review=True, blockers=[blocker])
    make_page(job, 2, "BLANK")
    assert settle_pages_of_job(job.pk) == 1
    task = HumanTask.objects.get(job=job)
    assert (task.type, task.purpose) == ("FULL_PAGE_ANNOTATION", "document")
    assert settle_job(job.pk) is None
    HumanTask.objects.update(status="COMPLETED")
    settle_pages([page.pk])
    assert settle_job(job.pk) == "FULL_IMPORTED"
    job.refresh_from_db()
    assert job.completion_source == "human_all"


@pytest.mark.django_db
@pytest.mark.req("TA-ADR09", "TA-D3")
def test_the_sweep_finds_pages_whose_message_was_lost(people: People) -> None:
    job = make_job(people.merchant)
    lost = [
        make_page(job, 1, "AI_COMPLETED"),
        make_page(job, 2, "AI_COMPLETED", import_state="pending"),
        make_page(job, 3, "HUMAN_QUEUED", needs_review=True, import_state="confirmed"),
        make_page(job, 4, "HUMAN_COMPLETED", import_state="pending"),
    ]
    make_page(job, 5, "AI_QUEUED", stage="READ")
    make_page(job, 6, "HUMAN_QUEUED", needs_review=True, stage="UNDERSTAND_RULES", import_state="confirmed")
    delivered(job, 7)
    assert sorted(unsettled_pages()) == [page.pk for page in lost]
    for page in lost:
        settle_pages([page.pk])
    assert unsettled_pages() == []


@pytest.mark.django_db
@pytest.mark.req("PL-C2")
def test_a_page_settled_from_any_state_never_raises_and_stays_settled(people: People) -> None:
    job = make_job(people.merchant)
    for number, (status, imports) in enumerate(itertools.product(PageStatus.values, ImportState.values), 1):
        page = make_page(job, number, status, import_state=imports)
        settle_pages([page.pk])
        once = Page.objects.get(pk=page.pk)
        settle_pages([page.pk])
        assert Page.objects.get(pk=page.pk).version == once.version


@pytest.mark.django_db
@pytest.mark.req("PL-C2")
def test_a_page_that_cannot_be_settled_keeps_no_other_one_waiting(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = make_job(people.merchant)
    pages = [make_page(job, number, "AI_COMPLETED") for number in (1, 2, 3)]
    move = settle._move_imports

    def breaks(some: list[Page], wanted: dict[int, ImportState]) -> None:
        if any(page.number == 2 for page in some):
            raise ValueError("a page that nobody thought of")
        move(some, wanted)

    monkeypatch.setattr(settle, "_move_imports", breaks)
    settle_pages([page.pk for page in pages])
    states = Page.objects.filter(job=job).order_by("number").values_list("import_state", flat=True)
    assert list(states) == ["confirmed", "none", "confirmed"]
