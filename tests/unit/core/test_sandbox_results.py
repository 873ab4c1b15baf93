"""What a child hands out, and what a parent takes of it."""

import os
import struct
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogsku.core.sandbox.results import Results, clear_results, collect_results


def frame(number: int, payload: bytes) -> bytes:
    return struct.pack(">IQ", number, len(payload)) + payload


@pytest.mark.req("TA-G4")
def test_results_are_taken_from_files_of_the_childs_own_only(tmp_path: Path) -> None:
    page = frame(1, b"page")
    (tmp_path / "elsewhere").write_bytes(page)
    results = tmp_path / "results.1"
    results.symlink_to(tmp_path / "elsewhere")
    assert collect_results(tmp_path, [1], 100) == {}
    results.unlink()
    os.link(tmp_path / "elsewhere", results)
    assert collect_results(tmp_path, [1], 100) == {}
    results.unlink()
    os.mkfifo(results)
    assert collect_results(tmp_path, [1], 100) == {}
    results.unlink()
    results.mkdir()
    assert collect_results(tmp_path, [1], 100) == {}
    results.rmdir()
    results.write_bytes(page)
    assert collect_results(tmp_path, [1], len(page) - 1) == {}
    assert collect_results(tmp_path, [1], len(page)) == {1: b"page"}
    assert collect_results(tmp_path, [2], len(page)) == {}


@given(
    st.lists(st.tuples(st.integers(1, 9), st.binary(max_size=20)), unique_by=lambda page: page[0]), st.integers(0, 60)
)
def test_what_is_handed_out_arrives_whole_in_as_many_files_as_it_takes(
    pages: list[tuple[int, bytes]], file_bytes: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        results = Results(Path(folder), file_bytes)
        for number, payload in pages:
            results.add(number, payload)
        largest = max(file.stat().st_size for file in Path(folder).iterdir())
        assert largest <= max([file_bytes, *(len(frame(*page)) for page in pages)])
        assert collect_results(Path(folder), range(1, 10), 1000) == dict(pages)


@given(st.binary(max_size=200))
def test_a_file_that_holds_anything_harms_nobody(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "results.1").write_bytes(frame(3, b"page") + data)
        assert set(collect_results(Path(folder), [3], 1000)) == {3}


def test_an_earlier_childs_results_are_cleared(tmp_path: Path) -> None:
    results = Results(tmp_path, 10)
    for number in (1, 2, 3):
        results.add(number, b"ten bytes.")
    assert len(list(tmp_path.iterdir())) == 3
    clear_results(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.req("TA-G4")
@pytest.mark.parametrize(
    ("after", "why"),
    [
        (frame(9, b"") + frame(2, b"two"), "a page that nobody asked for"),
        (frame(1, b"again") + frame(2, b"two"), "a page for the second time"),
        (frame(2, b"two")[:-1], "a frame that is not whole"),
    ],
)
def test_what_follows_a_wrong_frame_is_left(tmp_path: Path, after: bytes, why: str) -> None:
    """So that a file full of empty frames costs its reader no more than the pages that were asked for."""
    Path(tmp_path, "results.1").write_bytes(frame(1, b"page") + after)
    assert collect_results(tmp_path, [1, 2], 1000) == {1: b"page"}, why
