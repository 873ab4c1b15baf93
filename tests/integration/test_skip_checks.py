"""Of pages passed over by machines the least certain ones are looked at, and more while products are found on them."""

from typing import Any

import pytest

from annotation.models import HumanTask
from annotation.tasks.services.settle import settle_pages
from catalogsku.core.models import Transition
from catalogsku.profiles.services import profile_for
from ingestion.models import Job, Page
from ingestion.services.jobs import rerun_pages
from ingestion.services.settle import settle_job
from tests.support.people import People
from tests.support.rows import in_threads, make_job, make_page

pytestmark = pytest.mark.req("X-SKIPCHECK")


def passed_over(job: Job, number: int, confidence: float, **columns: Any) -> Page:
    """As machines leave a page on which they saw no product."""
    given = {"skip_reason": "no_product", "page_type": "D", "type_confidence": confidence, "confidence": confidence}
    return make_page(job, number, "SKIPPED", **{**given, **columns})


def people_say(job: Job, number: int, products: int) -> None:
    status, why = ("HUMAN_COMPLETED", "") if products else ("SKIPPED", "person")
    state = "confirmed" if products else "none"
    Page.objects.filter(job=job, number=number).update(
        status=status, skip_reason=why, sku_count=products, import_state=state, needs_review=False
    )


def with_people(job: Job) -> list[int]:
    return list(Page.objects.filter(job=job, status="HUMAN_QUEUED").order_by("number").values_list("number", flat=True))


@pytest.mark.django_db
def test_the_least_certain_pages_of_a_document_go_to_people_with_the_reason(people: People) -> None:
    job = make_job(people.merchant)
    make_page(job, 1, "AI_COMPLETED", import_state="confirmed", page_type="A", extraction_method="grid.ruled")
    pages = {n: passed_over(job, n, sure) for n, sure in ((2, 0.94), (3, 0.8), (4, 0.96), (5, 0.9))}
    assert settle_job(job.pk) == "PARTIAL_IMPORTED"
    assert with_people(job) == [3, 5]
    settle_pages([pages[3].pk, pages[5].pk])
    tasks = HumanTask.objects.filter(job=job).order_by("page__number")
    assert [(t.page.number, t.type, t.reasons[0]["code"]) for t in tasks] == [
        (3, "FULL_PAGE_ANNOTATION", "skip_doubtful"),
        (5, "FULL_PAGE_ANNOTATION", "skip_doubtful"),
    ]
    told = Transition.objects.filter(entity="page", entity_id=pages[3].pk).values_list("source", "target", "trigger")
    assert list(told) == [("SKIPPED", "HUMAN_QUEUED", "doubted")]
    assert settle_job(job.pk) is None, "what waits is asked once"


@pytest.mark.django_db
def test_no_more_is_asked_once_people_find_nothing_either(people: People) -> None:
    job = make_job(people.merchant)
    for n in range(1, 9):
        passed_over(job, n, 0.8)
    settle_job(job.pk)
    for n in with_people(job):
        people_say(job, n, 0)
    assert settle_job(job.pk) == "FULL_IMPORTED"
    job.refresh_from_db()
    assert (job.completion_source, with_people(job)) == ("no_products", [])


@pytest.mark.django_db
def test_what_people_find_sends_as_many_pages_again(people: People) -> None:
    job = make_job(people.merchant)
    for n in range(1, 9):
        passed_over(job, n, 0.9 if n % 2 else 0.8)
    settle_job(job.pk)
    assert with_people(job) == [2, 4]
    people_say(job, 2, 7)
    settle_job(job.pk)
    assert with_people(job) == [4], "the rest of this check is waited for"
    people_say(job, 4, 0)
    settle_job(job.pk)
    assert with_people(job) == [6, 8]
    people_say(job, 6, 0)
    people_say(job, 8, 0)
    assert settle_job(job.pk) == "FULL_IMPORTED", "one in four"


@pytest.mark.django_db
def test_pages_that_people_have_for_their_type_count_as_a_check(people: People) -> None:
    job = make_job(people.merchant)
    for n in (1, 2):
        make_page(job, n, "HUMAN_QUEUED", page_type="D", confidence=0.5, blockers=[{"code": "page_type_uncertain"}])
    passed_over(job, 3, 0.8)
    settle_job(job.pk)
    assert with_people(job) == [1, 2]
    people_say(job, 1, 3)
    people_say(job, 2, 0)
    settle_job(job.pk)
    assert with_people(job) == [3]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "columns",
    [
        {"confidence": 0.97},
        {"type_confidence": 1.0},
        {"carried": True},
        {"skip_reason": "person"},
        {"skip_reason": "cancelled"},
    ],
)
def test_a_page_in_no_doubt_is_left_alone(people: People, columns: dict[str, Any]) -> None:
    job = make_job(people.merchant)
    passed_over(job, 1, **{"confidence": 0.8, **columns})
    assert settle_job(job.pk) == "FULL_IMPORTED"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("figures", "asked"),
    [({"skips_checked": 0}, []), ({"skips_checked": 1}, [1]), ({"skip_doubtful_below": 0.75}, [])],
)
def test_a_profile_says_how_many_and_below_what(people: People, figures: dict[str, float], asked: list[int]) -> None:
    profile = profile_for("")
    profile.classification = {**profile.classification, **figures}
    profile.save()
    job = make_job(people.merchant, profile=profile)
    passed_over(job, 1, 0.8)
    passed_over(job, 2, 0.85)
    settle_job(job.pk)
    assert with_people(job) == asked


@pytest.mark.django_db
def test_machines_end_first(people: People) -> None:
    job = make_job(people.merchant)
    passed_over(job, 1, 0.8)
    make_page(job, 2, "AI_QUEUED")
    settle_job(job.pk)
    assert with_people(job) == []


@pytest.mark.django_db
def test_a_page_that_was_checked_and_is_read_again_is_checked_again(people: People) -> None:
    job = make_job(people.merchant)
    passed_over(job, 1, 0.8)
    settle_job(job.pk)
    people_say(job, 1, 0)
    assert settle_job(job.pk) == "FULL_IMPORTED"
    rerun_pages(job, [1], "person")
    settle_job(job.pk)
    Page.objects.filter(job=job).update(status="SKIPPED", skip_reason="no_product", stage="NONE")
    settle_job(job.pk)
    assert with_people(job) == [1]


@pytest.mark.django_db
def test_a_check_that_nobody_came_to_is_no_reason_for_the_next(people: People) -> None:
    job = make_job(people.merchant)
    for n in range(1, 9):
        passed_over(job, n, 0.8)
    settle_job(job.pk)
    Page.objects.filter(job=job, number__in=with_people(job)).update(status="SKIPPED", skip_reason="sla")
    assert settle_job(job.pk) == "PARTIAL_FAILED"
    assert with_people(job) == [] and settle_job(job.pk) is None


@pytest.mark.django_db
def test_a_document_that_has_ended_is_not_opened_again(people: People) -> None:
    """As those that ended before there were any checks."""
    job = make_job(people.merchant, status="FULL_IMPORTED")
    for n in range(1, 9):
        passed_over(job, n, 0.8)
    assert settle_job(job.pk) is None and with_people(job) == []


@pytest.mark.django_db
def test_a_page_that_a_model_took_for_empty_counts_once_people_have_said_so(people: People) -> None:
    """What a person submits takes the page's reasons away."""
    job = make_job(people.merchant)
    for n in range(1, 9):
        passed_over(job, n, 0.8, extraction_method="model")
    settle_job(job.pk)
    for n in with_people(job):
        people_say(job, n, 0)
    Page.objects.filter(job=job).update(blockers=[])
    assert settle_job(job.pk) == "FULL_IMPORTED"


@pytest.mark.django_db
def test_what_people_said_in_an_earlier_edition_is_no_check_of_this_one(people: People) -> None:
    job = make_job(people.merchant)
    for n in (1, 2):
        make_page(job, n, "SKIPPED", skip_reason="person", page_type="D", carried=True)
    passed_over(job, 3, 0.8)
    settle_job(job.pk)
    assert with_people(job) == [3]


def test_of_two_that_settle_at_once_one_asks(committed: None, people: People) -> None:
    job = make_job(people.merchant)
    for n in range(1, 9):
        passed_over(job, n, 0.8)
    in_threads([lambda: settle_job(job.pk)] * 6)
    assert with_people(job) == [1, 2]
