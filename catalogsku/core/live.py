"""Live events: after a commit a hint leaves for the job's topic; whoever watches reads the committed rows (TA-PROG).

A hint may be lost: the hub reads by itself every 2 s (LX-NOTIFY). Errors here are logged and never reach the work.
"""

import logging
import threading
import time

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from catalogsku.core.metrics import HINTS_UNSENT

log = logging.getLogger(__name__)

HINT_EVERY_S = 0.1
_last_sent: dict[int, float] = {}
_lock = threading.Lock()


def topic_group(job_id: int) -> str:
    return f"job.{job_id}"


def hint_after_commit(job_id: int) -> None:
    """Tell the watchers of a job, once the transaction has committed, that something there has changed."""
    transaction.on_commit(lambda: hint(job_id), robust=True)


def hint(job_id: int) -> None:
    """Send the hint now. One that follows another within 0.1 s is dropped: the hub's own reading makes up for it."""
    now = time.monotonic()
    with _lock:
        if now - _last_sent.get(job_id, 0.0) < HINT_EVERY_S:
            return
        if len(_last_sent) > 4096:
            _last_sent.clear()
        _last_sent[job_id] = now
    try:
        layer = get_channel_layer()
        async_to_sync(layer.group_send)(topic_group(job_id), {"type": "topic.changed", "job_id": job_id})
    except Exception as error:
        HINTS_UNSENT.inc()
        log.warning("live hint not sent", extra={"job_id": job_id, "error": repr(error)})
