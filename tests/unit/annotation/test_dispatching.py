"""Who gets which task: the rules alone, and a made-up day against first in first out and chance."""

from dataclasses import replace

import pytest

from annotation.people.dispatching import Annotator, Rules, Waiting, Why, best_for, choose, score
from tests.support.dispatch_model import compare

RULES = Rules()
TASK = Waiting(1, 1, "PAGE_REVIEW", "NORMAL", 0.8, 9000.0, 10800.0)
NEW = Annotator()
GOOD = Annotator(accuracy=0.95)


def chosen(person: Annotator, *tasks: Waiting) -> tuple[int, tuple[Why, ...]]:
    offer = choose(tasks, person, RULES)
    assert offer is not None
    return offer.task.id, offer.why


def test_the_oldest_where_nothing_else_counts() -> None:
    assert chosen(NEW, TASK, replace(TASK, id=2, left_s=8000.0)) == (2, (Why.OLDEST,))


@pytest.mark.req("TA-T79")
@pytest.mark.parametrize(("accuracy", "gets_it"), [(0.8, False), (0.849, False), (0.85, True), (0.99, True)])
def test_hard_pages_go_to_accurate_people_only(accuracy: float, gets_it: bool) -> None:
    hard = replace(TASK, confidence=0.49)
    person = Annotator(accuracy=accuracy)
    assert (choose([hard], person, RULES) is not None) == gets_it
    assert (best_for(hard, [("x", person)], RULES) == ["x"]) == gets_it
    assert choose([replace(hard, reserved=True)], person, RULES) is not None, "a lead has decided otherwise"
    assert choose([replace(TASK, confidence=0.5)], person, RULES) is not None


def test_what_a_lead_gave_comes_first_then_what_is_pressing_then_what_is_due() -> None:
    given = replace(TASK, id=2, reserved=True)
    urgent = replace(TASK, id=3, priority="CRITICAL")
    high = replace(TASK, id=4, priority="HIGH", left_s=100.0)
    due = replace(TASK, id=5, left_s=3599.0)
    order = []
    tasks = [TASK, due, high, urgent, given]
    while tasks:
        task_id, _ = chosen(NEW, *tasks)
        order.append(task_id)
        tasks = [task for task in tasks if task.id != task_id]
    assert order == [2, 3, 4, 5, 1]


@pytest.mark.req("TA-T79")
def test_with_time_to_spare_people_do_what_they_are_the_right_ones_for_and_are_told_why() -> None:
    person = replace(GOOD, specialties=frozenset({"BINDING_REVIEW"}), documents=frozenset({7}))
    hard = replace(TASK, id=2, confidence=0.3)
    special = replace(TASK, id=3, kind="BINDING_REVIEW")
    known = replace(TASK, id=4, job=7)
    older = replace(TASK, id=5, left_s=5000.0)
    assert chosen(person, older, known, special, hard) == (2, (Why.HARD,))
    assert chosen(person, older, known, special) == (3, (Why.SPECIALTY,))
    assert chosen(person, older, known) == (4, (Why.DOCUMENT,))
    assert chosen(person, replace(older, left_s=3000.0), hard) == (5, (Why.DUE,)), "short of time: the deadline counts"


@pytest.mark.req("TA-T79")
def test_the_best_person_for_a_task_is_06_quality_and_04_load_with_at_most_ten_open() -> None:
    assert score(replace(GOOD, open_tasks=5), TASK, RULES) == pytest.approx(0.6 * 0.95 + 0.4 * 0.5)
    people = [("busy", replace(GOOD, open_tasks=9)), ("free", NEW), ("full", replace(GOOD, open_tasks=10))]
    assert best_for(TASK, people, RULES) == ["free", "busy"]


def test_nobody_is_offered_anything_where_there_is_nothing() -> None:
    assert choose([], NEW, RULES) is None


@pytest.mark.req("X-DISPATCH", "TA-SLA4H")
def test_a_day_of_twenty_people_and_two_thousand_tasks_goes_better_than_by_age_or_by_chance() -> None:
    found = compare([3])
    ours, others = found.pop("ours"), found
    for other in others.values():
        assert ours["wrong"] < other["wrong"]
        assert ours["escalated"] < other["escalated"]
        assert ours["wait_min"] < other["wait_min"]
        assert ours["late"] <= other["late"]
        assert ours["urgent_wait_p95_min"] < 0.5 * other["urgent_wait_p95_min"]
    assert ours["within_4h"] >= 0.999
