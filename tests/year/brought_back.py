"""The year's end: a backup, everything destroyed, and the same in another place: every row and every byte."""

import hashlib
import re
import time
from pathlib import Path
from typing import Any

from catalogsku.core.embedded.places import places
from ingestion.backups.manifest import backups_in
from tests.support.stack import Stack
from tests.year.ground import YearStack

_TABLES = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1"
# What a restore puts right by itself: nobody is signed in, no process lives, and that a backup was made is written
# down after it.
PUT_RIGHT = {
    "core_worker",
    "core_periodicrun",
    "django_session",
    "django_migrations",
    "core_keyuse",
    "annotation_auditpass",
}


def contents(stack: Stack) -> dict[str, Any]:
    """Rows by table, and one sum over the names and bytes of all files."""
    rows = {name: stack.sql(f'SELECT count(*) FROM "{name}"')[0][0] for (name,) in stack.sql(_TABLES)}
    root, digest, files = stack.var / "storage", hashlib.sha256(), 0
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(root)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
        files += 1
    return {"rows": rows, "files": files, "sha256": digest.hexdigest()}


def back_up(stack: Stack, target: Path) -> tuple[Path, dict[str, Any]]:
    """The folder, and how long making and verifying took. Raises AssertionError where a command fails."""
    took: dict[str, Any] = {}
    began_s = time.monotonic()
    _done(stack, "backup", str(target))
    took["backup_s"] = round(time.monotonic() - began_s, 1)
    (folder,) = backups_in(target)
    began_s = time.monotonic()
    _done(stack, "backup", "--verify", str(folder))
    took["verify_s"] = round(time.monotonic() - began_s, 1)
    took["bytes"] = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return folder, took


def bring_back(stack: YearStack, folder: Path) -> dict[str, Any]:
    """Into an installation that has never been used."""
    assert not any((places(stack.var).var / "storage").glob("*"))
    began_s = time.monotonic()
    said = _done(stack, "restore", str(folder))
    took_s = round(time.monotonic() - began_s, 1)
    found = dict(re.findall(r"^(\w+): (\d+)$", said, re.MULTILINE))
    return {"restore_s": took_s, "audit": {name: int(n) for name, n in found.items()}, "said": said[-2000:]}


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    tables = before["rows"].keys() | after["rows"].keys()
    told = [
        f"{table}: {before['rows'].get(table)} rows, {after['rows'].get(table)} after"
        for table in sorted(tables - PUT_RIGHT)
        if before["rows"].get(table) != after["rows"].get(table)
    ]
    return told + [f"files: {name}" for name in ("files", "sha256") if before[name] != after[name]]


def _done(stack: Stack, *command: str) -> str:
    done = stack.manage(*command, timeout_s=3600)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout
