"""One harm after the other, each measured: what was done, when in the documents' way, and how soon work went on."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.chaos import recovery
from tests.chaos.ground import FEW_PAGES, REFILL_PAGES, ChaosStack
from tests.chaos.harms import Harm

LOOKS_FOR_S = 60.0


@dataclass(frozen=True)
class Done:
    """``recovered_s`` None: work did not go on within LOOKS_FOR_S, or something else went ``wrong``. ``took_s``: the
    harm and the recovery."""

    harm: str
    kind: str
    at_page: int
    took_s: float
    recovered_s: float | None
    wrong: str = ""

    @property
    def kept_promise(self) -> bool:
        return self.recovered_s is not None and self.recovered_s <= recovery.PROMISED_WITHIN_S


def is_possible(stack: ChaosStack, harm: Harm) -> bool:
    return (harm.needs != "disk" or stack.has_disk) and (harm.needs != "clock" or stack.has_clock)


def give_whole(stack: ChaosStack, pages: int, chance: Random) -> None:
    """A document whose pages are there to be harmed."""
    document = stack.give(pages, chance.randrange(10**9))
    stack.wait_for(document.job, lambda state: state.pages == pages, 120)


def do_harm(stack: ChaosStack, harm: Harm, chance: Random, say: Callable[[str], None]) -> Done | None:
    """None where it met nothing to harm."""
    if stack.pages_left() < FEW_PAGES:
        give_whole(stack, REFILL_PAGES, chance)
    at_page, began_s = stack.pages_done(), time.monotonic()
    recovered_s, wrong = None, ""
    try:
        ended = harm.do(stack, chance)
        if ended is None:
            say(f"{at_page:>6} pages  {harm.name}: met nothing")
            return None
        stack.keep_busy(chance)  # all was done while the harm lasted: work goes on with what comes now
        recovered_s = recovery.recovered_s(stack, harm.goes_on, ended, LOOKS_FOR_S)
    except AssertionError as error:
        wrong = str(error)
    done = Done(harm.name, harm.kind, at_page, time.monotonic() - began_s, recovered_s, wrong)
    shown = wrong or "not recovered" if recovered_s is None else f"recovered {recovered_s:5.1f} s"
    say(f"{at_page:>6} pages  {harm.name:<32} {shown}  took {done.took_s:5.1f} s")
    return done
