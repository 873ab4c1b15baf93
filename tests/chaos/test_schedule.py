"""One document of 200 pages meets every harm once, small ones come in meanwhile; all end as if nothing had happened."""

import sys
import time
from collections.abc import Iterator
from random import Random

import pytest

from tests.chaos import verdict
from tests.chaos.doing import Done, do_harm, give_whole, is_possible
from tests.chaos.ground import ChaosStack
from tests.chaos.recovery import PROMISED_WITHIN_S
from tests.chaos.table import SCHEDULE

pytestmark = [pytest.mark.chaos, pytest.mark.slow, pytest.mark.long, pytest.mark.timeout(1500)]

PAGES, SEED = 200, 20261120
ENDS_WITHIN_S = 240
STANDS_STILL_AFTER = 3  # harms from which work did not go on; the rest would only wait


@pytest.fixture(scope="module")
def stack() -> Iterator[ChaosStack]:
    with ChaosStack() as stack:
        yield stack


@pytest.fixture(scope="module")
def harmed(stack: ChaosStack) -> list[Done]:
    """The schedule, done once; what a harm met and how soon work went on."""
    chance, began_s = Random(SEED), time.monotonic()
    give_whole(stack, PAGES, chance)
    done = []
    for harm in SCHEDULE:
        if is_possible(stack, harm) and (one := do_harm(stack, harm, chance, _say)):
            done.append(one)
        standing = [one for one in done if one.recovered_s is None]
        assert len(standing) < STANDS_STILL_AFTER, f"the product stands still: {standing}\n{stack.last_words()}"
    _say(f"{len(done)} harms in {time.monotonic() - began_s:.0f} s")
    return done


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


@pytest.mark.req("TA-T52", "TA-D6", "PL-C3")
def test_work_goes_on_soon_after_each_harm(harmed: list[Done]) -> None:
    late = [one for one in harmed if not one.kept_promise]
    assert not late, f"work did not go on within {PROMISED_WITHIN_S:.0f} s: {late}"


def test_every_harm_that_this_machine_allows_met_the_product(stack: ChaosStack, harmed: list[Done]) -> None:
    assert {one.harm for one in harmed} == {harm.name for harm in SCHEDULE if is_possible(stack, harm)}


@pytest.mark.req("TA-T52", "TA-D3", "TA-D6", "PL-C3", "TA-IMPKEY", "TA-LEASE")
def test_nothing_is_lost_twice_or_stuck(stack: ChaosStack, harmed: list[Done]) -> None:
    assert verdict.left_by_machines(stack, ENDS_WITHIN_S), (
        [stack.state(document.job) for document in stack.documents],
        stack.last_words(),
    )
    found = verdict.faults(stack)
    assert not any(found.values()), ({name: count for name, count in found.items() if count}, verdict.charges(stack))


@pytest.mark.parametrize("needs", ["disk", "clock"])
def test_this_machine_can_do_every_harm(stack: ChaosStack, needs: str) -> None:
    """Says loudly what was left out: a full disk needs the right to mount, a wrong clock needs libfaketime."""
    if not {"disk": stack.has_disk, "clock": stack.has_clock}[needs]:
        pytest.skip(f"harms that need a {needs} of its own were left out")
