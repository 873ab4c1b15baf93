"""What is not typed, or in the pure packages hardly tested, is refused by `make check` (TA-GATE)."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

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
def test_an_untyped_function_is_refused_in_every_room(tmp_path: Path) -> None:
    """With the project's own overrides, without the plugin for Django, which the function does not need."""
    modules = [tmp_path / room / "services" / "loose.py" for room in ROOMS]
    for module in modules:
        module.parent.mkdir(parents=True)
        for folder in (module.parent, module.parent.parent):
            (folder / "__init__.py").touch()
    lines = ["[mypy]", f"strict = {settings()['strict']}"]
    for part in settings()["overrides"]:
        for name in part["module"]:
            lines += [f"[mypy-{name}]", *(f"{flag} = {value}" for flag, value in part.items() if flag != "module")]
    (tmp_path / "mypy.ini").write_text("\n".join(lines))

    def refused(source: str) -> set[str]:
        for module in modules:
            module.write_text(source)
        packages = [part for room in ROOMS for part in ("-p", room)]
        command = [sys.executable, "-m", "mypy", "--no-incremental", *packages]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
        return {line.partition("/")[0] for line in done.stdout.splitlines() if ": error:" in line}

    assert refused(LOOSE) == set(ROOMS)
    assert not refused("def double(value: int) -> int:\n    return value * 2\n")


@pytest.mark.req("TA-GATE")
def test_the_gate_on_coverage_is_part_of_the_check() -> None:
    coverage = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["coverage"]
    assert "--cov --cov-report= tests/unit" in CHECK
    assert "processing/engine/*" in coverage["run"]["include"] and coverage["report"]["fail_under"] >= 95


@pytest.mark.req("TA-GATE")
@pytest.mark.parametrize(("called", "ended"), [("sign(5), sign(-5)", 0), ("sign(5)", 1)])
def test_lines_that_no_worker_ran_end_the_check(tmp_path: Path, called: str, ended: int) -> None:
    """Two workers run the tests, as in the check, with its own settings for other files."""
    (tmp_path / "signs.py").write_text("def sign(n):\n    if n < 0:\n        return -1\n    return 1\n")
    (tmp_path / "test_signs.py").write_text(
        f"from signs import sign\n\ndef test_one():\n    {called}\n\ndef test_two():\n    sign(1)\n"
    )
    (tmp_path / "pyproject.toml").write_text(
        '[tool.coverage.run]\ninclude = ["signs.py"]\n[tool.coverage.report]\nfail_under = 95\n'
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "2",
        "--cov",
        "--cov-report=",
        *("-p", "xdist", "-p", "pytest_cov"),
        str(tmp_path),
    ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV"))}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # of the dozen others some take seconds to load
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == ended, done.stdout
