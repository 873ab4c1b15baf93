"""A bare machine: each thing that is missing is a sentence, and nothing half-made is left behind."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
TOOLS = ("sh", "dirname", "df", "awk", "mktemp", "rm", "uname", "ldd", "grep", "cat", "id", "head", "tail", "sha256sum")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what bootstrapping needs, and ``bin``, the only folder on its PATH."""
    (tmp_path / "bin").mkdir()
    for name in TOOLS:
        if found := shutil.which(name):
            (tmp_path / "bin" / name).symlink_to(found)
    shutil.copytree(PROJECT / "scripts", tmp_path / "scripts")
    shutil.copytree(PROJECT / "requirements", tmp_path / "requirements")
    return tmp_path


def put_python(checkout: Path, script: str, name: str = "python3") -> None:
    program = checkout / "bin" / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def bootstrap(checkout: Path, set_name: str = "base", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["scripts/bootstrap.sh", set_name],
        cwd=checkout,
        text=True,
        capture_output=True,
        timeout=240,
        env={"PATH": str(checkout / "bin"), "HOME": str(checkout), "PIP_CONFIG_FILE": os.devnull, **environment},
    )


def refusal(checkout: Path, **environment: str) -> str:
    done = bootstrap(checkout, **environment)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr + done.stdout
    return done.stderr


def test_a_machine_without_python_is_told_what_to_install(checkout: Path) -> None:
    assert "Python 3.11 or 3.12 is needed, and no Python was found" in refusal(checkout)


def test_an_old_python_is_named(checkout: Path) -> None:
    old = 'case "$*" in *sys.exit*) exit 1;; *platform*) echo Python 3.9.2;; esac'
    put_python(checkout, old)

    assert "Python 3.9.2 was found" in refusal(checkout)


def test_a_python_without_venv_names_the_package(checkout: Path) -> None:
    script = (
        f'case "$*" in *"-m venv"*) echo "ensurepip is not available"; exit 1;; *) exec {sys.executable} "$@";; esac'
    )
    put_python(checkout, script, "python3.11")

    assert "Install the package python3.1" in refusal(checkout)
    assert not (checkout / ".venv").exists()


def test_another_machine_type_is_a_sentence(checkout: Path) -> None:
    put_python(checkout, f'exec {sys.executable} "$@"')
    (checkout / "bin" / "uname").unlink()
    put_python(checkout, '[ "$1" = -m ] && echo aarch64 || echo Linux', "uname")

    assert "Linux on x86-64" in refusal(checkout)


def test_a_nearly_full_disk_is_noticed_first(checkout: Path) -> None:
    put_python(checkout, f'exec {sys.executable} "$@"')
    (checkout / "bin" / "df").unlink()
    put_python(checkout, 'echo "Filesystem 1024-blocks Used Available"; echo "/dev/x 100000 90000 10240"', "df")

    assert "10 MB are free here" in refusal(checkout)


@pytest.mark.slow
def test_a_missing_registry_is_a_sentence_and_the_next_run_goes_on(checkout: Path) -> None:
    put_python(checkout, f'exec {sys.executable} "$@"')

    said = refusal(checkout, PIP_INDEX_URL="http://127.0.0.1:9/simple")

    assert "The package registry (http://127.0.0.1:9/simple) did not give what is needed" in said
    assert not (checkout / ".venv" / ".installed-base").exists()
    again = refusal(checkout, PIP_INDEX_URL="http://127.0.0.1:9/simple")
    assert "Making .venv" not in again


@pytest.mark.slow
def test_an_installed_set_is_not_installed_again_until_its_lock_changes(checkout: Path) -> None:
    put_python(checkout, f'exec {sys.executable} "$@"')
    lock = checkout / "requirements" / "base.txt"
    lock.write_text("# nothing to install\n")

    first, second = bootstrap(checkout), bootstrap(checkout)
    lock.write_text("# nothing to install, but another lock\n")
    third = bootstrap(checkout)

    assert [done.returncode for done in (first, second, third)] == [0, 0, 0]
    assert ["Installing" in done.stdout for done in (first, second, third)] == [True, False, True]


@pytest.mark.slow
def test_a_folder_that_was_moved_is_made_anew(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    put_python(checkout, f'exec {sys.executable} "$@"')
    (checkout / "requirements" / "base.txt").write_text("# nothing to install\n")
    bootstrap(checkout)
    moved = tmp_path_factory.mktemp("moved") / "here"
    shutil.move(checkout, moved)

    assert "Making .venv" in bootstrap(moved).stdout


@pytest.mark.long
@pytest.mark.slow
def test_the_set_with_paddleocr_takes_the_place_of_base_and_is_not_mixed_with_the_checks(checkout: Path) -> None:
    put_python(checkout, f'exec {sys.executable} "$@"')
    for name in ("base", "dev", "ocr-paddle"):
        (checkout / "requirements" / f"{name}.txt").write_text(f"# nothing to install for {name}\n")

    done = [bootstrap(checkout, name) for name in ("base", "ocr-paddle", "base")]
    (checkout / "requirements" / "ocr-paddle.txt").write_text("# nothing to install, but another lock\n")
    renewed, refused = bootstrap(checkout), bootstrap(checkout, "dev")

    assert [one.returncode for one in done] == [0, 0, 0], done
    assert ["Installing" in one.stdout for one in (*done, renewed)] == [True, True, False, True]
    assert refused.returncode == 1 and "This .venv has PaddleOCR" in refused.stderr
    assert not (checkout / ".venv" / ".installed-dev").exists()
