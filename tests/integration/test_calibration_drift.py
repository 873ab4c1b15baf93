"""What has become worse than chance explains is told: on the page, in the bell, by doctor, command and metrics."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from annotation import facts
from annotation.calibration.drift import LEAST_BEFORE
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


def looks(job: Job, people: People, corrected: int, of: int, **columns: Any) -> None:
    """Pages that people looked at; those that they corrected are spread among ``of``."""
    for n in range(of):
        looked_at(job, people.annotator, wrong=int(n * corrected // of != (n + 1) * corrected // of), **columns)


def found() -> list[doctor.Finding]:
    return list(doctor.check_calibration())


def test_a_fall_is_told_everywhere_once_and_that_it_is_over_too(people: People, job: Job) -> None:
    assert [finding.text for finding in found()] == ["nothing has been calibrated yet"]
    looks(job, people, 10, LEAST_BEFORE, days_ago=50)
    looks(job, people, 1, 10)
    calibrate()
    assert facts.calibration_drifted() == {("default", "correction"): 0}
    assert not Notice.objects.exists()
    looks(job, people, 20, 20)
    out = StringIO()
    call_command("calibrate", stdout=out)
    assert "WORSE default v1 correction: 1.000, expected 0.0" in out.getvalue()
    assert facts.calibration_drifted()[("default", "correction")] == 1
    assert facts.calibration_proposals_open() == {(): 0}
    (finding, known) = found()
    assert (finding.level, finding.text) == (
        "warning",
        "default: correction is worse than before; `manage.py calibrate`",
    )
    assert known.text == "0 proposed thresholds wait for a decision"

    assert list(Notice.objects.values_list("person__username", "kind")) == [("admin", "drift")]
    with translation.override("en"):
        (row,) = presenters.rows(selectors.newest(people.admin, 5)[0])
    assert row.document == "default" and row.is_unread and row.tone == "fault"
    assert row.detail == "People correct more than chance explains of pages of which machines are as sure as before."
    client = Client()
    client.force_login(people.admin)
    client.cookies["django_language"] = "en"
    assert client.get(row.url)["Location"] == reverse("calibration")
    text = client.get(reverse("calibration")).content.decode()
    assert "It has become worse than chance explains" in text
    assert "100.0 %, where 2.6 %–28.9 % was to be expected" in text
    Notice.objects.update(told_at=timezone.now() - timedelta(days=1))
    calibrate()
    assert Notice.objects.get().read_at, "it is told once as long as it lasts"

    looks(job, people, 0, 90)
    calibrate()
    assert facts.calibration_drifted()[("default", "correction")] == 0
    assert not Notice.objects.filter(over_at=None).exists() and [one.level for one in found()] == ["ok"]


def test_blind_looks_count_and_what_readers_told_does_not(people: People, job: Job) -> None:
    looks(job, people, 10, LEAST_BEFORE, days_ago=50)
    looks(job, people, 20, 20, purpose="at_once", reasons=("reported_wrong",))
    assert calibrate().drifted == 0, "of right pages nobody tells"
    looks(job, people, 20, 20, purpose="audit", reasons=("blind_look",))
    assert calibrate().drifted == 1


def test_each_profile_is_held_against_itself(people: People, job: Job) -> None:
    own = ThresholdProfile.get_active("default")
    own.key = "tools"
    other = make_job(people.merchant, profile=own.add_version())
    looks(job, people, 0, LEAST_BEFORE, days_ago=50)
    looks(other, people, 20, 20)
    assert calibrate().drifted == 0
