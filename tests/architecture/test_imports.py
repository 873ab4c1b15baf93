"""Who may call whom: the contracts stand in pyproject.toml."""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def test_calls_go_down_and_the_engine_stays_pure() -> None:
    """In a process of its own: the linter imports what it checks, and this one has imported it otherwise."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
