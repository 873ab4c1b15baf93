"""PostgreSQL's own programs for a dump of one snapshot and for bringing it back, whoever runs the server."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db import connection

from catalogsku.core.embedded import EmbeddedServicesError
from catalogsku.core.embedded.identity import command
from catalogsku.core.embedded.postgres import binaries
from ingestion.backups.manifest import BackupRefused

# libpq's variables for what DATABASE_URL may say: a password among arguments would be seen by all of the machine.
_VARIABLES = {
    "dbname": "PGDATABASE", "user": "PGUSER", "password": "PGPASSWORD", "host": "PGHOST", "port": "PGPORT",
    "sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT", "sslcert": "PGSSLCERT", "sslkey": "PGSSLKEY",
    "sslcrl": "PGSSLCRL", "passfile": "PGPASSFILE", "connect_timeout": "PGCONNECT_TIMEOUT",
    "target_session_attrs": "PGTARGETSESSIONATTRS", "channel_binding": "PGCHANNELBINDING",
}  # fmt: skip
_FULL = ("No space left on device", "Disk quota exceeded")


def dump(snapshot: str, file: Path) -> None:
    """The rows of an exported snapshot, whose transaction stays open until then. Raises BackupRefused."""
    file.touch(0o600)
    arguments = ["--format=custom", f"--snapshot={snapshot}", "--no-owner", "--no-privileges", f"--file={file}"]
    _run("pg_dump", arguments)


def bring_back(file: Path, schema: str) -> None:
    """All of it or nothing, into a schema without objects; extensions are the server's and stay. Raises
    BackupRefused."""
    arguments = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", f"--schema={schema}"]
    database = str(connection.settings_dict["NAME"])
    _run("pg_restore", [*arguments, f"--dbname={database}", str(file)])


def read_through(file: Path) -> None:
    """Without a database. Raises BackupRefused(dump_damaged)."""
    try:
        _run("pg_restore", ["--file=/dev/null", str(file)])
    except BackupRefused as refused:
        raise BackupRefused("dump_damaged", str(refused)) from refused


def _run(name: str, arguments: Sequence[str]) -> None:
    program = _program(name)
    done = subprocess.run(
        command("same", signal.SIGKILL, [program, *arguments]),
        env=_environment(),
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode:
        said = done.stderr.strip()[-1000:]
        if any(full in said for full in _FULL):
            raise BackupRefused("target_full", f"The disk is full: {said}")
        raise BackupRefused(f"{name}_failed", said)


def _program(name: str) -> Path:
    """Of the embedded server's wheel or of the machine: the first that is not older than the server."""
    wanted, seen = _server_major(), []
    for path in _programs(name):
        said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
        found = re.search(r"\(PostgreSQL\) (\d+)", said)
        if found and int(found[1]) >= wanted:
            return path
        seen.append(f"{path} ({said.strip()})")
    there = f"there is {', '.join(seen)}" if seen else "there is none"
    raise BackupRefused(f"{name}_missing", f"PostgreSQL {wanted} needs {name} of {wanted} or later; {there}.")


def _programs(name: str) -> list[Path]:
    found = []
    with suppress(EmbeddedServicesError):  # a machine that the wheel does not serve
        found.append(binaries()[0] / name)
    if (own := shutil.which(name)) is not None:
        found.append(Path(own))
    return [path for path in found if path.exists()]


def _server_major() -> int:
    """0 where no server is needed and none answers."""
    try:
        connection.ensure_connection()
    except Exception:
        return 0
    return int(connection.connection.info.server_version) // 10_000


def _environment() -> dict[str, str]:
    """Nothing of the user's own but where programs are; and where the product's database is."""
    told: dict[str, Any] = connection.get_connection_params()
    where = {variable: told[name] for name, variable in _VARIABLES.items() if name in told}
    own = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PATH": os.environ.get("PATH", "/usr/bin:/bin")}
    return own | {name: str(value) for name, value in where.items() if value not in ("", None)}
