"""Files in an object store, over HTTP against a server that speaks S3; and what a machine keeps to read from."""

import hashlib
import os
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

import pytest
from django.core.exceptions import ImproperlyConfigured, SuspiciousFileOperation
from django.core.files.base import ContentFile

from catalogsku.core import host_cache, storage
from catalogsku.core.object_storage import ObjectStorage, options_of
from processing.management.commands import doctor
from tests.support.object_store import in_store, store

__all__ = ["in_store", "store"]

MB = 1_000_000


def put(key: str, told: bytes, folder: Path) -> None:
    path = folder / uuid.uuid4().hex
    path.write_bytes(told)
    storage.put_file(key, path)


def test_files_go_in_and_come_out(in_store: ObjectStorage, tmp_path: Path) -> None:
    large = os.urandom(12 * MB)
    put("m1/ab/source.pdf", large, tmp_path)
    assert storage.has_file("m1/ab/source.pdf") and not storage.has_file("m1/ab")
    assert storage.size_of("m1/ab/source.pdf") == len(large) and storage.size_of("m1/none") == 0
    with storage.open_file("m1/ab/source.pdf") as file:
        assert file.read(10) == large[:10]
        assert file.seek(11 * MB) == 11 * MB and file.tell() == 11 * MB
        assert file.read() == large[11 * MB :]
    with storage.open_file("m1/ab/source.pdf") as file:
        assert b"".join(file.chunks()) == large
    said = storage.stored("m1/ab/source.pdf")
    assert said.size == len(large) and abs(said.modified_ns / 1e9 - time.time()) < 120
    with pytest.raises(FileNotFoundError):
        storage.open_file("m1/none.pdf")
    with pytest.raises(FileNotFoundError):
        storage.stored("m1/none.pdf")
    with pytest.raises(NotImplementedError):
        in_store.path("m1/ab/source.pdf")


def test_only_a_large_file_is_asked_for_before_it_is_put(
    in_store: ObjectStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    exists = ObjectStorage.exists
    monkeypatch.setattr(ObjectStorage, "exists", lambda self, name: asked.append(name) or exists(self, name))
    for _ in range(2):
        put("m1/ab/1.webp", b"a picture", tmp_path)
    assert asked == []
    put("m1/ab/source.pdf", b"%PDF" * MB, tmp_path)
    put("m1/ab/source.pdf", b"% is kept" * MB, tmp_path)
    assert asked == ["m1/ab/source.pdf"] * 2
    with storage.open_file("m1/ab/1.webp") as small, storage.open_file("m1/ab/source.pdf") as large:
        assert small.read() == b"a picture" and large.read(4) == b"%PDF"


def test_folders_are_walked_and_go(in_store: ObjectStorage, tmp_path: Path) -> None:
    names = ["m1/a/source.pdf", "m1/a/pages/1.webp", "m1/a/pages/2.webp", "m1/ab/source.pdf", "m2/source.pdf"]
    for name in names:
        put(name, name.encode(), tmp_path)
    assert sorted(storage.walk("")) == sorted(names)
    assert sorted(storage.walk("m1/a")) == sorted(names[:3]), "and not what only begins like it"
    assert sorted(storage.names_in("m1/a/pages")) == ["1.webp", "2.webp"] and storage.names_in("m9") == []
    storage.delete_folder("m1/a/pages")
    storage.delete_file("m2/source.pdf")
    storage.delete_file("m2/source.pdf")  # twice is once
    storage.delete_empty("m1")
    assert sorted(storage.walk("")) == ["m1/a/source.pdf", "m1/ab/source.pdf"]


def test_a_file_of_a_backup_comes_back_into_it(in_store: ObjectStorage, tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(b"as it was")
    storage.put_back("m1/a/source.pdf", tmp_path / "kept")
    with storage.open_file("m1/a/source.pdf") as file:
        assert file.read() == b"as it was"
    assert list(storage.walk("")) == ["m1/a/source.pdf"]


@pytest.mark.parametrize("name", ["../other/source.pdf", "m1/../../source.pdf", "/etc/passwd"])
def test_no_name_leaves_the_prefix(in_store: ObjectStorage, name: str) -> None:
    for act in (in_store.exists, in_store.delete, in_store.open, in_store.listdir):
        with pytest.raises(SuspiciousFileOperation):
            act(name)
    with pytest.raises(SuspiciousFileOperation):
        in_store.save(name, ContentFile(b"x"))


@pytest.mark.parametrize(
    "url",
    [
        "s3://",
        "s3:///prefix",
        "gs://bucket",
        "s3://key:secret@bucket/x",
        "s3://bucket?style=odd",
        "s3://bucket?endpont=https://x",
        "s3://bucket?endpoint=ftp://x",
    ],
)
def test_an_address_that_is_none_is_refused_with_a_sentence(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="STORAGE_URL: "):
        options_of(url)


def test_what_an_address_says() -> None:
    asked = options_of("s3://shop.example/deep/er?endpoint=https://oss-cn-hangzhou.aliyuncs.com&region=x&style=virtual")
    assert (asked["bucket"], asked["prefix"], asked["region"]) == ("shop.example", "deep/er", "x")
    assert asked["virtual_hosted_style_request"] is True and asked["client_options"]["allow_http"] is False
    assert options_of("s3://shop")["prefix"] is None


# --- the cache ---------------------------------------------------------------------------------------


def counting(told: bytes, fetched: list[str], wait_s: float = 0.0) -> host_cache.Fetch:
    def fetch(target: IO[bytes]) -> None:
        fetched.append(threading.current_thread().name)
        time.sleep(wait_s)
        target.write(told)

    return fetch


def test_many_who_want_a_file_at_once_fetch_it_once(in_store: ObjectStorage) -> None:
    told, fetched = os.urandom(MB), []  # type: ignore[var-annotated]

    def use(_: int) -> str:
        with host_cache.cached("m1/source.pdf", counting(told, fetched, wait_s=0.3)) as path:
            return hashlib.sha256(path.read_bytes()).hexdigest()

    with ThreadPoolExecutor(12) as users:
        assert set(users.map(use, range(24))) == {hashlib.sha256(told).hexdigest()}
    assert len(fetched) == 1
    assert not list((host_cache.folder() / "use").iterdir()), "whoever used it has let go"


def test_a_fetch_that_ends_early_leaves_nothing(in_store: ObjectStorage) -> None:
    def fails(target: IO[bytes]) -> None:
        target.write(b"half of it")
        raise OSError("the store is away")

    with pytest.raises(OSError, match="away"), host_cache.cached("m1/source.pdf", fails):
        pass
    assert not [path for path in host_cache.folder().rglob("*") if path.is_file() and path.parent.name != "locks"]
    with pytest.raises(FileNotFoundError), storage.local_copy("m1/none.pdf"):
        pass


def test_what_was_not_wanted_longest_makes_room_and_nobody_loses_what_they_use(
    in_store: ObjectStorage, settings: Any
) -> None:
    settings.STORAGE_CACHE_MB = 3
    fetched: list[str] = []

    def want(name: str) -> None:
        with host_cache.cached(name, counting(os.urandom(MB), fetched)):
            time.sleep(0.02)

    for name in "abc":
        want(name)
    want("a")
    assert len(fetched) == 3
    with host_cache.cached("b", counting(b"", fetched)) as used:
        os.utime(host_cache.folder() / "files" / "b", (1, 1))
        want("d")
        assert len(used.read_bytes()) == MB, "it went, and is here as long as it is used"
    assert {path.name for path in (host_cache.folder() / "files").iterdir()} == {"a", "c", "d"}
    want("a"), want("c"), want("d")
    assert len(fetched) == 4
    want("b")
    assert len(fetched) == 5


def test_what_is_deleted_goes_from_here_at_once_and_from_other_machines_with_the_next_look(
    in_store: ObjectStorage, tmp_path: Path
) -> None:
    for name in ("m1/here.pdf", "m1/elsewhere.pdf", "m1/stays.pdf"):
        put(name, name.encode(), tmp_path)
        with storage.local_copy(name) as path:
            assert path.read_bytes() == name.encode()
    files = host_cache.folder() / "files"
    storage.delete_file("m1/here.pdf")
    assert not (files / "m1/here.pdf").exists()
    in_store.delete("m1/elsewhere.pdf")  # as another machine does
    killed = host_cache.folder() / "use" / "of-a-killed-process.pdf"
    killed.write_bytes(b"x")
    assert host_cache.tidy_up(storage.has_file) == {"deleted": 1, "left_behind": 0}
    assert [path.name for path in (files / "m1").iterdir()] == ["stays.pdf"]
    assert killed.exists(), "it may be in use for a while"


def test_the_doctor_puts_a_file_there_and_takes_it_back(in_store: ObjectStorage) -> None:
    (told,) = doctor.check_object_store()
    assert told.level == "ok" and "endpoint" not in told.text
    assert list(storage.walk("")) == []


def test_a_store_that_is_away_is_an_error_of_files(
    in_store: ObjectStorage, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("catalogsku.core.object_storage.RETRIES", 0)
    away = ObjectStorage("s3://catalogues/x?endpoint=http://127.0.0.1:9")
    for act in (away.exists, away.open, away.size, away.listdir):
        with pytest.raises(OSError, match="x"):
            act("x")


def test_a_forked_process_does_not_wait_for_threads_that_it_does_not_have(in_store: ObjectStorage) -> None:
    in_store.exists("x")
    reads, writes = os.pipe()
    if (child := os.fork()) == 0:
        try:
            in_store.exists("x")
        except OSError as error:
            os.write(writes, str(error).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert b"before this process was forked" in os.read(reads, 1000)
