"""What has become worse than chance explains is told: on the page, in the bell, by doctor, command and metrics."""

from io import StringIO
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation import facts
from annotation.calibration.drift import LEAST_PAGES, Drift, drifts
from annotation.calibration.looks import rates_of
from annotation.calibration.services.recording import calibrate
from catalogsku.profiles.models import ThresholdProfile
from ingestion.models import Job, Notice
from ingestion.notices import presenters, selectors
from processing.management.commands import doctor
from tests.support.calibrated import looked_at
from tests.support.people import People
from tests.support.rows import make_job

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-CAL", "TA-T59")]


@pytest.fixture
def job(people: People) -> Job:
    return make_job(people.merchant)


def week(job: Job, people: People, right: int, of: int, **columns: Any) -> None:
    """Pages that a person corrected, rightly sent to one, among ``of``; the others were looked at for nothing."""
    for n in range(of):
        looked_at(job, people.annotator, wrong=int(n < right), **columns)


def found() -> list[doctor.Finding]:
    return list(doctor.check_calibration())


@pytest.mark.parametrize(
    ("rate", "now", "worse"),
    [
        ("route_accuracy", 0.59, True),
        ("route_accuracy", 0.61, False),
        ("route_accuracy", 0.95, False),
        ("automatic_wrong", 0.92, True),
        ("automatic_wrong", 0.91, False),
        ("automatic_wrong", 0.3, False),
        ("correction", 0.99, False),
    ],
)
def test_only_what_becomes_worse_beyond_chance_is_drift(rate: str, now: float, worse: bool) -> None:
    """0.1 to 0.2 of chance before, and 0.05 now."""
    many = {"pages": LEAST_PAGES, "audited": LEAST_PAGES}
    told = drifts({rate: (now, now - 0.05, now + 0.05)}, many, {rate: (0.8, 0.6, 0.9)}, many)
    assert told == ([Drift(rate, now, 0.6, 0.9)] if worse else [])
    few = {name: n - 1 for name, n in many.items()}
    assert not drifts({rate: (now, now - 0.05, now + 0.05)}, few, {rate: (0.8, 0.6, 0.9)}, many), "chance"


def test_what_stays_the_same_is_told_on_few_nights() -> None:
    """Two weeks of a hundred pages each, of which 65 are right on the mean."""
    chance, nights, told = Random(7), 2000, 0
    for _ in range(nights):
        then, now = ({"on_their_way": sum(chance.random() < 0.65 for _ in range(100)), "pages": 100} for _ in range(2))
        told += bool(drifts(rates_of(now), now, rates_of(then), then))
    assert 0.01 < told / nights < 0.04, "as a share that is 95 % sure, on one side"


def test_a_fall_is_told_everywhere_and_that_it_is_over_too(people: People, job: Job) -> None:
    assert [finding.text for finding in found()] == ["nothing has been calibrated yet"]
    week(job, people, 24, 30, days_ago=15)
    calibrate(days=20)
    assert facts.calibration_drifted() == {("default", "route_accuracy"): 0, ("default", "automatic_wrong"): 0}
    assert not Notice.objects.exists()
    week(job, people, 6, 30)
    out = StringIO()
    call_command("calibrate", stdout=out)
    assert "WORSE default v1 route_accuracy: 0.200, before 0.6" in out.getvalue()
    assert facts.calibration_drifted()[("default", "route_accuracy")] == 1
    assert facts.calibration_rate()[("default", "route_accuracy")] == 0.2
    assert facts.calibration_proposals_open() == {(): 0}
    (finding, known) = found()
    assert (finding.level, finding.text) == (
        "warning",
        "default: route_accuracy is worse than before; `manage.py calibrate`",
    )
    assert known.text == "0 proposed thresholds wait for a decision"

    assert list(Notice.objects.values_list("person__username", "kind")) == [("admin", "drift")]
    (row,) = presenters.rows(selectors.newest(people.admin, 5)[0])
    assert row.document == "default" and row.is_unread and row.tone == "fault"
    client = Client()
    client.force_login(people.admin)
    client.cookies["django_language"] = "en"
    assert client.get(row.url)["Location"] == reverse("calibration")
    text = client.get(reverse("calibration")).content.decode()
    assert "It has become worse than chance explains" in text and "20.0 %, after 62.7 %–90.5 %" in text

    week(job, people, 90, 90)
    calibrate()
    assert facts.calibration_drifted()[("default", "route_accuracy")] == 0
    assert not Notice.objects.filter(over_at=None).exists() and [one.level for one in found()] == ["ok"]


def test_blind_looks_that_find_more_are_drift_of_their_own(people: People, job: Job) -> None:
    blind: dict[str, Any] = {"purpose": "audit", "reasons": ("blind_look",)}
    week(job, people, 1, 30, days_ago=15, **blind)
    calibrate(days=20)
    week(job, people, 15, 30, **blind)
    assert calibrate().drifted == 2, "they took the wrong way as well"
    assert facts.calibration_drifted()[("default", "automatic_wrong")] == 1


def test_each_profile_is_held_against_itself(people: People, job: Job) -> None:
    own = ThresholdProfile.get_active("default")
    own.key = "tools"
    other = make_job(people.merchant, profile=own.add_version())
    week(job, people, 24, 30, days_ago=15)
    calibrate(days=20)
    week(other, people, 0, 30)
    assert calibrate().drifted == 0
