"""Whether a rate has become worse than chance explains, then and now: pure."""

from dataclasses import dataclass
from math import hypot

from annotation.calibration.looks import RATES, Rate

# Which way is worse.
WORSE_BELOW, WORSE_ABOVE = ("route_accuracy",), ("automatic_wrong",)
WATCHED = (*WORSE_BELOW, *WORSE_ABOVE)
# Of fewer pages, before or now, chance says more than drift.
LEAST_PAGES = 20


@dataclass(frozen=True)
class Drift:
    """``now`` lies outside ``low`` to ``high``, which held before, and further than its own chance reaches."""

    rate: str
    now: float
    low: float
    high: float


def drifts(
    rates: dict[str, Rate], counts: dict[str, int], before: dict[str, Rate], counts_before: dict[str, int]
) -> list[Drift]:
    found = []
    for name in WATCHED:
        if name not in rates or name not in before:
            continue
        whole = RATES[name][1]
        if min(counts.get(whole, 0), counts_before.get(whole, 0)) < LEAST_PAGES:
            continue
        (now, now_low, now_high), (was, low, high) = rates[name], before[name]
        # The interval of their difference, of both intervals (Newcombe 1998). A rate that stays the same would leave
        # the earlier interval on every twelfth night, for what is counted now is chance as well.
        if name in WORSE_BELOW:
            worse, chance = was - now, hypot(was - low, now_high - now)
        else:
            worse, chance = now - was, hypot(high - was, now - now_low)
        if worse > chance:
            found.append(Drift(name, now, low, high))
    return found
