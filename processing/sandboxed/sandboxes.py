"""This process's sandboxes, set up as the settings say, and the limits of each kind of work in them."""

import errno
import fcntl
import logging
import os
import shutil
import stat
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings

from catalogsku.core.cores import usable_cores
from catalogsku.core.metrics import PAGE_SECONDS, SANDBOX_PEAK, SANDBOX_RUNS
from catalogsku.core.sandbox import Hold, Limits, Outcome, Sandbox
from catalogsku.core.sandbox.wire import DEFAULT_LIMITS
from processing.sandboxed import frozen

log = logging.getLogger(__name__)

# Children at once in this process: with recognition in them they take 1.5 GB each.
AT_ONCE = usable_cores()
_turns = threading.BoundedSemaphore(AT_ONCE)

_lock = threading.Lock()
_sandboxes: dict[bool, Sandbox] = {}

GIB = 1 << 30
# 500,000 objects take 1.2 GB and 12 s: qpdf holds them all.
INSPECTION = Limits(memory_bytes=2 * GIB, cpu_s=90, wall_s=90.0, page_s=60.0)
# Copies of files as large as may come.
COPYING = msgspec.structs.replace(INSPECTION, file_bytes=512 << 20, out_bytes=GIB)
PRESCAN = Limits(memory_bytes=GIB, cpu_s=240, wall_s=260.0, page_s=30.0)
READING = Limits(memory_bytes=3 * GIB, cpu_s=240, wall_s=260.0, page_s=30.0)
# 650 lines of small print take 20 s of a core that has nothing else to do.
RECOGNISING = Limits(memory_bytes=3 * GIB, cpu_s=240, wall_s=260.0, page_s=90.0)
UNDERSTANDING = Limits(memory_bytes=GIB, cpu_s=120, wall_s=130.0, page_s=30.0)

LEFT_BEHIND_S = 3600

# Tasks that work page by page, by the stage that their time is counted for.
PAGE_STAGES = {"prescan_file": "prescan", "read_and_assess": "read", "understand_pages": "understand"}

# Ways a child can end for which the document is not to blame: nothing is counted, the work is done again.
NO_FAULT = frozenset({"turn_over", "stopped"})
NOT_THE_DOCUMENT = frozenset({"sandbox_lost", "unconfined", *NO_FAULT})


def sandbox(*, recognises: bool = False) -> Sandbox:
    """The process's sandbox.

    ``recognises``: one whose fork servers have the OCR models loaded. They take twice the memory and longer to start:
    they are started with the first page that needs them.
    """
    with _lock:
        if recognises not in _sandboxes:
            _sandboxes[recognises] = new_sandbox(recognises=recognises)
        return _sandboxes[recognises]


def reading_limits(*, recognises: bool) -> Limits:
    """Of a child that reads pages, with the OCR models or without."""
    return RECOGNISING if recognises else READING


def new_sandbox(*, recognises: bool = False) -> Sandbox:
    """With what the settings name loaded into its fork servers; raises SandboxUnavailable at its first use, also where
    an engine of OCR or its models are missing."""
    warm = "processing.engine.reading.ocr:warm_ocr" if recognises else ""
    with_ = msgspec.json.encode(frozen.ocr_choice()).decode() if recognises else ""
    return WatchedSandbox(settings.SANDBOX_PRELOAD, warm, warm_with=with_, require=settings.SANDBOX_REQUIRED)


class WatchedSandbox(Sandbox):
    """A child for each core at most: others wait for their turn, which is not counted against their limits.

    Counts what the children do, and names each that failed in the log, beside the ids of the message it served.
    """

    def run(
        self,
        task: str,
        request: Mapping[str, Any],
        numbers: Sequence[int],
        out_dir: Path,
        read_paths: Sequence[Path] = (),
        limits: Limits = DEFAULT_LIMITS,
        hold: Hold | None = None,
    ) -> Outcome:
        with _turns:
            outcome = super().run(task, request, numbers, out_dir, read_paths, limits, hold)
        name = task.rpartition(":")[2]
        _count(name, outcome)
        if not outcome.ok and outcome.reason not in NO_FAULT:
            log.warning("sandboxed work failed", extra=_described(name, numbers, outcome))
        if outcome.reason == "disk_full":  # as where this process itself had found it full: later, and nobody's fault
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(out_dir))
        return outcome


def _count(name: str, outcome: Outcome) -> None:
    SANDBOX_RUNS.labels(name, outcome.reason.split(":")[0]).inc()
    if outcome.peak_bytes:
        SANDBOX_PEAK.labels(name).observe(outcome.peak_bytes)
    if name in PAGE_STAGES:
        for _ in outcome.finished:
            PAGE_SECONDS.labels(PAGE_STAGES[name]).observe(outcome.wall_s / len(outcome.finished))


def _described(name: str, numbers: Sequence[int], outcome: Outcome) -> dict[str, Any]:
    """Without the child's own words: they may quote the document (TA-PII)."""
    return {
        "task": name,
        "reason": outcome.reason,
        "page": outcome.culprit,
        "pages": list(numbers)[:20],
        "finished": len(outcome.finished),
        "wall_s": round(outcome.wall_s, 3),
        "cpu_s": round(outcome.cpu_s, 3),
        "peak_bytes": outcome.peak_bytes,
    }


@contextmanager
def work_folder() -> Iterator[Path]:
    """A private folder for one chunk of work, gone afterwards."""
    with tempfile.TemporaryDirectory(dir=_work_root(), prefix="chunk-") as folder, _locked(folder):
        yield Path(folder)


def is_own_file(path: Path) -> bool:
    """A regular file, no link to one, that has no other name: a child may have left anything in its folder."""
    try:
        status = path.lstat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_nlink == 1


def clear_work_folders() -> dict[str, int]:
    """Delete what workers that were killed have left behind: old folders that no living process holds. Their age alone
    would not do: a clock that is set forward makes a folder old in the midst of work."""
    old = time.time() - LEFT_BEHIND_S
    deleted = 0
    for folder in _work_root().iterdir():
        with suppress(OSError):  # somebody works in it, or has just ended
            if folder.stat().st_mtime < old:
                with _locked(folder):
                    shutil.rmtree(folder)
                    deleted += 1
    return {"folders": deleted}


@contextmanager
def _locked(folder: str | Path) -> Iterator[None]:
    """Held by this process until it leaves or dies. Raises BlockingIOError where another one holds the folder."""
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(place)


def _work_root() -> Path:
    root = Path(settings.VAR_DIR, "work")
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    return root


def error_of(outcome: Outcome) -> dict[str, object]:
    """The failure of the page that a child ended on, as it is kept with the page; documents' own text stays out."""
    return {
        "code": f"sandbox_{outcome.reason.split(':')[0]}",
        "params": {},
        "reason": outcome.reason,
        "detail": outcome.detail[-600:],
    }
