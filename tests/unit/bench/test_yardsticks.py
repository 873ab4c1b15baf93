"""Other programs beside ours: what is given to them, what counts, and what is said where one is not installed."""

import json
import sys
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from django.core.management.base import CommandError

from tests.bench import yardsticks
from tests.bench.budgets import verdicts
from tests.bench.yardsticks import PAGES_EACH, PLACE, PROGRAMS, measure_yardsticks

PROJECT = Path(__file__).resolve().parents[3]
(PROGRAM,) = PROGRAMS
# Works for so many rounds, prints what a library might, and then what it did with the work.
STAND_IN = """#!{python} -I
import json, os, sys
work = json.load(sys.stdin)
sum(n * n for n in range({rounds}))
print("a word of advice")
pages, cores = sum(n for _, n in work), len(os.sched_getaffinity(0))
print(json.dumps({{"pages": pages, "failed": [], "cores": cores, "work": work}}))
"""


def a_pdf(path: Path, pages: int, **saved: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    with pymupdf.open() as document:
        for _ in range(pages):
            document.new_page()
        document.save(path, **saved)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    a_pdf(folder / "catalog" / "a.pdf", 3)
    a_pdf(folder / "misc" / "long.pdf", PAGES_EACH + 5)
    a_pdf(folder / "misc" / "locked.pdf", 1, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="k", owner_pw="k")
    a_pdf(folder / "hostile" / "bomb.pdf", 1)
    return folder


def stand_in(path: Path, rounds: int) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text(STAND_IN.format(python=sys.executable, rounds=rounds))
    path.chmod(0o755)
    return path


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ours works for a tenth of the other's rounds."""
    monkeypatch.setattr(yardsticks, "OURS", (str(stand_in(tmp_path / "ours" / "program", 500_000)),))
    stand_in(PROGRAM.python(tmp_path / "programs"), 5_000_000)
    return tmp_path / "programs"


def test_both_do_the_same_pages_on_one_core_and_the_ratio_is_of_processor_time(corpus: Path, place: Path) -> None:
    found = measure_yardsticks(corpus, place, turns=2)
    ours, other = found["ours"], found[PROGRAM.name]
    assert (
        ours["work"]
        == other["work"]
        == [
            [str(corpus / "catalog" / "a.pdf"), 3],
            [str(corpus / "misc" / "long.pdf"), PAGES_EACH],
        ]
    )
    assert ours["cores"] == other["cores"] == 1
    assert other["pages_per_cpu_s"] == pytest.approx(2 * (3 + PAGES_EACH) / other["cpu_s"], rel=0.05), "of both turns"
    assert other["ratio"] == pytest.approx(ours["pages_per_cpu_s"] / other["pages_per_cpu_s"], rel=0.01)
    assert other["ratio"] > 2 and found["files"] == 2
    (verdict,) = verdicts({"yardsticks": found})
    assert verdict["kept"] and verdict["value"] == other["ratio"]


def test_a_program_that_is_not_installed_is_not_measured_and_how_to_get_it_is_said(
    corpus: Path, tmp_path: Path
) -> None:
    found = measure_yardsticks(corpus, tmp_path / "nothing")
    assert "pip install 'pymupdf4llm<1'" in found[PROGRAM.name]["missing"]
    assert "AGPL" in found[PROGRAM.name]["missing"]
    assert verdicts({"yardsticks": found}) == [] and "ours" not in found


@pytest.mark.parametrize("named", [None, "empty"])
def test_without_files_nothing_is_measured(place: Path, tmp_path: Path, named: str | None) -> None:
    found = measure_yardsticks(tmp_path / named if named else None, place)
    assert "CORPUS_DIR" in found["missing"] and verdicts({"yardsticks": found}) == []


def test_a_program_that_fails_is_no_result(corpus: Path, place: Path) -> None:
    PROGRAM.python(place).write_text("#!/bin/sh\necho broken >&2; exit 3\n")
    with pytest.raises(CommandError, match="broken"):
        measure_yardsticks(corpus, place, turns=1)


@pytest.mark.skipif(not PROGRAM.python(PLACE).exists(), reason="installed aside by who measures: docs/bench.md")
def test_the_real_program_reads_what_ours_reads(tmp_path: Path) -> None:
    (tmp_path / "fasteners.pdf").write_bytes((PROJECT / "samples" / "fasteners.pdf").read_bytes())
    found = measure_yardsticks(tmp_path, turns=1)
    ours, other = found["ours"], found[PROGRAM.name]
    assert ours["pages"] == other["pages"] > 0 and ours["failed"] == other["failed"] == []
    assert ours["skus"] > 0 and other["version"].startswith("0.") and other["ratio"] > 0
    json.dumps(found)
