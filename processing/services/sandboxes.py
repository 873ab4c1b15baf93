"""This process's sandbox, set up as the settings say, and the limits of each kind of work in it."""

import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from catalogsku.core.sandbox import Limits, Outcome, Sandbox

_lock = threading.Lock()
_sandbox: Sandbox | None = None

GIB = 1 << 30
# 500,000 objects take 1.2 GB and 12 s: qpdf holds them all.
INSPECTION = Limits(memory_bytes=2 * GIB, cpu_s=90, wall_s=90.0, page_s=60.0)
PRESCAN = Limits(memory_bytes=GIB, cpu_s=240, wall_s=260.0, page_s=30.0)
READING = Limits(memory_bytes=3 * GIB, cpu_s=240, wall_s=260.0, page_s=30.0)
UNDERSTANDING = Limits(memory_bytes=GIB, cpu_s=120, wall_s=130.0, page_s=30.0)

LEFT_BEHIND_S = 3600

# Ways a child can end for which the document is not to blame: nothing is counted, the work is done again.
NOT_THE_DOCUMENT = frozenset({"sandbox_lost", "unconfined"})


def sandbox() -> Sandbox:
    """The process's sandbox; each thread that runs in it owns one fork server."""
    global _sandbox
    with _lock:
        if _sandbox is None:
            _sandbox = new_sandbox()
        return _sandbox


def new_sandbox() -> Sandbox:
    """With what the settings name loaded into its fork servers; raises SandboxUnavailable at its first use."""
    warm = "processing.engine.reading.ocr:warm_ocr" if settings.SANDBOX_OCR else ""
    return Sandbox(settings.SANDBOX_PRELOAD, warm, require=settings.SANDBOX_REQUIRED)


@contextmanager
def work_folder() -> Iterator[Path]:
    """A private folder for one chunk of work, gone afterwards."""
    with tempfile.TemporaryDirectory(dir=_work_root(), prefix="chunk-") as folder:
        yield Path(folder)


def clear_work_folders() -> dict[str, int]:
    """Delete what workers that were killed have left behind: folders older than any work may take."""
    old = time.time() - LEFT_BEHIND_S
    left = [folder for folder in _work_root().iterdir() if folder.stat().st_mtime < old]
    for folder in left:
        shutil.rmtree(folder, ignore_errors=True)
    return {"folders": len(left)}


def _work_root() -> Path:
    root = Path(settings.VAR_DIR, "work")
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    return root


def error_of(outcome: Outcome) -> dict[str, object]:
    """The failure of the page that a child ended on, as it is kept with the page; documents' own text stays out."""
    return {"code": f"sandbox_{outcome.reason.split(':')[0]}", "params": {}, "reason": outcome.reason,
            "detail": outcome.detail[-600:]}  # fmt: skip
