"""What people did with pages becomes records: rates with intervals, by category and reason, written once (TA-CAL)."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.db import ProgrammingError, connection, transaction
from django.utils import timezone

from annotation.calibration.looks import Look, Tally, of_machines, rates_of
from annotation.calibration.services import auditing, recording
from annotation.calibration.services.recording import calibrate, calibrate_daily
from annotation.models import Annotation, CalibrationRecord, HumanTask, Judgement
from catalogsku.core.periodic import CRON_TASKS
from catalogsku.profiles.models import WorkRules
from ingestion.models import Job, Page
from processing.engine.quality.routes import wilson
from tests.integration.test_judging import done, make_task
from tests.support.calibrated import looked_at
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_sku

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-CAL")]


@pytest.fixture
def lamps(people: People) -> Job:
    return make_job(people.merchant, category="lamps", c_doc=0.8)


def whole() -> CalibrationRecord:
    return CalibrationRecord.objects.get(category="", reason="")


def test_rates_have_their_intervals_and_the_matrix_counts_pages(people: People, lamps: Job) -> None:
    tools = make_job(people.merchant, category="tools", c_doc=0.6)
    looked_at(lamps, people.annotator, wrong=2)
    looked_at(lamps, people.annotator)
    looked_at(tools, people.annotator, wrong=1, reasons=("low_confidence", "coverage_low"))
    done = calibrate()
    record = whole()
    assert record.counts["pages"] == 3 and record.counts["corrected"] == 2 and record.counts["wrong_skus"] == 3
    assert record.counts["with_people"] == 3 and record.counts["untouched"] == 1
    assert record.routes == {"person": {"automatic": 1, "person": 2}}
    assert record.rates["route_accuracy"] == [0.6667, *wilson(2, 3)]  # type: ignore[misc]
    assert record.rates["could_be_automatic"] == [0.3333, *wilson(1, 3)]  # type: ignore[misc]
    assert "automatic_wrong" not in record.rates, "nobody looked at a page that went on alone"
    assert str(record.profile) == "default v1" and len(done.records) == 5
    parts = {(row.category, row.reason): row.counts["pages"] for row in CalibrationRecord.objects.all()}
    assert parts[("lamps", "")] == 2 and parts[("tools", "")] == 1
    assert parts[("", "low_confidence")] == 3 and parts[("", "coverage_low")] == 1


@pytest.mark.parametrize(
    ("work", "ways"),
    [
        ({"purpose": "audit", "reasons": ("blind_look",)}, ("automatic", "automatic")),
        ({"purpose": "audit", "reasons": ("blind_look",), "wrong": 1}, ("automatic", "person")),
        ({"purpose": "at_once", "reasons": (), "wrong": 1}, ("automatic", "person")),
        ({"reasons": ("reported_wrong",), "wrong": 1}, ("automatic", "person")),
        ({"purpose": "audit", "reasons": ("blind_look",), "analyst": "gemini-2"}, ("model", "model")),
        ({"products": 0}, ("person", "skip")),
        ({}, ("person", "automatic")),
    ],
)
def test_the_way_of_a_page_follows_from_why_people_came_and_what_they_changed(
    people: People, lamps: Job, work: dict[str, Any], ways: tuple[str, str]
) -> None:
    looked_at(lamps, people.annotator, **work)
    calibrate()
    assert whole().routes == {ways[0]: {ways[1]: 1}}


def test_what_readers_told_of_is_counted_and_no_sample(people: People, lamps: Job) -> None:
    looked_at(lamps, people.uploader, purpose="at_once", reasons=(), wrong=1)
    looked_at(lamps, people.annotator, purpose="audit", reasons=("blind_look",))
    calibrate()
    counts = whole().counts
    assert (counts["told"], counts["audited"], counts["audited_wrong"]) == (1, 1, 0)


@pytest.mark.req("X-PURPOSE", "X-HONEY")
def test_golden_pages_say_how_right_people_are_and_nothing_of_machines(people: People, lamps: Job) -> None:
    looked_at(lamps, people.annotator)
    looked_at(lamps, people.annotator, purpose="honeypot", wrong=1)
    task = HumanTask.objects.get(purpose="honeypot")
    for score in (1.0, 0.5):
        Judgement.objects.create(
            kind="golden", outcome="scored", task=task, annotator=people.annotator, type=task.type, score=score
        )
    calibrate()
    record = whole()
    assert record.counts["pages"] == 1 and record.rates["people_right"][0] == 0.5


def test_what_was_confirmed_is_no_correction_and_older_work_stays_out(people: People, lamps: Job) -> None:
    looked_at(lamps, people.annotator, wrong=1, days_ago=8)
    page = looked_at(lamps, people.annotator)
    task = HumanTask.objects.get(page=page)
    Annotation.objects.create(
        task=task,
        page=page,
        annotator=people.annotator,
        type="CUSTOM_ATTR_CONFIRM",
        field="Base",
        after={"confirmed": True},
    )
    calibrate()
    assert (whole().counts["pages"], whole().counts["corrected"]) == (1, 0)


def test_a_night_with_fewer_changes_than_fifty_one_writes_nothing(people: People, lamps: Job) -> None:
    for _ in range(25):
        looked_at(lamps, people.annotator, wrong=2)
    assert calibrate_daily() == {"skipped": 50} and not CalibrationRecord.objects.exists()
    looked_at(lamps, people.annotator, wrong=1)
    assert CRON_TASKS["calibrate"].run() == {
        "records": 3,
        "proposals": 0,
        "annotations": 51,
        "left_out": 0,
        "drifted": 0,
    }  # type: ignore[comparison-overlap]
    assert CRON_TASKS["calibrate"].cron == "0 19 * * *", "03:00 in Shanghai"


def test_a_record_is_written_once(people: People, lamps: Job) -> None:
    looked_at(lamps, people.annotator)
    calibrate()
    record = whole()
    with pytest.raises(PermissionDenied):
        record.save()
    with pytest.raises(PermissionDenied):
        CalibrationRecord.objects.update(reason="another")
    statement = "UPDATE annotation_calibrationrecord SET reason = 'another'"
    with pytest.raises(ProgrammingError, match="written once"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_it_takes_few_statements_and_is_bounded(
    people: People, lamps: Job, django_assert_max_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(12):
        looked_at(lamps, people.annotator, wrong=1)
    with django_assert_max_num_queries(25):
        calibrate()
    monkeypatch.setattr("annotation.calibration.services.evidence.MOST_TASKS", 10)
    assert calibrate().left_out == 2


def test_the_command_tells_it_and_says_where_there_is_nothing(people: People, lamps: Job) -> None:
    assert "Nobody has worked on a page" in told("calibrate")
    looked_at(lamps, people.annotator, wrong=1, days_ago=10)
    assert "Nobody" in told("calibrate")
    said = told("calibrate", "--days", "30")
    assert "default v1" in said and "lamps" in said and "could_be_automatic" in said
    report = json.loads(told("calibrate", "--days", "30", "--json"))
    assert report["records"][0]["counts"]["corrected"] == 1 and report["records"][0]["profile"] == "default@1"


def told(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


# --- blind looks --------------------------------------------------------------------------------------


@pytest.mark.req("X-CALPROM")
def test_pages_that_went_out_alone_are_drawn_once_and_looked_at_without_being_moved(
    people: People, lamps: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = [
        make_page(lamps, n, "AI_COMPLETED", stage="NONE", sku_count=1, finished_at=timezone.now()) for n in range(1, 4)
    ]
    make_page(lamps, 4, "AI_COMPLETED", stage="NONE", sku_count=0, finished_at=timezone.now())
    make_page(lamps, 5, "HUMAN_QUEUED", stage="NONE", sku_count=1, needs_review=True, finished_at=timezone.now())
    assert auditing.open_blind_looks() == {"opened": 0}, "nobody asked for them"
    WorkRules.objects.update(blind_ratio=1)
    monkeypatch.setattr(auditing, "MOST_A_NIGHT", 2)
    assert CRON_TASKS["blind_looks"].run() == {"opened": 2}
    tasks = HumanTask.objects.filter(purpose="audit")
    assert {task.page_id for task in tasks} <= {page.pk for page in alone}
    assert {task.reasons[0]["code"] for task in tasks} == {"blind_look"}
    assert set(Page.objects.filter(pk__in=tasks.values("page")).values_list("status", flat=True)) == {"AI_COMPLETED"}
    assert auditing.open_blind_looks() == {"opened": 1} and auditing.open_blind_looks() == {"opened": 0}


# --- pure ---------------------------------------------------------------------------------------------


def test_reasons_that_came_later_are_none_of_the_machines() -> None:
    assert of_machines(["reported_wrong", "import_refused", "blind_look", "coverage_low"]) == {"coverage_low"}


def test_a_share_of_nothing_is_no_rate() -> None:
    assert rates_of(Tally().counts) == {}
    look = Look(page=1, category="", reasons=frozenset({"low_confidence"}), corrected=True)
    assert set(rates_of(Tally([look]).counts)) == {"route_accuracy", "correction", "could_be_automatic"}


def test_only_so_many_parts_are_written(people: People, lamps: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_ROWS", 1)
    looked_at(lamps, people.annotator, reasons=("a", "b"))
    assert len(calibrate().records) == 3


def test_a_page_with_a_product_that_a_person_drew_had_none_found(people: People, lamps: Job) -> None:
    page = looked_at(lamps, people.annotator, reasons=("reported_missing",), products=0)
    make_sku(page, 9, confidence=1.0)
    calibrate()
    assert whole().routes == {"skip": {"automatic": 1}}


@pytest.mark.req("X-CALPROM")
def test_what_a_blind_look_finds_is_measured_and_mended_and_the_page_stays_out(people: People) -> None:
    task = make_task(people)
    Page.objects.filter(pk=task.page_id).update(status="AI_COMPLETED", needs_review=False, finished_at=timezone.now())
    task.delete()
    WorkRules.objects.update(blind_ratio=1, verdict_least=0, verdict_most=0)
    auditing.open_blind_looks()
    done(people.annotator, HumanTask.objects.get(purpose="audit"), s1="$4")
    calibrate()
    assert whole().routes == {"automatic": {"person": 1}}
    assert whole().rates["automatic_wrong"] == [1.0, *wilson(1, 1)]  # type: ignore[misc]
    assert Page.objects.get(pk=task.page_id).status == "AI_COMPLETED"
