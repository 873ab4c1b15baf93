"""`manage.py capacity`: measured where there is enough, recorded where not, and each figure says which."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.capacity.services.measuring import known
from annotation.figures.services.gathering import gather
from ingestion.models import Job
from tests.support.figures import at, came, finished, paid, worked
from tests.support.people import People
from tests.support.rows import make_job, make_pages

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-MET")]


def said(capsys: Any, *options: str) -> dict[str, Any]:
    call_command("capacity", "--json", *options)
    return dict(json.loads(capsys.readouterr().out))


def documents(people: People, n: int, *, machine_s: float, scanned: int = 0, pages: int = 40) -> list[Job]:
    made = []
    for k in range(n):
        job = make_job(
            people.merchant,
            "FULL_IMPORTED",
            total_pages=pages,
            machine_s=machine_s * (0.9 + 0.2 * (k % 2)),
            finished_at=timezone.now(),
        )
        make_pages(job, range(1, pages + 1), "AI_COMPLETED", features=lambda n: {"ocr_ratio": float(n <= scanned)})
        made.append(job)
    return made


def test_a_new_installation_says_what_is_recorded_and_what_is_assumed(capsys: Any) -> None:
    found = said(capsys, "--pages-per-day", "1000")
    by_key = {one["key"]: one for one in found["assumptions"]}
    assert by_key["text_s"]["kind"] == "recorded" and "docs/bench.md" in by_key["text_s"]["source"]
    assert by_key["person_s"]["kind"] == "assumed" and by_key["person_s"]["value"] == 300
    assert {one["key"] for one in found["needs"]} >= {"cores", "memory", "disk", "people", "database_growth"}
    call_command("capacity", "--pages-per-day", "1000", "--core-eur", "8")
    text = capsys.readouterr().out
    assert "core s a page; recorded: docs/bench.md" in text and "machines_eur" in text and "EUR a month" in text


def test_pages_by_their_kind_are_measured_once_there_are_enough(people: People) -> None:
    documents(people, 9, machine_s=8.0)
    assert known()["text_s"].kind == "recorded", "nine documents say too little"
    documents(people, 3, machine_s=8.0)
    documents(people, 10, machine_s=120.0, scanned=40)
    documents(people, 5, machine_s=999.0, scanned=20)  # of both kinds: they tell of neither
    found = known()
    text, scan = found["text_s"], found["scan_s"]
    assert text.kind == scan.kind == "measured" and text.source == "12 documents without a scan, 480 pages"
    assert text.value == pytest.approx(0.2, rel=0.02) and text.low < text.value < text.high
    assert scan.value == pytest.approx(3.0, rel=0.02)


def test_files_are_measured_by_what_they_are(people: People) -> None:
    for job in documents(people, 10, machine_s=8.0):
        folder = f"m{job.merchant_id}/ab/{job.file_sha256}"
        Job.objects.filter(pk=job.pk).update(source_key=f"{folder}/source.pdf")
        for name, size in (
            ("source.pdf", 4000),
            ("read/0001_screen.jpg", 8000),
            ("read/0001_001.jpg", 400),
            ("traces/x.trace", 40),
        ):
            default_storage.save(f"{folder}/{name}", ContentFile(b"x" * size))
    found = known()
    sizes = [found[f"{kind}_bytes"].value for kind in ("sources", "pictures", "results", "traces")]
    assert sizes == [100, 200, 10, 1] and found["sources_bytes"].kind == "measured"


def test_people_and_models_are_measured_from_the_figures_of_days(people: People) -> None:
    for n in range(2):
        day = timezone.localdate() - timedelta(days=n + 1)
        job = came(people.merchant, at(day))
        for k in range(160):
            page = finished(job, at(day), "HUMAN_COMPLETED" if k < 60 else "AI_COMPLETED")
            if k < 60:
                worked(page, people.annotator, at(day), seconds=30)
        paid(job, day, 320_000)
        gather(day)
    found = known()
    assert found["intervention"].value == pytest.approx(60 / 160) and found["intervention"].kind == "measured"
    assert found["person_s"].value == 30 and "2 days" in found["person_s"].source
    assert found["model_usd"].value == pytest.approx(0.002)


def test_what_is_given_is_said_to_be_given(capsys: Any) -> None:
    options = ("--pages-per-day", "3600", "--people-pace", "20", "--intervention", "0.5", "--people-hours", "10")
    found = said(capsys, *options, "--workdays", "30")
    needs = {one["key"]: one["value"] for one in found["needs"]}
    assert needs["people_hours"] == 10 and needs["people"] == 1
    assert {one["key"]: one["kind"] for one in found["assumptions"]}["person_s"] == "given"


@pytest.mark.parametrize(
    "options",
    [
        ("--pages-per-day", "0"),
        ("--pages-per-day", "5", "--scans", "2"),
        ("--pages-per-day", "5", "--people-pace", "-1"),
    ],
)
def test_nonsense_is_refused_with_a_code(options: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="bad_capacity") as refused:
        call_command("capacity", *options)
    assert refused.value.returncode == 2
