"""Documents, merchants and people are deleted on request: what goes, what stays, and that nothing is left of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection, transaction
from django.db.models.functions import Now

from annotation.models import Draft, HumanTask, TaskComment
from catalogsku.accounts.models import KnownPlace, User
from catalogsku.core import storage
from catalogsku.core.errors import Conflict
from catalogsku.core.models import Transition
from catalogsku.profiles.models import ConfigChange, MerchantDictionary
from catalogsku.profiles.services import set_dictionary
from ingestion.keeping.services import deleting, erasing, scanning
from ingestion.keeping.services.rules import set_rule
from ingestion.models import Deletion, FileRule, Job, KeepingRule, Notice, Page
from ingestion.services.jobs import cancel_job, rerun_pages
from ingestion.services.settle import settle_job
from processing.models import (
    AnnotationExample,
    Budget,
    CatalogueEntry,
    Evaluation,
    Export,
    ImportRecord,
    LocalProduct,
    ModelCall,
    PageContent,
    Record,
    Sku,
    Template,
    WebhookDelivery,
    WebhookEndpoint,
)
from processing.studies.selectors import get_version
from processing.studies.services.templates import checked, clone_template, save_version
from tests.support.kept import at_work, ended, open_task, process, stored
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_sku

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-CLEAN")]


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    at_work(monkeypatch, settings, tmp_path / "media")
    settings.VAR_DIR = tmp_path


def everything(people: People, path: Path, name: str) -> Job:
    """A document with a row of each kind that people, models and receivers leave."""
    job = ended(process(people, path, [name, f"{name}X"]), 1)
    page, sku = job.pages.get(number=1), Sku.objects.filter(job=job, page__number=1).order_by("pk")[0]
    call = {"operation": "page", "model": "m", "prompt_version": "1", "state": "ANSWERED", "day": "2026-01-01"}
    spent = {"reserved_micro": 7, "settled_micro": 7, "worker": 1, "answer": f"of {job.uuid}".encode()}
    of_page = {"job": job, "page": page, "request_key": job.file_sha256, "category": "chairs"}
    ModelCall.objects.create(merchant=people.merchant, **of_page, **call, **spent)
    AnnotationExample.objects.create(
        merchant=people.merchant, page=page, key="k", page_type="A", quality=1, shown=str(job.uuid), answer="{}"
    )
    task = open_task(job, page)
    HumanTask.objects.filter(pk=task.pk).update(status="COMPLETED", closed_by=people.annotator)
    TaskComment.objects.create(task=task, author=people.annotator, text=f"of {job.source_name}")
    Draft.objects.create(
        task=task, user=people.annotator, body={"u": str(job.uuid)}, seq=1, base_token=1, page_version=1
    )
    Transition.objects.create(
        entity="task",
        entity_id=task.pk,
        job_id=job.pk,
        target="COMPLETED",
        trigger="submitted",
        actor="annotator",
        reason={"to": "annotator"},
    )
    ImportRecord.objects.filter(job=job).update(state="CONFIRMED")
    LocalProduct.objects.create(merchant=people.merchant, sku_key=sku.sku_id, generation=1, payload_hash="0")
    for of, number in ((job, 1), (None, 2)):
        export = Export.objects.create(merchant=people.merchant, job=of, kind="csv", columns=[], status="DONE")
        key = f"m{people.merchant.pk}/exports/{export.uuid}.csv"
        (path.parent / "export").write_text(f"{job.uuid} {number}")
        storage.put_file(key, path.parent / "export")
        Export.objects.filter(pk=export.pk).update(storage_key=key)
    endpoint, _ = WebhookEndpoint.objects.get_or_create(merchant=people.merchant, url="https://shop.example.org/hook")
    WebhookDelivery.objects.create(
        endpoint=endpoint,
        event=job.pk,
        type="job.finished",
        job=job,
        body=json.dumps({"job": str(job.uuid)}),
        due_until=Now(),
    )
    Notice.objects.create(
        person=people.uploader,
        merchant=people.merchant,
        job=job,
        about="",
        kind="finished",
        facts={"name": job.source_name},
    )
    return job


def texts(*needles: str) -> list[str]:
    """Tables in which one of these stands, by the database's own word of whole rows."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'ingestion_deletion'"
        )
        found = []
        for (table,) in cursor.fetchall():
            cursor.execute(f"SELECT count(*) FROM {table} t WHERE t::text LIKE ANY(%s)", [[f"%{n}%" for n in needles]])
            if cursor.fetchone()[0]:
                found.append(table)
    return sorted(found)


def delete(target: Any, by: User | None = None) -> Deletion:
    deletion = deleting.ask(target, by)
    deleting.carry_out(deletion.pk)
    return Deletion.objects.get(pk=deletion.pk)


def test_of_a_deleted_document_no_byte_is_left_and_the_other_one_stays(people: People, tmp_path: Path) -> None:
    everything(people, tmp_path / "other.pdf", "QR")
    kept = stored()
    counts = {model: model._base_manager.count() for model in (Page, Sku, PageContent, Evaluation, CatalogueEntry)}
    job = everything(people, tmp_path / "gone book.pdf", "AB")
    needles = (str(job.uuid), job.file_sha256, job.source_name, f"{job.hash8}\\_")
    assert {"ingestion_job", "processing_sku", "annotation_draft", "processing_localproduct"} < set(texts(*needles))
    expected = deleting.preview(job)
    assert Job.objects.filter(pk=job.pk).exists() and expected.rows["processing.sku"] == 6

    done = delete(job, people.admin)

    assert (done.state, done.found, done.needles, done.pending) == ("done", {}, None, [])
    assert (done.rows, done.files, done.bytes) == (expected.rows, expected.files, expected.bytes)
    assert texts(*needles) == [] and not Transition.objects.filter(job_id=job.pk).exists()
    assert stored() == kept
    assert not [*Path(storage.default_storage.path("")).rglob(f"*{job.file_sha256}*")], "nor an empty folder of it"
    assert counts == {model: model._base_manager.count() for model in counts}
    call = ModelCall.objects.get(job=None)
    assert (call.answer, call.settled_micro, call.category) == (None, 7, ""), "what it cost is counted on"
    assert done.hashes["file"] == job.file_sha256 and done.asked_by == people.admin
    assert "gone book" not in json.dumps([done.hashes, done.rows, done.found])


def test_what_is_under_way_is_not_deleted_until_it_is_cancelled(people: People, tmp_path: Path) -> None:
    job = process(people, tmp_path / "AB.pdf", ["AB"])
    Job.objects.filter(pk=job.pk).update(status="PROCESSING")
    for act in (deleting.preview, lambda target: deleting.ask(target, None)):
        with pytest.raises(Conflict, match="under_way"):
            act(job)
    with pytest.raises(Conflict, match="merchant_under_way"):
        deleting.ask(people.merchant, None)
    cancel_job(job, "admin")
    assert delete(job).state == "done" and not Job.objects.exists() and not stored()


def test_a_file_that_another_document_has_stays_with_what_was_read_of_it(people: People, tmp_path: Path) -> None:
    job = everything(people, tmp_path / "AB.pdf", "AB")
    twin = ended(process(people, tmp_path / "AB.pdf", [], key="again"), 1)
    pictures = set(twin.pages.values_list("preview_key", flat=True))
    done = delete(job)
    assert (done.state, done.found) == ("done", {})
    assert storage.has_file(twin.source_key) and pictures <= stored()
    assert PageContent.objects.filter(file_sha256=twin.file_sha256).count() == 2
    assert delete(twin).state == "done" and not stored() and not PageContent.objects.exists()


def test_pictures_that_a_later_edition_has_taken_over_stay_until_it_goes(people: People, tmp_path: Path) -> None:
    names = ["AB", "CD", "EF", "GH", "JK", "LM"]
    old = ended(process(people, tmp_path / "book 2025.pdf", names), 2)
    new = process(people, tmp_path / "book 2026.pdf", [*names[:3], "XY", *names[3:]])
    with pytest.raises(Conflict, match="under_way"):  # the comparison waits for approval
        deleting.preview(old)
    connection.cursor().execute("UPDATE processing_edition SET state = 'approved'")
    ended(new, 1)
    done = delete(old)
    assert (done.state, done.found) == ("done", {})
    new.refresh_from_db()
    assert new.edition_of is None
    shown = {key for page in new.pages.all() for key in (page.preview_key, page.thumbnail_key)}
    assert shown <= stored(), "pages that were carried over show the pictures of the earlier document"
    assert delete(new).state == "done" and not stored()


def test_what_is_taken_up_again_after_it_was_asked_for_waits_until_it_is_at_rest(
    people: People, tmp_path: Path
) -> None:
    job = ended(process(people, tmp_path / "AB.pdf", ["AB"]), 1)
    of_document = deleting.ask(job, None)
    rerun_pages(job, [1], "somebody")
    deleting.carry_out(of_document.pk)
    of_document.refresh_from_db()
    assert (of_document.state, of_document.ended_at) == ("rows", None) and Job.objects.filter(pk=job.pk).exists()
    settle_job(job.pk)
    cancel_job(job, "admin")
    deleting.carry_out(of_document.pk)
    of_document.refresh_from_db()
    assert of_document.state == "done" and not Job.objects.exists() and not stored()


def test_a_deletion_that_is_killed_goes_on_where_it_stood(
    people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, real, gone = everything(people, tmp_path / "AB.pdf", "AB"), storage.delete_file, list[str]()
    deletion = deleting.ask(job, None)
    monkeypatch.setattr(erasing, "still_named", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        deleting.carry_out(deletion.pk)
    assert Job.objects.filter(pk=job.pk).exists(), "all of its rows or none"
    monkeypatch.undo()
    monkeypatch.setattr(deleting, "FILES_AT_ONCE", 2)

    def die(key: str) -> None:
        if len(gone) == 3:
            raise KeyboardInterrupt
        gone.append(key)
        real(key)

    monkeypatch.setattr(storage, "delete_file", die)
    with pytest.raises(KeyboardInterrupt):
        deleting.carry_out(deletion.pk)
    deletion.refresh_from_db()
    assert deletion.state == "files" and not Job.objects.filter(pk=job.pk).exists() and stored()
    monkeypatch.setattr(storage, "delete_file", real)
    Deletion.objects.update(seen_at="2026-01-01T00:00Z")
    assert deleting.send_silent() == 1
    deleting.carry_out(deletion.pk)
    deletion.refresh_from_db()
    assert (deletion.state, deletion.found) == ("done", {}) and not stored()


def test_asked_for_twice_it_is_one_and_done_once(people: People, tmp_path: Path) -> None:
    job = everything(people, tmp_path / "AB.pdf", "AB")
    first, second = deleting.ask(job, None), deleting.ask(job, None)
    assert first == second
    deleting.carry_out(first.pk)
    rows = Deletion.objects.get().rows
    deleting.carry_out(first.pk)
    assert Deletion.objects.get().rows == rows


def test_a_file_that_comes_again_in_between_keeps_its_source(people: People, tmp_path: Path) -> None:
    job = ended(process(people, tmp_path / "AB.pdf", ["AB"]), 1)
    deletion = deleting.ask(job, None)
    assert deleting._erase(Deletion.objects.get(pk=deletion.pk))
    again = process(people, tmp_path / "AB.pdf", [], key="again")
    deleting.carry_out(deletion.pk)
    assert storage.has_file(again.source_key)
    assert set(again.pages.values_list("preview_key", flat=True)) < stored()


def test_the_scan_finds_what_was_left_and_looks_again(people: People, tmp_path: Path) -> None:
    job, other = everything(people, tmp_path / "AB.pdf", "AB"), everything(people, tmp_path / "QR.pdf", "QR")
    TaskComment.objects.filter(task__job=other).update(text=f"the same as {job.uuid}")
    copy = f"m{people.merchant.pk}/exports/copied.pdf"
    storage.put_file(copy, Path(storage.default_storage.path(job.source_key)))
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "web.log").write_text(f'{{"path": "/jobs/{job.uuid}/"}}\n')
    done = delete(job)
    assert (done.state, done.found) == ("left", {"annotation.taskcomment": 1, "storage": 1, "logs": 1})
    assert done.needles is not None
    TaskComment.objects.update(text="")
    storage.delete_file(copy)
    deleting.look_again()
    done.refresh_from_db()
    assert (done.state, done.found, done.needles) == ("done", {"logs": 1}, None)


def test_what_a_late_worker_stored_after_all_goes_at_night(people: People, tmp_path: Path) -> None:
    job = ended(process(people, tmp_path / "AB.pdf", ["AB"]), 1)
    delete(job)
    (tmp_path / "late").write_text("x")
    storage.put_file(
        f"{storage.file_prefix(people.merchant.pk, job.file_sha256)}/0123456789abcdef/1.webp", tmp_path / "late"
    )
    assert deleting.look_again() == {"looked_for": 0, "strays": 1} and not stored()


def test_a_merchant_goes_with_its_documents_and_the_other_one_is_untouched(people: People, tmp_path: Path) -> None:
    everything(people, tmp_path / "AB.pdf", "AB"), everything(people, tmp_path / "QR.pdf", "QR")
    FileRule.objects.create(merchant=people.merchant, active_files="copy")
    FileRule.objects.create(merchant=people.other, active_files="copy")
    set_rule(people.merchant, {"sources": 5}, people.admin)
    for word in ("North's ref.", "Quillwort"):  # two versions of their own words, and one of the other's
        entries = [{"kind": "label", "word": word, "means": "model"}]
        set_dictionary(people.merchant, "", entries, people.admin, word)
    set_dictionary(people.other, "", entries, people.admin, "")
    for merchant in (people.merchant, people.other):
        version = clone_template(get_version(Template.objects.get(key="rct")), merchant, people.admin, key="own")
        fewer = checked({"groups": [{**version.definition["groups"][0], "labels": {"en": "Quillwort"}}]})
        save_version(version.template, fewer, people.admin, reason="Quillwort")
        job = Job.objects.filter(merchant=merchant).first() or make_job(merchant)
        Record.objects.create(job=job, template_version=version, subject="Q")
    of_merchant = {"content_type": ContentType.objects.get_for_model(FileRule), "object_id": "1", "action_flag": 1}
    LogEntry.objects.create(user=people.admin, object_repr=f"{people.merchant}: refuse", **of_merchant)
    Budget.objects.create(merchant=people.merchant, day="2026-01-01", settled_micro=7)
    everything_else = make_sku(make_page(make_job(people.other)), attributes={"brand": people.merchant.name})
    expected, name = deleting.preview(people.merchant), people.merchant.name
    assert (expected.documents, expected.files) == (2, len(stored()))

    done = delete(people.merchant, people.admin)

    assert (done.state, done.found, done.files) == ("done", {}, expected.files) and not stored()
    assert done.rows["ingestion.job"] == 2 and done.rows["accounts.user_merchants"] == 4
    people.merchant.refresh_from_db()
    assert (people.merchant.name, people.merchant.is_active) == (f"merchant {people.merchant.pk}", False)
    assert texts(name) == ["processing_sku"], "a brand of another merchant's product is no trace of it"
    assert Sku.objects.get() == everything_else
    assert [rule.merchant for rule in FileRule.objects.all()] == [people.other] and not KeepingRule.objects.exists()
    assert [row.merchant for row in MerchantDictionary.objects.all()] == [people.other]
    assert list(Template.objects.exclude(merchant=None).values_list("merchant", flat=True)) == [people.other.pk]
    logged = ConfigChange.objects.filter(model="processing.template")
    assert [row.row for row in logged if "Quillwort" in str([row.after, row.why])] == [str(version.template_id)]
    assert [record.job.merchant for record in Record.objects.all()] == [people.other]
    assert "Quillwort" not in str(list(ConfigChange.objects.filter(row=f"m{people.merchant.pk}").values()))
    assert ConfigChange.objects.filter(name="").count() == 13, "who changed what and when stays, without what it said"
    assert ModelCall.objects.filter(settled_micro=7, answer=None).count() == 2 and Budget.objects.exists()


def test_a_persons_own_goes_and_what_they_did_stays_without_their_name(people: People, tmp_path: Path) -> None:
    job = everything(people, tmp_path / "AB.pdf", "AB")
    person = people.annotator
    User.objects.filter(pk=person.pk).update(email="anna@example.org", username="anna.t", display_name="Anna Tator")
    person.refresh_from_db()
    KnownPlace.objects.create(user=person, address="10.0.0.1", seen_at="2026-01-01T00:00Z")
    Transition.objects.filter(actor="annotator").update(actor="anna.t", reason={"to": "anna.t"})
    Page.objects.filter(job=job).update(holder="Anna Tator")
    Sku.objects.filter(job=job).update(decisions={"material": {"by": "Anna Tator"}})
    of_person = {"content_type": ContentType.objects.get_for_model(User), "object_id": str(person.pk), "action_flag": 2}
    LogEntry.objects.create(user=people.admin, object_repr="Annotator, as she was called before", **of_person)
    set_rule(None, {"sources": 5}, person)
    KeepingRule.objects.filter(merchant=None).update(sources_days=6)
    expected = deleting.preview(person)
    assert User.objects.filter(username="anna.t").exists()

    done = delete(person, people.admin)

    assert (done.state, done.found, done.rows) == ("done", {}, expected.rows)
    assert texts("anna.t", "Anna Tator", "anna@example.org") == []
    person.refresh_from_db()
    called = f"person-{person.pk}"
    assert (person.username, person.is_active, person.email, str(person)) == (called, False, "", called)
    assert not person.has_usable_password() and not person.merchants.exists()
    assert Transition.objects.filter(actor=called, reason={"to": called}).count() == 1
    assert TaskComment.objects.get().author == person and not Draft.objects.exists() and not KnownPlace.objects.exists()
    assert ConfigChange.objects.filter(by=called).count() == 1
    assert "anna" not in json.dumps(done.hashes).lower() and not LogEntry.objects.exists()


def test_the_log_of_changes_lets_names_go_and_nothing_else(people: People) -> None:
    set_rule(None, {"sources": 5}, people.lead)
    change = ConfigChange.objects.latest("pk")
    for sql in ("kind = 'made'", "at = now()", "by = 'somebody'", "after = '{\"sources_days\": 9}'", "name = 'x'"):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL catalogsku.forgets = 'on'")
            cursor.execute(f"UPDATE profiles_configchange SET {sql} WHERE id = %s AND kind <> 'x'", [change.pk])
            cursor.execute("SET LOCAL catalogsku.forgets = 'off'")
            cursor.execute(f"UPDATE profiles_configchange SET {sql} WHERE id = %s", [change.pk])
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL catalogsku.forgets = 'on'")
        cursor.execute("DELETE FROM profiles_configchange")


def test_the_last_administrator_and_who_has_a_task_in_hand_stay(people: People, tmp_path: Path) -> None:
    with pytest.raises(Conflict, match="last_admin"):
        deleting.ask(people.admin, people.admin)
    task = open_task(job := process(people, tmp_path / "AB.pdf", ["AB"]), job.pages.get())
    HumanTask.objects.filter(pk=task.pk).update(
        status="PROCESSING", locked_by=people.annotator, lock_token=1, lease_until=Now(), lock_session=task.uuid
    )
    with pytest.raises(Conflict, match="person_at_work"):
        deleting.ask(people.annotator, people.admin)


def test_documents_whose_days_are_over_as_a_whole_are_deleted_by_the_rule(people: People, tmp_path: Path) -> None:
    old, young = (ended(process(people, tmp_path / f"{n}.pdf", [n]), days) for n, days in (("AB", 40), ("CD", 20)))
    assert deleting.expire_documents() == 0
    set_rule(people.merchant, {"results": 30}, people.admin)
    assert deleting.expire_documents() == 1
    deleting.carry_out(Deletion.objects.get().pk)
    assert list(Job.objects.all()) == [young]
    done = Deletion.objects.get()
    assert (done.number, done.by_rule, done.asked_by, done.state) == (old.pk, True, None, "done")
    (tmp_path / "late").write_text("x")
    late = f"{storage.file_prefix(people.merchant.pk, old.file_sha256)}/0123456789abcdef/1.webp"
    storage.put_file(late, tmp_path / "late")
    assert scanning.scan(done, scanning.Needles()) == {"storage": 1}


def test_the_command_says_what_would_go_and_deletes_with_yes(people: People, tmp_path: Path, capsys: Any) -> None:
    job = everything(people, tmp_path / "AB.pdf", "AB")
    call_command("delete", "document", str(job.uuid), "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["rows"]["processing.sku"] == 6 and told["files"] > 5 and Job.objects.filter(pk=job.pk).exists()
    call_command("delete", "document", str(job.uuid), "--yes")
    assert "state: done" in capsys.readouterr().out and not Job.objects.exists()
    for wrong in (str(job.uuid), "nothing"):
        with pytest.raises(CommandError, match="There is no document"):
            call_command("delete", "document", wrong)
    job = process(people, tmp_path / "CD.pdf", ["CD"])
    Job.objects.filter(pk=job.pk).update(status="PROCESSING")
    with pytest.raises(CommandError, match="under_way: This document is under way"):
        call_command("delete", "document", str(job.pk), "--yes")
    call_command("delete", "person", "lead", "--yes")
    assert not User.objects.filter(username="lead").exists()


def test_the_list_for_backups_tells_numbers_and_hashes(people: People, tmp_path: Path, capsys: Any) -> None:
    job = ended(process(people, tmp_path / "Secret chairs.pdf", ["AB"]), 1)
    delete(job, people.admin)
    call_command("deletions")
    assert f"document {job.pk}: done" in capsys.readouterr().out
    call_command("deletions", "--json")
    said = capsys.readouterr().out
    (told,) = map(json.loads, said.splitlines())
    assert (told["subject"], told["number"], told["hashes"]["file"]) == ("document", job.pk, job.file_sha256)
    assert "Secret" not in said and "admin" not in said
