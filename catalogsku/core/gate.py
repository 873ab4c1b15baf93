"""A gate that lets so many in at once; for one thread, which never waits in it."""

from collections import deque
from collections.abc import Callable


class Gate:
    """Lets ``room`` start at once, the others in the order in which they came."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._waiting: deque[Callable[[], None]] = deque()

    def enter(self, start: Callable[[], None]) -> None:
        if self._room:
            self._room -= 1
            start()
        else:
            self._waiting.append(start)

    def leave(self) -> None:
        """To be called once for each that has started, when it has ended."""
        if self._waiting:
            self._waiting.popleft()()
        else:
            self._room += 1
