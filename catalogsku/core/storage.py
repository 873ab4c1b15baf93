"""Files: sources, screenshots and pictures through Django's storage API, named by content under their merchant, and for
this user alone."""

import hashlib
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage

from catalogsku.core import host_cache, private_files

COPY_BYTES = 1 << 20
# A smaller file is put into an object store again sooner than the store has said whether it has it.
ASK_FROM_BYTES = 1 << 20


def file_prefix(merchant_id: int, sha256: str) -> str:
    """The folder of all that belongs to one file of one merchant."""
    return f"m{merchant_id}/{sha256[:2]}/{sha256}"


def put_file(key: str, path: Path) -> None:
    """Store the file under ``key``; a key that is there holds the same bytes already (keys name content).

    It is there whole or not at all: who finds it while it is written, or after that was cut off, would take the part
    for the file.
    """
    try:
        target = Path(default_storage.path(key))
    except NotImplementedError:  # object stores show what was put only at its end
        if path.stat().st_size < ASK_FROM_BYTES or not default_storage.exists(key):
            with path.open("rb") as source:
                default_storage.save(key, File(source))
        return
    if target.exists():
        return
    private_files.make_folder(target.parent)
    part = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    try:
        private_files.make_file(part)
        shutil.copyfile(path, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def put_open(key: str, source: IO[bytes]) -> None:
    """From where the open file stands; in place of what is there."""
    default_storage.save(key, File(source))


def link_file(key: str, path: Path) -> None:
    """As ``put_file``, without a copy where the disk allows it: afterwards ``path`` and the key are one file."""
    try:
        target = default_storage.path(key)
        try:
            os.link(path, target)
        except FileNotFoundError:  # the first file of its folder
            private_files.make_folder(os.path.dirname(target))
            os.link(path, target)
        os.chmod(target, private_files.FILE)
    except FileExistsError:
        return
    except (NotImplementedError, OSError):  # an object store, another disk, a file system without links
        put_file(key, path)


def open_file(key: str) -> IO[bytes]:
    return default_storage.open(key, "rb")


def close_storage(within_s: float = 0.0) -> dict[str, int]:
    """To everybody else: the root at once, with the logs and results beside it; what earlier versions left below the
    root, for so long."""
    root, var = Path(settings.MEDIA_ROOT), Path(settings.VAR_DIR)
    private_files.close_to_others([root, var / "log", var / "results"])
    return private_files.close_all(root, within_s) if within_s else {}


def disk_usage_ratio(more_bytes: int = 0) -> float:
    """Share of the disk of the storage that is in use, or would be with so many bytes more (TA-DISK)."""
    place = Path(settings.MEDIA_ROOT)
    private_files.make_folder(place)
    usage = shutil.disk_usage(place)
    return (usage.used + more_bytes) / usage.total


def has_file(key: str) -> bool:
    return default_storage.exists(key)


def delete_file(key: str) -> None:
    default_storage.delete(key)
    if settings.IN_OBJECT_STORE:
        host_cache.forget(key)


def names_in(key: str) -> list[str]:
    """Files directly in a folder; none where it is not there."""
    try:
        return default_storage.listdir(key)[1]
    except FileNotFoundError:
        return []


def walk(key: str) -> Iterator[str]:
    """Names of all files below a folder; none where it is not there."""
    try:
        folders, names = default_storage.listdir(key)
    except FileNotFoundError:
        return
    below = f"{key}/" if key else ""
    yield from (f"{below}{name}" for name in names)
    for folder in folders:
        yield from walk(f"{below}{folder}")


def size_of(key: str) -> int:
    """Bytes; 0 where it is not there."""
    try:
        return default_storage.size(key)
    except FileNotFoundError:
        return 0


class Stored(NamedTuple):
    """``modified_ns``: since 1970, by the clock of the storage."""

    size: int
    modified_ns: int


def stored(key: str) -> Stored:
    """Raises FileNotFoundError."""
    if settings.IN_OBJECT_STORE:
        modified_s = default_storage.get_modified_time(key).timestamp()
        return Stored(default_storage.size(key), int(modified_s) * 10**9)
    said = os.stat(default_storage.path(key))
    return Stored(said.st_size, said.st_mtime_ns)


def delete_folder(key: str) -> None:
    """With the files in it; nothing where it is gone already."""
    try:
        _folders, names = default_storage.listdir(key)
    except FileNotFoundError:
        return
    for name in names:
        delete_file(f"{key}/{name}")
    if not settings.IN_OBJECT_STORE:  # which knows of no folders
        default_storage.delete(key)


def delete_empty(key: str) -> None:
    """The folder and those in it, as far as there is nothing in them; nothing where there are no folders."""
    try:
        place = Path(default_storage.path(key))
    except NotImplementedError:
        return
    for folder, _folders, _names in os.walk(place, topdown=False) if key else ():
        with suppress(OSError):  # a file is in it, or came just now
            os.rmdir(folder)


@contextmanager
def local_copy(key: str) -> Iterator[Path]:
    """A path of the stored file on this machine: the file itself on local storage, else what this machine has of it."""
    if not settings.IN_OBJECT_STORE:
        yield Path(default_storage.path(key))
        return

    def fetch(target: IO[bytes]) -> None:
        with open_file(key) as source:
            shutil.copyfileobj(source, target, COPY_BYTES)

    with host_cache.cached(key, fetch) as path:
        yield path


def sha256_of(path: Path) -> str:
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def put_back(key: str, path: Path) -> None:
    """A file of a backup, with its time where the storage takes one: nothing is there under ``key``."""
    if settings.IN_OBJECT_STORE:
        put_file(key, path)
        return
    target = Path(default_storage.path(key))
    private_files.make_folder(target.parent)
    part = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    try:
        private_files.make_file(part)
        shutil.copyfile(path, part)
        shutil.copystat(path, part)
        part.chmod(private_files.FILE)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
