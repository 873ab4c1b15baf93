"""What goes with time and what stays: sources and pictures of pages after their days, results for good."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.functions import Now

from annotation.tasks.services import tidying
from catalogsku.core import storage
from catalogsku.core.errors import Conflict
from catalogsku.profiles.models import ConfigChange
from ingestion.keeping.policies import folder_of
from ingestion.keeping.selectors import days, without_rule
from ingestion.keeping.services import expiring
from ingestion.keeping.services.rules import set_rule
from ingestion.models import Emptied, Job, KeepingRule, Page
from ingestion.services import jobs, receiving
from processing.exports.services import exporting
from processing.llm import calls
from processing.management.commands import doctor
from processing.models import Edition, Export, ModelCall, PageContent, Sku, TraceBundle
from processing.pages.services import reading, tracing
from tests.support.kept import at_work, ended, open_task, own_storage, process, screenshots, stored
from tests.support.people import People
from tests.support.stages import take

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-CLEAN", "TA-KEEP")]


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    at_work(monkeypatch, settings, tmp_path / "media")


def test_source_and_page_pictures_go_after_thirty_days_and_results_stay(people: People, tmp_path: Path) -> None:
    young, old = (process(people, tmp_path / f"{name}.pdf", [name, "ZZ"]) for name in ("AB", "CD"))
    assert all(folder_of(name) for name in stored()), "each file is of a kind that has its rule"
    ended(young, 29), ended(old, 31)
    pictures = screenshots(old)
    assert len(pictures) == 2 and pictures < stored()
    rest = stored() - pictures - {old.source_key}

    assert expiring.empty_documents(60) == {"sources": 1, "pictures": 1}

    assert stored() == rest and young.source_key in rest and screenshots(young) < rest
    old.refresh_from_db()
    for page in old.pages.all():
        assert (
            page.screenshot_key == page.preview_key == "" and page.fingerprint and storage.has_file(page.thumbnail_key)
        )
    assert Sku.objects.filter(job=old).count() == Sku.objects.filter(job=young).count() > 0
    assert reading.kept_pages(old, [1, 2]).keys() == {1, 2}
    assert sorted(Emptied.objects.values_list("job", "kind", "files")) == [
        (old.pk, "pictures", 2),
        (old.pk, "sources", 1),
    ]
    assert expiring.empty_documents(60) == {"sources": 0, "pictures": 0}


def test_nothing_goes_of_what_is_not_at_rest(people: People, tmp_path: Path) -> None:
    job = ended(process(people, tmp_path / "AB.pdf", ["AB"]), 400)
    before = stored()
    for columns in ({"status": "PARTIAL_IMPORTED"}, {"status": "PROCESSING"}, {"worker": 7}):
        Job.objects.filter(pk=job.pk).update(**columns)
        assert expiring.empty_documents(60) == {"sources": 0, "pictures": 0}, columns
        Job.objects.filter(pk=job.pk).update(status="FULL_IMPORTED", worker=None)
    page = job.pages.get()
    Page.objects.filter(pk=page.pk).update(stage="READ")
    assert expiring.empty_documents(60) == {"sources": 0, "pictures": 0}
    Page.objects.filter(pk=page.pk).update(stage="NONE")
    task = open_task(job, page)
    assert expiring.empty_documents(60) == {"sources": 0, "pictures": 0}, "a task is open"
    assert stored() == before
    type(task).objects.filter(pk=task.pk).update(status="COMPLETED")
    assert expiring.empty_documents(60) == {"sources": 1, "pictures": 1}


def test_a_file_that_another_document_still_needs_stays(people: People, tmp_path: Path) -> None:
    old = ended(process(people, tmp_path / "AB.pdf", ["AB"]), 400)
    young = process(people, tmp_path / "AB.pdf", ["AB"], key="again")
    assert young.source_key == old.source_key and screenshots(young) == screenshots(old)
    assert expiring.empty_documents(60) == {"sources": 0, "pictures": 1}
    assert storage.has_file(young.source_key) and screenshots(young) < stored() and not screenshots(old)
    ended(young, 31)
    assert expiring.empty_documents(60) == {"sources": 2, "pictures": 1}
    assert not storage.has_file(young.source_key)


def test_the_same_file_comes_again_and_is_read_anew(people: People, tmp_path: Path) -> None:
    old = ended(process(people, tmp_path / "AB.pdf", ["AB"]), 31)
    expiring.empty_documents(60)
    again = process(people, tmp_path / "AB.pdf", ["AB"], key="again")
    assert storage.has_file(again.source_key) and screenshots(again) < stored()
    assert again.pages.get().read_reused is False
    assert Sku.objects.filter(job=again).count() == Sku.objects.filter(job=old).count()


def test_an_edition_of_a_document_whose_files_have_gone_is_carried_over(people: People, tmp_path: Path) -> None:
    names = ["AB", "CD", "EF", "GH", "JK", "LM"]
    old = ended(process(people, tmp_path / "book 2025.pdf", names), 31)
    expiring.empty_documents(60)
    new = process(people, tmp_path / "book 2026.pdf", [*names[:3], "XY", *names[3:]])
    assert Edition.objects.get(job=new).predecessor_id == old.pk
    assert [page.number for page in new.pages.filter(carried=False)] == [4]
    assert Sku.objects.filter(job=new).count() == Sku.objects.filter(job=old).count() + 3


def test_who_wants_a_page_read_again_hears_that_its_file_is_gone(people: People, tmp_path: Path) -> None:
    job = ended(process(people, tmp_path / "AB.pdf", ["AB"]), 31)
    expiring.empty_documents(60)
    jobs.rerun_pages(job, [1], "somebody")
    take(job, "READ", reading.read_pages)
    assert job.pages.get().stage == "UNDERSTAND_RULES", "from its reading it is understood without the file"
    PageContent.objects.all().delete()
    Page.objects.filter(job=job).update(stage="READ", status="AI_QUEUED")
    take(job, "READ", reading.read_pages)
    assert (job.pages.get().last_error or {})["code"] == "source_gone"
    Job.objects.filter(pk=job.pk).update(status="REJECTED", failure_code="password_needed")
    with pytest.raises(Conflict, match="source_gone"):
        jobs.give_password(job, "secret", "somebody")


def test_a_round_that_is_cut_off_is_made_good_by_the_next(
    people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = ended(process(people, tmp_path / "AB.pdf", ["AB", "CD"]), 31)
    real, gone = storage.delete_file, []

    def cut(key: str) -> None:
        if len(gone) == 2:
            raise KeyboardInterrupt
        gone.append(key)
        real(key)

    monkeypatch.setattr(storage, "delete_file", cut)
    with pytest.raises(KeyboardInterrupt):
        expiring.empty_documents(60)
    assert Emptied.objects.filter(job=job).count() == 1 and len(screenshots(job)) == 2
    monkeypatch.setattr(storage, "delete_file", real)
    assert expiring.empty_documents(60) == {"sources": 0, "pictures": 1}
    assert not [name for name in stored() if name in gone or name.endswith("source.pdf")]


def test_a_merchants_rule_goes_before_that_of_all_and_is_in_the_log(people: People) -> None:
    assert days(people.merchant.pk)["sources"] == 30 and days()["results"] is None
    set_rule(None, {"sources": 10, "traces": 5}, people.admin)
    set_rule(people.merchant, {"sources": 0, "results": 400}, people.admin)
    assert {kind: days(people.merchant.pk)[kind] for kind in ("sources", "traces", "results", "pictures")} == {
        "sources": None,
        "traces": 5,
        "results": 400,
        "pictures": 30,
    }
    assert days(people.other.pk)["sources"] == 10
    set_rule(people.merchant, {"sources": 20}, people.admin)
    assert KeepingRule.objects.count() == 2
    change = ConfigChange.objects.filter(model="ingestion.keepingrule").latest("pk")
    assert (change.before, change.after, change.by) == (
        {"sources_days": 0, "results_days": 400},
        {"sources_days": 20, "results_days": None},
        people.admin.username,
    )


def test_each_merchants_days_count_for_its_own_documents(people: People, tmp_path: Path) -> None:
    job = ended(process(people, tmp_path / "AB.pdf", ["AB"]), 31)
    set_rule(people.merchant, {"sources": 0, "pictures": 60}, people.admin)
    assert expiring.empty_documents(60) == {"sources": 0, "pictures": 0}
    set_rule(people.merchant, {"sources": 31, "pictures": 7}, people.admin)
    assert expiring.empty_documents(60) == {"sources": 1, "pictures": 1}
    assert not storage.has_file(job.source_key)


def test_traces_answers_exports_and_drafts_go_by_the_merchants_rule(people: People, tmp_path: Path) -> None:
    from annotation.models import Draft

    job = ended(process(people, tmp_path / "AB.pdf", ["AB"]), 1)
    page, ago = job.pages.get(), Now() - timedelta(days=6)
    TraceBundle.objects.all().delete()
    TraceBundle.objects.create(page=page, job=job, reason="review", storage_key="m1/x.trace")
    TraceBundle.objects.update(created_at=ago)
    call = ModelCall.objects.create(
        merchant=people.merchant,
        job=job,
        operation="page",
        model="m",
        prompt_version="1",
        request_key="k" * 64,
        state="ANSWERED",
        day="2026-01-01",
        reserved_micro=1,
        settled_micro=1,
        answer=b"said",
        answered_at=ago,
        worker=1,
    )
    export = Export.objects.create(merchant=people.merchant, job=job, kind="csv", columns=[], status="DONE")
    Export.objects.filter(pk=export.pk).update(ended_at=ago, storage_key="m1/exports/x.csv")
    task = open_task(job, page)
    Draft.objects.create(task=task, user=people.annotator, body={}, seq=1, base_token=1, page_version=1)
    type(task).objects.filter(pk=task.pk).update(status="SKIPPED", closed_at=ago)

    def clean() -> tuple[int, int, int, int]:
        return (
            tracing.clean_traces()["traces"],
            calls.forget_old_answers()["answers"],
            exporting.clean_exports()["files"],
            tidying.clear_old_drafts()["drafts"],
        )

    assert clean() == (0, 0, 0, 0)
    set_rule(people.other, dict.fromkeys(("traces", "answers", "exports", "drafts"), 1), people.admin)
    assert clean() == (0, 0, 0, 0), "another merchant's rule"
    set_rule(people.merchant, dict.fromkeys(("traces", "answers", "exports", "drafts"), 5), people.admin)
    assert clean() == (1, 1, 1, 1)
    call.refresh_from_db()
    assert call.answer is None and call.settled_micro == 1


def test_parts_of_logs_are_kept_as_long_as_the_setting_says(settings: Any, tmp_path: Path) -> None:
    from catalogsku.core import tidying as core

    settings.VAR_DIR, settings.LOGS_KEPT_DAYS = tmp_path, 3
    (tmp_path / "log").mkdir()
    for name, age_days in (("web.log.1", 4), ("cpu.log.1", 2)):
        (tmp_path / "log" / name).write_text("x")
        os.utime(tmp_path / "log" / name, (os.path.getmtime(tmp_path) - age_days * 86_400,) * 2)
    assert core.clear_log_parts() == 1 and (tmp_path / "log" / "cpu.log.1").exists()


def test_what_lies_about_without_a_rule_is_named(
    people: People, tmp_path: Path, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.VAR_DIR = tmp_path
    for name in ("media/m7/ab/abc/source.pdf", "media/m7/secret/notes.txt", "log/web.log", "dump.sql"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "media").rename(tmp_path / "storage")
    own_storage(settings, tmp_path / "storage")
    assert without_rule() == ["VAR_DIR/dump.sql", "storage/m7/secret/notes.txt"]
    told = [finding.text for finding in doctor.check_keeping()]
    assert told[0] == "VAR_DIR/dump.sql is kept, and no rule says how long (docs/keeping.md)"


def test_a_file_that_comes_again_while_its_source_goes_has_it_afterwards(
    people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between what an upload has stored and the row of its document, the rule of the earlier one takes the source."""
    path, real = tmp_path / "AB.pdf", receiving.create_job
    old = ended(process(people, path, ["AB"]), 31)

    def late(*args: Any, **options: Any) -> Any:
        assert expiring.empty_documents(60)["sources"] and not storage.has_file(old.source_key)
        return real(*args, **options)

    monkeypatch.setattr(receiving, "create_job", late)
    job = receiving.submit_file(None, people.merchant.pk, path, key="again")
    assert job.source_key == old.source_key and storage.has_file(job.source_key)

    Emptied.objects.all().delete()
    ended(job, 31)
    upload = SimpleUploadedFile("AB.pdf", path.read_bytes())
    job = receiving.receive_whole(people.uploader, upload, "once more", "", "", again=True)
    assert storage.has_file(job.source_key)


def test_nobody_loses_files_by_updating(people: People, tmp_path: Path) -> None:
    """The first days from the update on, what was there before stays; but for whom an administrator says less."""
    ended(process(people, tmp_path / "AB.pdf", ["AB"]), 400)
    first = MigrationRecorder.Migration.objects.filter(app="ingestion", name="0005_keeping")
    assert first.update(applied=Now() - timedelta(days=29)) == 1
    assert expiring.empty_documents(60) == {"sources": 0, "pictures": 0}
    set_rule(None, {"sources": 100}, people.admin)
    assert expiring.empty_documents(60) == {"sources": 1, "pictures": 0}
    first.update(applied=Now() - timedelta(days=31))
    assert expiring.empty_documents(60) == {"sources": 0, "pictures": 1}
