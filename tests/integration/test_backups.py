"""Backups: whole or not at all, checked before anything is touched, and an installation that comes back from one."""

import errno
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import redis
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from catalogsku.core import storage
from catalogsku.core.facts import Figures, figures_of
from catalogsku.core.models import PeriodicRun, Worker
from ingestion.backups import manifest as manifests
from ingestion.backups import postgres
from ingestion.backups.manifest import BackupRefused, Manifest, backups_in, read
from ingestion.backups.selectors import last_backup
from ingestion.backups.services import making, restoring, scheduling
from ingestion.backups.services.making import make_backup
from ingestion.backups.services.repeating import repeat_deletions
from ingestion.backups.services.restoring import restore
from ingestion.backups.services.verifying import refuse_newer, verify
from ingestion.keeping.models import Deletion
from ingestion.keeping.selectors import told_deletions
from ingestion.keeping.services import deleting
from ingestion.models import Job, Upload
from processing.management.commands.doctor import check_backups
from processing.models import Edition, WebhookCursor
from processing.webhooks.services import outbox
from tests.support.hooks import make_endpoint, read_pages
from tests.support.kept import own_storage
from tests.support.people import People
from tests.support.rows import make_job, make_page

PROJECT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.req("TA-BACKUP"), pytest.mark.usefixtures("committed"), pytest.mark.timeout(180)]


@pytest.fixture(autouse=True)
def own(settings: Any, tmp_path: Path, committed: None) -> None:
    own_storage(settings, tmp_path / "storage")
    (tmp_path / "storage").mkdir()


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "backups"


def accepted(people: People, text: str, status: str = "FULL_IMPORTED") -> Job:
    """A document, and its file as an upload stores it."""
    job = make_job(people.merchant, status)
    key = f"{storage.file_prefix(people.merchant.pk, job.file_sha256)}/source.pdf"
    file = Path(storage.default_storage.path("")) / "uploads" / "scratch"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    storage.put_file(key, file)
    file.unlink()
    Job.objects.filter(pk=job.pk).update(source_key=key)
    job.source_key = key
    return job


def path_of(job: Job) -> Path:
    return Path(storage.default_storage.path(job.source_key))


@pytest.fixture
def elsewhere(process_environment: dict[str, str], tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of an installation with nothing in it."""
    url = urlsplit(process_environment["DATABASE_URL"])
    name = f"restored_{os.getpid()}"
    with psycopg.connect(process_environment["DATABASE_URL"], autocommit=True) as beside:
        beside.execute(f'CREATE DATABASE "{name}"')
        address = urlunsplit(url._replace(path=f"/{name}"))
        own = {"DATABASE_URL": address, "STORAGE_URL": f"file://{tmp_path}/again", "REDIS_NAMESPACE": "elsewhere"}
        yield {**process_environment, **own}
        beside.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def manage(environment: dict[str, str], *arguments: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "ignore", "manage.py", *map(str, arguments)]
    return subprocess.run(command, env=environment, cwd=PROJECT, capture_output=True, text=True, timeout=150)


def refused(code: str, call: Any, *arguments: Any, **options: Any) -> None:
    with pytest.raises(BackupRefused) as told:
        call(*arguments, **options)
    assert told.value.code == code, told.value


def only(target: Path) -> Path:
    (folder,) = backups_in(target)
    return folder


def test_an_installation_comes_back_and_what_was_in_hand_is_in_nobodys_hands(
    people: People, target: Path, elsewhere: dict[str, str], tmp_path: Path
) -> None:
    job = accepted(people, "%PDF of before", "PROCESSING")
    worker = Worker.objects.create(unit="cpu", host="gone", pid=7, threads=1)
    page = make_page(job, stage="READ", worker=worker.pk, claim_token=5, claimed_at=timezone.now())
    soon = timezone.now() + timedelta(hours=1)
    under_way = {"merchant": people.merchant, "user": people.uploader, "expires_at": soon}
    Upload.objects.create(name="half.pdf", size_bytes=100, offset_bytes=50, idempotency_key="half", **under_way)
    Session.objects.create(session_key="of-then", session_data="", expire_date=soon)
    manifest = make_backup(target)
    accepted(people, "%PDF of after")
    broker = redis.Redis.from_url(elsewhere["REDIS_URL"])
    broker.mset({"elsewhere:cpu.msgs": "old", "elsewhere2:cpu.msgs": "of others"})

    done = manage(elsewhere, "restore", only(target))

    assert done.returncode == 0, done.stdout + done.stderr
    assert f"accepted until {manifest.taken_at}" in done.stdout and "begin anew: 1" in done.stdout
    audited = done.stdout.partition("--- audit")[2].partition("--- doctor")[0]
    assert "jobs_against_pages" in audited and "differs" not in audited, done.stdout
    assert "documents without their file" not in done.stdout
    assert (broker.delete("elsewhere:cpu.msgs"), broker.delete("elsewhere2:cpu.msgs")) == (0, 1)
    with psycopg.connect(elsewhere["DATABASE_URL"]) as again:
        assert again.execute("SELECT id, source_key FROM ingestion_job").fetchall() == [(job.pk, job.source_key)]
        held = "SELECT id, stage, worker, claim_token, losses FROM ingestion_page"
        assert again.execute(held).fetchall() == [(page.pk, "READ", None, None, 0)]
        for table in ("core_worker", "django_session", "ingestion_upload"):
            assert again.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table  # type: ignore[arg-type]
        # A sequence goes on where it stood.
        (following,) = again.execute("SELECT nextval(pg_get_serial_sequence('ingestion_job', 'id'))").fetchone() or (0,)
        assert following > job.pk
    restored = tmp_path / "again" / job.source_key
    assert restored.read_bytes() == b"%PDF of before" and stat.S_IMODE(restored.stat().st_mode) == 0o600
    assert restored.stat().st_mtime_ns == path_of(job).stat().st_mtime_ns

    again_refused = manage(elsewhere, "restore", only(target))
    assert again_refused.returncode == 1 and "database_not_empty" in again_refused.stderr
    replaced = manage(elsewhere, "restore", only(target), "--replace")
    assert replaced.returncode == 0, replaced.stdout + replaced.stderr


def test_files_that_an_earlier_backup_has_are_not_copied_again_and_so_many_stay(people: People, target: Path) -> None:
    first = accepted(people, "%PDF first")
    assert make_backup(target).files_copied == 1
    accepted(people, "%PDF second")
    later = make_backup(target)
    assert (later.files, later.files_copied) == (2, 1)
    before, after = backups_in(target)
    assert (before / "files" / first.source_key).samefile(after / "files" / first.source_key)
    assert not (after / "files" / first.source_key).samefile(path_of(first)), "the product's own is another"

    make_backup(target, keep=2)
    assert backups_in(target)[0] == after and len(backups_in(target)) == 2
    for folder in backups_in(target):
        verify(folder)


def test_only_its_owner_reads_it_and_it_holds_no_key(people: People, target: Path, settings: Any) -> None:
    settings.SECRET_KEY = "a-key-that-stands-nowhere-in-it"  # not-a-secret
    accepted(people, "%PDF")
    make_backup(target)
    for path in (target, *target.rglob("*")):
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == wanted, path
        assert path.is_dir() or settings.SECRET_KEY.encode() not in path.read_bytes()


def damage(folder: Path, what: str) -> None:
    manifest, dump, listed = (folder / name for name in (manifests.MANIFEST, manifests.DUMP, manifests.HASHES))
    (file,) = (path for path in (folder / "files").rglob("*") if path.is_file())
    if what == "manifest_damaged":
        manifest.write_text(manifest.read_text()[:-40])
    elif what == "no_backup":
        manifest.unlink()
    elif what == "manifest_unknown":
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "format": 99}))
    elif what == "dump_damaged":
        whole = bytearray(dump.read_bytes())
        whole[len(whole) // 2] ^= 1
        dump.write_bytes(whole)
    elif what == "list_damaged":
        listed.write_text("")
    elif what == "file_damaged":
        file.write_text("another")
    elif what == "file_missing":
        file.unlink()
    elif what == "file_unknown":
        (file.parent / "more.pdf").write_text("more")


HARMS = ("manifest_damaged", "no_backup", "manifest_unknown", "dump_damaged", "list_damaged", "file_damaged",
         "file_missing", "file_unknown")  # fmt: skip


@pytest.mark.parametrize("what", HARMS)
def test_a_damaged_backup_is_refused_before_anything_is_touched(people: People, target: Path, what: str) -> None:
    job = accepted(people, "%PDF")
    make_backup(target)
    folder = only(target)
    damage(folder, what)
    refused(what, restore, folder, replace=True)
    with pytest.raises(CommandError, match=what):
        call_command("backup", "--verify", str(folder))
    assert Job.objects.filter(pk=job.pk).exists() and path_of(job).read_text() == "%PDF"


def test_a_backup_of_a_newer_product_is_refused(people: People, target: Path) -> None:
    make_backup(target)
    file = only(target) / manifests.MANIFEST
    told = json.loads(file.read_text())
    refuse_newer(read(only(target)))
    for newer in ({"product": "99.0.0"}, {"migrations": [*told["migrations"], "ingestion.9999_later"]}):
        refused("backup_newer", refuse_newer, Manifest(**{**told, **newer}))
    refuse_newer(Manifest(**{**told, "product": "0.9.1", "migrations": told["migrations"][:-1]}))


@pytest.mark.long
def test_the_database_of_an_older_version_is_brought_up_to_date(elsewhere: dict[str, str], target: Path) -> None:
    for arguments in (("migrate", "-v0"), ("migrate", "annotation", "0004", "-v0"), ("backup", target)):
        done = manage(elsewhere, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
    assert not [name for name in read(only(target)).migrations if name.endswith("_audit_passes")]
    done = manage(elsewhere, "restore", only(target))
    assert done.returncode == 0, done.stdout + done.stderr
    with psycopg.connect(elsewhere["DATABASE_URL"]) as again:
        assert again.execute("SELECT to_regclass('annotation_auditpass') IS NOT NULL").fetchone() == (True,)


@pytest.mark.parametrize("full", ["files", "database"])
def test_a_full_disk_leaves_no_half_backup_and_says_so(
    people: People, target: Path, monkeypatch: pytest.MonkeyPatch, full: str
) -> None:
    accepted(people, "%PDF")

    def no_room(*arguments: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    if full == "files":
        monkeypatch.setattr(making, "_copy_hashed", no_room)
    else:
        dump = postgres.dump

        def into_nothing(snapshot: str, file: Path) -> None:
            dump(snapshot, Path("/dev/full"))

        monkeypatch.setattr(postgres, "dump", into_nothing)
    refused("target_full", scheduling.make_and_note, target, None)
    assert [path.name for path in target.iterdir()] == [".lock"]
    assert last_backup().taken_at is None and last_backup().error.startswith("target_full")


def test_what_was_deleted_while_it_was_copied_is_told_and_what_came_later_is_not_taken(
    people: People, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stays, goes = accepted(people, "%PDF stays"), accepted(people, "%PDF goes")
    dump = postgres.dump

    def dumping(snapshot: str, file: Path) -> None:
        dump(snapshot, file)
        storage.delete_file(goes.source_key)
        late = path_of(stays).with_name("late.pdf")
        late.write_text("%PDF late")
        os.utime(late, (timezone.now().timestamp() + 3600,) * 2)

    monkeypatch.setattr(postgres, "dump", dumping)
    manifest = make_backup(target)
    assert manifest.gone == [goes.source_key]
    assert [name for name, _ in manifests.hashes_in(only(target))] == [stays.source_key]
    assert manifest.rows["ingestion_job"] == 2
    verify(only(target))


def test_one_at_a_time_and_never_into_the_storage(people: People, target: Path, tmp_path: Path) -> None:
    refused("target_inside_storage", make_backup, tmp_path / "storage" / "backups")
    with making._alone(target):
        refused("under_way", scheduling.make_and_note, target, None)
    assert not PeriodicRun.objects.exists()
    (target / "backup.part").mkdir()  # of one that was killed
    make_backup(target)
    assert only(target) and not list(target.glob("*.part"))


def test_what_was_deleted_since_is_deleted_again(people: People, target: Path) -> None:
    kept, gone, at_work = accepted(people, "%PDF kept"), accepted(people, "%PDF gone"), accepted(people, "%PDF other")
    Job.objects.filter(pk=at_work.pk).update(status="PROCESSING")
    make_page(at_work, stage="READ")
    number = gone.pk
    deletion = deleting.ask(gone, None, here=True)
    deleting.carry_out(deletion.pk)
    lines = [json.dumps(told) for told in told_deletions()]
    asked = {**json.loads(lines[0]), "number": at_work.pk, "hashes": deleting.hashes_of(at_work)}
    mistaken = {**asked, "number": kept.pk}
    assert repeat_deletions(lines) == {"absent": 1}

    Deletion.objects.all().delete()  # the database of before has neither the record nor the deletion
    back = make_job(people.merchant, "FULL_IMPORTED", id=number, uuid=gone.uuid, file_sha256=gone.file_sha256)
    Job.objects.filter(pk=number).update(source_name=gone.source_name)
    assert back.uuid == gone.uuid
    listed = [*lines, json.dumps(asked), json.dumps(mistaken)]
    assert repeat_deletions(listed) == {"deleted": 2, "other": 1}
    assert set(Job.objects.values_list("pk", flat=True)) == {kept.pk}
    refused("list_damaged", repeat_deletions, ["{}"])


def test_the_list_of_deletions_lies_beside_the_backups(people: People, target: Path) -> None:
    job = accepted(people, "%PDF")
    make_backup(target)
    assert (target / manifests.DELETIONS).read_text() == ""
    deleting.carry_out(deleting.ask(job, None, here=True).pk)
    make_backup(target)
    (told,) = map(json.loads, (target / manifests.DELETIONS).read_text().splitlines())
    assert (told["subject"], told["number"]) == ("document", job.pk)


def test_one_is_made_by_itself_where_a_setting_says_so(
    people: People, target: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ingestion import actors

    sent = list[str]()
    monkeypatch.setattr(scheduling.messages, "send", lambda name: not sent.append(name))  # type: ignore[func-returns-value]
    assert actors.make_backup_where_one_is_due() == {"due": 0}
    settings.BACKUP_TO, settings.BACKUP_EVERY_HOURS, settings.BACKUP_KEEP = str(target), 24, 1
    assert actors.make_backup_where_one_is_due() == {"due": 1, "sent": 1} and sent == ["make_backup"]
    actors.make_backup.fn()
    assert only(target)
    assert actors.make_backup_where_one_is_due() == {"due": 0}
    PeriodicRun.objects.update(outcome={"taken_at": (timezone.now() - timedelta(hours=24)).isoformat()})
    assert actors.make_backup_where_one_is_due()["due"] == 1


def test_the_command_makes_one_and_tells_of_it(people: People, target: Path, capsys: Any) -> None:
    accepted(people, "%PDF")
    call_command("backup", str(target), "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["files"], told["copied"], told["gone"]) == (1, 1, 0)
    call_command("backup", "--verify", str(only(target)), "--json")
    assert json.loads(capsys.readouterr().out)["whole"] is True
    with pytest.raises(CommandError, match="Name the folder"):
        call_command("backup")


def test_doctor_and_metrics_say_how_old_the_last_one_is(people: People, target: Path, settings: Any) -> None:
    def doctor() -> list[tuple[str, str]]:
        return [(finding.level, finding.text) for finding in check_backups()]

    def metrics() -> list[Figures]:
        return [figures_of("backup_last_timestamp_seconds"), figures_of("backup_overdue")]

    assert doctor()[0][1].startswith("none is on record") and metrics() == [{}, {(): 0.0}]
    settings.BACKUP_EVERY_HOURS = 24
    assert metrics() == [{}, {(): 1.0}]
    told = scheduling.make_and_note(target, None)
    taken_at = datetime.fromisoformat(told["taken_at"])
    assert doctor() == [("ok", "last backup 0.0 h ago")]
    assert metrics() == [{(): taken_at.timestamp()}, {(): 0.0}]
    PeriodicRun.objects.update(outcome={"taken_at": (taken_at - timedelta(hours=49)).isoformat()})
    assert doctor() == [("warning", "last backup 49.0 h ago")] and metrics()[1] == {(): 1.0}
    settings.BACKUP_EVERY_HOURS = 0
    assert doctor()[0][0] == "ok"
    refused("target_unusable", scheduling.make_and_note, target / manifests.DELETIONS / "below", None)
    assert doctor()[1][1].startswith("the last try failed: target_unusable") and metrics()[1] == {(): 1.0}


def in_a_cluster_that_has_run_for_long() -> None:
    """Numbers of transactions that this one has not come to; the earlier half of what happened has been told."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE core_transition SET changed = (10::numeric ^ 12 + id)::bigint::text::xid8")
        cursor.execute("UPDATE ingestion_page SET changed = '1000000000000'::xid8")
        cursor.execute("SELECT max(id) + 10::numeric ^ 12 FROM core_transition")
        WebhookCursor.objects.update(position=int(cursor.fetchone()[0]))


def test_what_was_not_told_is_told_and_what_comes_is_news_in_a_new_cluster(people: People, target: Path) -> None:
    endpoint, job = make_endpoint(people.merchant), make_job(people.merchant)
    edition = Edition.objects.create(job=job, predecessor=make_job(people.merchant), origin="declared", compared=10**12)
    read_pages(job, 1)
    read_pages(job, 2)
    in_a_cluster_that_has_run_for_long()
    manifest = Manifest(**{**json.loads(json.dumps(asdict(make_backup(target)))), "transactions": 2 * 10**12})

    restoring._set_right(manifest)

    def told() -> list[int]:
        bodies = endpoint.deliveries.order_by("pk").values_list("body", flat=True)
        return [json.loads(body)["data"]["page_number"] for body in bodies]

    assert told() == [2], "the first one had been told"
    assert outbox.write_deliveries() == 0
    read_pages(job, 3)
    assert outbox.write_deliveries() == 1 and told() == [2, 3]
    edition.refresh_from_db()
    assert edition.compared is None
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM ingestion_page WHERE changed >= pg_snapshot_xmax(pg_current_snapshot())")
        assert cursor.fetchone() == (0,)


def test_a_full_disk_while_restoring_is_told(people: People, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    accepted(people, "%PDF")
    make_backup(target)

    def no_room(*arguments: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(storage, "put_back", no_room)
    refused("target_full", restoring._put_back, only(target))
