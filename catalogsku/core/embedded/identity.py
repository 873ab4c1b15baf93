"""Who PostgreSQL runs as. It refuses root, so root lends it another uid without adding users or opening folders."""

import os
import pwd
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from catalogsku.core.embedded.places import EmbeddedServicesError, Places

LAUNCHER = Path(__file__).with_name("launch.py")
_CAP_DAC_OVERRIDE_BIT = 1 << 1


@dataclass(frozen=True)
class Identity:
    """``word`` is the launcher's argument; ``uid`` and ``gid`` own the files as seen from outside."""

    word: str
    uid: int
    gid: int


def command(identity: str, death_signal: int, program: Sequence[str | Path]) -> list[str]:
    """The command that runs ``program`` so that it ends with this process. Start it from the main thread: the
    kernel counts the death of the starting thread."""
    head = [sys.executable, "-I", "-S", str(LAUNCHER), str(os.getpid()), str(int(death_signal)), identity]
    return [*head, *map(str, program)]


def choose_identity(where: Places, binaries: Path) -> Identity:
    """This user; for root the owner of the existing data, else a namespace, else nobody.

    Raises EmbeddedServicesError with a sentence that names DATABASE_URL where none of them works.
    """
    uid, gid = os.geteuid(), os.getegid()
    owner = where.data.stat() if where.data.exists() else None
    if uid != 0:
        if owner and owner.st_uid != uid:
            raise EmbeddedServicesError(
                f"{where.data} belongs to uid {owner.st_uid}, and this is uid {uid}. "
                "Run as its owner, set VAR_DIR to another folder, or set DATABASE_URL."
            )
        return Identity("same", uid, gid)
    if owner and owner.st_uid != 0:
        return _lent(owner.st_uid, owner.st_gid, where, binaries)
    nobody = _nobody()
    namespace = Identity(f"namespace:{nobody.pw_uid}", uid, gid)
    if _works(namespace):
        return namespace
    if owner:
        raise EmbeddedServicesError(
            f"{where.data} was made by root inside a user namespace, which this kernel or container does not allow. "
            "Move it away, run as another user, or set DATABASE_URL."
        )
    return _lent(nobody.pw_uid, nobody.pw_gid, where, binaries)


def _nobody() -> pwd.struct_passwd:
    for name in ("nobody", "daemon"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise _no_way("there is no user nobody")


def _lent(uid: int, gid: int, where: Places, binaries: Path) -> Identity:
    """Root becomes ``uid``; where that uid cannot walk to the checkout, it keeps the capability to."""
    plain = Identity(f"setuid:{uid}:{gid}", uid, gid)
    if not _works(plain):
        raise _no_way("this container lets root start no process of another user")
    sockets = where.postgres_sockets
    if all(_walks(path, uid, gid) for path in (binaries / "postgres", where.data.parent, sockets.parent)):
        return plain
    override = Identity(f"override:{uid}:{gid}", uid, gid)
    if _effective_capabilities() & _CAP_DAC_OVERRIDE_BIT and _works(override):
        return override
    raise _no_way(f"user {uid} cannot reach {where.var}")


def _no_way(reason: str) -> EmbeddedServicesError:
    return EmbeddedServicesError(
        f"PostgreSQL does not run as root, and {reason}. Run as an ordinary user, or set DATABASE_URL to a server."
    )


def _works(identity: Identity) -> bool:
    probe = [sys.executable, "-I", "-S", "-c", "import os, pwd; pwd.getpwuid(os.geteuid()); os.geteuid() or exit(1)"]
    if identity.word.startswith("setuid"):
        probe = ["/bin/sh", "-c", '[ "$(id -u)" != 0 ]']  # the checkout's python may be out of its reach
    try:
        return subprocess.run(command(identity.word, 9, probe), capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _walks(path: Path, uid: int, gid: int) -> bool:
    return all(_may_enter(folder.stat(), uid, gid) for folder in (path, *path.parents))


def _may_enter(status: os.stat_result, uid: int, gid: int) -> bool:
    if status.st_uid == uid:
        return bool(status.st_mode & 0o100)
    return bool(status.st_mode & (0o010 if status.st_gid == gid else 0o001))


def _effective_capabilities() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapEff:"):
            return int(line.split()[1], 16)
    return 0
