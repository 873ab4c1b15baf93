"""The alarm that machines have become worse: when it comes, and how seldom without cause."""

from dataclasses import replace
from math import exp
from random import Random

import pytest

from annotation.calibration.drift import ALARM, LEAST_BEFORE, drift
from tests.year import alarms, truth

pytestmark = pytest.mark.req("TA-CAL")

SURE, UNSURE = 0.95, 0.6


def looks(score: float, wrong: int, of: int) -> list[tuple[float, bool]]:
    """The wrong ones spread evenly."""
    return [(score, n * wrong // of == (n + 1) * wrong // of) for n in range(of)]


BEFORE = looks(SURE, 6, 300) + looks(UNSURE, 120, 300)


@pytest.mark.parametrize(
    ("since", "rings"),
    [
        (looks(SURE, 6, 300), False),
        (looks(UNSURE, 120, 300), False),
        (looks(SURE, 20, 60), True),
        (looks(UNSURE, 70, 70), True),
        (looks(UNSURE, 0, 300), False),
        (looks(SURE, 20, 60) + looks(SURE, 0, 600), False),
        (looks(SURE, 0, 600) + looks(SURE, 20, 60), True),
    ],
)
def test_only_what_is_corrected_more_often_at_the_same_certainty_rings(
    since: list[tuple[float, bool]], rings: bool
) -> None:
    """Another mix of pages is none, what was good before does not hide it, and what is good since ends it."""
    assert (drift(BEFORE, since) is not None) == rings


def test_it_says_what_is_corrected_since_it_rose_and_what_was_to_be_expected() -> None:
    found = drift(BEFORE, looks(SURE, 0, 600) + looks(SURE, 30, 60))
    assert found is not None and 0.45 < found.now < 0.55 and found.low < 0.02 < found.high < 0.1


def test_of_too_few_looks_nothing_is_said() -> None:
    bad = looks(SURE, 60, 60)
    assert drift(BEFORE[: LEAST_BEFORE - 1], bad) is None and drift(BEFORE[:LEAST_BEFORE], bad) is not None
    assert drift(BEFORE, []) is None


def test_it_comes_without_cause_as_seldom_as_is_said() -> None:
    """Of charts over looks that stay the same, after so many of them: at most that many over the mean run."""
    chance, many, charts = Random(11), 600, 400
    risks = [(SURE, 0.02), (UNSURE, 0.4)] * (many // 2)
    rings = sum(
        drift(BEFORE, [(score, chance.random() >= risk) for score, risk in risks]) is not None for _ in range(charts)
    )
    assert rings / charts < many / exp(ALARM)


def test_a_change_is_told_within_two_weeks_and_nothing_else_where_thresholds_move() -> None:
    (tools,) = (kind for kind in truth.CATEGORIES if kind.later)
    told = alarms.over_years([3], later=0.90)
    (delay,) = told.delays
    assert delay is not None and delay <= 14 and told.without_cause <= told.nights * 0.01
    still = replace(tools, later=None)
    seen = alarms.looks_of([still], 3, documents=2_500)
    assert not [day for day, found in alarms.nights(seen[still.name]) if found]
