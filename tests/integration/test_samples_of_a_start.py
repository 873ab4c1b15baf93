"""What a start gives to the demo merchant: a catalogue and a study, once."""

from pathlib import Path

import pytest
from django.conf import settings

from catalogsku.accounts.models import User
from catalogsku.accounts.services import DEMO_MERCHANT, ensure_demo_accounts
from catalogsku.core.management.commands.run import SAMPLES
from ingestion.models import Job
from ingestion.services import demo
from processing.studies.models import Record

pytestmark = [pytest.mark.django_db, pytest.mark.req("LX-SYS")]


def test_a_start_gives_a_catalogue_and_a_study_and_the_next_one_adds_nothing() -> None:
    ensure_demo_accounts()
    first = demo.ensure_sample_jobs()
    assert [job.pk for job in demo.ensure_sample_jobs()] == [job.pk for job in first]
    rows = Job.objects.order_by("pk")
    assert [(job.source_name, job.kind, job.template, job.status) for job in rows] == [
        ("home-living.pdf", "catalogue", "", "UPLOADED"),
        ("trial-lemon-balm.pdf", "study", "rct/1", "UPLOADED"),
    ]
    assert {job.merchant.name for job in rows} == {DEMO_MERCHANT}
    assert Record.objects.filter(job=first[1]).count() == 1


def test_a_folder_of_an_earlier_start_keeps_its_catalogue_and_gets_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    ensure_demo_accounts()
    samples = demo.SAMPLES
    monkeypatch.setattr(demo, "SAMPLES", samples[:1])
    (catalogue,) = demo.ensure_sample_jobs()
    monkeypatch.setattr(demo, "SAMPLES", samples)
    assert [job.kind for job in demo.ensure_sample_jobs()] == ["catalogue", "study"]
    assert Job.objects.count() == 2 and demo.ensure_sample_jobs()[0] == catalogue


def test_nothing_is_given_where_the_uploader_or_the_samples_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert demo.ensure_sample_jobs() == []
    ensure_demo_accounts()
    monkeypatch.setattr(settings, "BASE_DIR", tmp_path)
    assert demo.ensure_sample_jobs() == [] and not Job.objects.exists()
    assert User.objects.filter(username="uploader").exists()


def test_the_start_names_it() -> None:
    from django.utils.module_loading import import_string

    assert import_string(SAMPLES) is demo.ensure_sample_jobs
