"""Places of lines that stay open: so many for a person, for a merchant and in all.

What stays open for hours is bounded by itself: if it stood among the requests, a few of them would be all there is.
"""

import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass

IDLE_S = 10.0  # who wants one more loses the line over which nothing has come for longest, and for so long


@dataclass(frozen=True)
class Bounds:
    a_person: int
    a_merchant: int
    in_all: int


class NoPlace(Exception):
    """``bound``: person, merchant or all."""

    def __init__(self, bound: str) -> None:
        super().__init__(bound)
        self.bound = bound


@dataclass(eq=False)
class Place:
    """Is left with the last that holds it: an asker who was gone before the line began keeps none.

    ``end`` ends the line, from any thread; there is none before it has begun, and none where it never gives way.
    """

    person: int
    merchants: frozenset[int]
    heard_at_s: float
    end: Callable[[], None] | None = None


class Places:
    """For any thread. ``clock``: seconds that only grow."""

    def __init__(self, bounds: Bounds, clock: Callable[[], float] = time.monotonic) -> None:
        self.bounds = bounds
        self._clock = clock
        self._places: weakref.WeakSet[Place] = weakref.WeakSet()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._places)

    def take(self, person: int, merchants: frozenset[int]) -> Place:
        """A place, to be left by ``leave``. The longest idle line of the same person gives way; raises NoPlace else."""
        with self._lock:
            now_s, ended = self._clock(), []
            while bound := self._full(person, merchants):
                idle = self._longest_idle(person, now_s)
                if idle is None:
                    raise NoPlace(bound)
                self._places.discard(idle)
                ended.append(idle.end)
            place = Place(person, merchants, now_s)
            self._places.add(place)
        for end in ended:
            if end is not None:
                end()
        return place

    def heard(self, place: Place) -> None:
        """Something has come over the line."""
        place.heard_at_s = self._clock()

    def leave(self, place: Place) -> None:
        """As often as one likes."""
        with self._lock:
            self._places.discard(place)

    def _full(self, person: int, merchants: frozenset[int]) -> str:
        if sum(place.person == person for place in self._places) >= self.bounds.a_person:
            return "person"
        if any(
            sum(merchant in place.merchants for place in self._places) >= self.bounds.a_merchant
            for merchant in merchants
        ):
            return "merchant"
        return "all" if len(self._places) >= self.bounds.in_all else ""

    def _longest_idle(self, person: int, now_s: float) -> Place | None:
        own = [place for place in self._places if place.person == person and place.end is not None]
        longest = min(own, key=lambda place: place.heard_at_s, default=None)
        return longest if longest is not None and now_s - longest.heard_at_s >= IDLE_S else None
