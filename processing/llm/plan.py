"""The six calls of a page (PL-CALLPLAN, PL-C13): one question, and a reserve.

The reserve goes to what an answer had no room for, to a repeat of what the checks refuse, and to a second opinion, in
the order in which the page comes to them. No repeat takes a call that a later question is planned for.
"""

from threading import Lock

PAGE_CALLS = 6


class CallPlan:
    """How many calls a page has left, whatever thread counts them. ``made``: those that the ledger knows of it already.

    A kept answer takes its place in the plan as a call does, so that a second run asks the same questions as the first
    and comes to the same end; it is no call made. ``limit`` None: not a page's (the evaluation of a document).
    """

    def __init__(self, made: int = 0, limit: int | None = PAGE_CALLS) -> None:
        self._made, self._used, self._limit, self._lock = made, 0, limit, Lock()

    def left(self, keep: int = 0) -> int:
        """What may be used now; ``keep``: calls of later questions."""
        return max(0, self._limit - self._used - keep) if self._limit is not None else PAGE_CALLS

    def take(self, keep: int = 0) -> bool:
        """Counts one call; False where none is left."""
        with self._lock:
            if self._limit is not None and (self._used + keep >= self._limit or self._made >= self._limit):
                return False
            self._used, self._made = self._used + 1, self._made + 1
            return True

    def take_kept(self) -> None:
        """Counts an answer that costs no call."""
        with self._lock:
            self._used += 1

    def give_back(self) -> None:
        """A call that was taken and never left this machine, or was turned away for its number."""
        with self._lock:
            self._used, self._made = self._used - 1, self._made - 1
