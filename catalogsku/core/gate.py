"""A gate that lets so many in at once; for one thread, which never waits in it."""

from collections import deque
from collections.abc import Callable


class Gate:
    """Lets ``room`` start at once, the others in the order in which they came."""

    def __init__(self, room: int) -> None:
        self._room, self._lets_in = room, False
        self._waiting: deque[Callable[[], None]] = deque()

    def enter(self, start: Callable[[], None]) -> None:
        if self._room and not self._waiting:
            self._room -= 1
            start()
        else:
            self._waiting.append(start)

    def leave(self) -> None:
        """To be called once for each that has started, when it has ended."""
        self._room += 1
        if self._lets_in:  # one that ends as it starts: who lets it in goes on, however many of them there are
            return
        self._lets_in = True
        try:
            while self._room and self._waiting:
                self._room -= 1
                self._waiting.popleft()()
        finally:
            self._lets_in = False
