"""Files are for this user alone: new ones, and what earlier versions left, however many there are."""

import os
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from catalogsku.core import private_files, storage

pytestmark = pytest.mark.req("TA-STORE")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def all_modes(root: Path) -> set[tuple[str, int]]:
    return {("folder" if path.is_dir() else "file", mode(path)) for path in root.rglob("*")}


@pytest.fixture(autouse=True)
def open_by_default() -> Any:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def root(settings: Any, tmp_path: Path) -> Path:
    root = tmp_path / "var" / "storage"
    settings.MEDIA_ROOT, settings.VAR_DIR = root, tmp_path / "var"
    given = settings.STORAGES["default"]
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {**given, "OPTIONS": {**given["OPTIONS"], "location": str(root)}},
    }
    return root


def test_whatever_is_stored_is_private_in_whichever_way(root: Path, tmp_path: Path) -> None:
    from django.core.files.base import ContentFile
    from django.core.files.storage import default_storage

    source = tmp_path / "source"
    source.write_bytes(b"x")
    storage.put_file("m1/ab/abc/source.pdf", source)
    storage.link_file("m1/cd/cde/p1.jpg", source)
    storage.link_file("m1/cd/cde/p1.jpg", source)
    default_storage.save("m1/ef/efg/other", ContentFile(b"x"))
    assert all_modes(root) == {("folder", 0o700), ("file", 0o600)}
    assert mode(root) == 0o700


def old_storage(root: Path, files: int) -> None:
    for n in range(files):
        folder = root / f"m{n % 3}" / f"{n % 7:02}" / f"file-{n}"
        folder.mkdir(parents=True)
        (folder / "source.pdf").write_bytes(b"x")
        (folder / "p1.jpg").write_bytes(b"x")


def test_what_earlier_versions_left_is_closed_root_first_then_all(root: Path) -> None:
    old_storage(root, 50)
    (root / "m0" / "away").symlink_to("/etc/hostname")
    before = mode(Path("/etc/hostname"))
    assert mode(root) == 0o777
    storage.close_storage()
    assert mode(root) == 0o700 and mode(root / "m0") == 0o777, "at a start only the root: that keeps others out"
    found = storage.close_storage(within_s=10)
    (root / "m0" / "away").unlink()
    assert found == {"files": 100, "folders": 50 + 21 + 3, "left": 0}
    assert all_modes(root) == {("folder", 0o700), ("file", 0o600)}
    assert mode(Path("/etc/hostname")) == before, "a link leads nowhere"


def test_a_turn_ends_with_its_time_and_the_next_goes_on(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old_storage(root, 60)
    clock = iter(range(100_000))
    monkeypatch.setattr(private_files, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    turns = [private_files.close_all(root, 100)]
    while turns[-1]["left"]:
        turns.append(private_files.close_all(root, 100))
    assert len(turns) > 2 and sum(turn["files"] for turn in turns) == 120
    assert all_modes(root) == {("folder", 0o700), ("file", 0o600)}


def test_what_is_closed_is_not_looked_through_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old_storage(root, 60)
    storage.close_storage(within_s=10)
    looked: list[str] = []
    scandir = os.scandir
    monkeypatch.setattr(private_files.os, "scandir", lambda path: looked.append(str(path)) or scandir(path))
    assert storage.close_storage(within_s=10) == {"files": 0, "folders": 0, "left": 0}
    assert looked == [str(root)]


def test_the_logs_and_results_beside_it_are_closed_too(root: Path) -> None:
    for name in ("log", "results", "other"):
        (root.parent / name).mkdir(parents=True)
    storage.close_storage()
    assert [mode(root.parent / name) for name in ("log", "results", "other")] == [0o700, 0o700, 0o777]


def test_a_folder_of_somebody_else_is_left_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", refused)
    private_files.close_to_others([tmp_path.parent / "missing"])
    tmp_path.touch()
    os.chmod(tmp_path, 0o755)
    private_files.close_to_others([tmp_path])
    assert "not closed" in caplog.text


def test_a_folder_is_made_with_those_above_it_or_the_place_says_why_not(tmp_path: Path) -> None:
    private_files.make_folder(tmp_path / "a" / "b" / "c")
    private_files.make_folder(tmp_path / "a" / "b" / "c")
    assert all_modes(tmp_path) == {("folder", 0o700)}
    with pytest.raises(FileNotFoundError):
        private_files.make_folder("/proc/nowhere/below")
