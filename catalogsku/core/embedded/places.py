"""Where the embedded services keep data, sockets and logs: known before anything runs, the same in every process."""

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

APPLICATION = "catalogsku"  # role and database; the role is no superuser
_LONGEST_SOCKET_BYTES = 100  # the kernel takes 107 and PostgreSQL's socket name ends in a lock suffix
_POSTGRES_SOCKET = ".s.PGSQL.5432"
_PLAIN = re.compile(r"[A-Za-z0-9_./+-]+")  # anything else would need quoting in two configuration languages


class EmbeddedServicesError(Exception):
    """The embedded services cannot run here; the message is one a person can act on."""


@dataclass(frozen=True)
class Services:
    """Addresses as settings take them. ``database_url`` is libpq's form, with the socket folder as ``host``."""

    database_url: str
    redis_url: str


@dataclass(frozen=True)
class Places:
    """Every path of one set of services."""

    var: Path
    sockets: Path

    @property
    def data(self) -> Path:
        return self.var / "postgres"

    @property
    def run(self) -> Path:
        return self.var / "run"

    @property
    def logs(self) -> Path:
        return self.var / "log"

    @property
    def lock(self) -> Path:
        return self.run / "lock"

    @property
    def services_file(self) -> Path:
        return self.run / "services.json"

    @property
    def postgres_sockets(self) -> Path:
        return self.sockets / "pg"

    @property
    def redis_socket(self) -> Path:
        return self.sockets / "redis.sock"

    def database_url(self, name: str = APPLICATION, role: str = APPLICATION) -> str:
        return f"postgresql://{role}@/{name}?host={quote(str(self.postgres_sockets))}"

    def services(self) -> Services:
        return Services(self.database_url(), f"unix://{self.redis_socket}?db=0")


def default_var() -> Path:
    """The folder for everything made at run time: VAR_DIR, else ``var`` in the checkout."""
    chosen = os.environ.get("VAR_DIR")
    return Path(chosen).absolute() if chosen else Path(__file__).resolve().parents[3] / "var"


def places(var: Path | None = None) -> Places:
    """Touches nothing. Sockets live in ``var/run``, or in a folder of /tmp named by its hash where that path is
    too long or would need quoting."""
    var = (var or default_var()).absolute()
    sockets = var / "run"
    longest = os.fsencode(sockets / "pg" / _POSTGRES_SOCKET)
    if len(longest) > _LONGEST_SOCKET_BYTES or not _PLAIN.fullmatch(str(sockets)):
        digest = hashlib.sha256(os.fsencode(var)).hexdigest()[:16]
        sockets = Path("/tmp") / f"catalogsku-{digest}"  # short and the same whatever TMPDIR says
    return Places(var, sockets)


def addresses(var: Path | None = None) -> Services:
    """Where the services of ``var`` listen once they run. Starts and touches nothing."""
    return places(var).services()


def make_folders(where: Places) -> None:
    """Create the folders, open to their owner only; the socket folder also lets a server of another uid through.

    Raises EmbeddedServicesError where the disk is full, the place is not writable, or somebody else owns the sockets.
    """
    try:
        where.var.mkdir(parents=True, exist_ok=True)
        for folder, mode in ((where.run, 0o711), (where.logs, 0o700), (where.sockets, 0o711)):
            folder.mkdir(mode=mode, exist_ok=True)
            status = folder.lstat()
            if not stat.S_ISDIR(status.st_mode) or status.st_uid not in (os.geteuid(), where.var.stat().st_uid):
                raise EmbeddedServicesError(f"{folder} belongs to somebody else. Remove it, or set VAR_DIR.")
            if status.st_uid == os.geteuid():
                folder.chmod(mode)
    except OSError as error:
        raise EmbeddedServicesError(explain(f"{error.strerror}: {error.filename}", where)) from error


def explain(text: str, where: Places) -> str:
    """A sentence for what a service or the file system said."""
    if "shared memory segment" in text and "No space left" in text:
        return (
            "There is too little shared memory (/dev/shm) for PostgreSQL: 64 MB are needed (docker: --shm-size=256m)."
        )
    if "No space left on device" in text or "Disk quota exceeded" in text:
        return f"The disk that holds {where.var} is full. Free about 300 MB, or set VAR_DIR to another place."
    if "Read-only file system" in text:
        return f"{where.var} cannot be written: read-only file system. Set VAR_DIR to a folder that can."
    if "Permission denied" in text or "Operation not permitted" in text:
        return (
            f"{where.var} cannot be written by this user ({text.strip()}). "
            "Give it to the user, or set VAR_DIR to another folder."
        )
    return text
