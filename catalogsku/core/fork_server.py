"""Loads the product once and forks the units from it, run as ``python -m catalogsku.core.fork_server FD [MODULE]``.

A unit that loads for itself takes 1.5 s of a core and 120 MB; a forked one is there in a moment and shares what was
loaded. So nothing is opened here and no thread is started: what a unit holds, it holds alone.

An order is one message on the socket FD: JSON with ``arguments`` (as python(1) takes them: ``-m`` MODULE, ``-c`` CODE
or a file, and what follows; ``{fd}`` stands for the number of the first descriptor handed over) and ``environment``
(added to this one's), with the log's descriptor and those for the unit. The answer is the unit's pid. The unit leads a
session of its own, is a child of the process that asked, and ends with it.
"""

import contextlib
import ctypes
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from setproctitle import setproctitle

from catalogsku.core.embedded.identity import command
from catalogsku.core.embedded.launch import die_with_parent

FD = "{fd}"
ORDER_BYTES = 64 << 10
LOADED_WITHIN_S = 60.0
_PR_SET_CHILD_SUBREAPER = 36


class ForkServerGone(Exception):
    """It could not load, or has ended; its log says why."""


class ForkServer:
    """The supervisor's hold on it; to be used from the main thread, whose end ends the units."""

    def __init__(self, folder: Path, log: Path, preload: str = "") -> None:
        self._folder, self.log, self._preload = folder, log, preload
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None

    def start(self) -> None:
        """Begin to load; the first ``fork`` waits for the end of it."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.settimeout(LOADED_WITHIN_S)
        program = [sys.executable, "-m", __name__, str(theirs.fileno()), *([self._preload] if self._preload else [])]
        with theirs, self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command("same", signal.SIGKILL, program),
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONUNBUFFERED": "1", "CATALOGSKU_UNIT": "units"},
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._socket = ours

    def fork(
        self, arguments: Sequence[str], environment: Mapping[str, str], log: int, fds: Sequence[int], nice: int = 0
    ) -> int:
        """The pid of a new unit, a child of this process that leads its session and stands back by ``nice``, as does
        what it starts. Raises ForkServerGone."""
        if self._process is None or self._socket is None or self._process.poll() is not None:
            self.stop()
            self.start()
        assert self._socket is not None
        order = json.dumps({"arguments": list(arguments), "environment": dict(environment), "nice": nice}).encode()
        try:
            with _reaping_orphans():
                socket.send_fds(self._socket, [order], [log, *fds])
                answer = self._socket.recv(64)
        except OSError as error:
            answer, why = b"", repr(error)
        else:
            why = "it ended"
        if not answer:
            self.stop()
            raise ForkServerGone(f"the units could not be loaded: {why}. See {self.log}.")
        return int(answer)

    def stop(self) -> None:
        """What it has forked goes on."""
        if self._socket is not None:
            self._socket.close()
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
            self._process.kill()
            self._process.wait()
        self._process = self._socket = None


@contextlib.contextmanager
def _reaping_orphans() -> Iterator[None]:
    """A unit loses the process between it and its fork server: it becomes a child of this one instead of init's. Only
    meanwhile: whatever else loses its parent is not for this process to wait for."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def main(number: str, preload: str = "") -> None:
    """Answers orders until the socket is closed. In each unit it returns from the loop, and runs what was ordered."""
    supervisor_pid = os.getppid()
    if preload:
        importlib.import_module(preload)
    channel = socket.socket(fileno=int(number))
    while True:
        message, fds, _, _ = socket.recv_fds(channel, ORDER_BYTES, 16)
        if not message:
            return
        order = json.loads(message)
        answer, unit_end = os.pipe()
        if not (between := os.fork()):
            if os.fork():
                os._exit(0)
            os.setsid()  # whoever knows its pid may kill its group
            if order["nice"]:
                os.setpriority(os.PRIO_PROCESS, 0, order["nice"])
            os.write(unit_end, str(os.getpid()).encode())
            break
        os.close(unit_end)
        os.waitpid(between, 0)  # from here on the supervisor is the unit's parent
        channel.send(os.read(answer, 64))
        for descriptor in (answer, *fds):
            os.close(descriptor)
    for descriptor in (answer, unit_end):
        os.close(descriptor)
    channel.close()
    _settle(supervisor_pid, order["environment"], fds[0])
    _run([str(fds[1]) if part == FD else part for part in order["arguments"]])


def _settle(supervisor_pid: int, environment: Mapping[str, str], log: int) -> None:
    """Become a unit: own log, own environment, and an end with the supervisor."""
    between = os.getppid()
    while between != supervisor_pid and os.getppid() == between:
        time.sleep(0.001)
    die_with_parent(supervisor_pid)
    for target in (1, 2):
        os.dup2(log, target)
    os.close(log)
    os.environ.update(environment)


def _run(arguments: Sequence[str]) -> None:
    setproctitle(" ".join([sys.executable, *arguments]))
    kind, *rest = arguments
    environment: dict[str, Any] = {"__name__": "__main__"}
    match kind:
        case "-m":
            sys.argv = rest
            runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        case "-c":
            sys.argv = ["-c", *rest[1:]]
            exec(compile(rest[0], "<string>", "exec"), environment)
        case _:
            sys.argv = list(arguments)
            runpy.run_path(kind, run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
