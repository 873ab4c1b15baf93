"""Named places at which a test can make a process die, or stand still: one before and one after each call and commit.

CRASH_AT names places for a process from its start (`a,b`). CRASH_FOLDER names a folder, looked at each time: a file
there called like the place holds the signal (KILL, STOP); whoever takes the file away gets the signal, nobody else.
"""

import os
import signal
import threading


def reached(name: str) -> None:
    """Send this process the armed signal at once; nothing where the place is not armed."""
    if name in os.environ.get("CRASH_AT", "").split(","):
        _send(signal.SIGKILL)
    if folder := os.environ.get("CRASH_FOLDER"):
        _take(os.path.join(folder, name))


def _take(armed: str) -> None:
    try:
        with open(armed, encoding="ascii") as file:
            number = signal.Signals[f"SIG{file.read()}"]
        os.unlink(armed)
    except FileNotFoundError:  # not armed, or another process was faster
        return
    _send(number)


def _send(number: signal.Signals) -> None:
    """To this thread: one sent to the process may reach another first, and this one would run on meanwhile."""
    signal.pthread_kill(threading.get_ident(), number)
