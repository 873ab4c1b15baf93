"""An installation of its own on which time passes as it is told: PostgreSQL and every process take it from one clock.

Rows could as well be dated back, or a clock be handed to each service; but then the sweeps, whose conditions ask
PostgreSQL for the time, would not be those of the product. So the machine's clock is set, as it would be by a year:
the same library that sets wrong clocks in `tests/chaos` is loaded into the server too. Only the kernel keeps the true
time, which stamps files; what goes by the times of files (parts of logs) gets the simulated one put on.
"""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from catalogsku.core import clock
from catalogsku.core.embedded import postgres
from tests.chaos.ground import compile_clock
from tests.support.stack import Stack

CLOCK = "CHAOS_CLOCK"


class YearStack(Stack):
    """Services, and no unit before ``start_units``. Raises OSError where there is no C compiler."""

    def __init__(self) -> None:
        super().__init__({"SANDBOX_OCR": "0"})
        self.is_over = False
        self.clocks = Path(tempfile.mkdtemp(prefix="catalogsku-clock-"))
        self.clocks.chmod(0o755)  # the server is another user where this one is root
        Clock(self.clocks / "clock").set_offset(0)
        if not compile_clock(self.clocks / "clock.so"):
            raise OSError("A simulated year needs a C compiler: the clock is a library that is loaded into the server.")

    def __enter__(self) -> "YearStack":
        try:
            with mock.patch.dict(postgres._ENVIRONMENT, self.clock_environment()):
                super().__enter__()
        except BaseException:
            shutil.rmtree(self.clocks, ignore_errors=True)
            raise
        return self

    def __exit__(self, *arguments: object) -> None:
        super().__exit__(*arguments)
        shutil.rmtree(self.clocks, ignore_errors=True)

    def start_units(self) -> None:
        """Not with the services: the year passes before a unit sees it."""
        if self.is_over:
            super().start_units()

    def clock_environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self.clocks / "clock.so"), CLOCK: str(self.clocks / "clock")}

    @contextmanager
    def told_the_time(self) -> Iterator[dict[str, str]]:
        """The environment of a process that lives through the year; afterwards the time is the true one."""
        try:
            yield {**self.process_environment(), **self.clock_environment()}
        finally:
            Clock(self.clocks / "clock").set_offset(0)


class Clock:
    """The file that every process has mapped. Used by a process that takes its own time from it, or by none."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @classmethod
    def of_this_process(cls) -> "Clock":
        return cls(Path(os.environ[CLOCK]))

    def offset_s(self) -> int:
        return int.from_bytes(self.file.read_bytes(), sys.byteorder, signed=True)

    def set_offset(self, seconds: int) -> None:
        if not self.file.exists():
            self.file.write_bytes(bytes(8))
        with self.file.open("r+b") as file:
            file.write(seconds.to_bytes(8, sys.byteorder, signed=True))
        clock.forget()  # the database's has moved with it

    def set_to(self, moment_s: float) -> None:
        """``moment_s``: seconds since 1970."""
        self.set_offset(round(moment_s - (time.time() - self.offset_s())))
