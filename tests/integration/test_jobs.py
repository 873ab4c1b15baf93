"""Making, cancelling and taking up documents, and the way from the verdict to the route, step by step."""

from typing import Any

import pytest

from catalogsku.core import secrets, work
from catalogsku.core.errors import Conflict, NotFound
from catalogsku.core.models import Transition
from catalogsku.profiles.models import ThresholdProfile
from ingestion.models import Job, Page
from ingestion.services import dispatch, steps
from ingestion.services.jobs import cancel_job, give_password, rerun_pages
from ingestion.services.pages import record_read
from ingestion.services.settle import settle_job
from processing.pages.services.evaluating import evaluate_job
from processing.pages.services.reading import password_of
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_pages, make_worker

pytestmark = pytest.mark.django_db


def held(job: Job, stage: str) -> work.Claim:
    return work.claim(dispatch.active_jobs().filter(pk=job.pk), stage, make_worker())[0]


def prescan(number: int, *, blank: bool = False) -> dict[str, Any]:
    return {"number": number, "blank": blank, "width_pt": 595.0, "height_pt": 842.0}


@pytest.fixture
def uploaded(people: People) -> Job:
    return make_job(people.merchant, status="UPLOADED", stage="INSPECT", route="")


@pytest.mark.req("TA-T23", "TA-VERDICT")
def test_a_refused_file_keeps_its_code_and_nothing_more_is_done_with_it(uploaded: Job) -> None:
    Job.objects.filter(pk=uploaded.pk).update(password=b"x")
    steps.record_refusal(held(uploaded, "INSPECT"), "javascript", ())
    uploaded.refresh_from_db()
    assert (uploaded.status, uploaded.stage, uploaded.failure_code, uploaded.password) == (
        "REJECTED",
        "NONE",
        "javascript",
        None,
    )
    assert not Page.objects.exists()
    assert Transition.objects.get(entity="job").reason == {"code": "javascript"}
    with pytest.raises(Conflict):
        give_password(uploaded, "secret", "uploader")


@pytest.mark.req("TA-T23")
def test_a_password_is_kept_encrypted_until_the_file_is_read(uploaded: Job) -> None:
    steps.record_refusal(held(uploaded, "INSPECT"), "password_needed", ())
    give_password(uploaded, "geheim 密码", "uploader")
    uploaded.refresh_from_db()
    assert (uploaded.status, uploaded.stage, uploaded.failure_code) == ("UPLOADED", "INSPECT", "")
    assert b"geheim" not in bytes(uploaded.password)
    assert password_of(uploaded) == secrets.decrypt(uploaded.password) == "geheim 密码"
    cancel_job(uploaded, "uploader")
    uploaded.refresh_from_db()
    assert uploaded.password is None


@pytest.mark.req("TA-EVAL", "LX-PARSECACHE", "TA-BR02")
def test_the_prescan_makes_the_pages(uploaded: Job) -> None:
    steps.record_acceptance(held(uploaded, "INSPECT"), 3, ["repaired"])
    Job.objects.update(dispatched_at=None)
    scans = [prescan(1), prescan(2, blank=True), prescan(3), prescan(4)]
    steps.record_prescan(
        held(uploaded, "PRESCAN"),
        scans,
        sample=[1, 4],
        read_already={4: {"read_reused": True, "screenshot_key": "kept.jpg"}},
    )
    uploaded.refresh_from_db()
    assert (uploaded.status, uploaded.stage, uploaded.total_pages, uploaded.notes, uploaded.reused_pages) == (
        "EVALUATING",
        "EVALUATE",
        4,
        ["repaired"],
        1,
    )
    rows = list(Page.objects.order_by("number").values_list("status", "stage", "sampled", "read_reused"))
    assert Page.objects.get(number=4).screenshot_key == "kept.jpg"
    assert rows == [
        ("PENDING", "READ", True, False),
        ("BLANK", "NONE", False, False),
        ("PENDING", "READ", False, False),
        ("PENDING", "UNDERSTAND_RULES", True, True),
    ]


@pytest.mark.req("TA-BR25")
def test_a_blank_document_asks_for_one_look(uploaded: Job) -> None:
    Job.objects.update(stage="PRESCAN")
    steps.record_prescan(held(uploaded, "PRESCAN"), [prescan(n, blank=True) for n in (1, 2, 3)], [], {})
    uploaded.refresh_from_db()
    assert (uploaded.status, uploaded.route, uploaded.degrade_reason, uploaded.stage) == (
        "DEGRADED_HUMAN",
        "HUMAN_ALL",
        "prescan_reject",
        "NONE",
    )
    assert list(Page.objects.order_by("number").values_list("status", "needs_review")) == [
        ("HUMAN_QUEUED", True),
        ("BLANK", False),
        ("BLANK", False),
    ]


@pytest.mark.req("TA-BR25", "TA-P1-6")
def test_a_blank_document_ends_by_itself_where_its_profile_says_so(uploaded: Job) -> None:
    rules = {**uploaded.profile.prescan_rules, "all_blank_reject": False}
    ThresholdProfile.objects.filter(pk=uploaded.profile_id).update(prescan_rules=rules)
    Job.objects.update(stage="PRESCAN")
    scans = [prescan(n, blank=True) for n in (1, 2)]
    steps.record_prescan(held(uploaded, "PRESCAN"), scans, [], {}, rejects_blank=False)
    Job.objects.update(dispatched_at=None)
    evaluate_job(uploaded.pk)
    settle_job(uploaded.pk)
    uploaded.refresh_from_db()
    assert (uploaded.route, uploaded.degrade_reason, uploaded.status) == ("AUTO", None, "FULL_IMPORTED")
    assert set(Page.objects.values_list("status", flat=True)) == {"BLANK"}


@pytest.mark.req("TA-CDOC")
@pytest.mark.parametrize(
    ("route", "reason", "status", "pages"),
    [
        ("AUTO", None, "PROCESSING", {"AI_QUEUED": 2, "HUMAN_QUEUED": 1}),
        ("HYBRID", None, "PROCESSING", {"AI_QUEUED": 2, "HUMAN_QUEUED": 1}),
        ("HUMAN_ALL", "low_c_doc", "DEGRADED_HUMAN", {"HUMAN_QUEUED": 3}),
    ],
)
def test_the_route_sends_pages_to_machines_or_people(
    people: People, route: str, reason: str | None, status: str, pages: dict[str, int]
) -> None:
    job = make_job(people.merchant, status="EVALUATING", stage="EVALUATE", route="")
    make_pages(job, [1, 2], status="PENDING", stage="UNDERSTAND_RULES", sampled=True)
    make_page(job, 3, "PENDING", stage="NONE", needs_review=True)
    make_page(job, 4, "BLANK")
    claim = held(job, "EVALUATE")
    steps.record_route(claim, route, 0.6, reason, {"c_doc": 0.6})
    job.refresh_from_db()
    assert (job.status, job.route, job.degrade_reason, job.stage) == (status, route, reason, "NONE")
    counts = {s: Page.objects.filter(status=s).count() for s in pages}
    assert counts == pages
    assert Page.objects.get(number=4).status == "BLANK"
    trail = Transition.objects.filter(entity="job").order_by("id")
    assert [(t.source, t.target) for t in trail] == [("EVALUATING", "EVALUATED"), ("EVALUATED", status)]
    steps.record_route(claim, "AUTO", 0.9, None, {})
    job.refresh_from_db()
    assert job.route == route, "the same result a second time is dropped"


@pytest.mark.req("TA-P1-5", "TA-LEASE")
@pytest.mark.parametrize(
    ("route", "reason", "status"), [("AUTO", None, "AI_QUEUED"), ("HUMAN_ALL", "low_c_doc", "HUMAN_QUEUED")]
)
def test_a_page_that_is_read_while_the_route_is_decided_goes_that_way(
    people: People, route: str, reason: str | None, status: str
) -> None:
    job = make_job(people.merchant, status="EVALUATING", stage="EVALUATE", route="")
    page = make_page(job, 1, "PENDING", stage="READ")
    (claim,) = work.claim(dispatch.active_pages().filter(pk=page.pk), "READ", make_worker())
    steps.record_route(held(job, "EVALUATE"), route, 0.6, reason, {"c_doc": 0.6})
    with work.recording_all(Page, [claim]) as rows:
        record_read([(rows[page.pk], {"reader": "pymupdf"})])
    page.refresh_from_db()
    assert (page.status, page.stage, page.reader) == (status, "UNDERSTAND_RULES", "pymupdf")


@pytest.mark.req("TA-CANCEL")
def test_cancelling_stops_what_waits_and_keeps_what_is_done(people: People) -> None:
    job = make_job(people.merchant)
    statuses = ["AI_QUEUED", "AI_FAILED", "HUMAN_QUEUED", "HUMAN_PROCESSING", "DEAD_LETTER", "PENDING"]
    for number, status in enumerate([*statuses, "AI_COMPLETED", "BLANK", "HUMAN_COMPLETED"], 1):
        make_page(job, number, status, stage="READ" if status.startswith("AI_") else "NONE", needs_review=True)
    assert cancel_job(job, "uploader") == 6
    assert set(Page.objects.filter(number__lte=6).values_list("status", "skip_reason")) == {("SKIPPED", "cancelled")}
    assert set(Page.objects.filter(number__gt=6).values_list("status", flat=True)) == {
        "AI_COMPLETED",
        "BLANK",
        "HUMAN_COMPLETED",
    }
    assert not Page.objects.exclude(stage="NONE").exists()
    job.refresh_from_db()
    assert job.status == "CANCELLED" and job.finished_at is not None
    for late in (lambda: cancel_job(job, "uploader"), lambda: rerun_pages(job, None, "uploader")):
        with pytest.raises(Conflict, match="job_ended"):
            late()


@pytest.mark.req("TA-D2")
def test_pages_are_sent_again_by_number_or_all_that_stopped(people: People) -> None:
    job = make_job(people.merchant)
    stopped = make_page(job, 1, "DEAD_LETTER", failures=5, losses=9, last_error={"code": "x"}, blockers=[{"code": "x"}])
    make_page(job, 2, "AI_COMPLETED", import_state="confirmed")
    make_page(job, 3, "AI_QUEUED", stage="READ")
    assert rerun_pages(job, None, "lead") == 1
    stopped.refresh_from_db()
    assert (stopped.status, stopped.stage, stopped.failures, stopped.losses, stopped.last_error, stopped.blockers) == (
        "AI_QUEUED",
        "READ",
        0,
        0,
        None,
        [],
    )
    assert rerun_pages(job, [2, 3], "lead") == 1, "what is with the machines already stays there"
    assert Page.objects.get(number=2).import_state == "none"
    with pytest.raises(NotFound):
        rerun_pages(job, [77], "lead")
    assert set(Transition.objects.filter(trigger="rerun").values_list("actor", flat=True)) == {"lead"}
