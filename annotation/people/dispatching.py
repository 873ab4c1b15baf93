"""Who gets which task: pure rules over facts (TA-T79, X-DISPATCH). A person asks for work and is offered what is due
first where time is short, else what they are the right one for; a lead asks who is the right one for a task.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

COLD_ACCURACY, COLD_DURATION_S = 0.8, 300.0
QUALITY_WEIGHT, LOAD_WEIGHT = 0.6, 0.4
# From this share of the time on a task is offered by its deadline alone: later ones would come too late.
PRESSED_RATIO = 1 / 3
PRIORITIES = {"CRITICAL": 0, "HIGH": 1}


class Why(StrEnum):
    """Why a task is offered to this person, in the order in which it is told."""

    FOR_YOU = "for_you"
    PRIORITY = "priority"
    DUE = "due"
    HARD = "hard"
    SPECIALTY = "specialty"
    DOCUMENT = "document"
    OLDEST = "oldest"


@dataclass(frozen=True)
class Annotator:
    """``accuracy`` from 0 to 1 and ``duration_s`` a task over 30 days; ``specialties``: task types done well."""

    accuracy: float = COLD_ACCURACY
    duration_s: float = COLD_DURATION_S
    specialties: frozenset[str] = frozenset()
    documents: frozenset[int] = frozenset()
    open_tasks: int = 0


@dataclass(frozen=True)
class Waiting:
    """``left_s``: until it is closed without a person, of ``limit_s``; ``reserved``: for the person who asks."""

    id: int
    job: int
    kind: str
    priority: str
    confidence: float | None
    left_s: float
    limit_s: float
    reserved: bool = False


@dataclass(frozen=True)
class Rules:
    """Of profiles.WorkRules."""

    hard_below: float = 0.5
    hard_accuracy: float = 0.85
    open_most: int = 10


@dataclass(frozen=True)
class Offer:
    task: Waiting
    why: tuple[Why, ...] = field(default=())


def is_hard(task: Waiting, rules: Rules) -> bool:
    return task.confidence is not None and task.confidence < rules.hard_below


def may_do(person: Annotator, task: Waiting, rules: Rules) -> bool:
    """Hard pages go to accurate people, unless a lead has decided otherwise."""
    return task.reserved or not is_hard(task, rules) or person.accuracy >= rules.hard_accuracy


def choose(tasks: Iterable[Waiting], person: Annotator, rules: Rules) -> Offer | None:
    """The task to offer; None where there is none for this person."""
    fit = [task for task in tasks if may_do(person, task, rules)]
    best = min(fit, key=lambda task: _rank(task, person, rules), default=None)
    return None if best is None else Offer(best, reasons(best, person, rules))


def _rank(task: Waiting, person: Annotator, rules: Rules) -> tuple[float, ...]:
    """Smallest first: what a lead gave this person, what a lead called pressing, what is short of time by its deadline,
    then what this person does better than others, then the oldest."""
    priority = PRIORITIES.get(task.priority, 2)
    if _is_pressed(task):
        return (not task.reserved, priority, 0, task.left_s, task.id)
    return (not task.reserved, priority, 1, -_fitness(task, person, rules), task.left_s, task.id)


def _is_pressed(task: Waiting) -> bool:
    return task.left_s <= task.limit_s * PRESSED_RATIO


def _fitness(task: Waiting, person: Annotator, rules: Rules) -> int:
    """Few can do a hard page: who can does it before what everybody can; then what they do best and know already."""
    able = is_hard(task, rules) and person.accuracy >= rules.hard_accuracy
    return 4 * able + 2 * (task.kind in person.specialties) + (task.job in person.documents)


def reasons(task: Waiting, person: Annotator, rules: Rules) -> tuple[Why, ...]:
    said = {
        Why.FOR_YOU: task.reserved,
        Why.PRIORITY: task.priority in PRIORITIES,
        Why.DUE: _is_pressed(task),
        Why.HARD: is_hard(task, rules),
        Why.SPECIALTY: task.kind in person.specialties,
        Why.DOCUMENT: task.job in person.documents,
    }
    applying = tuple(why for why, holds in said.items() if holds)
    return applying or (Why.OLDEST,)


def best_for(task: Waiting, people: Sequence[tuple[str, Annotator]], rules: Rules) -> list[str]:
    """Names of who may do it, the best first: 0.6 quality, 0.4 load, at most ``open_most`` tasks a person (TA-T79)."""
    able = [(name, p) for name, p in people if may_do(p, task, rules) and p.open_tasks < rules.open_most]
    return [name for name, person in sorted(able, key=lambda pair: (-score(pair[1], task, rules), pair[0]))]


def score(person: Annotator, task: Waiting, rules: Rules) -> float:
    load = 1 - person.open_tasks / rules.open_most
    known = 0.05 * (task.kind in person.specialties)
    return QUALITY_WEIGHT * min(1.0, person.accuracy + known) + LOAD_WEIGHT * load
