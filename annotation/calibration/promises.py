"""What a threshold promises of the pages that pass it, and which one keeps the promise that is asked for: pure.

A page passes by its confidence (PV), a document by its C_doc (A); right is what a person left as it was.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from enum import StrEnum

from annotation.calibration.looks import Look
from processing.engine.quality.figures import Judged
from processing.engine.quality.isotonic import fit, least_score, passing, share_at
from processing.engine.quality.routes import wilson

# Fewer looks say too little for another threshold; and so do fewer that would pass it.
LEAST_LOOKS, LEAST_PASSING = 50, 20
# What moves less is not worth a person's decision.
LEAST_STEP = Decimal("0.02")
# Between the thresholds (B < PV < A).
APART = Decimal("0.01")
# Reasons that follow from thresholds: what was found on a page keeps it with a person wherever they lie.
BY_THRESHOLD = frozenset({"low_confidence", "page_score_low", "route_human_all"})


class Why(StrEnum):
    """Why no other threshold is proposed."""

    TOO_FEW = "too_few"
    NONE_KEEPS = "none_keeps"
    AS_IT_IS = "as_it_is"
    OUT_OF_RANGE = "out_of_range"
    DECLINED = "declined"


@dataclass(frozen=True)
class Stated:
    """The share of right pages among ``pages`` that pass, with the ends of its interval."""

    share: float
    low: float
    high: float
    pages: int

    def as_json(self) -> list[float]:
        return [self.share, self.low, self.high, self.pages]


@dataclass(frozen=True)
class Promise:
    """``now``: what the threshold in force keeps. ``proposed`` and ``stated``: the one that keeps the target, and what
    it keeps; None where there is none to propose, for the reason ``why``."""

    now: Stated | None
    proposed: Decimal | None = None
    stated: Stated | None = None
    why: str = ""


def sample(looks: Sequence[Look], figure: str) -> Judged:
    """Pages that thresholds decide about: the doubtful ones that a person saw, and blind looks at those that passed.

    What readers told of is no sample: of the right pages nobody tells.
    """
    scored = [(look.c_doc if figure == "threshold_a" else look.confidence, look) for look in looks if look.found]
    return [
        (score, not look.corrected)
        for score, look in scored
        if score is not None and (look.reasons <= BY_THRESHOLD if look.with_person else look.audited)
    ]


def promise(judged: Judged, now: Decimal, between: tuple[Decimal, Decimal], target: float) -> Promise:
    """``between``: the thresholds below and above, which stay apart from it."""
    kept = stated(judged, float(now))
    if len(judged) < LEAST_LOOKS:
        return Promise(kept, why=Why.TOO_FEW)
    least = least_score(fit(judged), target)
    if least is None:
        return Promise(kept, why=Why.NONE_KEEPS)
    # Rounded down to what a profile can hold, a page that does not keep it would pass.
    wanted = Decimal(str(least)).quantize(Decimal("0.001"), ROUND_CEILING)
    if wanted > between[1] - APART:
        return Promise(kept, why=Why.OUT_OF_RANGE)
    wanted = max(wanted, between[0] + APART)
    if abs(wanted - now) < LEAST_STEP:
        return Promise(kept, why=Why.AS_IT_IS)
    then = stated(judged, float(wanted))
    if then is None or then.pages < LEAST_PASSING:
        return Promise(kept, why=Why.TOO_FEW)
    return Promise(kept, wanted, then)


def stated(judged: Judged, least: float) -> Stated | None:
    right, pages = passing(judged, least)
    interval = wilson(right, pages)
    return None if interval is None else Stated(round(right / pages, 4), *interval, pages)


@dataclass(frozen=True)
class WrongAt:
    """How many products of a page are wrong on the mean where machines were so sure of it."""

    judged: Judged
    per_wrong_page: float

    def __call__(self, confidence: float) -> float:
        share = share_at(fit(self.judged), confidence)
        return 0.0 if share is None else (1 - share) * self.per_wrong_page
