"""Whether a rate has left the interval that it had before, for the worse: pure."""

from dataclasses import dataclass

from annotation.calibration.looks import RATES, Rate

# Which way is worse.
WORSE_BELOW, WORSE_ABOVE = ("route_accuracy",), ("automatic_wrong",)
WATCHED = (*WORSE_BELOW, *WORSE_ABOVE)
# Of fewer pages, before or now, chance says more than drift.
LEAST_PAGES = 20


@dataclass(frozen=True)
class Drift:
    """``now`` lies outside ``low`` to ``high``, which held before."""

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
        now, (_, low, high) = rates[name][0], before[name]
        if now < low if name in WORSE_BELOW else now > high:
            found.append(Drift(name, now, low, high))
    return found
