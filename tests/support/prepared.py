"""A PostgreSQL cluster that holds the whole schema: made once for a state of the code, copied by whoever starts one.

Each session and each stack would otherwise make a cluster and run every migration, ten seconds of a core.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from catalogsku.core import embedded
from catalogsku.core.embedded.places import APPLICATION, places

PROJECT = Path(__file__).resolve().parents[2]
KEPT = PROJECT / "var" / "test"
# Migrations fill tables from these too: prompts, schemas, defaults.
SOURCES = ("catalogsku", "ingestion", "processing", "annotation", "requirements")
DATABASE = APPLICATION


def place_cluster(var: Path) -> None:
    """Put a migrated cluster where ``embedded.start(var)`` looks for one. The role may create databases."""
    with _locked():
        made = KEPT / f"cluster-{_state_of_the_code()}"
        if not made.exists():
            for old in KEPT.glob("cluster-*"):
                shutil.rmtree(old)
            _make(made)
        var.mkdir(parents=True, exist_ok=True)
        # With owners, which shutil leaves behind: root runs the server as somebody else.
        subprocess.run(["cp", "-a", "--reflink=auto", made, places(var).data], check=True)


def _make(made: Path) -> None:
    staging = made.with_name("making")
    shutil.rmtree(staging, ignore_errors=True)
    with embedded.start(staging, redis=False, durable=False, may_create_databases=True) as running:
        environment = {**os.environ, "VAR_DIR": str(staging), "DATABASE_URL": running.services.database_url}
        done = subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
            cwd=PROJECT,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    places(staging).data.rename(made)
    shutil.rmtree(staging)


@contextmanager
def _locked() -> Iterator[None]:
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "cluster.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _state_of_the_code() -> str:
    digest = hashlib.sha256()
    for path in sorted(path for name in SOURCES for path in (PROJECT / name).rglob("*") if path.is_file()):
        if "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(PROJECT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
