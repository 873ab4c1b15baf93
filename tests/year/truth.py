"""What is true in the simulated year: who sends how much, how often machines are right, and what all that adds up to.

The product is never told. It sees what a person saw and did, and has to find out.
"""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from random import Random
from typing import Any

DAYS = 365
# On the last day three times as many documents come as on the first.
GROWTH = 3.0
# The share of right pages that thresholds are to keep (CALIBRATION_TARGET), and how fast pages get worse below.
TARGET, WIDTH = 0.95, 0.08
LEAST_CONFIDENCE, SPREAD = 0.45, 0.22
# Pages without a product, pages that a model was asked about, and those that a person gets whatever the threshold says.
SKIPPED, ASKED, BLOCKED = 0.1, 0.3, 0.04
# Of the pages that went out alone, those at which a person looks; of what waits, what is done on the next day.
BLIND, DONE_NEXT_DAY = "0.25", 0.9
# What is kept how long: the log of documents, of all; documents as a whole, of half of the merchants.
AUDIT_DAYS, RESULTS_DAYS = 60, 120
# Kinds of files with a number of days (ingestion/keeping/policies.py), and those days.
LIMITED = {"sources": 30, "pictures": 30, "exports": 7}


@dataclass(frozen=True)
class House:
    """A merchant with its share of the documents. ``forgets``: its documents go with all that they left."""

    name: str
    share: float
    forgets: bool = False


# The first two are those of the demo accounts, which look at the screens.
HOUSES = (
    House("Harbour Home", 0.4),
    House("Summit Tools", 0.2, forgets=True),
    House("Nordlicht", 0.25),
    House("Südwind", 0.15, forgets=True),
)


@dataclass(frozen=True)
class Category:
    """``believed``: the threshold that its profile begins with; ``true``: the one that keeps the target, which is
    ``later`` from the day ``drifts_on`` (a share of the year) on."""

    name: str
    believed: Decimal
    true: float
    later: float | None = None
    drifts_on: float = 1.0

    def threshold(self, day: int, days: int) -> float:
        return self.later if self.later is not None and day >= self.drift_day(days) else self.true

    def drift_day(self, days: int) -> int:
        return round(self.drifts_on * days)

    def share_right(self, confidence: float, day: int, days: int) -> float:
        """Of pages of which machines are so sure."""
        wrong = (1 - TARGET) * math.exp((self.threshold(day, days) - confidence) / WIDTH)
        return 1 - min(0.95, wrong)


# As believed; better than believed; as believed, and worse from the summer on; as believed.
CATEGORIES = (
    Category("lamps", Decimal("0.700"), 0.70),
    Category("chairs", Decimal("0.820"), 0.64),
    Category("tools", Decimal("0.700"), 0.70, later=0.90, drifts_on=0.6),
    Category("tiles", Decimal("0.780"), 0.78),
)
THRESHOLD_A = Decimal("0.970")


def documents_on(day: int, days: int, documents: int) -> int:
    """How many come: the days' numbers grow evenly, and together they are all of them."""

    def until(n: int) -> int:
        x = n / days
        return round(documents * (2 * x + (GROWTH - 1) * x * x) / (GROWTH + 1))

    return until(day + 1) - until(day)


def confidence(chance: Random) -> float:
    return round(max(LEAST_CONFIDENCE, 0.99 - abs(chance.gauss(0, SPREAD))), 3)


Key = tuple[date, int, str]  # day, merchant, category


@dataclass
class Ledger:
    """What happened, counted where it was made to happen: the figures of days have to say the same."""

    counted: dict[Key, dict[str, float]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(float)))
    bytes_in: dict[tuple[int, int, str], int] = field(default_factory=lambda: defaultdict(int))
    made: dict[tuple[int, int, str], int] = field(default_factory=lambda: defaultdict(int))

    def count(self, key: Key, **sums: float) -> None:
        for name, n in sums.items():
            self.counted[key][name] += n

    def stored(self, day: int, merchant: int, kind: str, size: int) -> None:
        """So many bytes of that kind came on that day of the year."""
        self.bytes_in[day, merchant, kind] += size

    def rows(self, day: int, merchant: int, table: str, n: int = 1) -> None:
        self.made[day, merchant, table] += n


def within(sums: Mapping[tuple[int, int, str], int], name: str, since: int, until: int, merchants: Any) -> int:
    """Of what came on the days from ``since`` to before ``until``."""
    return sum(
        n
        for (day, merchant, what), n in sums.items()
        if what == name and since <= day < until and merchant in merchants
    )
