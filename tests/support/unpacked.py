"""Servers of other makers that tests put in between: this machine's own, or as scripts/unpack.sh has put them aside."""

import os
import shutil
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def server(name: str) -> Path | None:
    """The program, ``haproxy`` or ``pgbouncer``; None where there is none."""
    own = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    unpacked = _folder(name) / "usr" / "sbin" / name
    return Path(own) if own else unpacked if unpacked.exists() else None


def environment(name: str) -> dict[str, str]:
    """In which it finds the libraries that were unpacked with it."""
    libraries = ":".join(map(str, _folder(name).glob("usr/lib/*")))
    return {"LD_LIBRARY_PATH": libraries, "PATH": os.environ["PATH"]}


def _folder(name: str) -> Path:
    return PROJECT / ".venv" / name
