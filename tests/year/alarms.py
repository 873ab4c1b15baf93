"""`python -m tests.year.alarms`: how often and how soon the alarm of drift comes in many years of looks alone.

The looks of a year by its truth, and no installation: a year takes a second or two. Thresholds are moved as proposed.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from random import Random

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogsku.settings")
django.setup()

from annotation.calibration.drift import Drift, drift  # noqa: E402
from annotation.calibration.promises import promise  # noqa: E402
from annotation.calibration.services.auditing import MOST_A_NIGHT  # noqa: E402
from annotation.calibration.services.recording import BEFORE_DAYS, PROMISE_DAYS  # noqa: E402
from tests.year import truth  # noqa: E402
from tests.year.truth import Category  # noqa: E402

DOCUMENTS, PAGES_EACH = 10_000, 4
BETWEEN = (Decimal("0.5"), truth.THRESHOLD_A)


@dataclass(frozen=True)
class Seen:
    """A page that somebody looked at on that day."""

    day: int
    score: float
    right: bool


def looks_of(
    categories: Sequence[Category], seed: int, documents: int = DOCUMENTS, days: int = truth.DAYS, moves: bool = True
) -> dict[str, list[Seen]]:
    """By category, in the order of time. ``moves``: thresholds that are proposed are followed."""
    chance, looks = Random(seed), {kind.name: list[Seen]() for kind in categories}
    believed = {kind.name: kind.believed for kind in categories}
    for day in range(days):
        blind = list[tuple[str, Seen]]()
        for kind in categories:
            pages = truth.documents_on(day, days, documents) / len(categories) * PAGES_EACH * (1 - truth.SKIPPED)
            for _ in range(int(pages + chance.random())):
                score = truth.confidence(chance)
                right, later = chance.random() < kind.share_right(score, day, days), day + 1
                while chance.random() > truth.DONE_NEXT_DAY:
                    later += 1
                if chance.random() < truth.BLOCKED:
                    continue  # whatever machines think of it: no look of which thresholds decide
                if score < believed[kind.name]:
                    looks[kind.name].append(Seen(later, score, right))
                elif chance.random() < float(truth.BLIND):
                    blind.append((kind.name, Seen(later, score, right)))
        for name, look in chance.sample(blind, min(len(blind), MOST_A_NIGHT)):
            looks[name].append(look)
        for kind in categories if moves else ():
            judged = [(one.score, one.right) for one in between(looks[kind.name], day - PROMISE_DAYS, day)]
            found = promise(judged, believed[kind.name], BETWEEN, truth.TARGET).proposed
            believed[kind.name] = found or believed[kind.name]
    return {name: sorted(rows, key=lambda row: row.day) for name, rows in looks.items()}


def between(looks: Sequence[Seen], after: int, until: int) -> list[Seen]:
    return [look for look in looks if after < look.day <= until]


def nights(looks: Sequence[Seen], days: int = truth.DAYS) -> Iterator[tuple[int, Drift | None]]:
    """From the first night on that has looks of all the days before."""
    for day in range(BEFORE_DAYS + PROMISE_DAYS, days):
        since = between(looks, day - PROMISE_DAYS, day)
        before = between(looks, day - PROMISE_DAYS - BEFORE_DAYS, day - PROMISE_DAYS)
        judged = ([(look.score, look.right) for look in part] for part in (before, since))
        yield day, drift(*judged)


@dataclass
class Told:
    """``delays``: days from the change to the alarm, None where it never came; ``lasted``: nights of it."""

    years: int = 0
    nights: int = 0
    without_cause: int = 0
    years_with_any: int = 0
    looks: int = 0
    delays: list[int | None] = field(default_factory=list)
    lasted: list[int] = field(default_factory=list)


def over_years(seeds: Sequence[int], later: float, documents: int = DOCUMENTS) -> Told:
    """``later``: the threshold that the category which becomes worse would need then."""
    kinds = [replace(kind, later=later) if kind.later else kind for kind in truth.CATEGORIES]
    told = Told()
    for seed in seeds:
        looks, any_so_far = looks_of(kinds, seed, documents), told.without_cause
        for kind in kinds:
            on = kind.drift_day(truth.DAYS)
            alarms = {day: found is not None for day, found in nights(looks[kind.name])}
            own = [day for day, rings in alarms.items() if rings and kind.later and day >= on]
            if kind.later:
                told.delays.append(own[0] - on if own else None)
                told.lasted.append(len(own))
            told.nights += sum(not kind.later or day < on for day in alarms)
            told.without_cause += sum(alarms.values()) - len(own)
            told.looks += len(looks[kind.name])
        told.years += 1
        told.years_with_any += told.without_cause > any_so_far
    return told


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.year.alarms", description=__doc__)
    parser.add_argument("--years", type=int, default=24)
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--later", type=float, action="append", help="the true threshold after the change; 0.70 before")
    options = parser.parse_args()
    for later in options.later or (0.90, 0.80, 0.75):
        told = over_years(range(options.years), later, options.documents)
        came = sorted(day for day in told.delays if day is not None)
        said = f"after {came[len(came) // 2]} days on the median, {came[-1]} at most" if came else "never"
        sys.stdout.write(
            f"{later:.2f}: told in {len(came)} of {told.years} years, {said}, for {sum(told.lasted) / told.years:.0f}"
            f" nights; without cause on {told.without_cause} of {told.nights} nights, in {told.years_with_any} years;"
            f" {told.looks / told.years / truth.DAYS / len(truth.CATEGORIES):.1f} looks a day and category\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
