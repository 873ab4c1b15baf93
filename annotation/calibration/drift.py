"""Whether machines have become worse than they were: a risk-adjusted CUSUM chart of what people corrected: pure.

Each look at a page adds the logarithm of how much likelier its outcome is if the odds of a correction have become
WORSE_BY times what they were of pages of which machines were as sure; below nothing the chart begins anew (Page 1954;
with a risk of each case: Steiner, Cook, Farewell and Treasure 2000, Biostatistics 1, 441). As pages are held against
those of the same certainty, a threshold that moves, and with it the mix of pages that people see, is no drift.

Where nothing has changed the chart passes ALARM after exp(ALARM) looks on the mean or later (Lorden 1971), some 22,000.
`python -m tests.year.alarms` says what that comes to.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log
from operator import itemgetter

from processing.engine.quality.figures import Judged
from processing.engine.quality.routes import wilson

# The rate of looks.py that is watched.
WATCHED = ("correction",)
WORSE_BY, ALARM = 2.0, 10.0
# What was before is known by so many looks at least, in so many groups by certainty, each of so many at least.
LEAST_BEFORE, GROUPS_MOST, LEAST_OF_GROUP = 100, 10, 30


@dataclass(frozen=True)
class Drift:
    """``now``: the share corrected since the chart rose; ``low`` to ``high``: what was to be expected of them."""

    rate: str
    now: float
    low: float
    high: float


def drift(before: Judged, since: Judged) -> Drift | None:
    """Looks as (how sure machines were, whether the page was right); ``since`` from the oldest on. None where nothing
    has become worse, or too little was known."""
    if len(before) < LEAST_BEFORE:
        return None
    least, shares = _expected(before)
    chart, risks, wrong = 0.0, list[float](), 0
    for score, is_right in since:
        risk = shares[max(0, bisect_right(least, score) - 1)]
        chart += (0.0 if is_right else log(WORSE_BY)) - log(1 - risk + WORSE_BY * risk)
        if chart <= 0:
            chart, risks, wrong = 0.0, [], 0
            continue
        risks.append(risk)
        wrong += not is_right
    interval = wilson(round(sum(risks)), len(risks))
    if chart <= ALARM or interval is None:
        return None
    return Drift(WATCHED[0], round(wrong / len(risks), 4), *interval)


def _expected(before: Judged) -> tuple[Sequence[float], Sequence[float]]:
    """(least scores of the groups, share corrected in each); equal scores stand together. Half a correction more than
    was seen: of few looks without one the next may have it (Jeffreys 1946)."""
    size = max(LEAST_OF_GROUP, ceil(len(before) / GROUPS_MOST))
    groups, last = [list[tuple[float, bool]]()], 0.0
    for look in sorted(before, key=itemgetter(0)):
        if len(groups[-1]) >= size and look[0] > last:
            groups.append([])
        groups[-1].append(look)
        last = look[0]
    if len(groups) > 1 and len(groups[-1]) < LEAST_OF_GROUP:
        groups[-2:] = [groups[-2] + groups[-1]]
    shares = [(sum(not is_right for _, is_right in group) + 0.5) / (len(group) + 1) for group in groups]
    return [group[0][0] for group in groups], shares
