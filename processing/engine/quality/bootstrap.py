"""How far figures would lie elsewhere with other catalogues: resampled by maker, whose pages share their faults.

A resample draws as many makers as there are, with replacement (Efron 1979; by clusters, Davison and Hinkley 1997). A
maker that is drawn twice counts twice, so that every figure is a quotient of sums weighted by how often each was drawn.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from processing.engine.quality.figures import BINS, Judged, bin_of
from processing.engine.quality.measure import Counts, PageMeasure, sum_counts
from processing.engine.quality.totals import SHARES, judged_pages

RESAMPLES = 1000
SEED = 20261127
# The middle nine tenths of what the resamples give.
WITHIN = (0.05, 0.95)
LEAST_MAKERS = 2

# The figures that have one.
FIGURES = ("f1", "attribute_accuracy", "pictured", "unseen_wrong", "needless", "page_auc", "page_calibration_error")

Interval = tuple[float, float]
Array = npt.NDArray[np.float64]


def intervals_of(makers: Mapping[str, Sequence[PageMeasure]]) -> dict[str, Interval]:
    """Of each of FIGURES that most resamples have; none where there are too few makers to draw from.

    The same for the same pages, whatever the order of the makers.
    """
    if len(makers) < LEAST_MAKERS:
        return {}
    pages = [makers[name] for name in sorted(makers)]
    drawn = _drawn(len(pages))
    counts = [sum_counts(page.counts for page in of_maker) for of_maker in pages]
    judged = [judged_pages(of_maker) for of_maker in pages]
    resampled = {name: _share(drawn, counts, *parts) for name, parts in SHARES.items() if name in FIGURES}
    resampled |= {"page_auc": _auc(drawn, judged), "page_calibration_error": _calibration_error(drawn, judged)}
    intervals = {name: _interval(resampled[name]) for name in FIGURES}
    return {name: interval for name, interval in intervals.items() if interval is not None}


def share_interval(parts: Sequence[float], wholes: Sequence[float]) -> Interval | None:
    """Of the share of ``parts`` in ``wholes``, one number of each a maker; None as in ``intervals_of``."""
    if len(parts) < LEAST_MAKERS:
        return None
    drawn = _drawn(len(parts))
    return _interval(_quotient(drawn @ np.array(parts, float), drawn @ np.array(wholes, float)))


def _drawn(makers: int) -> Array:
    """How often each resample (row) drew each maker (column)."""
    weights = np.random.default_rng(SEED).multinomial(makers, [1 / makers] * makers, size=RESAMPLES)
    return weights.astype(np.float64)


def _share(
    drawn: Array, counts: Sequence[Counts], part: Callable[[Counts], float], whole: Callable[[Counts], float]
) -> Array:
    return _quotient(drawn @ np.array([part(n) for n in counts]), drawn @ np.array([whole(n) for n in counts]))


def _auc(drawn: Array, judged: Sequence[Judged]) -> Array:
    """The pairs of a right page of one maker and a wrong one of another count as often as both together were drawn."""
    right = [np.array([sure for sure, is_right in pages_of_maker if is_right]) for pages_of_maker in judged]
    wrong = [np.array([sure for sure, is_right in pages_of_maker if not is_right]) for pages_of_maker in judged]
    above = np.array([[_above(these, those) for those in wrong] for these in right])
    won = np.einsum("rm,mn,rn->r", drawn, above, drawn)
    return _quotient(
        won,
        (drawn @ [float(len(pages_of_maker)) for pages_of_maker in right])
        * (drawn @ [float(len(pages_of_maker)) for pages_of_maker in wrong]),
    )


def _above(right: Array, wrong: Array) -> float:
    difference = right[:, None] - wrong[None, :]
    return float((difference > 0).sum() + (difference == 0).sum() / 2)


def _calibration_error(drawn: Array, judged: Sequence[Judged]) -> Array:
    gaps = np.zeros((len(judged), BINS))
    for maker, pages in enumerate(judged):
        for sure, is_right in pages:
            gaps[maker, bin_of(sure)] += is_right - sure
    return _quotient(np.abs(drawn @ gaps).sum(axis=1), drawn @ [float(len(pages)) for pages in judged])


def _quotient(part: Array, whole: Array) -> Array:
    """NaN where a resample has nothing to judge."""
    quotient: Array = np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)
    return quotient


def _interval(resampled: Array) -> Interval | None:
    known = resampled[~np.isnan(resampled)]
    if len(known) * 2 < len(resampled):
        return None
    low, high = np.quantile(known, WITHIN)
    return round(float(low), 4), round(float(high), 4)
