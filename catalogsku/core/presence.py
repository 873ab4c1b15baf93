"""A worker process says that it lives: its row in core_worker, kept fresh by catalogsku.core.middleware."""

import os
import socket
import threading

from django.db.models.functions import Now

from catalogsku.core.models import Worker

_current: Worker | None = None
_lock = threading.Lock()
_unit, _threads = "local", 1


def serve_as(unit: str, threads: int) -> None:
    """What this process's row will say; before the first message is taken."""
    global _unit, _threads
    _unit, _threads = unit, threads


def current_worker() -> Worker:
    """This process's worker row, made on first use; commands and tests that do work themselves are unit `local`."""
    global _current
    with _lock:
        if _current is None or _current.pid != os.getpid():
            _current = Worker.objects.create(unit=_unit, host=socket.gethostname(), pid=os.getpid(), threads=_threads)
        return _current


def beat() -> Worker:
    """Say that this process lives; where its row is gone (it was taken for dead), it comes back under a new one."""
    global _current
    worker = current_worker()
    if not Worker.objects.filter(pk=worker.pk).update(seen_at=Now()):
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
