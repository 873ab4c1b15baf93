"""Who gets a trial, and when its corrections count as risen (X-CANARY)."""

import random
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogsku.profiles.trials import ALPHA, Checked, arm_of, arms_in, bucket_of, compare

pytestmark = pytest.mark.req("X-CANARY")


def jobs(n: int, rate: float, values: int = 100, spread: float = 0.0, seed: int = 1) -> list[Checked]:
    """``n`` jobs whose own rates differ by up to ``spread`` from ``rate``."""
    chance = random.Random(seed)
    rates = [min(1.0, max(0.0, rate + chance.uniform(-spread, spread))) for _ in range(n)]
    return [Checked(sum(chance.random() < each for _ in range(values)), values) for each in rates]


def test_the_share_of_jobs_is_the_share_that_was_asked_for() -> None:
    chance = random.Random(7)
    ids = [uuid.UUID(int=chance.getrandbits(128)) for _ in range(4000)]
    for share in (0, 1, 10, 50, 100):
        part = sum(arm_of("a@2#1", job, share) == "trial" for job in ids) / len(ids)
        assert abs(part - share / 100) < (0.03 if 0 < share < 100 else 1e-9)
    assert [arm_of("a@2#1", job, 30) for job in ids] != [arm_of("b@2#2", job, 30) for job in ids]


def test_a_job_in_a_small_share_stays_in_a_larger_one() -> None:
    ids = [uuid.UUID(int=n) for n in range(500)]
    small = {job for job in ids if arm_of("a", job, 10) == "trial"}
    assert small and small < {job for job in ids if arm_of("a", job, 40) == "trial"}


@given(st.dictionaries(st.integers(1, 10**9), st.sampled_from(["control", "trial"]), max_size=10))
def test_a_bucket_is_read_as_it_was_written(arms: dict[int, str]) -> None:
    assert arms_in(bucket_of(arms)) == arms and len(bucket_of(arms)) <= 200  # type: ignore[arg-type]


def test_a_clear_rise_is_seen_and_an_equal_or_better_trial_is_let_be() -> None:
    control = jobs(40, 0.05)
    assert compare(control, jobs(40, 0.12, seed=2)).outcome == "worse"
    assert compare(control, jobs(40, 0.05, seed=3)).outcome == "not_worse"
    better = compare(control, jobs(40, 0.01, seed=4))
    assert better.outcome == "not_worse" and better.p_value > 0.9 and better.trial_rate < better.control_rate


def test_too_little_is_not_judged() -> None:
    many = jobs(40, 0.05)
    assert compare(many, []).outcome == "too_few"
    assert compare(many, jobs(9, 0.9)).outcome == "too_few"
    assert compare(many, [Checked(0, 0)] * 50).outcome == "too_few"
    assert compare(jobs(12, 0.0), jobs(12, 0.0)).outcome == "too_few"
    assert compare(many, jobs(12, 0.5, seed=2)).outcome == "worse"


def test_the_test_is_the_textbooks_where_jobs_do_not_differ() -> None:
    """Two proportions 50/1000 and 80/1000, pooled: z = 2.7216, one-sided p = 0.00325."""
    control, trial = [Checked(5, 100)] * 10, [Checked(8, 100)] * 10
    found = compare(control, trial)
    assert found.p_value == pytest.approx(0.00325, abs=2e-5)
    assert (found.control_rate, found.trial_rate, found.outcome) == (0.05, 0.08, "not_worse")


def test_a_few_bad_catalogues_are_no_rise() -> None:
    """Forty wrong values in one job are one job's news: by values alone this would be a rise."""
    control = [Checked(2, 50)] * 20
    trial = [Checked(2, 50)] * 19 + [Checked(42, 50)]
    assert compare(control, trial).outcome == "not_worse"
    assert compare(control, [Checked(4, 50)] * 19 + [Checked(5, 50)]).outcome == "worse"


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_alike_arms_are_rarely_called_worse(seed: int) -> None:
    """Jobs differ among themselves as catalogues do; one false alarm may happen, three do not."""
    alarms = sum(
        compare(
            jobs(30, 0.1, spread=0.08, seed=seed * 10 + n), jobs(30, 0.1, spread=0.08, seed=seed * 10 + n + 5)
        ).p_value
        < ALPHA
        for n in range(5)
    )
    assert alarms < 3
