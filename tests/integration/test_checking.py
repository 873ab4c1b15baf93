"""The first looks at a file where its child ends badly, lies, or is taken down from outside."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.utils import translation

from catalogsku.core import storage, work
from catalogsku.core.sandbox import Outcome
from ingestion.models import Job, Page, PrescanPart
from ingestion.services import machine_time
from ingestion.services.jobs import requeue_job
from ingestion.services.steps import give_up_jobs
from ingestion.standing import refusal_sentence
from processing.engine.reading.prescan import PrescanPage
from processing.pages.services import checking
from processing.sandboxed import sandboxes
from tests.support.people import People
from tests.support.rows import make_job, make_worker

pytestmark = pytest.mark.django_db
Answer = Callable[[Sequence[int]], tuple[Mapping[int, bytes], str]]


@pytest.fixture
def job(people: People, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Job:
    @contextmanager
    def here(key: str) -> Iterator[Path]:
        yield tmp_path

    monkeypatch.setattr(storage, "local_copy", here)
    worker = make_worker("cpu")
    monkeypatch.setattr(checking, "current_worker", lambda: worker)
    return make_job(people.merchant, status="UPLOADED", stage="PRESCAN", total_pages=40, route="")


def answering(monkeypatch: pytest.MonkeyPatch, answer: Answer) -> None:
    """In place of the fork server; ``answer`` gives what a child hands out for the pages asked, and how it ends."""

    class Asked:
        def __init__(self, **options: Any) -> None:
            pass

        def run(self, task: str, request: Any, numbers: Sequence[int], out: Path, *rest: Any) -> Outcome:
            given, reason = answer(numbers)
            missing = [number for number in numbers if number not in given]
            lost = reason in sandboxes.NOT_THE_DOCUMENT
            return Outcome(given, missing[0] if missing and not lost else None, reason)

    monkeypatch.setattr(sandboxes, "sandbox", Asked)


def prescan(number: int) -> bytes:
    return msgspec.json.encode(PrescanPage(number, 595.0, 842.0, chars=100))


@pytest.mark.req("TA-G4")
def test_a_page_that_ends_its_child_is_left_to_its_reading(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(numbers: Sequence[int]) -> tuple[dict[int, bytes], str]:
        done = [number for number in numbers if 7 not in numbers or number < 7]
        return {number: prescan(number) for number in done}, "time_limit" if 7 in numbers else "finished"

    answering(monkeypatch, answer)
    checking.prescan_job(job.pk)
    job.refresh_from_db()
    assert (job.failures, job.status) == (0, "EVALUATING")
    pages = Page.objects.filter(job=job).order_by("number")
    assert [page.number for page in pages] == list(range(1, 41))
    assert [page.number for page in pages if not page.prescan["readable"]] == [7]


@pytest.mark.req("TA-G4", "TA-VERDICT")
def test_a_file_most_of_whose_pages_end_their_child_is_refused(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each may take its 30 s, so two thousand of them would keep a thread for a day."""
    asked: list[int] = []

    def answer(numbers: Sequence[int]) -> tuple[dict[int, bytes], str]:
        asked.append(numbers[0])
        return {}, "time_limit"

    answering(monkeypatch, answer)
    checking.prescan_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.failure_code) == ("REJECTED", "uncheckable")
    assert len(asked) == checking.LOST_PAGES_MAX + 1


@pytest.mark.req("TA-G4")
def test_pages_that_are_many_and_slow_take_several_turns_and_are_not_taken_for_hostile(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, lambda numbers: ({n: prescan(n) for n in numbers[:15]}, "turn_over"))
    for known in (15, 30):
        checking.prescan_job(job.pk)
        job.refresh_from_db()
        assert (job.stage, job.worker, job.failures) == ("PRESCAN", None, 0)
        assert sum(len(part.pages) for part in PrescanPart.objects.filter(job=job)) == known
        assert not Page.objects.filter(job=job).exists(), "half a document is shown to nobody"
    answering(monkeypatch, lambda numbers: ({n: prescan(n) for n in numbers}, "finished"))
    checking.prescan_job(job.pk)
    assert Page.objects.filter(job=job).count() == 40
    assert not PrescanPart.objects.exists()


@pytest.mark.req("TA-G4")
def test_a_document_that_has_used_up_its_time_is_refused_with_the_time_in_words(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    Job.objects.update(machine_s=10_000.0)
    checking.prescan_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.failure_code) == ("REJECTED", "over_budget")
    with translation.override("en"):
        assert refusal_sentence(job) == "Takes more time than its pages allow: 2 h 46 min of 2 min 40 s are used up"
    with translation.override("zh-hans"):
        assert "2 小时 46 分" in refusal_sentence(job)


@pytest.mark.req("TA-G4")
def test_the_same_bytes_under_another_name_have_no_time_of_their_own(
    job: Job, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    Job.objects.update(machine_s=10_000.0)
    again = make_job(people.merchant, "UPLOADED", stage="INSPECT", total_pages=40, file_sha256=job.file_sha256)
    theirs = make_job(people.other, "UPLOADED", stage="INSPECT", total_pages=40, file_sha256=job.file_sha256)
    assert machine_time.left_s(again) < 0 < machine_time.left_s(theirs)
    checking.inspect_job(again.pk)
    again.refresh_from_db()
    assert (again.status, again.failure_code) == ("REJECTED", "over_budget"), "and nobody opened it"


@pytest.mark.req("TA-G4")
@pytest.mark.parametrize("reason", sorted(sandboxes.NOT_THE_DOCUMENT))
def test_a_sandbox_that_was_lost_costs_the_file_nothing(job: Job, monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    answering(monkeypatch, lambda numbers: ({}, reason))
    checking.prescan_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.stage, job.failures, job.worker) == ("UPLOADED", "PRESCAN", 0, None)


@pytest.mark.req("TA-G4")
@pytest.mark.parametrize(
    "lie",
    [
        prescan(2),
        b"",
        b"\x80\x04]",
        b"[" * 100_000,
        b'{"number": 1, "width_pt": NaN, "height_pt": 1}',
        b'{"number": 1, "width_pt": "595", "height_pt": []}',
    ],
)
def test_a_child_that_lies_about_a_page_has_not_handed_it_out(
    job: Job, monkeypatch: pytest.MonkeyPatch, lie: bytes
) -> None:
    def answer(numbers: Sequence[int]) -> tuple[dict[int, bytes], str]:
        return {number: lie if number == 1 else prescan(number) for number in numbers}, "finished"

    answering(monkeypatch, answer)
    checking.prescan_job(job.pk)
    found = Page.objects.filter(job=job).order_by("number")
    assert [page.number for page in found] == list(range(1, 41))
    assert [page.number for page in found if not page.prescan["readable"]] == [1]


@pytest.mark.req("TA-VERDICT")
def test_findings_that_are_none_refuse_the_file_instead_of_failing_its_worker(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    Job.objects.update(stage="INSPECT")
    answering(monkeypatch, lambda numbers: (dict.fromkeys(numbers, b'{"page_side_max_pt": null}'), "finished"))
    checking.inspect_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.failure_code, job.failures) == ("REJECTED", "uncheckable", 0)


def fail_until_given_up(job: Job, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def raise_it(*_: Any) -> Any:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(checking.frozen, "prescan_settings", raise_it)
        for _ in range(work.MAX_FAILURES):
            Job.objects.filter(pk=job.pk).update(not_before=None)
            checking.prescan_job(job.pk)
    job.refresh_from_db()


@pytest.mark.req("TA-G4")
@pytest.mark.parametrize(
    "error", [KeyError("min_text_chars_for_blank"), ValueError("ten"), TypeError("none")], ids=repr
)
def test_a_failure_of_the_program_itself_holds_the_document_and_does_not_refuse_it(
    job: Job, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    answering(monkeypatch, lambda numbers: ({number: prescan(number) for number in numbers}, "finished"))
    fail_until_given_up(job, monkeypatch, error)
    assert (job.status, job.stage, job.failure_code) == ("UPLOADED", "PRESCAN", "")
    assert job.held_reason == "program_failed"
    assert job.last_error is not None
    assert repr(error) in job.last_error["detail"]
    requeue_job(job, "an operator")
    checking.prescan_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.held_reason, job.failures, job.last_error) == ("EVALUATING", "", 0, None), "goes on"


@pytest.mark.req("TA-G4")
def test_a_file_that_costs_its_worker_again_and_again_is_refused(job: Job) -> None:
    give_up_jobs([job.pk])
    job.refresh_from_db()
    assert (job.status, job.failure_code, job.held_reason) == ("REJECTED", "damaged", "")
