"""On what a benchmark ran: machine, versions of what decides about speed, commit."""

import importlib.metadata
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from catalogsku.core.cores import usable_cores

PACKAGES = ("django", "channels", "daphne", "dramatiq", "pymupdf", "pdfplumber", "pypdfium2", "psycopg", "redis")


def machine() -> dict[str, Any]:
    model = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return {
        "cores": usable_cores(),
        "processor": model[0].partition(":")[2].strip() if model else platform.processor(),
        "memory_mb": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20,
        "kernel": platform.release(),
        "load_before": [round(load, 2) for load in os.getloadavg()],
    }


def versions() -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        server = cursor.fetchone()[0]
    packages = {name: importlib.metadata.version(name) for name in PACKAGES}
    return {"python": platform.python_version(), "postgresql": server, **packages}


def commit() -> str:
    """The checkout's commit, with a plus where files differ from it; nothing where this is no checkout."""
    said = _git("rev-parse", "--short=10", "HEAD")
    return said + "+" * bool(said and _git("status", "--porcelain", "--untracked-files=no"))


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(settings.BASE_DIR), *arguments], capture_output=True, text=True, timeout=20
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
