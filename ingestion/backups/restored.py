"""What apps have to set right in a database that was brought back, before anything works on it."""

from collections.abc import Callable

# Each is called once, in the transaction in which all of them are, with the ids of transactions as they were.
RESTORED: list[Callable[[], None]] = []
