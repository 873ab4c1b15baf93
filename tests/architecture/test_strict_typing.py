"""What is not typed, or in the pure packages hardly tested, is refused by `make check` (TA-GATE)."""

import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.line_coverage import PURE, Gate, Watch, lines_of, share

PROJECT = Path(__file__).resolve().parents[2]
MAKEFILE = (PROJECT / "Makefile").read_text()
CHECK, LINT = (MAKEFILE.partition(f"\n{target}:")[2].partition("\n\n")[0] for target in ("check", "lint"))
ROOMS = ("annotation", "catalogsku", "ingestion", "processing")
# What an override may say: how modules that are imported are followed, and nothing of what is checked.
FOLLOWED = {"module", "follow_imports", "follow_untyped_imports", "ignore_missing_imports"}
LOOSE = "def double(value):\n    return value * 2\n"


def settings() -> dict[str, Any]:
    mypy: dict[str, Any] = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["mypy"]
    return mypy


@pytest.mark.req("TA-GATE")
def test_every_strict_check_is_on_for_the_whole_product() -> None:
    ours = settings()
    assert ours["strict"] is True and set(ROOMS) <= set(ours["packages"])
    assert ours["exclude"] == ["/migrations/"], "what Django writes itself"
    assert not {
        name for name, value in ours.items() if value is False or name in ("ignore_errors", "disable_error_code")
    }
    assert all(part.keys() <= FOLLOWED for part in ours["overrides"])
    assert "$(MAKE) --no-print-directory lint" in CHECK and "$(bin)/mypy\n" in LINT


@pytest.mark.req("TA-GATE")
@pytest.mark.parametrize("room", ROOMS)
def test_an_untyped_function_is_refused_in_every_room(room: str, tmp_path: Path) -> None:
    """With the project's own overrides, without the plugin for Django, which the function does not need."""
    module = tmp_path / room / "services" / "loose.py"
    module.parent.mkdir(parents=True)
    for folder in (module.parent, module.parent.parent):
        (folder / "__init__.py").touch()
    lines = ["[mypy]", f"strict = {settings()['strict']}"]
    for part in settings()["overrides"]:
        for name in part["module"]:
            lines += [f"[mypy-{name}]", *(f"{flag} = {value}" for flag, value in part.items() if flag != "module")]
    (tmp_path / "mypy.ini").write_text("\n".join(lines))

    def checked(source: str) -> int:
        module.write_text(source)
        command = [sys.executable, "-m", "mypy", "--no-incremental", "-p", room]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120).returncode

    assert checked(LOOSE) == 1
    assert checked("def double(value: int) -> int:\n    return value * 2\n") == 0


@pytest.mark.req("TA-GATE")
def test_the_gate_on_coverage_is_part_of_the_check() -> None:
    assert "-p tests.support.line_coverage --least-coverage 80 tests/unit" in CHECK
    assert "processing/engine" in PURE


@pytest.mark.req("TA-GATE")
def test_lines_that_did_not_run_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_text("def sign(n):\n    if n < 0:\n        return -1\n    return 1\n")
    parts: dict[str, Any] = {}
    watch, outer = Watch([file]), sys.gettrace()
    exec(compile(file.read_text(), str(file), "exec"), parts)
    watch.start(1000)
    try:
        for _ in range(3):
            parts["sign"](5)
    finally:
        sys.settrace(outer)
    assert watch.seen[str(file)] == {1, 2, 4} and lines_of(file) == {1, 2, 3, 4}
    assert share(watch.shares()) == 75


@pytest.mark.req("TA-GATE")
def test_lines_that_ran_in_any_worker_are_counted_and_judged_once(tmp_path: Path) -> None:
    file = str(tmp_path / "code.py")
    Path(file).write_text("def sign(n):\n    if n < 0:\n        return -1\n    return 1\n")

    def gate() -> Gate:
        made = Gate(80)
        made.watch = Watch([Path(file)])
        return made

    sent = []
    for lines in ({1, 2, 4}, {1, 2, 3}):
        worker = gate()
        worker.watch.seen[file] |= lines
        session = SimpleNamespace(exitstatus=pytest.ExitCode.OK, config=SimpleNamespace(workeroutput={}))
        worker.pytest_sessionfinish(session)  # type: ignore[arg-type]
        assert session.exitstatus == pytest.ExitCode.OK
        sent.append(SimpleNamespace(workeroutput=session.config.workeroutput))

    for nodes, expected in ((sent[:1], pytest.ExitCode.TESTS_FAILED), (sent, pytest.ExitCode.OK)):
        first = gate()
        for node in (*nodes, SimpleNamespace()):  # the last one died
            first.pytest_testnodedown(node)
        session = SimpleNamespace(exitstatus=pytest.ExitCode.OK, config=SimpleNamespace())
        first.pytest_sessionfinish(session)  # type: ignore[arg-type]
        assert session.exitstatus == expected
