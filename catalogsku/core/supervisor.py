"""Starts the units, keeps them running and ends them in order; nothing it started outlives it, also by kill -9.

A unit is one entry of ``catalogsku.units``: a program with its own process group, log file and restart back-off.
"""

import contextlib
import os
import shutil
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from catalogsku.core.embedded import EmbeddedServicesError, Running
from catalogsku.core.fork_server import FD, ForkServer, ForkServerGone

TICK_S = 0.1
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.2, 10.0
_SOUND_AFTER_S = 10.0  # a unit that ran this long starts again without a memory of earlier deaths
_SERVICE_PAUSE_S = 5.0
_LOG_KEPT_BYTES = 10_000_000
_LOG_LOOKED_AT_EVERY_S = 30.0

Say = Callable[[str], None]
OnUnitDeath = Callable[[str, int], None]


@dataclass(frozen=True)
class Unit:
    """What to run: ``arguments`` of python(1), where ``{fd}`` is the web socket's number.

    Lower stages are stopped first. ``environment`` is for what it reads when it runs: modules may be loaded already.
    ``nice``: how far it stands back where there is more to do than cores, as nice(1) counts. ``for_browsers``: nothing
    of it is needed where nobody looks.
    """

    name: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    stop_stage: int = 0
    drain_s: float = 15.0
    nice: int = 0
    for_browsers: bool = False


def listen(preferred_port: int, host: str = "127.0.0.1", tries: int = 100) -> socket.socket:
    """A listening socket on the first free port from ``preferred_port`` on; OSError where all are taken.

    It stays open in this process, so a web unit that restarts refuses nobody.
    """
    for port in range(preferred_port, min(preferred_port + tries, 65536)):
        if _taken_on_ipv6(port):
            continue
        listener = socket.socket(socket.AF_INET)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen(512)
        except PermissionError:
            listener.close()
            raise
        except OSError:
            listener.close()
            continue
        return listener
    raise OSError(f"no free port from {preferred_port} on")


def _taken_on_ipv6(port: int) -> bool:
    """Browsers ask ::1 first for localhost: another program there would answer in our place."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET6) as probe:
        probe.settimeout(0.2)
        return probe.connect_ex(("::1", port)) == 0
    return False


class _Child:
    """One unit's process over its restarts. ``pid`` is 0 where there is none."""

    def __init__(self, unit: Unit, log: Path) -> None:
        self.unit, self.log = unit, log
        self.pid = 0
        self.started_at_s = self.start_at_s = 0.0
        self.pause_s = FIRST_PAUSE_S

    def start(self, server: ForkServer, fds: Sequence[int]) -> None:
        """Raises ForkServerGone."""
        self.started_at_s = time.monotonic()
        with self.log.open("ab") as log:
            self.pid = server.fork(
                self.unit.arguments,
                {"CATALOGSKU_UNIT": self.unit.name, **self.unit.environment},
                log.fileno(),
                fds if FD in self.unit.arguments else (),
                self.unit.nice,
            )

    def has_ended(self) -> bool:
        """Looks without reaping: until then the number of the process, and of its group, stays its own."""
        return not self.pid or os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def signal(self, number: int) -> None:
        """To the leader, which passes it on to its own."""
        if not self.has_ended():
            os.kill(self.pid, number)

    def clear_group(self) -> int:
        """Kill what is left of the group, reap the leader, and say how it ended (negative: by a signal)."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def put_off(self, now_s: float) -> float:
        """When it is started again, s from now: longer after each early end."""
        if now_s - self.started_at_s >= _SOUND_AFTER_S:
            self.pause_s = FIRST_PAUSE_S
        pause_s, self.pause_s = self.pause_s, min(self.pause_s * 2, LONGEST_PAUSE_S)
        self.start_at_s = now_s + pause_s
        return pause_s

    def last_words(self) -> str:
        with contextlib.suppress(OSError), self.log.open("rb") as log:
            log.seek(max(0, self.log.stat().st_size - 2000))
            lines = [line.strip() for line in log.read().decode(errors="replace").splitlines() if line.strip()]
            return lines[-1][:200] if lines else ""
        return ""


class Supervisor:
    """``start``, then ``tick`` every TICK_S from the main thread until ``stop``; ``run`` does all three until a signal.

    ``preload`` names the module that the units have in common: it is loaded once. ``on_unit_death(unit, pid)`` is
    called in a thread of its own once a unit's process and its whole group are gone; ``pid`` names both.
    """

    def __init__(
        self,
        units: Sequence[Unit],
        *,
        services: Running | None,
        logs: Path,
        folder: Path,
        preload: str = "",
        on_unit_death: OnUnitDeath | None = None,
        say: Say = print,
        fds: Sequence[int] = (),
    ) -> None:
        self.services, self.fds = services, tuple(fds)
        self._server = ForkServer(folder, logs / "units.log", preload)
        self._logs, self._say, self._on_unit_death = logs, say, on_unit_death
        self._children = [_Child(unit, logs / f"{unit.name}.log") for unit in units]
        self._hooks: list[threading.Thread] = []
        self._signals_seen = 0
        self._log_look_at_s = self._revive_at_s = 0.0

    def start(self) -> None:
        self._logs.mkdir(parents=True, exist_ok=True, mode=0o700)
        for child in self._children:
            self._start(child)

    def tick(self) -> None:
        """Revive services, bury and restart units, keep logs small. Returns at once."""
        now_s = time.monotonic()
        self._revive_services(now_s)
        for child in self._children:
            if child.pid and child.has_ended():
                self._bury(child, now_s)
            elif not child.pid and now_s >= child.start_at_s:
                self._start(child)
        if now_s >= self._log_look_at_s:
            self._log_look_at_s = now_s + _LOG_LOOKED_AT_EVERY_S
            for log in (self._server.log, *(child.log for child in self._children)):
                _shorten(log)

    def pids(self) -> dict[str, int]:
        """The running units' process ids."""
        return {child.unit.name: child.pid for child in self._children if child.pid}

    def stop(self) -> None:
        """Units of a stage together, each with its time to drain, stage after stage; then the services.

        A signal that comes meanwhile (a second Ctrl-C) kills instead.
        """
        seen = self._signals_seen
        for stage in sorted({child.unit.stop_stage for child in self._children}):
            self._drain([child for child in self._children if child.unit.stop_stage == stage], seen)
        self._server.stop()
        for hook in self._hooks:
            hook.join(timeout=2)
        if self.services:
            self.services.stop(patience_s=10 if self._signals_seen == seen else 2)

    def run(self) -> None:
        """Until SIGINT, SIGTERM or SIGHUP; then stop. The handlers of before are put back."""
        with self._listening():
            try:
                self.start()
                while not self._signals_seen:
                    self.tick()
                    time.sleep(TICK_S)
                self._say("Stopping; once more Ctrl-C to stop at once ...")
            finally:
                self.stop()

    @contextlib.contextmanager
    def _listening(self) -> Iterator[None]:
        def note(number: int, frame: FrameType | None) -> None:
            self._signals_seen += 1

        before: dict[int, Any] = {n: signal.signal(n, note) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _start(self, child: _Child) -> None:
        try:
            child.start(self._server, self.fds)
        except ForkServerGone as error:
            self._say(f"{child.unit.name}: {error} Again in {child.put_off(time.monotonic()):.1f} s.")

    def _bury(self, child: _Child, now_s: float) -> None:
        pid, code, pause_s = child.pid, child.clear_group(), child.put_off(now_s)
        how = f"signal {-code}" if code < 0 else f"code {code}"
        self._say(f"{child.unit.name} ended ({how}), again in {pause_s:.1f} s. {child.log}: {child.last_words()}")
        self._tell_death(child.unit.name, pid)

    def _tell_death(self, unit: str, pid: int) -> None:
        if self._on_unit_death is None:
            return
        hook = threading.Thread(target=self._call_hook, args=(self._on_unit_death, unit, pid), daemon=True)
        self._hooks = [running for running in self._hooks if running.is_alive()] + [hook]
        hook.start()

    def _call_hook(self, hook: OnUnitDeath, unit: str, pid: int) -> None:
        try:
            hook(unit, pid)
        except Exception as error:  # the sweep frees the claims later; supervision goes on
            self._say(f"claims of {unit} not freed at once: {error}")

    def _revive_services(self, now_s: float) -> None:
        if self.services is None or now_s < self._revive_at_s:
            return
        try:
            for name in self.services.revive():
                self._say(f"{name} had ended and was started again")
        except EmbeddedServicesError as error:
            self._revive_at_s = now_s + _SERVICE_PAUSE_S
            self._say(str(error))

    def _drain(self, children: Sequence[_Child], seen: int) -> None:
        running = [child for child in children if child.pid]
        for child in running:
            child.signal(signal.SIGTERM)
        began_s = time.monotonic()
        while running and self._signals_seen == seen:
            running = [child for child in running if not child.has_ended()]
            if all(time.monotonic() - began_s > child.unit.drain_s for child in running):
                break
            time.sleep(0.02)
        for child in children:
            if not child.pid:
                continue
            pid, was_killed = child.pid, not child.has_ended()
            child.clear_group()
            if was_killed:
                self._say(f"{child.unit.name} did not end in time and was killed")
                self._tell_death(child.unit.name, pid)


def _shorten(log: Path) -> None:
    """Rotate by copy: the unit keeps its descriptor, which appends, so it goes on at the new end."""
    with contextlib.suppress(OSError):
        if log.stat().st_size > _LOG_KEPT_BYTES:
            shutil.copyfile(log, log.with_suffix(".log.1"))
            os.truncate(log, 0)
