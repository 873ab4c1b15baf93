"""Parts of uploads that the web process has taken: copied to their place, hashed as they came, gone from its side."""

import errno
import hashlib
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catalogsku.core import arriving
from catalogsku.core.arriving import ArrivingPart
from catalogsku.core.errors import NotFound, Refused, Unavailable
from ingestion.models import Job, Upload
from ingestion.services import parts as upload_parts
from ingestion.services import receiving
from tests.support.people import People

pytestmark = pytest.mark.django_db
MIB = 1 << 20
PDF = b"%PDF-1.7\n" + os.urandom(3 * MIB) + b"\n%%EOF\n"


@pytest.fixture(autouse=True)
def _own_storage(tmp_path: Path, settings: Any) -> Iterator[None]:
    settings.MEDIA_ROOT = tmp_path
    default = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(tmp_path)}}
    settings.STORAGES = {**settings.STORAGES, "default": default}
    arriving._hashes.clear()
    yield
    arriving._hashes.clear()


@pytest.fixture
def upload(people: People) -> Upload:
    file = receiving.Announcement("chairs.pdf", len(PDF), uuid.uuid4().hex, again=True)
    return receiving.begin_upload(people.uploader, file)


def took(upload: Upload, offset: int, data: bytes) -> ArrivingPart:
    """As the web process does, in pieces."""
    part = ArrivingPart(str(upload.uuid), offset)
    for at in range(0, len(data), 100_000):
        part.write(data[at : at + 100_000])
    return part


def received(upload: Upload, offset: int, data: bytes) -> int:
    part = took(upload, offset, data)
    try:
        return receiving.receive_part(upload, offset, _nothing_to_read, part)
    finally:
        part.close()


def _nothing_to_read(_: int) -> bytes:
    raise AssertionError("it is on the disk already")


def left() -> list[str]:
    return sorted(path.name for path in arriving.folder().iterdir() if path.name.endswith(".arriving"))


def finished(people: People, upload: Upload) -> Job:
    return receiving.finish_upload(people.uploader, upload)[0]


def test_parts_become_the_file_and_no_byte_is_hashed_again(
    people: People, upload: Upload, monkeypatch: pytest.MonkeyPatch
) -> None:
    for start, end in ((0, 10), (10, MIB), (MIB, len(PDF))):
        assert received(upload, start, PDF[start:end]) == end
    again: list[str | None] = []
    hashes = receiving._hashes

    def told(path: Path, known: str | None) -> tuple[str, str]:
        again.append(known)
        return hashes(path, known)

    monkeypatch.setattr(receiving, "_hashes", told)
    job = finished(people, upload)
    assert again == [job.file_sha256 == hashlib.sha256(PDF).hexdigest() and job.file_sha256]
    assert job.head_sha256 == hashlib.sha256(PDF[:MIB]).hexdigest() and left() == []
    stored = next(Path(arriving.settings.MEDIA_ROOT).rglob("source.pdf"))
    assert stored.read_bytes() == PDF and not arriving._hashes


def test_a_part_that_another_process_took_is_hashed_at_the_end(people: People, upload: Upload) -> None:
    received(upload, 0, PDF[:MIB])
    arriving._hashes.clear()  # as in a process that has seen nothing of it
    received(upload, MIB, PDF[MIB:])
    assert arriving.sha256_of(str(upload.uuid), len(PDF)) is None
    assert finished(people, upload).file_sha256 == hashlib.sha256(PDF).hexdigest()


def test_of_parts_that_go_to_and_fro_between_processes_no_stale_hash_is_gone_on_with(
    people: People, upload: Upload
) -> None:
    received(upload, 0, PDF[:MIB])
    stale = dict(arriving._hashes)
    arriving._hashes.clear()
    received(upload, MIB, PDF[MIB : 2 * MIB])  # by another process
    arriving._hashes.update(stale)
    received(upload, 2 * MIB, PDF[2 * MIB :])
    assert finished(people, upload).file_sha256 == hashlib.sha256(PDF).hexdigest()


def test_a_part_sent_again_with_other_bytes_is_hashed_from_what_counted(people: People, upload: Upload) -> None:
    received(upload, 0, PDF[:MIB])
    took(upload, MIB, b"never received" * 9000).close()
    received(upload, MIB, PDF[MIB:])
    assert finished(people, upload).file_sha256 == hashlib.sha256(PDF).hexdigest()


def test_nothing_follows_what_has_gone(upload: Upload) -> None:
    received(upload, 0, PDF[:MIB])
    upload_parts._file_of(upload).unlink()
    with pytest.raises(NotFound, match="upload_gone"):
        received(upload, MIB, PDF[MIB:])


def test_a_file_that_goes_while_old_ones_are_looked_for_stops_nobody(
    upload: Upload, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = arriving.folder() / "gone.part"
    monkeypatch.setattr(Path, "iterdir", lambda _: iter([gone]))
    assert receiving.clean_uploads(60.0) == {"expired": 0, "files": 0}


def test_what_is_too_long_is_refused_and_counts_for_nothing(upload: Upload) -> None:
    with pytest.raises(Refused, match="chunk_too_large"):
        received(upload, 0, PDF + b"more")
    upload.refresh_from_db()
    assert (upload.offset_bytes, left(), dict(arriving._hashes)) == (0, [], {})


@pytest.mark.parametrize("when", ["made", "written"])
def test_a_full_disk_is_told_as_such_and_the_offset_stays(
    upload: Upload, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    if when == "made":
        monkeypatch.setattr(arriving.private_files, "make_folder", full)
    else:
        monkeypatch.setattr(arriving, "_write_all", full)
    part = took(upload, 0, PDF[:MIB])
    monkeypatch.undo()
    with pytest.raises(Unavailable, match="disk_full"):
        receiving.receive_part(upload, 0, _nothing_to_read, part)
    part.close()
    upload.refresh_from_db()
    assert (upload.offset_bytes, left()) == (0, [])


@pytest.mark.parametrize("kernel", [errno.EXDEV, errno.ENOSYS, 0])
def test_a_kernel_that_does_not_copy_is_done_without(
    upload: Upload, monkeypatch: pytest.MonkeyPatch, kernel: int
) -> None:
    def cannot(*_: int) -> int:
        if kernel:
            raise OSError(kernel, os.strerror(kernel))
        return 0

    monkeypatch.setattr(os, "copy_file_range", cannot)
    received(upload, 0, PDF)
    assert upload_parts._file_of(upload).read_bytes() == PDF


def test_who_goes_while_it_is_copied_does_no_harm(upload: Upload, monkeypatch: pytest.MonkeyPatch) -> None:
    part, copied = took(upload, 0, PDF), arriving._copied

    def gone(*given: int) -> int:
        part.close()
        return copied(*given)

    monkeypatch.setattr(arriving, "_copied", gone)
    assert receiving.receive_part(upload, 0, _nothing_to_read, part) == len(PDF)
    assert upload_parts._file_of(upload).read_bytes() == PDF
    with pytest.raises(ConnectionAbortedError):
        part.copy_to(0, 0)


def test_hashes_are_kept_of_so_many_uploads_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arriving, "HASHES_KEPT", 3)
    for name in "abcd":
        part = ArrivingPart(name, 0)
        part.write(b"x")
        part.committed(name, 1)
        part.close()
    assert list(arriving._hashes) == ["b", "c", "d"]
    assert arriving.sha256_of("a", 1) is None
    assert arriving.sha256_of("d", 1) == hashlib.sha256(b"x").hexdigest()
