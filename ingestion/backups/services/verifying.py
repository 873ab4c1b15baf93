"""Whether a backup is whole: every hash, and a dump that can be read to its end. Changes nothing."""

import os
from pathlib import Path

from django.db import connection
from django.db.migrations.loader import MigrationLoader

from catalogsku import __version__
from ingestion.backups import postgres
from ingestion.backups.manifest import DUMP, FILES, HASHES, BackupRefused, Manifest, hashes_in, read, sha256_of


def verify(folder: Path) -> Manifest:
    """Raises BackupRefused: no_backup, manifest_damaged, manifest_unknown, dump_damaged, list_damaged, file_missing,
    file_damaged, file_unknown."""
    manifest = read(folder)
    _same(folder / DUMP, manifest.dump_sha256, "dump_damaged")
    _same(folder / HASHES, manifest.list_sha256, "list_damaged")
    postgres.read_through(folder / DUMP)
    names = set[str]()
    for name, sha256 in hashes_in(folder):
        _same(folder / FILES / name, sha256, "file_damaged")
        names.add(name)
    if len(names) != manifest.files:
        raise BackupRefused("list_damaged", f"{len(names)} files are listed, {manifest.files} were written.")
    for path, _folders, files in os.walk(folder / FILES):
        for file in files:
            name = str(Path(path, file).relative_to(folder / FILES))
            if name not in names:
                raise BackupRefused("file_unknown", f"{name} is in the backup, and its list does not know it.")
    return manifest


def refuse_newer(manifest: Manifest) -> None:
    """What this product cannot read. An older one's database is migrated. Raises BackupRefused(backup_newer)."""
    known = {f"{app}.{name}" for app, name in MigrationLoader(connection, ignore_no_migrations=True).disk_migrations}
    unknown = [name for name in manifest.migrations if name not in known]
    if _numbers(manifest.product) > _numbers(__version__) or unknown:
        said = f" ({', '.join(unknown[:3])} is not known here)" if unknown else ""
        raise BackupRefused("backup_newer", f"It was made by {manifest.product}, this is {__version__}{said}.")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("+")[0].split("-")[0].split(".") if part.isdecimal())


def _same(file: Path, sha256: str, code: str) -> None:
    try:
        found = sha256_of(file)
    except FileNotFoundError:
        raise BackupRefused(code.replace("damaged", "missing"), f"{file} is not there.") from None
    except OSError as error:
        raise BackupRefused(code, f"{file}: {error.strerror}.") from error
    if found != sha256:
        raise BackupRefused(code, f"{file} is not what was written: SHA-256 {found[:16]}…, not {sha256[:16]}….")
