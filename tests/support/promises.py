"""Promises of seconds.

``make test-long`` holds them to the letter, on a machine that does nothing else. The gate, whose tests share two cores,
only tells what comes at once from what comes by a later look or a timeout.
"""

import os

SHARED = 4


def within(seconds: float) -> float:
    """What a promise of ``seconds`` (or of any unit of time) is held to. Modules that ask are marked ``promise``."""
    return seconds if os.environ.get("PROMISES") == "strict" else SHARED * seconds
