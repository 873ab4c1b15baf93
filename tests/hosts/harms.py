"""What befalls the machines, one after the other, each for real; and whether the machine that it hit works on."""

import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.chaos.ground import wait_until
from tests.hosts.ground import Installation, Machine
from tests.support.stack import PROJECT, Person

ON_WITHIN_S = 40.0
# What a machine is known to be dead after (TA-BEAT), and what it had is taken up by the next sweep.
FREE_WITHIN_S = 45.0
# TCP tries for the eighth time about a minute after a link was cut, and then not for another: it is back in between.
DOWN_S = 75.0
FAR_S, AWAY_S, WRONG_S = 20.0, 30.0, 8.0
DELAY_S, LOSS = 0.05, 0.02

Say = Callable[[str], None]


class Harms:
    """``late``: what did not go on in time, in words."""

    def __init__(self, installation: Installation, chance: Random, say: Say) -> None:
        self.installation, self.chance, self.say = installation, chance, say
        self.late: list[str] = []

    # --- the harms ---------------------------------------------------------------------------------

    def a_machine_dies(self, machine: Machine) -> None:
        """Silently: nobody is told that its connections have ended."""
        self._with_pages(machine)
        name = machine.name
        machine.place.cut(True)
        machine.die()
        self._until("what the dead machine had is free", lambda: not machine.in_hand(name), FREE_WITHIN_S)
        machine.place.cut(False)

    def it_comes_back_as(self, machine: Machine, release: Path) -> None:
        """The release before knows nothing of tests' settings."""
        machine.project = release
        machine.environment.pop("DJANGO_SETTINGS_MODULE")
        machine.start_units()
        self._works(machine, "the previous release beside this one")

    def it_is_upgraded(self, machine: Machine) -> None:
        self._with_pages(machine)
        machine.stop_units()
        machine.project, machine.environment = PROJECT, dict(self.installation.of_machines)
        machine.start_units()
        self._works(machine, "an upgraded machine")

    def its_clock_is_wrong(self, machine: Machine, hours: int) -> None:
        self.installation.set_clock(hours * 3600)
        time.sleep(WRONG_S)
        self._works(machine, f"a machine whose clock is {hours:+d} h off")
        self.installation.set_clock(0)

    def its_link_is_down(self, machine: Machine) -> None:
        self._with_pages(machine)
        began_s = time.monotonic()
        machine.place.cut(True)
        self._until("what the lost machine had is free", lambda: not machine.in_hand(), FREE_WITHIN_S)
        self._busy_until(began_s + DOWN_S)
        machine.place.cut(False)
        self._works(machine, "a machine whose link is back")

    def it_is_far_away(self, machine: Machine) -> None:
        machine.place.lengthen(DELAY_S, LOSS)
        began_s = time.monotonic()
        self._works(machine, "a machine far away")
        self._busy_until(began_s + FAR_S)
        machine.place.lengthen(0, 0)
        self._works(machine, "a machine that is near again")

    def the_store_is_away(self, machine: Machine) -> None:
        self._with_pages(machine)
        self.installation.proxy.cut("store", True)
        self._busy_until(time.monotonic() + AWAY_S, gives=False)
        self.installation.proxy.cut("store", False)
        self._works(machine, "a machine whose store is back")

    def redis_is_emptied(self, machine: Machine) -> None:
        self._with_pages(machine)
        client = self.installation.redis_client()
        client.flushall()
        client.close()
        self._works(machine, "a machine whose Redis was emptied")

    # --- looking ---------------------------------------------------------------------------------

    def _works(self, machine: Machine, what: str) -> None:
        """It has ended a chunk of pages that it took from now on, others take it for alive, so that what it does
        counts, and its web process is ready."""
        began_s, chunks = time.monotonic(), set(machine.in_hand())
        before = set(chunks)

        def works_on() -> object:
            self.installation.keep_busy(self.chance)
            chunks.update(machine.in_hand())
            return len(chunks - before) > 1 and machine.workers("cpu") and _is_ready(machine)

        self._until(what, works_on, ON_WITHIN_S, began_s)

    def _until(self, what: str, condition: Callable[[], object], within_s: float, began_s: float = 0) -> None:
        began_s = began_s or time.monotonic()
        came = wait_until(condition, within_s * 2)
        took_s = time.monotonic() - began_s
        self.say(f"  {what}: {f'{took_s:.1f} s' if came else f'not within {took_s:.0f} s'}")
        if not came or took_s > within_s:
            self.late.append(f"{what}: {took_s:.1f} s{'' if came else ', and not yet'}")

    def _with_pages(self, machine: Machine) -> None:
        """It has some in hand, for a harm to hit."""

        def has() -> bool:
            self.installation.keep_busy(self.chance)
            return bool(machine.in_hand())

        self._until(f"{machine.host} has pages in hand", has, ON_WITHIN_S)

    def _busy_until(self, until_s: float, gives: bool = True) -> None:
        while time.monotonic() < until_s:
            if gives:
                self.installation.keep_busy(self.chance)
            time.sleep(0.2)


def _is_ready(machine: Machine) -> bool:
    try:
        return Person(f"http://{machine.host}:{machine.port}").ask("/readyz")[0] == 200
    except OSError:
        return False
