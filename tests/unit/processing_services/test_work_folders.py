"""Folders of work that killed workers leave behind are deleted, those that somebody works in never."""

import os
from pathlib import Path
from typing import Any

import pytest

from processing.sandboxed.sandboxes import LEFT_BEHIND_S, clear_work_folders, work_folder


@pytest.fixture(autouse=True)
def work_root(settings: Any, tmp_path: Path) -> Path:
    settings.VAR_DIR = str(tmp_path)
    return tmp_path / "work"


def make_old(folder: Path) -> None:
    """By its time, as if the clock had been set forward since."""
    then = folder.stat().st_mtime - LEFT_BEHIND_S - 60
    os.utime(folder, (then, then))


@pytest.mark.req("TA-T52")
def test_a_folder_in_use_stays_however_old_the_clock_says_it_is(work_root: Path) -> None:
    with work_folder() as folder:
        make_old(folder)
        assert clear_work_folders() == {"folders": 0}
        (folder / "5.part").write_text("still at work")
        make_old(folder)
        assert clear_work_folders() == {"folders": 0} and (folder / "5.part").exists()
    assert list(work_root.iterdir()) == []


def test_what_a_killed_worker_left_goes_once_it_is_old(work_root: Path) -> None:
    with work_folder():
        pass
    for name in ("chunk-old", "chunk-new"):
        (work_root / name).mkdir()
        (work_root / name / "1.part").write_text("half a page")
    make_old(work_root / "chunk-old")
    assert clear_work_folders() == {"folders": 1}
    assert [left.name for left in work_root.iterdir()] == ["chunk-new"]
