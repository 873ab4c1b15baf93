"""Hostile files as jobs of a running product: each has its verdict or its end, within limits, and no worker is lost."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.integration.test_hostile_files import EXPECTED
from tests.support.stack import Stack, stack

__all__ = ["stack"]
FOLDER = Path(os.environ.get("CORPUS_DIR", "/nowhere"), "hostile")
pytestmark = [pytest.mark.slow, pytest.mark.corpus, pytest.mark.timeout(900)]

USABLE = {"FULL_IMPORTED", "PARTIAL_IMPORTED", "DEGRADED_HUMAN"}
# One of each verdict; tests/integration/test_hostile_files.py judges all of them.
CHOSEN = list({(code, notes): (name, outcome, code, notes) for name, outcome, code, notes in EXPECTED}.values())
REFUSED = [(name, code) for name, outcome, code, _ in CHOSEN if outcome != "accept"]
ACCEPTED = [(name, notes) for name, outcome, _, notes in CHOSEN if outcome == "accept"]
IN_GATE = 5  # of those that are processed


@pytest.fixture(scope="module")
def left_before(stack: Stack) -> set[Path]:
    """Workers that other tests killed have left theirs."""
    return set((stack.var / "work").glob("*"))


@pytest.fixture(scope="module")
def ended(stack: Stack, left_before: set[Path], request: pytest.FixtureRequest) -> dict[str, dict[str, Any]]:
    """Those that are asked for go in at once in one product; what became of each."""
    here = [item for item in request.session.items if getattr(item, "module", None) is request.module]
    names = {item.callspec.params["name"] for item in here if hasattr(item, "callspec")}
    files = [FOLDER / name for name, *_ in CHOSEN if name in names]
    before = {unit: stack.workers(unit) for unit in ("cpu", "llm", "out", "quick")}
    found = {summary["file"]: summary for summary in stack.submit(*files, timeout_s=600)}
    assert {unit: stack.workers(unit) for unit in before} == before, "a worker process died"
    assert len(found) == len(files)
    return found


@pytest.mark.req("TA-T23", "TA-VERDICT")
@pytest.mark.parametrize(("name", "code"), REFUSED, ids=[name for name, _ in REFUSED])
def test_is_refused_with_its_code(ended: dict[str, dict[str, Any]], name: str, code: str) -> None:
    assert (ended[name]["status"], ended[name]["failure"]) == ("REJECTED", code)


@pytest.mark.req("TA-VERDICT")
@pytest.mark.parametrize(
    ("name", "notes"),
    [
        pytest.param(*case, id=case[0], marks=[pytest.mark.long] * (number >= IN_GATE))
        for number, case in enumerate(ACCEPTED)
    ],
)
def test_is_processed_to_an_end(
    stack: Stack, ended: dict[str, dict[str, Any]], name: str, notes: tuple[str, ...]
) -> None:
    assert ended[name]["status"] in USABLE, ended[name]
    (told,) = stack.sql("SELECT notes FROM ingestion_job WHERE uuid = %s", ended[name]["job"])
    assert set(notes) <= set(told[0])
    result = json.loads(Path(ended[name]["result"]).read_text(encoding="utf-8"))
    assert result["pages"] and {page["status"] for page in result["pages"]}.isdisjoint({"PENDING", "AI_QUEUED"})


def test_leaves_no_page_in_hand(stack: Stack, ended: dict[str, dict[str, Any]]) -> None:
    assert ended
    assert stack.sql("SELECT count(*) FROM ingestion_page WHERE worker IS NOT NULL OR stage <> 'NONE'") == [(0,)]
    assert stack.sql("SELECT count(*) FROM ingestion_job WHERE worker IS NOT NULL OR stage <> 'NONE'") == [(0,)]


def test_leaves_no_work_folder_behind(stack: Stack, left_before: set[Path], ended: dict[str, dict[str, Any]]) -> None:
    assert ended
    assert set((stack.var / "work").iterdir()) <= left_before
