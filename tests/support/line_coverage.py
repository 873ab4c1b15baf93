"""`pytest -p tests.support.line_coverage --least-coverage 80`: fails where few lines of pure packages ran (TA-GATE).

A tracer that lets go of a function once all of its lines have run, or CALLS_WATCHED calls in a row have shown no
new one, and of a test after CALLS_A_TEST calls: what runs long is hardly slower. It may miss a line, never invent one.
Workers of pytest-xdist watch, and send what they saw to the process that started them, which judges.
"""

import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parents[2]
# What decides by itself, without database and services: the engine, the core's words, the tables of every lifecycle.
PURE = (
    "processing/engine",
    "catalogsku/core/attributes.py",
    "catalogsku/core/box.py",
    "catalogsku/core/text.py",
    "catalogsku/core/errors.py",
    "catalogsku/profiles/schemas.py",
)
APPS = ("ingestion", "processing", "annotation")
CALLS_WATCHED = 100
CALLS_A_TEST = 50_000  # what a test does beyond them it mostly does again; Python under a tracer is half as fast
SHOWN = 15
LINES = "lines-of-the-pure-packages"  # of what a worker of xdist sends

Tracer = Callable[[FrameType, str, Any], Any]


def pure_files() -> list[Path]:
    found = [file for app in APPS for file in (PROJECT / app).rglob("lifecycle.py")]
    for place in (PROJECT / name for name in PURE):
        found += place.rglob("*.py") if place.is_dir() else [place]
    return sorted(found)


def lines_of(file: Path) -> set[int]:
    """Lines of functions that can run: those that bytecode is made for. What an import runs shows nothing."""
    codes = _nested(compile(file.read_text(encoding="utf-8"), str(file), "exec"))
    return {line for code in codes if code.co_flags & inspect.CO_OPTIMIZED for line in own_lines(code)}


def own_lines(code: CodeType) -> set[int]:
    """Without those of the functions inside it."""
    return {line for _, _, line in code.co_lines() if line}


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


class Watch:
    """Which lines of ``files`` have run since ``start``, which ends by itself after so many calls."""

    def __init__(self, files: list[Path]) -> None:
        self.seen: dict[str, set[int]] = {str(file): set() for file in files}
        # By the code's address, which is quicker to look up than the code itself; kept, so that no other code gets it.
        self._tracers: dict[int, Tracer | None] = {}
        self._codes: list[CodeType] = []

    def start(self, most_calls: int) -> None:
        tracers, meet, calls = self._tracers, self._meet, 0

        def enter(frame: FrameType, event: str, argument: Any) -> Tracer | None:
            nonlocal calls
            calls += 1
            if calls > most_calls:
                sys.settrace(None)
                return None
            try:
                tracer = tracers[id(frame.f_code)]
            except KeyError:
                tracer = meet(frame.f_code)
            return None if tracer is None else tracer(frame, "call", None)

        sys.settrace(enter)

    def stop(self) -> None:
        sys.settrace(None)

    def shares(self) -> dict[str, tuple[int, int]]:
        """Lines run and lines there are, by file."""
        wanted = {name: lines_of(Path(name)) for name in self.seen}
        return {name: (len(lines & self.seen[name]), len(lines)) for name, lines in wanted.items()}

    def _meet(self, code: CodeType) -> Tracer | None:
        self._codes.append(code)
        seen = self.seen.get(code.co_filename)
        self._tracers[id(code)] = tracer = None if seen is None else self._tracer(code, seen)
        return tracer

    def _tracer(self, code: CodeType, seen: set[int]) -> Tracer:
        left = own_lines(code) - seen
        idle_calls = 0

        def trace(frame: FrameType, event: str, argument: Any) -> Tracer | None:
            nonlocal idle_calls
            line = frame.f_lineno
            if line in left:
                left.discard(line)
                seen.add(line)
                idle_calls = 0
            elif event == "call":
                idle_calls += 1
                if idle_calls > CALLS_WATCHED:
                    left.clear()
            if left:
                return trace
            self._tracers[id(code)] = None
            return None

        return trace


def share(shares: dict[str, tuple[int, int]]) -> float:
    """Per cent."""
    run, there = (sum(pair[n] for pair in shares.values()) for n in (0, 1))
    return 100 * run / there if there else 0.0


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--least-coverage", type=float, metavar="PERCENT", help="of the lines of the pure packages")


def pytest_configure(config: pytest.Config) -> None:
    least = config.getoption("--least-coverage")
    if least is not None:
        config.pluginmanager.register(Gate(least), "line-coverage-gate")


class Gate:
    def __init__(self, least: float) -> None:
        self.least = least
        self.watch = Watch(pure_files())
        self.shares: dict[str, tuple[int, int]] = {}

    def pytest_runtest_setup(self) -> None:
        self.watch.start(CALLS_A_TEST)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of xdist has ended; one that died has sent nothing."""
        for name, lines in getattr(node, "workeroutput", {}).get(LINES, {}).items():
            self.watch.seen[name].update(lines)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.watch.stop()
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput[LINES] = {name: sorted(lines) for name, lines in self.watch.seen.items()}
            return
        self.shares = self.watch.shares()
        if share(self.shares) < self.least and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        total = share(self.shares)
        terminalreporter.section("lines of the pure packages that ran")
        if total < self.least:
            worst = sorted(self.shares.items(), key=lambda one: one[1][0] - one[1][1])[:SHOWN]
            for name, (run, there) in worst:
                terminalreporter.line(f"{run:>5} of {there:<5} {Path(name).relative_to(PROJECT)}")
        verdict = "enough" if total >= self.least else "FAILED"
        terminalreporter.line(f"{total:.1f} %, at least {self.least:.0f} % are asked for: {verdict}")
