"""Six calls a page, whatever asks for them, and none that a later question is planned for."""

import pytest

from processing.llm.plan import CallPlan

pytestmark = pytest.mark.req("PL-C13", "PL-CALLPLAN")


def test_six_calls_and_no_seventh() -> None:
    plan = CallPlan()
    assert [plan.take() for _ in range(7)] == [True] * 6 + [False]
    assert plan.left() == 0


def test_repeats_leave_what_is_planned_for_later_questions() -> None:
    plan = CallPlan()
    assert [plan.take(keep=2) for _ in range(5)] == [True] * 4 + [False]
    assert (plan.left(keep=2), plan.left(keep=1), plan.left()) == (0, 1, 2)
    assert plan.take(keep=1) and plan.take() and not plan.take()


def test_what_never_left_or_was_turned_away_is_no_call() -> None:
    plan = CallPlan(made=5)
    for _ in range(9):
        assert plan.take()
        plan.give_back()
    assert plan.take() and not plan.take()


def test_a_second_run_has_the_same_places_in_the_plan_and_makes_no_call_too_many() -> None:
    plan = CallPlan(made=6)
    assert plan.left() == 6
    plan.take_kept()
    assert plan.left() == 5 and not plan.take()


def test_a_document_has_no_such_limit() -> None:
    plan = CallPlan(limit=None)
    assert all(plan.take() for _ in range(100)) and plan.left() > 0
