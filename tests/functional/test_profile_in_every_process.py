"""A profile version that one process brings into force holds at once in processes that run already (TA-T39)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import stages
from tests.support.catalogues.small import tables_pdf
from tests.support.stack import JobState, Stack, stack

__all__ = ["stack"]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.req("TA-T39")]

NEXT = """INSERT INTO profiles_thresholdprofile (key, version, active, reason, created_at, category, threshold_a,
        threshold_pv, threshold_b, weights, prescan_rules, classification, limits, validity_mode, previous_id)
    SELECT key, (SELECT max(version) + 1 FROM profiles_thresholdprofile WHERE key = 'default'), false, 'people do all',
        now(), category, 1, 0.999, 0.998, weights, prescan_rules, classification, limits, validity_mode, id
    FROM profiles_thresholdprofile WHERE key = 'default' AND active RETURNING version"""


def bring_into_force(stack: Stack, version: int) -> None:
    """By a process of its own."""
    done = stack.manage("profiles", "activate", f"default@{version}", "--override", "a test", "--by", "admin")
    assert done.returncode == 0, done.stderr


@pytest.fixture
def versions(stack: Stack) -> Iterator[tuple[int, int]]:
    """The version in force, and a next one by which people do every page."""
    ((now,),) = stack.sql("SELECT version FROM profiles_thresholdprofile WHERE key = 'default' AND active")
    ((following,),) = stack.sql(NEXT)
    yield now, following
    bring_into_force(stack, now)


def given(stack: Stack, path: Path, name: str) -> tuple[int, str]:
    """A document that comes through the web process: the version that it is frozen with, and the route that the workers
    took by it."""
    path.write_bytes(tables_pdf([stages.sheet(name), stages.sheet(f"{name}X")], header_rows=1))
    job = stack.upload(path)
    state = stack.wait_for(job, left, 120)
    profile = "SELECT p.version FROM ingestion_job j JOIN profiles_thresholdprofile p ON p.id = j.profile_id"
    ((version,),) = stack.sql(f"{profile} WHERE j.uuid = %s", job)
    return version, state.route


def left(state: JobState) -> bool:
    return state.is_left_by_machines


def test_web_and_workers_go_by_it_from_the_next_document_on(
    stack: Stack, tmp_path: Path, versions: tuple[int, int]
) -> None:
    now, following = versions
    version, route = given(stack, tmp_path / "before.pdf", "PA")
    assert (version, route != "HUMAN_ALL") == (now, True)
    bring_into_force(stack, following)
    assert given(stack, tmp_path / "after.pdf", "PB") == (following, "HUMAN_ALL")
    bring_into_force(stack, now)
    assert given(stack, tmp_path / "again.pdf", "PC") == (now, route)
