"""What the rest of the product uses: run one task on untrusted bytes, get its pages back, checked."""

import os
import threading
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from catalogsku.core.sandbox.results import clear_results, collect_results
from catalogsku.core.sandbox.server import Server
from catalogsku.core.sandbox.wire import DEFAULT_LIMITS, Gone, Limits, Ready, Reply, Request

FINISHED = "finished"
LOST = "sandbox_lost"
STOPPED = "stopped"
TURN_OVER = "turn_over"
# Ways to end for which no page is to blame.
BLAMELESS = frozenset({"unconfined", "disk_full", STOPPED, TURN_OVER})
_ids = count(1)


class Outcome(msgspec.Struct, frozen=True):
    """What came back of one chunk.

    ``finished`` holds what was handed out of every page, also when the child ended badly. ``reason`` is
    finished, incomplete, raised, time_limit (one page), wall_limit, cpu_limit, memory_limit, output_limit,
    crashed:SIGNAL, exited:CODE, disk_full (the machine's), unconfined (the kernel refused; the document was not
    opened), turn_over (it has had its turn, and pages are left), stopped (by its ``Hold``) or sandbox_lost (killed from
    outside). ``culprit`` is the first page without a result when the document is to blame.
    """

    finished: dict[int, bytes]
    culprit: int | None
    reason: str
    detail: str = ""
    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_bytes: int = 0

    @property
    def ok(self) -> bool:
        return self.reason == FINISHED


class Hold:
    """Another thread's hold on a child: ``stop`` ends it within a moment, whatever it does, also before it began.

    ``began_s``: when it did, by the monotonic clock.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: tuple[Server, int] | None = None
        self.is_stopped = False
        self.began_s: float | None = None

    def stop(self) -> None:
        with self._lock:
            self.is_stopped = True
            if self._running is not None:
                server, request_id = self._running
                server.stop(request_id)

    @contextmanager
    def _on(self, server: Server, request_id: int) -> Iterator[None]:
        with self._lock:
            self._running, self.began_s = (server, request_id), time.monotonic()
        try:
            yield
        finally:
            with self._lock:
                self._running = None


class Sandbox:
    """Runs tasks in confined children, each of a fork server that serves nobody else meanwhile.

    ``preload`` names modules, ``warm`` a ``module:function``, both run once in the fork server; the function
    without arguments, or with the text ``warm_with``.
    ``require`` refuses to work (SandboxUnavailable) where the kernel lacks Landlock or seccomp; without it, resource
    limits alone must do there.
    """

    def __init__(
        self,
        preload: Sequence[str] = (),
        warm: str = "",
        *,
        warm_with: str = "",
        require: bool = False,
        start_s: float = 60.0,
    ) -> None:
        self._arguments = (tuple(preload), warm, warm_with, require, start_s)
        self._lock = threading.Lock()
        self._all: weakref.WeakSet[Server] = weakref.WeakSet()
        self._spare: list[Server] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def prepare(self, count: int) -> None:
        """Start ``count`` fork servers ahead of the first tasks: nobody waits for them. Raises SandboxUnavailable."""
        servers = [self._started() for _ in range(count)]
        with self._lock:
            self._spare += servers

    def start(self) -> Ready:
        """Start a fork server now rather than at the first task, and say what it is: the next task's."""
        with self._leased() as server:
            return server.ready

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
        """One child for all ``numbers``. ``out_dir`` belongs to this call; never raises for what a document does."""
        out_dir.mkdir(parents=True, exist_ok=True)
        clear_results(out_dir)
        hold = hold or Hold()
        message = Request(
            next(_ids),
            task,
            dict(request),
            list(numbers),
            os.path.realpath(out_dir),
            [os.path.realpath(path) for path in read_paths],
            limits,
        )
        try:
            with self._leased() as server, hold._on(server, message.id):
                if hold.is_stopped:
                    return Outcome({}, None, STOPPED)
                reply = server.ask(message)
        except Gone:
            return Outcome(_collect(message), None, LOST, "the fork server ended during the work")
        return self._outcome(message, reply)

    def close(self) -> None:
        """End every fork server; a task in flight comes back as sandbox_lost."""
        with self._lock:
            servers = list(self._all)
            self._all.clear()
            self._spare.clear()
        for server in servers:
            server.end()

    @contextmanager
    def _leased(self) -> Iterator[Server]:
        """The one that was used last: its memory is warm, and few are started where few work at once."""
        server = self._take_spare() or self._started()
        try:
            yield server
        finally:
            with self._lock:
                if server in self._all:  # nobody has closed them meanwhile
                    self._spare.append(server)

    def _take_spare(self) -> Server | None:
        with self._lock:
            while self._spare:
                server = self._spare.pop()
                if server.is_alive:
                    return server
                server.close()
        return None

    def _started(self) -> Server:
        server = Server(*self._arguments)
        with self._lock:
            self._all.add(server)
        return server

    def _outcome(self, message: Request, reply: Reply) -> Outcome:
        finished = _collect(message)
        missing = [number for number in message.numbers if number not in finished]
        reason = "incomplete" if reply.reason == FINISHED and missing else reply.reason
        culprit = missing[0] if missing and reason not in BLAMELESS else None
        return Outcome(finished, culprit, reason, reply.detail, reply.wall_s, reply.cpu_s, reply.peak_bytes)


def _collect(message: Request) -> dict[int, bytes]:
    return collect_results(Path(message.out), message.numbers, message.limits.file_bytes)
