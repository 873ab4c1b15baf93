"""Drawn hostile files as jobs of a running product: each gets its verdict or an end that people can use."""

from pathlib import Path
from typing import Any

import pytest

from tests.functional.test_hostile_jobs import USABLE
from tests.support.hostile_cases import GENERATED
from tests.support.stack import Stack, stack

__all__ = ["stack"]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

# One of each way in which a file can end; all of them go through the sandbox in tests/integration/test_hostile_files.
CHOSEN = {
    "flate_bomb_two_stages",
    "script_in_an_object_stream",
    "page_of_400_digits",
    "attachment_named_like_a_path",
    "encrypted_aes_256",
    "pages_2001",
    "page_tree_of_itself",
    "states_1000000_deep",
    "pattern_of_itself",
    "character_map_of_4_g",
    "image_negative",
    "table_before_itself",
}
CASES = [case for case in GENERATED if case.name in CHOSEN]
LAST = "address_at_a_click"  # nothing is wrong with it


@pytest.fixture(scope="module")
def ended(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("drawn")
    files: list[Path] = []
    for case in [*CASES, *(case for case in GENERATED if case.name == LAST)]:
        files.append(folder / f"{case.name}.pdf")
        files[-1].write_bytes(case.build())
    before = {unit: stack.workers(unit) for unit in ("cpu", "llm", "out", "quick")}
    found = {Path(summary["file"]).stem: summary for summary in stack.submit(*files, timeout_s=500)}
    assert {unit: stack.workers(unit) for unit in before} == before, "a worker process died"
    return found


@pytest.mark.req("TA-T23", "TA-VERDICT", "TA-G4")
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_ends_as_declared(ended: dict[str, dict[str, Any]], case: Any) -> None:
    job = ended[case.name]
    if case.outcome == "accept":
        assert job["status"] in USABLE | {"PARTIAL_FAILED"}, job
    else:
        assert (job["status"], job["failure"]) == ("REJECTED", case.code)


def test_a_good_file_behind_them_is_delivered_or_given_to_people(ended: dict[str, dict[str, Any]]) -> None:
    assert len(ended) == len(CASES) + 1 == len(CHOSEN) + 1
    assert ended[LAST]["status"] in USABLE
