"""What programs hear of a study over real HTTP: its pages, what is taken from the whole, and whom it waits for."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from catalogsku.accounts.tokens import issue_token
from ingestion.events import Told
from ingestion.models import Job, Page
from tests.support.people import People
from tests.support.program import Program
from tests.support.promises import within
from tests.support.rows import make_page, make_pages
from tests.support.studies import make_study
from tests.support.web_process import Stream, WebProcess, running_web

__all__ = ["running_web"]
pytestmark = [pytest.mark.req("TA-PROGDTO", "LX-SYS"), pytest.mark.timeout(120)]

Event = tuple[str, dict[str, Any]]


@pytest.fixture
def web(committed: None, people: People, running_web: WebProcess) -> Iterator[WebProcess]:
    yield running_web
    running_web.close_streams()


def stream_of(web: WebProcess, people: People, job: Job) -> Stream:
    return web.open_stream(f"/api/v1/jobs/{job.uuid}/events", issue_token(people.uploader).text)


def heard(stream: Stream) -> list[Event]:
    return [
        (name, json.loads(data)) for name, data in re.findall(r"event: (\w+)\ndata: (\{.*\})\n", stream.head.decode())
    ]


def change(job: Job, **columns: Any) -> None:
    Job.objects.filter(pk=job.pk).update(**columns, **Job.visible_change())


def until_heard(stream: Stream, last: Event) -> list[Event]:
    """What was told up to and with ``last``; the stream goes on."""
    for _try in range(40):
        assert not stream.has_ended(within_s=0.25), stream.head
        if last in heard(stream):
            return heard(stream)
    raise AssertionError(f"{last} was not told: {stream.head!r}")


def test_until_it_is_settled_a_study_is_with_machines(web: WebProcess, people: People) -> None:
    """Values were found and nobody has counted them yet: whom it waits for is not known."""
    job = make_study(people.merchant, status="PROCESSING")
    make_pages(job, [1], "AI_COMPLETED", stage="NONE")
    stream = stream_of(web, people, job)
    until_heard(stream, ("page_completed", {"page_no": 1, "status": "AI_COMPLETED"}))
    assert not stream.has_ended(within_s=1.0)
    change(job, status="PARTIAL_IMPORTED")
    assert stream.has_ended(within_s=within(10))
    assert [name for name, _ in heard(stream)] == ["page_completed", "human_needed", "machines_done"]


def test_pages_then_the_whole_then_models_then_people(web: WebProcess, people: People) -> None:
    job = make_study(people.merchant, status="PROCESSING", stage="EXTRACT")
    make_pages(job, [1], "AI_COMPLETED", stage="NONE")
    page = make_page(job, 2, "AI_QUEUED", stage="READ")
    stream = stream_of(web, people, job)
    read = ("page_completed", {"page_no": 1, "status": "AI_COMPLETED"})
    assert until_heard(stream, read) == [read], "nothing is taken from the whole before all is read, and no SKU counted"
    Page.objects.filter(pk=page.pk).update(status="AI_COMPLETED", stage="NONE", **Page.visible_change())
    told = until_heard(stream, ("phase_started", {"phase": "extract"}))
    assert ("page_completed", {"page_no": 2, "status": "AI_COMPLETED"}) in told
    change(job, stage="ASK")
    until_heard(stream, ("phase_started", {"phase": "ask"}))
    change(job, stage="NONE", status="PARTIAL_IMPORTED")
    assert stream.has_ended(within_s=within(5))
    assert [name for name, _ in heard(stream)][-4:] == [
        *("phase_started", "phase_started", "human_needed", "machines_done")
    ]
    (asked,) = [data for name, data in heard(stream) if name == "human_needed"]
    assert asked["status"] == "PARTIAL_IMPORTED" and asked["reason"]


@pytest.mark.parametrize(
    ("columns", "last"),
    [
        ({"status": "AWAITING_GO", "models_state": "asking", "models_pages": 2}, ["go_needed", "machines_done"]),
        ({"status": "PARTIAL_IMPORTED"}, ["human_needed", "machines_done"]),
        ({"status": "FULL_IMPORTED", "completion_source": "people"}, ["job_completed"]),
        ({"status": "CANCELLED"}, ["job_failed"]),
    ],
    ids=lambda row: row["status"] if isinstance(row, dict) else "",
)
def test_a_stream_says_what_the_study_waits_for_and_ends(
    web: WebProcess, people: People, columns: dict[str, Any], last: list[str]
) -> None:
    job = make_study(people.merchant, **columns)
    make_pages(job, [1, 2], "AI_COMPLETED", stage="NONE")
    stream = stream_of(web, people, job)
    assert stream.has_ended(within_s=within(5))
    assert [name for name, _ in heard(stream)] == ["page_completed", "page_completed", *last]
    assert "skus" not in stream.head.decode()


def test_after_a_go_ahead_one_listens_again_and_hears_that_models_are_asked(web: WebProcess, people: People) -> None:
    job = make_study(people.merchant, status="PROCESSING", stage="ASK", models_state="go")
    make_pages(job, [1, 2], "AI_COMPLETED", stage="NONE")
    told = until_heard(stream_of(web, people, job), ("phase_started", {"phase": "ask"}))
    assert [name for name, _ in told] == ["page_completed", "page_completed", "phase_started"]


def test_a_phase_is_told_once_a_run_and_a_catalogue_is_told_as_before() -> None:
    told = Told(by_pages=False)

    def figures(extract: str, ask: str) -> dict[str, Any]:
        return {"figures": {"status": "PROCESSING", "phase.extract.state": extract, "phase.ask.state": ask}}

    first = [*told.news(figures("running", "waiting")), *told.news(figures("running", "waiting"))]
    again = [*told.news(figures("done", "running")), *told.news(figures("waiting", "waiting"))]
    once_more = list(told.news(figures("running", "waiting")))
    assert [text.split("data: ")[1].strip() for text in first + again + once_more] == [
        '{"phase":"extract"}',
        '{"phase":"ask"}',
        '{"phase":"extract"}',
    ]
    catalogue = Told()
    message = {"figures": {"status": "PARTIAL_IMPORTED", "skus": "3", "reason": "why"}}
    assert list(catalogue.news(message)) == []


class TestProgress:
    pytestmark = pytest.mark.django_db

    def of(self, people: People, job: Job) -> dict[str, Any]:
        found: dict[str, Any] = Program(people.uploader)("GET", f"/jobs/{job.uuid}/progress").json()
        return found

    @pytest.mark.usefixtures("english")
    @pytest.mark.parametrize(
        ("columns", "phase", "detail"),
        [
            ({"status": "PROCESSING", "stage": "EXTRACT"}, "processing", "Values are looked for in it"),
            ({"status": "PROCESSING", "stage": "ASK"}, "processing", "Models are asked about it"),
            (
                {"status": "PARTIAL_IMPORTED"},
                "human_pending",
                "What was found waits for a person to look at it",
            ),
            ({"status": "FULL_IMPORTED"}, None, "A person has looked at all that was found"),
        ],
    )
    def test_what_is_done_with_the_whole_has_words(
        self, people: People, columns: dict[str, str], phase: str | None, detail: str
    ) -> None:
        job = make_study(people.merchant, **columns)
        make_pages(job, [1, 2], "AI_COMPLETED", stage="NONE")
        found = self.of(people, job)
        assert (found["current_phase"], found["phase_detail"]) == (phase, detail)
        assert (found["completed_pages"], found["page_breakdown"]["read"]) == (2, 2)

    @pytest.mark.usefixtures("english")
    def test_how_long_its_pages_take_is_estimated_from_when_they_were_counted(self, people: People) -> None:
        now = timezone.now()
        job = make_study(people.merchant, status="PROCESSING", stage="EXTRACT")
        Job.objects.filter(pk=job.pk).update(checked_at=now - timezone.timedelta(seconds=10))
        make_pages(job, [1, 2], "AI_COMPLETED", stage="NONE", finished_at=now)
        make_pages(job, [3, 4, 5, 6], "AI_QUEUED", stage="READ")
        found = self.of(people, job)
        assert (found["current_phase"], found["phase_detail"]) == ("processing", "Page 2 of 6")
        assert 18 <= found["estimated_remaining_sec"] <= 40, "two pages took ten seconds, four are left"
