"""A test that failed among thousands is asked again alone; a fault stays one."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/failed_tests.py"
# Fails the first time, and from the n-th call on where FROM is set.
ONCE = """
from pathlib import Path
def test_once():
    calls = Path("calls")
    calls.write_text(calls.read_text() + "." if calls.exists() else ".")
    assert len(calls.read_text()) not in {failing}
"""
NEVER = "def test_never_{n}():\n    assert False\n"


def gate(folder: Path, tests: str) -> tuple[int, str]:
    """As `make test` does: the run, its code, and what failed in it once more."""
    (folder / "test_it.py").write_text(tests)
    bare = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = _run(folder, "-m", "pytest", "-q", "-ra", "--cache-clear", **bare)
    ended = f"ENDED WITH {run.returncode}: the pool\n" if run.returncode else ""
    (folder / "log").write_text(run.stdout + ended)
    again = _run(folder, str(SCRIPT), "log", **bare)
    return again.returncode, again.stdout


def _run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def test_nothing_failed(folder: Path) -> None:
    assert gate(folder, "def test_it():\n    pass\n") == (0, "")


def test_what_passes_three_times_alone_is_listed_and_stops_nobody(folder: Path) -> None:
    code, printed = gate(folder, ONCE.replace("{failing}", "{1}"))
    assert code == 0 and (folder / "calls").read_text() == "...."
    assert "UNSTEADY test_it.py::test_once: passed 3 times by itself" in printed and "\nENDED WITH 1" in printed


def test_what_fails_once_more_in_three_times_is_red(folder: Path) -> None:
    code, printed = gate(folder, ONCE.replace("{failing}", "{1, 4}"))
    assert code == 1 and "FAILED AGAIN test_it.py::test_once" in printed and "UNSTEADY" not in printed


def test_one_fault_beside_an_accident_is_red(folder: Path) -> None:
    code, printed = gate(folder, ONCE.replace("{failing}", "{1}") + NEVER.format(n=1))
    assert (
        code == 1 and "UNSTEADY test_it.py::test_once" in printed and "FAILED AGAIN test_it.py::test_never_1" in printed
    )


def test_many_are_no_accident(folder: Path) -> None:
    code, printed = gate(folder, ONCE.replace("{failing}", "{1}") + "".join(NEVER.format(n=n) for n in range(3)))
    assert code == 1 and (folder / "calls").read_text() == "." and printed.count("FAILED test_it.py") == 4


def test_a_run_that_was_broken_off_is_red(folder: Path) -> None:
    code, printed = gate(folder, "import nothing_that_there_is\n")
    assert code == 1 and "ENDED WITH 2" in printed and "UNSTEADY" not in printed
