"""Named places at which a test can make the process die: CRASH_AT names them, each with an optional count (`a,b:3`)."""

import os
import signal

_counts: dict[str, int] = {}


def reached(name: str) -> None:
    """Kill this process at once (as kill -9 would) where CRASH_AT names this place and its count is reached."""
    for entry in os.environ.get("CRASH_AT", "").split(","):
        wanted, _, count = entry.partition(":")
        if wanted == name:
            _counts[name] = _counts.get(name, 0) + 1
            if _counts[name] == int(count or 1):
                os.kill(os.getpid(), signal.SIGKILL)
