"""A worker process says that it lives: its row in core_worker, kept fresh by catalogsku.core.middleware."""

import os
import socket
import threading
import uuid
from functools import cache
from pathlib import Path

from django.db.models.functions import Now

from catalogsku.core import clock
from catalogsku.core.models import Worker

_current: Worker | None = None
_lock = threading.Lock()
_unit, _threads = "local", 1


@cache
def this_machine() -> str:
    """Among which processes a process id of this one's names the same: its machine, since it started, and the namespace
    of process ids. Containers may share a hostname, and a process id then names a stranger.

    Where Linux does not say, nobody else's: what a dead process held is then freed by the sweep.
    """
    try:
        started = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{started} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return uuid.uuid4().hex


def serve_as(unit: str, threads: int) -> None:
    """What this process's row will say; before the first message is taken."""
    global _unit, _threads
    _unit, _threads = unit, threads


def current_worker() -> Worker:
    """This process's worker row, made on first use; commands and tests that do work themselves are unit `local`."""
    global _current
    with _lock:
        if _current is None or _current.pid != os.getpid():
            _current = Worker.objects.create(
                unit=_unit, host=socket.gethostname(), machine=this_machine(), pid=os.getpid(), threads=_threads
            )
        return _current


def beat() -> Worker:
    """Say that this process lives; where its row is gone (it was taken for dead), it comes back under a new one."""
    global _current
    worker = current_worker()
    if not Worker.objects.filter(pk=worker.pk).update(seen_at=Now(), clock_ahead_s=clock.ahead_s()):
        with _lock:
            _current = None
    return current_worker()


def leave() -> None:
    """Delete this process's row: its claims, if any were left, are free at once."""
    global _current
    with _lock:
        if _current is not None:
            Worker.objects.filter(pk=_current.pk).delete()
            _current = None
