"""The parent's hold on one fork server: start it, ask it, end it."""

import os
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

from catalogsku.core.sandbox.wire import Gone, Ready, Reply, Request, Stop, receive, send

ROOT = Path(__file__).resolve().parents[3]
GRACE_S = 10.0
# All that a fork server sees of an environment: one thread for each native library, and no telemetry, whose thread
# and connections onnxruntime otherwise opens at import. A child lives for some pages: its allocator keeps the memory of
# one page's rendering for the next instead of handing it back (measured: a quarter of the faults, a fifth less time).
ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENCV_FOR_THREADS_NUM": "1",
    "ORT_DISABLE_TELEMETRY": "1",
    "MALLOC_MMAP_THRESHOLD_": str(128 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(512 << 20),
    "MALLOC_TOP_PAD_": str(16 << 20),
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from catalogsku.core.sandbox.zygote import main; main(*sys.argv[1:])"
)


_starting = threading.Lock()
_starters: dict[int, ThreadPoolExecutor] = {}


class SandboxUnavailable(Exception):
    """No fork server can be started; the text says why."""


class Server:
    """One fork server and its pipes. It dies with this process, and with this object."""

    def __init__(self, preload: Sequence[str], warm: str, warm_with: str, require: bool, start_s: float) -> None:
        self._sending = threading.Lock()
        arguments = [str(ROOT), str(os.getpid()), "1" if require else "0", warm, warm_with, *preload]
        with (
            tempfile.TemporaryFile() as errors,
            tempfile.TemporaryDirectory(prefix="catalogsku-zygote-") as folder,
        ):
            self._process = _by_a_lasting_thread(
                lambda: subprocess.Popen(
                    [sys.executable, "-I", "-X", "utf8", "-c", _START, *arguments],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    cwd=folder,
                    env=ENVIRONMENT,
                    start_new_session=True,
                    bufsize=0,
                )
            )
            self._close = weakref.finalize(self, _close, self._process)
            self._requests, self._replies = _pipe(self._process.stdin), _pipe(self._process.stdout)
            self.ready = self._first_word(time.monotonic() + start_s, errors)

    def _first_word(self, deadline: float, errors: IO[bytes]) -> Ready:
        try:
            ready = receive(self._replies, Ready, deadline)
        except Gone:
            self.close()
            errors.seek(0)
            said = errors.read()[-2000:].decode(errors="replace").strip()
            why = said or f"exit {self._process.returncode}"
            raise SandboxUnavailable(f"the fork server did not start: {why}") from None
        if ready.error:
            self.close()
            raise SandboxUnavailable(ready.error)
        return ready

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, request: Request) -> Reply:
        """One child's work. Raises Gone when the fork server died or hangs; it is ended then, and by any interrupt."""
        deadline = time.monotonic() + request.limits.wall_s + GRACE_S
        try:
            with self._sending:
                send(self._requests, request, deadline)
            return receive(self._replies, Reply, deadline)
        except ValueError:
            raise
        except BaseException:  # an unread reply would answer the next question
            self.close()
            raise

    def stop(self, request_id: int) -> None:
        """For other threads: end that request's child; nothing where it has ended. What it handed out stays."""
        try:
            with self._sending:
                send(self._requests, Stop(request_id), time.monotonic() + GRACE_S)
        except (Gone, OSError):  # the fork server has ended, and its child with it
            return

    def end(self) -> None:
        """Kill it; the kernel kills its child with it. For other threads: the pipes stay its owner's."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Kill it and close the pipes. Twice is harmless."""
        self._close()


def _by_a_lasting_thread(start: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
    """By one that lives as long as the process: the kernel ends a child with the thread that started it."""
    own = os.getpid()  # a fork has no thread of its parent
    with _starting:
        if own not in _starters:
            _starters[own] = ThreadPoolExecutor(1, "fork-servers")
    return _starters[own].submit(start).result()


def _pipe(file: IO[bytes] | None) -> int:
    assert file is not None
    os.set_blocking(file.fileno(), False)
    return file.fileno()


def _close(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()
