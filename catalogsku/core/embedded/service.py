"""One child process of the embedded set: started, watched and ended by the process that holds the lock."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from catalogsku.core.embedded.identity import command
from catalogsku.core.embedded.places import EmbeddedServicesError, Places, explain

_LOG_KEPT_BYTES = 10_000_000
_TAIL_BYTES = 2_000


class Service:
    """A program with a readiness test. ``death_signal`` is what the kernel sends it when this process dies."""

    def __init__(self, name: str, where: Places, identity: str, death_signal: int) -> None:
        self.name, self.where = name, where
        self.identity, self.death_signal = identity, death_signal
        self.log = where.logs / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def launch(
        self,
        program: Sequence[str | Path],
        environment: Mapping[str, str],
        is_ready: Callable[[], bool],
        within_s: float = 30,
    ) -> None:
        """Start and return once ready. Raises EmbeddedServicesError with the reason from the service's own log, and if
        it runs: of two servers at one socket each would be asked by some."""
        if self.is_alive():
            raise EmbeddedServicesError(f"{self.name} runs already (process {self.pid}).")
        try:
            self._keep_log_small()
            with self.log.open("ab") as log:
                began = log.tell()
                self._process = subprocess.Popen(
                    command(self.identity, self.death_signal, program),
                    env=dict(environment),
                    cwd="/",
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
        except OSError as error:
            raise EmbeddedServicesError(explain(f"{error.strerror}: {error.filename}", self.where)) from error
        until = time.monotonic() + within_s
        try:
            while not is_ready():
                if not self.is_alive() or time.monotonic() > until:
                    raise EmbeddedServicesError(self._failure(began))
                time.sleep(0.01)
        except BaseException:
            self.stop(patience_s=5)
            raise

    def stop(self, patience_s: float, first: int = signal.SIGTERM) -> None:
        """End it: ``first``, after ``patience_s`` SIGQUIT (PostgreSQL's immediate stop), then SIGKILL."""
        process = self._process
        if process is None:
            return
        for number, wait_s in ((first, patience_s), (signal.SIGQUIT, 3.0), (signal.SIGKILL, 5.0)):
            if process.poll() is not None:
                break
            try:
                process.send_signal(number)
                process.wait(wait_s)
            except subprocess.TimeoutExpired:
                continue
        self._process = None

    def _keep_log_small(self) -> None:
        if self.log.exists() and self.log.stat().st_size > _LOG_KEPT_BYTES:
            os.replace(self.log, self.log.with_suffix(".log.1"))

    def _failure(self, began: int) -> str:
        with self.log.open("rb") as log:
            log.seek(began)
            said = log.read()[-_TAIL_BYTES:].decode(errors="replace").strip()
        reason = explain(said, self.where)
        return reason if reason != said else f"{self.name} did not start ({self.log}):\n{said or 'it said nothing'}"
