"""Uploads whose parts come to different machines: they share the object store and the database, and nothing else."""

import hashlib
import io
import os
import threading
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models.functions import Now

from catalogsku.core import storage
from catalogsku.core.arriving import ArrivingPart
from catalogsku.core.errors import Conflict, NotFound, Refused
from ingestion.models import Upload
from ingestion.services import receiving
from ingestion.services.receiving import Announcement
from tests.support.object_store import in_store, store
from tests.support.people import People
from tests.support.rows import in_threads

__all__ = ["in_store", "store"]

pytestmark = pytest.mark.usefixtures("in_store")
MIB = 1 << 20
PDF = b"%PDF-1.7\n" + os.urandom(3 * MIB) + b"\n%%EOF\n"
PART = MIB + 17


def begun(people: People, size: int = len(PDF)) -> Upload:
    return receiving.begin_upload(people.uploader, Announcement("chairs.pdf", size, uuid.uuid4().hex))


def give(upload: Upload, offset: int, told: bytes) -> int:
    return receiving.receive_part(upload, offset, io.BytesIO(told).read)


def machine(name: str, settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path / name
    settings.MEDIA_ROOT = settings.VAR_DIR / "storage"


def left_on(tmp_path: Path) -> list[str]:
    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    return [str(path) for path in files if "cache" not in path.parts]


@pytest.mark.django_db
@pytest.mark.parametrize("arrived_before", [False, True], ids=["read", "arrived"])
def test_parts_that_alternate_between_machines_are_one_file(
    people: People, settings: Any, tmp_path: Path, arrived_before: bool
) -> None:
    upload = begun(people)
    for number, offset in enumerate(range(0, len(PDF), PART)):
        machine("ab"[number % 2], settings, tmp_path)
        told = PDF[offset : offset + PART]
        if arrived_before:
            part = ArrivingPart(str(upload.uuid), offset)
            part.write(told)
            receiving.receive_part(upload, offset, io.BytesIO().read, part)
            part.close()
        else:
            give(upload, offset, told)
        assert left_on(tmp_path) == []
    machine("c", settings, tmp_path)
    job, earlier = receiving.finish_upload(people.uploader, upload)
    assert (job.file_sha256, earlier) == (hashlib.sha256(PDF).hexdigest(), None)
    assert job.head_sha256 == hashlib.sha256(PDF[:MIB]).hexdigest()
    with storage.open_file(job.source_key) as source:
        assert source.read() == PDF
    assert list(storage.walk("")) == [job.source_key] and left_on(tmp_path) == []


@pytest.mark.django_db
def test_a_part_that_was_put_in_vain_is_of_no_account(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its sender gave up, another window sends the same; or the machine died between store and database."""
    upload = begun(people)
    give(upload, 0, PDF[:PART])
    with monkeypatch.context() as broken:
        broken.setattr("ingestion.services.parts.RawSQL", lambda *said: (_ for _ in ()).throw(OSError("killed")))
        with pytest.raises(OSError, match="killed"):
            give(upload, PART, b"what nobody committed")
    assert len(list(storage.walk("uploads"))) == 2
    give(upload, PART, PDF[PART:])
    job, _ = receiving.finish_upload(people.uploader, upload)
    assert job.file_sha256 == hashlib.sha256(PDF).hexdigest()
    assert list(storage.walk("uploads")) == []


@pytest.mark.usefixtures("committed")
def test_of_two_windows_that_send_the_same_part_one_wins(people: People) -> None:
    upload = begun(people)
    meet, outcomes = threading.Barrier(2), []

    def send() -> None:
        mine = Upload.objects.get(pk=upload.pk)
        meet.wait(20)
        try:
            outcomes.append(give(mine, 0, PDF))
        except Conflict as refused:
            outcomes.append(refused.code)

    in_threads([send, send])
    assert sorted(map(str, outcomes)) == [str(len(PDF)), "offset_mismatch"]
    upload.refresh_from_db()
    assert len(upload.parts) == 1 and list(storage.walk("uploads")) == upload.parts


@pytest.mark.django_db
def test_what_is_refused_leaves_nothing(people: People, settings: Any) -> None:
    no_pdf = begun(people)
    with pytest.raises(Refused, match="not_a_pdf"):
        give(no_pdf, 0, b"PK" + PDF[2:])
    settings.UPLOAD_CHUNK_BYTES = 1000
    with pytest.raises(Refused, match="chunk_too_large"):
        give(begun(people), 0, PDF[:1001])
    assert list(storage.walk("")) == []


@pytest.mark.django_db
def test_an_upload_that_has_ended_is_gone(people: People) -> None:
    upload = begun(people)
    give(upload, 0, PDF)
    receiving.abandon_upload(upload)
    assert list(storage.walk("")) == []
    with pytest.raises(NotFound, match="upload_gone"):
        receiving.finish_upload(people.uploader, upload)


@pytest.mark.django_db
def test_what_nobody_ends_is_cleared_and_what_is_under_way_stays(people: People) -> None:
    under_way, expired, foreign = begun(people), begun(people), begun(people)
    for upload in (under_way, expired, foreign):
        give(upload, 0, PDF[:PART])
    Upload.objects.filter(pk=expired.pk).update(expires_at=Now() - timedelta(hours=1))
    Upload.objects.filter(pk=foreign.pk).delete()  # as where its row was deleted and its machine died
    assert receiving.clean_uploads(lone_after_s=-60) == {"expired": 1, "files": 1}
    under_way.refresh_from_db()
    assert list(storage.walk("uploads")) == under_way.parts
    give(under_way, PART, PDF[PART:])
    assert receiving.finish_upload(people.uploader, under_way)[0].source_bytes == len(PDF)
