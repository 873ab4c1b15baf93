"""How likely what machines found is right, by how sure they were: the monotone fit of what people found.

Pool adjacent violators (Barlow and others 1972): steps that never fall and come closest to what was seen.
"""

from collections.abc import Sequence

import msgspec

from processing.engine.quality.figures import Judged


class Step(msgspec.Struct, frozen=True):
    """From the score ``least`` on, ``right`` of ``pages`` were right, up to the next step."""

    least: float
    right: int
    pages: int

    @property
    def share(self) -> float:
        return self.right / self.pages


def fit(judged: Judged) -> tuple[Step, ...]:
    """``judged``: (score, whether it was right). Equal scores are one; the shares of the steps rise."""
    steps: list[Step] = []
    for score, is_right in sorted(judged):
        if steps and steps[-1].least == score:
            steps[-1] = Step(score, steps[-1].right + is_right, steps[-1].pages + 1)
        else:
            steps.append(Step(score, int(is_right), 1))
    pooled: list[Step] = []
    for step in steps:
        pooled.append(step)
        while len(pooled) > 1 and pooled[-2].share >= pooled[-1].share:
            last = pooled.pop()
            first = pooled.pop()
            pooled.append(Step(first.least, first.right + last.right, first.pages + last.pages))
    return tuple(pooled)


def share_at(steps: Sequence[Step], score: float) -> float | None:
    """What the fit says of this score; below the first step as in it. None without any."""
    below = [step for step in steps if step.least <= score]
    return below[-1].share if below else steps[0].share if steps else None


def least_score(steps: Sequence[Step], target: float) -> float | None:
    """From which score on also the least sure keep the ``target``; None where not even the surest do."""
    return next((step.least for step in steps if step.share >= target), None)


def passing(judged: Judged, least: float) -> tuple[int, int]:
    """(right, all) of those that pass."""
    right = [is_right for score, is_right in judged if score >= least]
    return sum(right), len(right)
