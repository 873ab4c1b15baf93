"""A page's status and import state as functions of its tasks and imports, against a model."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.tasks.lifecycle import TaskStatus
from annotation.tasks.settling import import_state, page_status
from catalogsku.core.moves import UndeclaredMove
from ingestion.lifecycle import PAGE, PAGE_IMPORT, ImportState, PageStatus
from processing.imports.lifecycle import Delivery

ledgers = st.lists(st.sampled_from(Delivery.values), max_size=8)


@pytest.mark.req("PL-C3", "PL-C2")
@settings(max_examples=500)
@given(ledgers)
def test_the_import_state_is_that_of_the_least_certain_row(ledger: list[str]) -> None:
    rank = {"CONFIRMED": 0, "SUPERSEDED": 0, "ASSUMED": 1, "REFUSED": 2, "STALE": 3, "PENDING": 4, "SENDING": 4}
    worst = max((rank.get(state, 4) for state in ledger), default=0)
    assert import_state(ledger) == ("confirmed", "assumed", "failed", "stale", "pending")[worst]


@pytest.mark.req("TA-T46")
def test_every_import_state_that_a_ledger_may_come_to_is_a_declared_move() -> None:
    reachable = {import_state(ledger) for n in range(3) for ledger in itertools.product(Delivery.values, repeat=n)}
    for source, target in itertools.product(ImportState.values, reachable):
        if source != target:
            assert source in PAGE_IMPORT.sources("settled", target)


histories = [list(tasks) for n in range(4) for tasks in itertools.product(TaskStatus.values, repeat=n)]


@pytest.mark.req("TA-T46", "PL-C2")
@pytest.mark.parametrize("status", PageStatus.values)
def test_every_status_that_tasks_may_bring_about_is_a_declared_move(status: str) -> None:
    """Undeclared it would raise; declared for other sources only, the page would silently stay where it is."""
    for tasks in histories:
        target = page_status(status, tasks)
        if target != status:
            try:
                assert status in PAGE.sources("settled", target), tasks
            except UndeclaredMove:
                pytest.fail(f"{status} -> {target} with {tasks}")


@pytest.mark.req("PL-C2", "X-PURPOSE")
@pytest.mark.parametrize("tasks", histories, ids="+".join)
def test_an_open_task_always_shows_and_a_page_with_machines_never_follows(tasks: list[str]) -> None:
    for status in ("PENDING", "BLANK", "AI_QUEUED", "AI_FAILED", "DEAD_LETTER", "SKIPPED"):
        assert page_status(status, tasks) == status
    for status in ("AI_COMPLETED", "HUMAN_QUEUED", "HUMAN_PROCESSING", "HUMAN_COMPLETED"):
        now = page_status(status, tasks)
        if "PROCESSING" in tasks:
            assert now == "HUMAN_PROCESSING"
        elif {"CREATED", "ESCALATED"} & set(tasks):
            assert now == "HUMAN_QUEUED"
        elif tasks:
            assert now not in ("HUMAN_QUEUED", "HUMAN_PROCESSING")
        else:
            assert now == status


@pytest.mark.req("PL-C2")
def test_settling_twice_changes_nothing_more() -> None:
    for status, tasks in itertools.product(PageStatus.values, histories):
        once = page_status(status, tasks)
        assert page_status(once, tasks) == once, (status, tasks)
