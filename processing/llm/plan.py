"""The six calls of a page: three planned, three in reserve (PL-CALLPLAN, PL-C13).

One for page type, layout and roles, two for boundaries and attributes; the reserve goes to repeats first, then to a
single stage, a second opinion or a binding, in the order in which the page comes to them.
"""

from threading import Lock

PAGE_CALLS = 6


class CallPlan:
    """How many calls a page has left, whatever thread counts them. ``used``: those that the ledger knows already.

    ``limit`` None: not a page's (the evaluation of a document).
    """

    def __init__(self, used: int = 0, limit: int | None = PAGE_CALLS) -> None:
        self._used, self._limit, self._lock = used, limit, Lock()

    @property
    def left(self) -> int:
        return max(0, self._limit - self._used) if self._limit is not None else PAGE_CALLS

    def take(self) -> bool:
        """Counts one call; False where none is left."""
        with self._lock:
            if self._limit is not None and self._used >= self._limit:
                return False
            self._used += 1
            return True

    def give_back(self) -> None:
        """A call that was taken and never left this machine."""
        with self._lock:
            self._used -= 1
