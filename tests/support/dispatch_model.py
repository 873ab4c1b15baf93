"""A day of twenty annotators and two thousand tasks, in seconds of a made-up clock: how a way of dispatching does.

Each person has a speed and an accuracy of their own, and does some kinds of task better; a task that is done wrongly
is found out by a second person with a certain chance and comes back. Nobody is told the truth but the model.
`python -m tests.support.dispatch_model` prints the table of docs/people.md.
"""

import heapq
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import mean, quantiles

from annotation.people.dispatching import Annotator, Rules, Waiting, choose

KINDS = ("PAGE_REVIEW", "SKU_CONFIRM", "BINDING_REVIEW", "FULL_PAGE_ANNOTATION")
LIMIT_S = 180 * 60.0
HIGH_S, ESCALATED_S = 15 * 60.0, 30 * 60.0
FOUND_OUT = 0.35  # chance that a wrong result is seen by a verdict and comes back
FOUR_HOURS_S = 4 * 3600.0
RULES = Rules()


@dataclass(frozen=True)
class Worker:
    """``hard_loss``: accuracy lost on hard pages; small for the accurate ones."""

    name: int
    known: Annotator
    speed: float
    accuracy: float
    hard_loss: float


@dataclass
class Task:
    id: int
    job: int
    kind: str
    confidence: float
    arrives_s: float
    work_s: float
    urgent: bool
    born_s: float = 0.0


@dataclass
class Outcome:
    waits_s: list[float] = field(default_factory=list)
    urgent_waits_s: list[float] = field(default_factory=list)
    ended_s: list[float] = field(default_factory=list)
    wrong: int = 0
    reworked: int = 0
    escalated: int = 0
    unserved: int = 0
    finished: int = 0

    @property
    def figures(self) -> dict[str, float]:
        """Shares of the tasks, and minutes."""
        return {
            "wrong": self.wrong / self.finished,
            "reworked": self.reworked / self.finished,
            "escalated": self.escalated / self.finished,
            "late": self.unserved / self.finished,
            "wait_min": mean(self.waits_s) / 60,
            "wait_p95_min": quantiles(self.waits_s, n=20)[-1] / 60,
            "urgent_wait_p95_min": quantiles(self.urgent_waits_s, n=20)[-1] / 60,
            "within_4h": mean(ended <= FOUR_HOURS_S for ended in self.ended_s),
        }


Dispatch = Callable[[Sequence[Task], Worker, float, random.Random], Task | None]


def make_workers(chance: random.Random, number: int = 20) -> list[Worker]:
    found = []
    for name in range(number):
        accuracy = 0.80 + 0.19 * name / (number - 1)
        best = frozenset(chance.sample(KINDS, 1))
        profile = Annotator(accuracy, 300.0, best, frozenset(), 0)
        found.append(Worker(name, profile, chance.uniform(0.8, 1.3), accuracy, max(0.02, 0.95 - accuracy)))
    return found


def make_tasks(chance: random.Random, number: int = 2000, hours: float = 8.0) -> list[Task]:
    """They come in documents: bursts of neighbouring pages, more at the beginning of the day."""
    tasks: list[Task] = []
    job = 0
    while len(tasks) < number:
        job += 1
        at_s = min(chance.uniform(0, 1), chance.uniform(0, 1)) * hours * 3600
        urgent = chance.random() < 0.1
        for _ in range(min(chance.randint(5, 60), number - len(tasks))):
            confidence = chance.betavariate(4, 2.2)
            work_s = chance.uniform(90, 330) * (1.5 if confidence < RULES.hard_below else 1.0)
            kind = chance.choice(KINDS)
            tasks.append(Task(len(tasks), job, kind, confidence, at_s, work_s, urgent, at_s))
    return sorted(tasks, key=lambda task: (task.arrives_s, task.id))


def simulate(dispatch: Dispatch, seed: int, tasks_number: int = 2000) -> Outcome:
    chance = random.Random(seed)
    workers = make_workers(chance)
    arriving = make_tasks(chance, tasks_number)
    chance = random.Random(seed + 1)
    waiting: list[Task] = []
    outcome = Outcome()
    known: dict[int, set[int]] = {worker.name: set() for worker in workers}
    free: list[tuple[float, int]] = [(0.0, worker.name) for worker in workers]
    heapq.heapify(free)
    returning: list[tuple[float, int, Task]] = []
    next_arrival = 0
    while next_arrival < len(arriving) or waiting or returning:
        now, name = heapq.heappop(free)
        while next_arrival < len(arriving) and arriving[next_arrival].arrives_s <= now:
            waiting.append(arriving[next_arrival])
            next_arrival += 1
        while returning and returning[0][0] <= now:
            waiting.append(heapq.heappop(returning)[2])
        waiting = _without_unserved(waiting, now, outcome)
        worker = _told(workers[name], known[name])
        task = dispatch(waiting, worker, now, chance) if waiting else None
        if task is None:
            heapq.heappush(free, (now + 20.0, name))
            continue
        waiting.remove(task)
        done_s = now + _work_s(task, worker)
        _finish(task, worker, now, done_s, chance, outcome, returning)
        known[name].add(task.job)
        heapq.heappush(free, (done_s, name))
    return outcome


def _without_unserved(waiting: list[Task], now: float, outcome: Outcome) -> list[Task]:
    late = [task for task in waiting if now - task.arrives_s > LIMIT_S]
    for task in late:
        outcome.unserved += 1
        outcome.finished += 1
        outcome.ended_s.append(now - task.arrives_s)
    return [task for task in waiting if now - task.arrives_s <= LIMIT_S] if late else waiting


def _told(worker: Worker, documents: set[int]) -> Worker:
    profile = worker.known
    told = Annotator(profile.accuracy, profile.duration_s, profile.specialties, frozenset(documents), 0)
    return Worker(worker.name, told, worker.speed, worker.accuracy, worker.hard_loss)


def _work_s(task: Task, worker: Worker) -> float:
    known = 0.85 if task.kind in worker.known.specialties else 1.0
    seen = 0.9 if task.job in worker.known.documents else 1.0
    return task.work_s * worker.speed * known * seen


def _finish(
    task: Task,
    worker: Worker,
    now: float,
    done_s: float,
    chance: random.Random,
    outcome: Outcome,
    returning: list[tuple[float, int, Task]],
) -> None:
    waited_s = now - task.arrives_s
    outcome.waits_s.append(waited_s)
    if task.urgent:
        outcome.urgent_waits_s.append(waited_s)
    outcome.escalated += waited_s > ESCALATED_S
    accuracy = worker.accuracy - (worker.hard_loss if task.confidence < RULES.hard_below else 0.0)
    accuracy += 0.3 * (1 - accuracy) if task.kind in worker.known.specialties else 0.0
    if chance.random() >= accuracy:
        if chance.random() < FOUND_OUT:
            outcome.reworked += 1
            back = Task(
                task.id, task.job, task.kind, task.confidence, done_s + 600, task.work_s, task.urgent, task.born_s
            )
            heapq.heappush(returning, (done_s + 600, task.id, back))
            return
        outcome.wrong += 1
    outcome.finished += 1
    outcome.ended_s.append(done_s - task.arrives_s)


def first_in_first_out(waiting: Sequence[Task], worker: Worker, now: float, chance: random.Random) -> Task | None:
    return min(waiting, key=lambda task: (task.arrives_s, task.id))


def at_random(waiting: Sequence[Task], worker: Worker, now: float, chance: random.Random) -> Task | None:
    return chance.choice(waiting)


def ours(waiting: Sequence[Task], worker: Worker, now: float, chance: random.Random) -> Task | None:
    offer = choose((_waiting(task, now) for task in waiting), worker.known, RULES)
    return None if offer is None else next(task for task in waiting if task.id == offer.task.id)


def _waiting(task: Task, now: float) -> Waiting:
    waited_s = now - task.arrives_s
    priority = "CRITICAL" if task.urgent else "HIGH" if waited_s > HIGH_S else "NORMAL"
    return Waiting(task.id, task.job, task.kind, priority, task.confidence, LIMIT_S - waited_s, LIMIT_S)


WAYS: dict[str, Dispatch] = {"ours": ours, "first in, first out": first_in_first_out, "random": at_random}


def compare(seeds: Sequence[int], tasks_number: int = 2000) -> dict[str, dict[str, float]]:
    """Mean figures of each way over the same days."""
    found: dict[str, dict[str, float]] = {}
    for name, way in WAYS.items():
        days = [simulate(way, seed, tasks_number).figures for seed in seeds]
        found[name] = {figure: mean(day[figure] for day in days) for figure in days[0]}
    return found


if __name__ == "__main__":
    table = compare(range(5))
    for name, figures in table.items():
        print(f"{name:<22}" + "  ".join(f"{key} {value:7.3f}" for key, value in figures.items()))
