"""Files of an object store on this machine: each is fetched once, however many processes want it at once.

Names are of content, so what is here stays right; what was not wanted longest goes first where there is too much, and
what was deleted elsewhere goes with the next look. Whoever uses a file has a hard link of its own, which nobody takes
away meanwhile.
"""

import fcntl
import os
import stat
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO
from zlib import crc32

from django.conf import settings

from catalogsku.core import private_files
from catalogsku.core.metrics import CACHED_FILES

# Links of processes that were killed: a page is held for minutes at most, an export for an hour.
LEFT_BEHIND_S = 6 * 3600.0
LOCKS = 64

Fetch = Callable[[IO[bytes]], None]


def folder() -> Path:
    return Path(settings.VAR_DIR, "cache")


@contextmanager
def cached(key: str, fetch: Fetch) -> Iterator[Path]:
    """A path of the file, as long as the block lasts. ``fetch`` writes all of it into an open file, and raises
    FileNotFoundError where it is not there. Raises OSError where the disk is full."""
    path = _link_to(key) or _fetched(key, fetch)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def _link_to(key: str) -> Path | None:
    place, own = _place(key), _own(key)
    try:
        os.link(place, own)
    except FileNotFoundError:
        return None
    with suppress(OSError):
        os.utime(place)  # it is wanted: it goes last
    CACHED_FILES.labels("hit").inc()
    return own


def _fetched(key: str, fetch: Fetch) -> Path:
    """Others who want the same file wait, and find it."""
    place = _place(key)
    with _locked(f"{crc32(key.encode()) % LOCKS}"):
        if (there := _link_to(key)) is not None:
            return there
        own = _own(key)
        try:
            with open(os.open(own, os.O_CREAT | os.O_EXCL | os.O_RDWR, private_files.FILE), "wb") as file:
                fetch(file)
            private_files.make_folder(place.parent)
            os.link(own, place)
        except BaseException:
            own.unlink(missing_ok=True)
            raise
    CACHED_FILES.labels("miss").inc()
    make_room(settings.STORAGE_CACHE_MB * 1_000_000)
    return own


def make_room(most_bytes: int) -> int:
    """Bytes that went, of what was not wanted longest."""
    gone = 0
    with _locked("room"):
        files = sorted(_files())
        left = sum(size for _at_s, size, _place in files)
        for _at_s, size, place in files:
            if left <= most_bytes:
                break
            place.unlink(missing_ok=True)
            left, gone = left - size, gone + size
    return gone


def tidy_up(is_there: Callable[[str], bool]) -> dict[str, int]:
    """What is no longer in the store goes, and what killed processes were using."""
    deleted = [place for _at_s, _size, place in _files() if not is_there(str(place.relative_to(folder() / "files")))]
    killed = [link for link in (folder() / "use").glob("*") if _changed_at_s(link) < time.time() - LEFT_BEHIND_S]
    for place in (*deleted, *killed):
        place.unlink(missing_ok=True)
    return {"deleted": len(deleted), "left_behind": len(killed)}


def forget(key: str) -> None:
    """It was deleted; other machines find that by `tidy_up`."""
    _place(key).unlink(missing_ok=True)


def _files() -> Iterator[tuple[float, int, Path]]:
    """When each was last wanted, its bytes, its place."""
    for place in (folder() / "files").rglob("*"):
        with suppress(FileNotFoundError):
            said = place.stat()
            if stat.S_ISREG(said.st_mode):
                yield said.st_mtime, said.st_size, place


def _changed_at_s(place: Path) -> float:
    try:
        return place.stat().st_ctime
    except FileNotFoundError:
        return time.time()


def _place(key: str) -> Path:
    return folder() / "files" / key


def _own(key: str) -> Path:
    use = folder() / "use"
    private_files.make_folder(use)
    return use / f"{uuid.uuid4().hex}{Path(key).suffix}"


@contextmanager
def _locked(name: str) -> Iterator[None]:
    locks = folder() / "locks"
    private_files.make_folder(locks)
    with open(os.open(locks / name, os.O_CREAT | os.O_RDWR, private_files.FILE), "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
