"""A job's status as a function of its pages, against the rules written out page by page."""

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.lifecycle import JOB, SETTLED, ImportState, JobStatus, PageStatus, Route, SkipReason
from ingestion.settling import job_status, tally

PageState = tuple[str, str, str]
pages = st.lists(
    st.tuples(
        st.sampled_from(PageStatus.values),
        st.sampled_from(ImportState.values),
        st.sampled_from(["", *SkipReason.values]),
    ),
    max_size=12,
)


def expected(states: list[PageState], route: str) -> str:
    """The rules once more in other words, one page after the other and without counting."""
    delivered_by_nobody_yet = {"none", "pending"}
    for status, imports, _ in states:
        waits_for_its_import = status in ("AI_COMPLETED", "HUMAN_COMPLETED") and imports in delivered_by_nobody_yet
        if status in ("PENDING", "AI_QUEUED", "AI_FAILED") or waits_for_its_import:
            return "DEGRADED_HUMAN" if route == "HUMAN_ALL" else "PROCESSING"
    for status, _, _ in states:
        if status in ("HUMAN_QUEUED", "HUMAN_PROCESSING"):
            return "DEGRADED_HUMAN" if route == "HUMAN_ALL" else "PARTIAL_IMPORTED"
    for status, imports, skip in states:
        if (
            status == "DEAD_LETTER"
            or imports in ("failed", "stale")
            or (status in ("SKIPPED", "BLANK") and skip == "sla")
        ):
            return "PARTIAL_FAILED"
    return "FULL_IMPORTED"


@pytest.mark.req("PL-C2", "TA-P0-1")
@settings(max_examples=1500)
@given(pages, st.sampled_from(Route.values))
def test_is_what_the_rules_say(states: list[PageState], route: str) -> None:
    assert job_status(dict(Counter(states)), route) == expected(states, route)


@pytest.mark.req("PL-C2")
@settings(max_examples=300)
@given(pages)
def test_every_page_is_counted_once(states: list[PageState]) -> None:
    counted = tally(dict(Counter(states)))
    assert counted.machines + counted.people + counted.wrong + counted.done + counted.empty == len(states)


@pytest.mark.req("TA-P0-1")
@pytest.mark.invariant("INV-04", "holds")
@pytest.mark.parametrize("route", Route.values)
def test_blank_and_skipped_pages_do_not_count(route: str) -> None:
    assert job_status({("BLANK", "none", ""): 3, ("SKIPPED", "none", "no_product"): 2}, route) == "FULL_IMPORTED"
    assert job_status({}, route) == "FULL_IMPORTED"


@pytest.mark.req("TA-SKIPWHY")
def test_a_page_skipped_for_want_of_time_leaves_the_job_partly_failed() -> None:
    for reason in SkipReason.values:
        status = job_status({("SKIPPED", "none", reason): 1, ("AI_COMPLETED", "confirmed", ""): 5}, "AUTO")
        assert status == ("PARTIAL_FAILED" if reason == "sla" else "FULL_IMPORTED")


@pytest.mark.req("PL-C2", "TA-P0-1")
@pytest.mark.invariant("INV-04", "violated")
@pytest.mark.parametrize("imports", sorted(set(ImportState.values) - {"confirmed", "assumed"}))
def test_one_completed_page_that_is_not_imported_keeps_the_job_from_being_done(imports: str) -> None:
    rest = {("AI_COMPLETED", "confirmed", ""): 5}
    assert job_status(rest, "AUTO") == "FULL_IMPORTED"
    assert job_status({**rest, ("AI_COMPLETED", imports, ""): 1}, "AUTO") in ("PROCESSING", "PARTIAL_FAILED")


@pytest.mark.req("PL-C2", "TA-T46")
def test_the_job_may_move_between_any_two_settled_states() -> None:
    for a, b in itertools.permutations(SETTLED, 2):
        assert a in JOB.sources("settled", b)
    reachable = {
        job_status({page: 1}, route)
        for route in Route.values
        for page in itertools.product(PageStatus.values, ImportState.values, ["", *SkipReason.values])
    }
    assert reachable | {job_status({}, route, asks=True) for route in Route.values} == set(SETTLED)
    assert JobStatus.ORPHANED not in SETTLED


def test_a_document_that_asks_about_models_says_so_before_all_else() -> None:
    queued, with_people = {("AI_QUEUED", "none", ""): 1}, {("HUMAN_QUEUED", "none", ""): 1}
    for census, route in ((queued, "AUTO"), (with_people, "AUTO"), (with_people, "HUMAN_ALL")):
        assert job_status(census, route, asks=True) == "AWAITING_GO" != job_status(census, route)


@pytest.mark.req("X-DIFF")
def test_imports_that_wait_for_a_persons_word_are_with_people() -> None:
    waiting = {("AI_COMPLETED", "pending", ""): 1, ("BLANK", "none", ""): 2}
    assert job_status(waiting, "AUTO") == "PROCESSING"
    assert job_status(waiting, "AUTO", held=True) == "PARTIAL_IMPORTED"
    assert job_status({("AI_COMPLETED", "none", ""): 1}, "AUTO", held=True) == "PROCESSING"  # not settled yet
    assert job_status({("AI_COMPLETED", "confirmed", ""): 1}, "AUTO", held=True) == "FULL_IMPORTED"
