"""Trials of prompt versions in numbers: which arm a job is in, and whether the trial's arm is worse (X-CANARY). Pure.

Jobs are dealt out, so jobs are what varies: pages of one catalogue share their errors. The test compares two
proportions with the variance between jobs, or the binomial one where that is larger (Donner and Klar 2000, chapter 6).
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

Arm = Literal["control", "trial"]
Outcome = Literal["too_few", "worse", "not_worse"]

# A trial is looked at again and again: one per cent over some ten looks (Bonferroni).
ALPHA = 0.001
# Below these an arm is not judged: the normal approximation asks for five expected cases of either kind (Cochran 1954),
# the variance between jobs for about ten jobs.
MIN_JOBS, MIN_EXPECTED = 10, 5.0


def is_in_share(name: str, subject: str, share: int) -> bool:
    """The same for the same name and subject, whichever process asks; true of ``share`` per cent of many subjects."""
    digest = hashlib.sha256(f"{name}:{subject}".encode()).digest()
    return int.from_bytes(digest[:8]) % 100 < share


def arm_of(name: str, job: UUID, share: int) -> Arm:
    """Of many jobs ``share`` per cent get the trial."""
    return "trial" if is_in_share(name, str(job), share) else "control"


def bucket_of(arms: Mapping[int, Arm]) -> str:
    """As a job keeps it: "7:trial,9:control", by the id of the trial."""
    return ",".join(f"{trial}:{arm}" for trial, arm in sorted(arms.items()))


def arms_in(bucket: str) -> dict[int, str]:
    return {int(trial): arm for trial, _, arm in (entry.partition(":") for entry in bucket.split(",") if entry)}


@dataclass(frozen=True)
class Checked:
    """Of one job: values that people looked at, and those of them that they corrected."""

    corrected: int
    looked_at: int


@dataclass(frozen=True)
class Comparison:
    """``p_value``: chance of such a rise if both were alike; 1.0 where there is too little to judge."""

    outcome: Outcome
    control_rate: float
    trial_rate: float
    p_value: float = 1.0


def compare(control: Sequence[Checked], trial: Sequence[Checked]) -> Comparison:
    """Whether corrections rose in the trial's arm, one-sided."""
    control, trial = _with_values(control), _with_values(trial)
    before, after = _rate(control), _rate(trial)
    if min(len(control), len(trial)) < MIN_JOBS or _least_expected(control, trial) < MIN_EXPECTED:
        return Comparison("too_few", before, after)
    spread = math.sqrt(max(_pooled(control, trial), _between(control) + _between(trial)))
    p_value = 0.5 * math.erfc((after - before) / spread / math.sqrt(2))
    return Comparison("worse" if p_value < ALPHA else "not_worse", before, after, p_value)


def _with_values(jobs: Sequence[Checked]) -> list[Checked]:
    return [job for job in jobs if job.looked_at > 0]


def _sums(jobs: Sequence[Checked]) -> tuple[int, int]:
    return sum(job.corrected for job in jobs), sum(job.looked_at for job in jobs)


def _rate(jobs: Sequence[Checked]) -> float:
    corrected, looked_at = _sums(jobs)
    return corrected / looked_at if looked_at else 0.0


def _least_expected(control: Sequence[Checked], trial: Sequence[Checked]) -> float:
    rate = _rate([*control, *trial])
    return min(rate, 1 - rate) * min(_sums(control)[1], _sums(trial)[1])


def _pooled(control: Sequence[Checked], trial: Sequence[Checked]) -> float:
    """Variance of the difference if every value were judged by itself."""
    rate = _rate([*control, *trial])
    return rate * (1 - rate) * (1 / _sums(control)[1] + 1 / _sums(trial)[1])


def _between(jobs: Sequence[Checked]) -> float:
    """Variance of an arm's rate from how much its jobs differ (ratio estimator)."""
    rate, total, n = _rate(jobs), _sums(jobs)[1], len(jobs)
    return sum((job.corrected - rate * job.looked_at) ** 2 for job in jobs) * n / (n - 1) / total**2
