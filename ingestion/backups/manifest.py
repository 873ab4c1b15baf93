"""What a backup is: a folder with a dump of the database, the files of storage, and a manifest that was written last.

TARGET/20261129T161500123Z/manifest.json     no backup without it
                           database.dump     pg_dump's own format
                           files.sha256      a line a file, as `sha256sum -c` reads it
                           files/m7/...      as in storage; what an earlier backup has is the same file (a link)
TARGET/deletions.jsonl                       what was deleted, as of the newest backup
"""

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from catalogsku.core import private_files

FORMAT = 1
MANIFEST, DUMP, FILES, HASHES, DELETIONS = "manifest.json", "database.dump", "files", "files.sha256", "deletions.jsonl"
# A backup that is being made. Left behind by one that was killed, the next one takes it away.
PART = ".part"


class BackupRefused(Exception):
    """``code`` is stable, the message is a sentence for who runs the command."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code = code


@dataclass(frozen=True)
class Manifest:
    """``taken_at``: the stated point; what was accepted before it is in the backup. ``transactions``: no id of that
    database's transactions was above. ``rows`` by table; ``gone``: names of files that were deleted while they were
    copied. ``key``: fingerprint of the SECRET_KEY, from which no key follows."""

    taken_at: str
    product: str
    migrations: list[str]
    postgresql: str
    schema: str
    transactions: int
    rows: dict[str, int]
    dump_sha256: str
    dump_bytes: int
    list_sha256: str
    files: int
    files_bytes: int
    files_copied: int
    key: str
    gone: list[str] = field(default_factory=list)
    format: int = FORMAT

    @property
    def point(self) -> datetime:
        return datetime.fromisoformat(self.taken_at)


def write(manifest: Manifest, folder: Path) -> None:
    """There is none, or it is whole, also after the power went."""
    part = folder / f"{MANIFEST}{PART}"
    private_files.make_file(part)
    with part.open("w", encoding="utf-8") as file:
        file.write(json.dumps(asdict(manifest), indent=1) + "\n")
        file.flush()
        os.fsync(file.fileno())
    part.replace(folder / MANIFEST)


def read(folder: Path) -> Manifest:
    """Raises BackupRefused: no_backup, manifest_damaged, manifest_unknown."""
    try:
        told: Any = json.loads((folder / MANIFEST).read_text())
    except (FileNotFoundError, NotADirectoryError):
        raise BackupRefused(
            "no_backup", f"{folder} holds no {MANIFEST}: it is no backup, or not a whole one."
        ) from None
    except (OSError, ValueError) as error:
        raise BackupRefused("manifest_damaged", f"{folder / MANIFEST} cannot be read: {error}.") from error
    if not isinstance(told, dict) or not isinstance(told.get("format"), int):
        raise BackupRefused("manifest_damaged", f"{folder / MANIFEST} is no manifest.")
    if told["format"] > FORMAT:
        raise BackupRefused("manifest_unknown", f"The backup was made by a newer product (format {told['format']}).")
    missing = {column.name for column in fields(Manifest)} ^ told.keys()
    try:
        manifest = Manifest(**told)
        _ = manifest.point
    except (TypeError, ValueError) as error:
        raise BackupRefused("manifest_damaged", f"{folder / MANIFEST}: {sorted(missing)} {error}.") from error
    return manifest


def backups_in(target: Path) -> list[Path]:
    """The whole ones, the earliest first."""
    if not target.is_dir():
        return []
    return sorted(path for path in target.iterdir() if path.suffix != PART and (path / MANIFEST).is_file())


def hashes_in(folder: Path) -> Iterator[tuple[str, str]]:
    """(name in storage, SHA-256) of each file. Raises BackupRefused(list_damaged)."""
    with (folder / HASHES).open(encoding="utf-8") as lines:
        for line in lines:
            sha256, _, path = line.rstrip("\n").partition("  ")
            name = path.removeprefix(f"{FILES}/")
            if len(sha256) != 64 or name == path or ".." in name.split("/"):
                raise BackupRefused("list_damaged", f"{folder / HASHES}: {line[:80]!r}.")
            yield name, sha256


def sha256_of(path: Path) -> str:
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
