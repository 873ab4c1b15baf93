"""What "work goes on" means after a harm, by PostgreSQL's record of moves, and how long it took."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.chaos.ground import ChaosStack, wait_until

PROMISED_WITHIN_S = 40.0


@dataclass(frozen=True)
class Mark:
    """A moment: the last move that the database had recorded by then."""

    move: int
    at_s: float


GoesOn = Callable[[ChaosStack, Mark], bool]


def mark(stack: ChaosStack) -> Mark:
    """Now, at a harm's end. What was under way and was not hit by it is counted only once it moves something more."""
    at_s, found = time.monotonic(), None
    while not (found := stack.look("SELECT coalesce(max(id), 0) FROM core_transition")):
        time.sleep(0.1)
    return Mark(found[0][0], at_s)


def moves(entity: str, *triggers: str) -> GoesOn:
    """A move of that kind has been committed since."""
    query = "SELECT 1 FROM core_transition WHERE id > %s AND entity = %s AND trigger = ANY(%s) LIMIT 1"
    return lambda stack, since: bool(stack.look(query, since.move, entity, list(triggers)))


def sweeps(stack: ChaosStack, since: Mark) -> bool:
    """The sweep has forgotten a worker that was never seen: it looks through everything each time."""
    return not stack.look("SELECT 1 FROM core_worker WHERE unit = 'departed'")


def tasks_are_open(stack: ChaosStack, since: Mark) -> bool:
    """No page that needs a person is without its tasks. A move would not do: what waited for the dead process's locks
    opens them in the moment of its death."""
    return stack.look(_WITHOUT_TASKS) == []


_WITHOUT_TASKS = """
SELECT 1 FROM ingestion_page p
WHERE p.needs_review AND p.stage = 'NONE' AND p.status IN ('AI_COMPLETED', 'HUMAN_QUEUED')
AND NOT EXISTS (SELECT FROM annotation_humantask t WHERE t.page_id = p.id) LIMIT 1"""

PAGES = moves("page", "understood", "no_product")
IMPORTS = moves("sku", "delivered")
SETTLING = moves("page_import", "settled")
JOBS = moves("job", "settled")
CHECKING = moves("job", "accepted")
ROUTING = moves("job", "evaluated")
TASKS = tasks_are_open


def recovered_s(stack: ChaosStack, goes_on: GoesOn, since: Mark, within_s: float) -> float | None:
    """Seconds from the harm's end until work went on; None where it did not."""
    if not wait_until(lambda: _kept_up(stack) and goes_on(stack, since), within_s):
        return None
    return time.monotonic() - since.at_s


def _kept_up(stack: ChaosStack) -> bool:
    stack.revive_services()
    return True
