"""The forked child: close what it inherited, confine itself, run one task, end. It never returns to its caller."""

import contextlib
import errno
import importlib
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from catalogsku.core.sandbox.confine import Capabilities, confine, die_with_parent
from catalogsku.core.sandbox.results import Results
from catalogsku.core.sandbox.wire import Limits, Request

EXIT_MEMORY, EXIT_RAISED, EXIT_UNCONFINED, EXIT_DISK_FULL, EXIT_TURN_OVER = 3, 4, 5, 6, 7


class TurnOver(BaseException):
    """The child has had its turn: what is left of its pages is another turn's."""


class Emit:
    """Hands finished pages out and starts the next page's time. Raises TurnOver where no time is left for another one.

    A task is called as ``task(request, emit)``; ``numbers`` are the pages wanted, in order, ``out`` the only folder
    in which it may write (regular files, no subfolders).
    """

    def __init__(self, numbers: Sequence[int], out: Path, limits: Limits) -> None:
        self.numbers = tuple(numbers)
        self.out = out
        self._page_s = limits.page_s
        self._given, self._over_at_s = 0, time.monotonic() + limits.turn_s
        self._results = Results(out, limits.file_bytes)
        self._start_page()

    def __call__(self, number: int, payload: bytes) -> None:
        """A page is there wholly or not at all; it stays, however the child ends."""
        self._results.add(number, payload)
        self._given += 1
        if self._given < len(self.numbers) and time.monotonic() > self._over_at_s:
            raise TurnOver
        self._start_page()

    def _start_page(self) -> None:
        # The default action ends C code too, which a Python handler could not interrupt.
        signal.setitimer(signal.ITIMER_REAL, self._page_s)


def run_child(request: Request, offered: Capabilities, code: Sequence[str], output: int, parent_pid: int) -> NoReturn:
    """``output`` is the pipe that becomes the child's stdout and stderr."""
    try:
        _enter(request, offered, code, output, parent_pid)
    except BaseException:
        traceback.print_exc()
        os._exit(EXIT_UNCONFINED)
    status = _work(request)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def _enter(request: Request, offered: Capabilities, code: Sequence[str], output: int, parent_pid: int) -> None:
    die_with_parent(parent_pid)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    for number in (signal.SIGALRM, signal.SIGXCPU, signal.SIGXFSZ, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    os.chdir(request.out)
    tempfile.tempdir = request.out
    os.environ["TMPDIR"] = request.out
    confine(request.limits, offered, [*code, *request.read], [request.out])


def _work(request: Request) -> int:
    try:
        emit = Emit(request.numbers, Path(request.out), request.limits)
        resolve(request.task)(request.request, emit)
    except TurnOver:
        return EXIT_TURN_OVER
    except MemoryError:
        return EXIT_MEMORY
    except BaseException as error:
        os.write(2, f"\n{type(error).__name__}: {error}"[:1000].encode(errors="replace"))
        return EXIT_DISK_FULL if _finds_no_room(error) else EXIT_RAISED
    return 0


def _finds_no_room(error: BaseException | None) -> bool:
    """The machine's disk, not the child's limit (that is EFBIG); also where a library made another error of it."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        error = error.__cause__ or error.__context__
    return False


def resolve(task: str) -> Any:
    """The function that ``module:function`` names."""
    module, _, name = task.partition(":")
    return getattr(importlib.import_module(module), name)
