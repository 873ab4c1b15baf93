"""What has arrived of uploads under way: a file of each on this machine's disk, or parts in the object store.

Of the file, what lies behind the committed offset does not count. Of an object store the row names the parts that do,
so that they may come to any machine, and whatever was put in vain is of no account.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models.expressions import RawSQL

from catalogsku.core import arriving, crash_points, private_files, storage
from catalogsku.core.arriving import ArrivingPart
from catalogsku.core.errors import Conflict, NotFound, Refused
from ingestion.models import Upload

MIB = 1 << 20
BLOCK_BYTES = 256 << 10
FOLDER = "uploads"

Read = Callable[[int], bytes]


def receive(upload: Upload, offset: int, read: Read, arrived: ArrivingPart | None) -> int:
    """Keep the part and commit its offset; its bytes. Raises Conflict(offset_mismatch), Refused(chunk_too_large),
    NotFound(upload_gone), OSError."""
    return (_put if settings.IN_OBJECT_STORE else _write)(upload, offset, read, arrived)


def head(upload: Upload, count: int) -> bytes:
    """The first bytes, as many as there are."""
    with whole(upload, count) as file, file.open("rb") as opened:
        return opened.read(count)


@contextmanager
def whole(upload: Upload, count: int | None = None) -> Iterator[Path]:
    """All of it as one file of this machine, or the parts in which its first ``count`` bytes are. Raises
    FileNotFoundError where the upload has ended."""
    if not settings.IN_OBJECT_STORE:
        yield _file_of(upload)
        return
    path = _folder() / f".{uuid4().hex}.whole"
    try:
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, private_files.FILE), "wb") as target:
            for name in Upload.objects.values_list("parts", flat=True).filter(pk=upload.pk).first() or ():
                if count is not None and target.tell() >= count:
                    break
                with storage.open_file(name) as source:
                    _copy(source.read, target)
            if target.tell() == 0 or (count is None and target.tell() != upload.size_bytes):
                raise FileNotFoundError(upload.uuid)
        yield path
    finally:
        path.unlink(missing_ok=True)


def forget(upload: Upload) -> None:
    if settings.IN_OBJECT_STORE:
        storage.delete_folder(f"{FOLDER}/{upload.uuid}")
    else:
        _file_of(upload).unlink(missing_ok=True)


def clean(lone_after_s: float) -> int:
    """What belongs to no open upload and was not touched for so long goes; how many files."""
    open_ones = set(map(str, Upload.objects.filter(job__isnull=True).values_list("uuid", flat=True)))
    lone = [path for path in _folder().iterdir() if path.name.removesuffix(".part") not in open_ones]
    lone = [path for path in lone if _touched_at_s(path) < time.time() - lone_after_s]
    for path in lone:
        path.unlink(missing_ok=True)
    return len(lone) + (_clean_store(open_ones, lone_after_s) if settings.IN_OBJECT_STORE else 0)


# --- on this machine ---------------------------------------------------------------------------------


def _write(upload: Upload, offset: int, read: Read, arrived: ArrivingPart | None) -> int:
    """The row is locked while the part goes from this machine's scratch to the upload's file."""
    with transaction.atomic():
        rows = Upload.objects.select_for_update().filter(pk=upload.pk, offset_bytes=offset, job__isnull=True)
        if not rows.exists():
            raise Conflict("offset_mismatch")
        with open(os.open(_file_of(upload), os.O_CREAT | os.O_WRONLY, private_files.FILE), "wb") as file:
            _refuse_above(_limit(upload, offset), arrived.bytes if arrived is not None else 0)
            if os.fstat(file.fileno()).st_size < offset:  # what was committed has gone: nothing may follow it
                raise NotFound("upload_gone")
            received = _fill(file, offset, _limit(upload, offset), read, arrived)
            file.truncate()  # a part that was written and not committed may have been longer
            file.flush()
            os.fdatasync(file.fileno())
        crash_points.reached("receive.part_written")
        Upload.objects.filter(pk=upload.pk).update(offset_bytes=offset + received)
    return received


def _file_of(upload: Upload) -> Path:
    return _folder() / f"{upload.uuid}.part"


def _folder() -> Path:
    folder = arriving.folder()
    private_files.make_folder(folder)
    return folder


def _touched_at_s(path: Path) -> float:
    """By its clock; now, where it has gone since the folder was looked at."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return time.time()


# --- in the object store -----------------------------------------------------------------------------


def _put(upload: Upload, offset: int, read: Read, arrived: ArrivingPart | None) -> int:
    """Under a name of its own, which the row takes up with the offset: nothing is locked meanwhile, and a part that
    comes late, or to two machines, is nowhere named."""
    rows = Upload.objects.filter(pk=upload.pk, offset_bytes=offset, job__isnull=True)
    if not rows.exists():
        raise Conflict("offset_mismatch")
    name = f"{FOLDER}/{upload.uuid}/{offset:012}-{uuid4().hex}"
    with TemporaryFile(dir=_folder()) as file:
        _refuse_above(_limit(upload, offset), arrived.bytes if arrived is not None else 0)
        received = _fill(file, 0, _limit(upload, offset), read, arrived)
        file.seek(0)
        storage.put_open(name, file)
    crash_points.reached("receive.part_written")
    told = RawSQL("parts || to_jsonb(%s::text)", (name,))
    if not rows.update(offset_bytes=offset + received, parts=told):
        storage.delete_file(name)
        raise Conflict("offset_mismatch")
    return received


def _clean_store(open_ones: set[str], lone_after_s: float) -> int:
    gone = 0
    for name in list(storage.walk(FOLDER)):
        if name.split("/")[1] in open_ones:
            continue
        try:
            is_lone = storage.stored(name).modified_ns / 1e9 < time.time() - lone_after_s
        except FileNotFoundError:
            continue
        if is_lone:
            storage.delete_file(name)
            gone += 1
    return gone


# --- both --------------------------------------------------------------------------------------------


def _limit(upload: Upload, offset: int) -> int:
    return min(settings.UPLOAD_CHUNK_BYTES, upload.size_bytes - offset)


def _fill(file: IO[bytes], at: int, limit: int, read: Read, arrived: ArrivingPart | None) -> int:
    """The part's bytes, from ``at`` on; where the file then stands is behind them."""
    if arrived is not None:
        arrived.copy_to(file.fileno(), at)
        file.seek(at + arrived.bytes)
        return arrived.bytes
    file.seek(at)
    return _copy(read, file, limit)


def _copy(read: Read, target: IO[bytes], limit: int | None = None) -> int:
    copied = 0
    while block := read(BLOCK_BYTES):
        copied += len(block)
        if limit is not None:
            _refuse_above(limit, copied)
        target.write(block)
    return copied


def _refuse_above(limit: int, received: int) -> None:
    if received > limit:
        raise Refused("chunk_too_large", max_mb=settings.UPLOAD_CHUNK_BYTES // MIB)
