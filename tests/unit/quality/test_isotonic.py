"""The monotone fit of what people found right, and the threshold that keeps a promise."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.calibration.looks import Look
from annotation.calibration.promises import LEAST_LOOKS, Why, WrongAt, promise, sample, stated
from processing.engine.quality.isotonic import Step, fit, least_score, passing, share_at
from processing.engine.quality.routes import wilson

pytestmark = pytest.mark.req("X-CALPROM")

BETWEEN = (Decimal("0.4"), Decimal("0.9"))
JUDGED = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60)


def test_what_falls_is_pooled_and_equal_scores_are_one() -> None:
    judged = [(0.1, False), (0.5, True), (0.6, False), (0.6, False), (0.9, True)]
    assert fit(judged) == (Step(0.1, 0, 1), Step(0.5, 1, 3), Step(0.9, 1, 1))
    assert fit([]) == () and share_at((), 0.5) is None


@given(JUDGED)
def test_shares_rise_and_no_page_is_lost(judged: list[tuple[float, bool]]) -> None:
    steps = fit(judged)
    shares = [step.share for step in steps]
    assert shares == sorted(shares) and sum(step.pages for step in steps) == len(judged)
    assert sum(step.right for step in steps) == sum(right for _, right in judged)


@given(JUDGED, st.floats(0.5, 1))
def test_whoever_passes_the_least_score_keeps_the_target_together(
    judged: list[tuple[float, bool]], target: float
) -> None:
    least = least_score(fit(judged), target)
    if least is not None:
        right, pages = passing(judged, least)
        assert pages and right / pages >= target - 1e-9


def test_a_score_lies_in_the_step_below_it() -> None:
    steps = fit([(0.2, False), (0.8, True)])
    assert [share_at(steps, score) for score in (0.1, 0.5, 0.8, 1.0)] == [0.0, 0.0, 1.0, 1.0]


# --- promises -------------------------------------------------------------------------------------------


def pages(right_from: float, n: int = 100) -> list[tuple[float, bool]]:
    """Sure pages are right, doubtful ones wrong; scores from 0.5 up."""
    return [(score, score >= right_from) for score in (0.5 + 0.4 * i / n for i in range(n))]


def test_the_least_threshold_that_keeps_the_target_is_proposed_with_what_it_keeps() -> None:
    one = promise(pages(0.7), Decimal("0.6"), BETWEEN, 0.95)
    assert one.proposed == Decimal("0.700") and not one.why
    assert one.now is not None and one.now.share == pytest.approx(0.6667) and one.now.pages == 75
    assert one.stated is not None and one.stated.share == 1.0
    assert (one.stated.low, one.stated.high) == wilson(one.stated.pages, one.stated.pages)


@pytest.mark.parametrize(
    ("judged", "now", "why"),
    [
        (pages(0.7, LEAST_LOOKS - 1), "0.6", Why.TOO_FEW),
        (pages(2.0), "0.6", Why.NONE_KEEPS),
        (pages(0.7), "0.71", Why.AS_IT_IS),
        ([(0.5, False)] * 60 + [(0.95, True)] * 60, "0.6", Why.OUT_OF_RANGE),
        ([(0.5, False)] * 60 + [(0.8, True)] * 3, "0.6", Why.TOO_FEW),
    ],
)
def test_where_nothing_is_proposed_it_is_said_why(judged: list[tuple[float, bool]], now: str, why: str) -> None:
    one = promise(judged, Decimal(now), BETWEEN, 0.95)
    assert (one.proposed, one.why) == (None, why)


def test_a_threshold_keeps_apart_from_the_one_below() -> None:
    one = promise([(0.1, True)] * 60, Decimal("0.6"), BETWEEN, 0.95)
    assert one.proposed is None and one.why == Why.TOO_FEW, "none of them passes 0.41"
    assert promise([(0.405, True)] * 30 + [(0.5, True)] * 30, Decimal("0.6"), BETWEEN, 0.95).proposed == Decimal("0.41")


def test_nothing_that_passes_states_nothing() -> None:
    assert stated([(0.5, True)], 0.9) is None


def look(**columns: Any) -> Look:
    usual = {"page": 1, "category": "", "reasons": frozenset(), "corrected": False, "confidence": 0.8, "c_doc": 0.7}
    return Look(**(usual | columns))


def test_only_doubts_and_blind_looks_are_a_sample() -> None:
    looks = [
        look(reasons=frozenset({"low_confidence"})),
        look(reasons=frozenset({"low_confidence", "coverage_low"})),
        look(audited=True, corrected=True),
        look(corrected=True),
        look(audited=True, found=False),
        look(audited=True, confidence=None),
    ]
    assert sample(looks, "threshold_pv") == [(0.8, True), (0.8, False)]
    assert [score for score, _ in sample(looks, "threshold_a")] == [0.7, 0.7, 0.7]


def test_how_many_products_are_wrong_falls_with_the_confidence() -> None:
    wrong_at = WrongAt(pages(0.7), 2.0)
    assert wrong_at(0.6) == 2.0 and wrong_at(0.8) == 0.0
