"""Every formula on numbers whose result is known."""

import pytest

from processing.engine.quality import figures

pytestmark = pytest.mark.req("TA-T49", "GR-GATE")


def test_kappa_of_the_textbook_example() -> None:
    """Two raters, 50 proposals: 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no give 0.4."""
    table = {"A": {"A": 20, "B": 5}, "B": {"A": 10, "B": 15}}
    assert figures.accuracy(table) == pytest.approx(0.7)
    assert figures.kappa(table) == pytest.approx(0.4)


def test_kappa_is_nothing_better_than_chance_where_one_type_is_always_given() -> None:
    assert figures.kappa({"A": {"A": 5}, "D": {"A": 5}}) == pytest.approx(0.0)
    assert figures.kappa({"A": {"B": 5}, "B": {"A": 5}}) == pytest.approx(-1.0)
    assert figures.kappa({"A": {"A": 5}, "D": {"D": 5}}) == pytest.approx(1.0)
    assert figures.kappa({"A": {"A": 9}}) is None and figures.kappa({}) is None


def test_calibration_error_is_the_gap_of_each_bin_by_its_size() -> None:
    judged = [(0.95, True)] * 10 + [(0.55, True)] * 5 + [(0.55, False)] * 5
    assert figures.calibration_error(judged) == pytest.approx(0.5 * 0.05 + 0.5 * 0.05)
    assert figures.calibration_error([(0.9, False)] * 20) == pytest.approx(0.9)
    assert figures.calibration_error([(1.0, True)] * 20) == 0.0
    assert figures.calibration_error([(0.9, False)] * 19) is None


def test_gaps_of_one_bin_cancel_but_those_of_two_bins_do_not() -> None:
    assert figures.calibration_error([(0.5, True)] * 10 + [(0.5, False)] * 10) == pytest.approx(0.0)
    assert figures.calibration_error([(0.2, True)] * 10 + [(0.8, False)] * 10) == pytest.approx(0.8)


def test_auc_is_the_share_of_pairs_in_the_right_order() -> None:
    apart = [(0.9, True)] * 5 + [(0.1, False)] * 5
    assert figures.auc(apart) == 1.0
    assert figures.auc([(confidence, not right) for confidence, right in apart]) == 0.0
    assert figures.auc([(0.5, True)] * 6 + [(0.5, False)] * 7) == pytest.approx(0.5)
    mixed = [(n / 10, True) for n in (9, 8, 7, 3, 5)] + [(n / 10, False) for n in (6, 5, 2, 1, 4)]
    # Of 25 pairs: 0.9, 0.8, 0.7 beat all 5; 0.5 beats 3 and ties 1; 0.3 beats 2.
    assert figures.auc(mixed) == pytest.approx((15 + 3.5 + 2) / 25)


def test_auc_needs_some_of_both_kinds() -> None:
    assert figures.auc([(0.9, True)] * 50 + [(0.1, False)] * 4) is None
