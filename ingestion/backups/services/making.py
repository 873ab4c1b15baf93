"""Making a backup while the product runs: a snapshot of the database first, then the files that it may name.

A file is stored before the row that names it is committed, and is never written again. So what is copied after the
snapshot was taken has every file that a row of it names, but for those that were deleted in between, which are told.
"""

import errno
import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from catalogsku import __version__
from catalogsku.core import private_files, storage
from catalogsku.core.direct import directly
from catalogsku.core.keys import fingerprint
from catalogsku.core.storage import Stored
from ingestion.backups import postgres
from ingestion.backups.manifest import (
    DELETIONS,
    DUMP,
    FILES,
    HASHES,
    PART,
    BackupRefused,
    Manifest,
    backups_in,
    hashes_in,
    read,
    sha256_of,
    write,
)
from ingestion.keeping import selectors as keeping

# Of clocks of machines that share a storage. What was written later than this after the snapshot no row of it names.
CLOCKS_DIFFER_S = 60.0
# Parts of uploads that are under way: nothing of them was accepted yet.
UPLOADS = "uploads/"
LOCK = ".lock"
GONE_TOLD = 1000
_FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True)
class _Snapshot:
    taken_at: datetime
    transactions: int
    schema: str
    server: str
    rows: dict[str, int]
    migrations: list[str]


def make_backup(target: Path, keep: int | None = None, say: Callable[[str], object] = lambda line: None) -> Manifest:
    """A new one in the folder ``target``; of those in it the newest ``keep`` stay. Not in a transaction.

    Raises BackupRefused: target_full, target_unusable, target_inside_storage, under_way, pg_dump_missing,
    pg_dump_failed. What was begun of it is gone then.
    """
    target = target.absolute()
    if target.resolve().is_relative_to(Path(settings.MEDIA_ROOT).resolve()):
        raise BackupRefused("target_inside_storage", f"{target} lies in the storage, of which it would be a copy.")
    with _explained(target), _alone(target), directly():
        _take_away_parts(target)
        part = target / f"backup{PART}"
        try:
            private_files.make_folder(part)
            manifest = _make(part, target, say)
            os.rename(part, target / f"{manifest.point:%Y%m%dT%H%M%S%f}Z")
        finally:
            shutil.rmtree(part, ignore_errors=True)
        _write_deletions(target)
        for old in backups_in(target)[:-keep] if keep else []:
            _drop(old)
    return manifest


@contextmanager
def _explained(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise BackupRefused("target_full", f"The disk of {target} is full: no backup was made.") from error
        raise BackupRefused("target_unusable", f"{target}: {error.strerror or error}.") from error


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    private_files.make_folder(target)
    with open(os.open(target / LOCK, os.O_RDWR | os.O_CREAT, private_files.FILE), "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupRefused("under_way", f"Another backup is being made in {target}.") from None
        yield


def _take_away_parts(target: Path) -> None:
    for part in target.glob(f"*{PART}"):
        shutil.rmtree(part)


def _drop(backup: Path) -> None:
    """It is no backup from the first moment on."""
    away = backup.with_name(f"old{PART}")
    backup.rename(away)
    shutil.rmtree(away)


def _make(part: Path, target: Path, say: Callable[[str], object]) -> Manifest:
    before = set(_names())
    snapshot = _dump(part / DUMP)
    say(f"database: {sum(snapshot.rows.values())} rows of {snapshot.taken_at.isoformat(timespec='seconds')}")
    earlier = backups_in(target)
    copied = _Copied(part, snapshot.taken_at, earlier[-1] if earlier else None)
    for name in copied.copy():
        before.discard(name)
    say(f"files: {copied.files}, of which {copied.new} are copied")
    os.sync()  # the manifest says that everything else is on the disk
    manifest = Manifest(
        taken_at=snapshot.taken_at.isoformat(),
        product=__version__,
        migrations=snapshot.migrations,
        postgresql=snapshot.server,
        schema=snapshot.schema,
        transactions=snapshot.transactions,
        rows=snapshot.rows,
        dump_sha256=sha256_of(part / DUMP),
        dump_bytes=(part / DUMP).stat().st_size,
        list_sha256=sha256_of(part / HASHES),
        files=copied.files,
        files_bytes=copied.bytes,
        files_copied=copied.new,
        key=fingerprint(settings.SECRET_KEY),
        gone=sorted(before)[:GONE_TOLD],
    )
    write(manifest, part)
    return manifest


def _dump(file: Path) -> _Snapshot:
    """Rows are counted in the very snapshot that is dumped, so that a restored database can be compared."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute(
            "SELECT now(), pg_export_snapshot(), pg_snapshot_xmax(pg_current_snapshot())::text::bigint,"
            " current_schema(), current_setting('server_version')"
        )
        taken_at, snapshot, transactions, schema, server = cursor.fetchone()
        rows = count_rows()
        migrations = sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())
        postgres.dump(snapshot, file)
    return _Snapshot(taken_at, transactions, schema, server, rows, migrations)


def count_rows() -> dict[str, int]:
    """Of every table, partitions with the table they belong to."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace"
            " AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1"
        )
        counts = {}
        for (table,) in cursor.fetchall():
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")
            counts[table] = int(cursor.fetchone()[0])
    return counts


def _names() -> Iterator[str]:
    """In storage: neither parts of uploads, nor what is being written just now."""
    for name in storage.walk(""):
        if not name.startswith(UPLOADS) and not name.rpartition("/")[2].startswith("."):
            yield name


class _Copied:
    """Storage into a backup. What the earlier one has of the same name, size and time is linked, not read again."""

    def __init__(self, part: Path, taken_at: datetime, earlier: Path | None) -> None:
        self._part, self._before_s = part, taken_at.timestamp() + CLOCKS_DIFFER_S
        self._earlier = earlier
        self._known = dict(hashes_in(earlier)) if earlier else {}
        self.files = self.new = self.bytes = 0

    def copy(self) -> Iterator[str]:
        """Name by name; of a million files none is remembered longer."""
        private_files.make_folder(self._part / FILES)
        private_files.make_file(self._part / HASHES)
        with (self._part / HASHES).open("w", encoding="utf-8") as lines:
            for name in _names():
                if (sha256 := self._copy(name)) is not None:
                    self.files += 1
                    lines.write(f"{sha256}  {FILES}/{name}\n")
                    yield name

    def _copy(self, name: str) -> str | None:
        """None for what came after the point, or has just gone."""
        target = self._part / FILES / name
        try:
            said = storage.stored(name)
            if said.modified_ns > self._before_s * 1e9:
                return None
            private_files.make_folder(target.parent)
            sha256 = self._linked(name, said, target)
            if sha256 is None:
                with storage.open_file(name) as source:
                    sha256, self.new = _copy_hashed(source, target, said), self.new + 1
        except FileNotFoundError:
            target.unlink(missing_ok=True)
            return None
        self.bytes += said.size
        return sha256

    def _linked(self, name: str, said: Stored, target: Path) -> str | None:
        sha256 = self._known.pop(name, None)
        if self._earlier is None or sha256 is None:
            return None
        earlier = self._earlier / FILES / name
        try:
            there = earlier.stat()
            if (there.st_size, there.st_mtime_ns) == (said.size, said.modified_ns):
                os.link(earlier, target)
                return sha256
        except OSError:  # a disk without links, or with as many as it can have
            target.unlink(missing_ok=True)
        return None


def _copy_hashed(reading: IO[bytes], target: Path, said: Stored) -> str:
    digest = hashlib.sha256()
    private_files.make_file(target)
    with target.open("wb") as writing:
        while block := reading.read(storage.COPY_BYTES):
            digest.update(block)
            writing.write(block)
    os.utime(target, ns=(said.modified_ns, said.modified_ns))
    return digest.hexdigest()


def _write_deletions(target: Path) -> None:
    """Beside the backups: what was deleted until now has to be deleted again where an earlier one is restored."""
    part = target / f"{DELETIONS}{PART}"
    part.unlink(missing_ok=True)
    private_files.make_file(part)
    with part.open("w", encoding="utf-8") as lines:
        for told in keeping.told_deletions():
            lines.write(json.dumps(told) + "\n")
    part.replace(target / DELETIONS)


def newest(target: Path) -> tuple[Path, Manifest] | None:
    """The newest that can be read."""
    for folder in reversed(backups_in(target)):
        try:
            return folder, read(folder)
        except BackupRefused:
            continue
    return None


def told(manifest: Manifest) -> dict[str, Any]:
    """What is remembered of it in the database."""
    return {
        "taken_at": manifest.taken_at,
        "rows": sum(manifest.rows.values()),
        "files": manifest.files,
        "copied": manifest.files_copied,
        "bytes": manifest.files_bytes + manifest.dump_bytes,
        "gone": len(manifest.gone),
    }
