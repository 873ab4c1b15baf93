"""What was read, kept between runs: there again for the same file read in the same way, else as if nothing were."""

from pathlib import Path

import pytest

from processing.quality.services.kept_reading import KeptReading
from processing.sandboxed import frozen

pytestmark = pytest.mark.req("TA-T49")

FILE, OTHER = "a" * 64, "b" * 64


def keep(folder: Path, sha256: str = FILE) -> Path:
    kept = KeptReading(folder, sha256)
    kept.reading.total_pages = 3
    kept.reading.prescans[1] = b"{}"
    kept.reading.pages[2] = b"a page"
    kept.save()
    (path,) = folder.glob(f"{sha256}*")
    return path


def pages(folder: Path | None, sha256: str = FILE) -> dict[int, bytes]:
    return KeptReading(folder, sha256).reading.pages


def test_is_there_again(tmp_path: Path) -> None:
    keep(tmp_path / "deep" / "kept")
    reading = KeptReading(tmp_path / "deep" / "kept", FILE).reading
    assert (reading.total_pages, reading.prescans, reading.pages) == (3, {1: b"{}"}, {2: b"a page"})


def test_belongs_to_one_file_and_one_way_of_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(tmp_path)
    assert pages(tmp_path, OTHER) == {}
    monkeypatch.setattr(frozen, "READING_VERSION", frozen.READING_VERSION + 1)
    assert pages(tmp_path) == {}


def test_another_files_under_this_ones_name_is_as_none(tmp_path: Path) -> None:
    keep(tmp_path, OTHER).rename(keep(tmp_path))
    assert pages(tmp_path) == {}


@pytest.mark.parametrize("cut", [0, 10, 32, 40, -1])
def test_a_file_that_was_cut_is_as_none_and_is_written_anew(tmp_path: Path, cut: int) -> None:
    path = keep(tmp_path)
    path.write_bytes(path.read_bytes()[:cut])
    assert pages(tmp_path) == {}
    keep(tmp_path)
    assert pages(tmp_path) == {2: b"a page"}


def test_a_single_wrong_byte_is_noticed(tmp_path: Path) -> None:
    path = keep(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"a page", b"a cage"))
    assert pages(tmp_path) == {}


def test_is_written_only_where_something_has_come_to_it(tmp_path: Path) -> None:
    path = keep(tmp_path)
    path.chmod(0o644)
    KeptReading(tmp_path, FILE).save()
    assert path.stat().st_mode & 0o777 == 0o644, "the same file still"
    again = KeptReading(tmp_path, FILE)
    again.reading.pages[3] = b"another"
    again.save()
    assert pages(tmp_path) == {2: b"a page", 3: b"another"} and len(list(tmp_path.iterdir())) == 1


def test_without_a_folder_nothing_is_kept() -> None:
    kept = KeptReading(None, FILE)
    kept.reading.pages[1] = b"a page"
    kept.save()
    assert pages(None) == {}
