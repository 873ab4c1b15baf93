"""Live events: after a commit a hint leaves for its topic; whoever watches reads the committed rows (TA-PROG).

A topic is a job's id, or the name of something else that is watched: the tasks, what is typed for one of them.

A hint may be lost: the hub reads by itself every 2 s (LX-NOTIFY). Errors here are logged and never reach the work.
"""

import asyncio
import logging
import threading
import time

from channels.layers import get_channel_layer
from django.db import transaction

from catalogsku.core.metrics import HINTS_UNSENT

log = logging.getLogger(__name__)

HINT_EVERY_S = 0.1
SEND_WITHIN_S = 5.0
Topic = int | str
_leaves_at_s: dict[Topic, float] = {}  # the last hint of each, or the one that waits to leave
_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def topic_group(topic: Topic) -> str:
    return f"job.{topic}" if isinstance(topic, int) else topic


def hint_after_commit(topic: Topic) -> None:
    """Tell its watchers, once the transaction has committed, that something there has changed."""
    transaction.on_commit(lambda: hint(topic), robust=True)


def hint(topic: Topic) -> None:
    """Have the hint sent: at once, or 0.1 s after the one before; one that waits to leave does for all meanwhile."""
    now_s = time.monotonic()
    with _lock:
        last_s = _leaves_at_s.get(topic, 0.0)
        if last_s > now_s:
            return
        if len(_leaves_at_s) > 4096:
            _leaves_at_s.clear()
        leaves_at_s = _leaves_at_s[topic] = max(now_s, last_s + HINT_EVERY_S)
    asyncio.run_coroutine_threadsafe(_send(topic, leaves_at_s - now_s), _sending_loop())


async def _send(topic: Topic, after_s: float) -> None:
    await asyncio.sleep(after_s)
    try:
        async with asyncio.timeout(SEND_WITHIN_S):
            await get_channel_layer().group_send(topic_group(topic), {"type": "topic.changed", "topic": topic})
    except Exception as error:
        HINTS_UNSENT.inc()
        log.warning("live hint not sent", extra={"topic": topic, "error": repr(error)})


def _sending_loop() -> asyncio.AbstractEventLoop:
    """One for the process, in a thread of its own: a loop for each hint would connect to Redis for each (1.5 ms)."""
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="hints", daemon=True).start()
        return _loop
