"""What runs, as data: the web process, the Dramatiq units and the scheduler. The supervisor reads this."""

import os
import sys

from catalogsku.core.supervisor import Unit

WEB = "web"
_CORES = len(os.sched_getaffinity(0))
_PYTHON = sys.executable
# Dramatiq itself: its Django command would load everything once more, only to become this.
_ACTORS = ("ingestion.actors", "processing.actors", "annotation.actors")
_WORKER_DRAIN_MS = 12_000  # below the unit's drain time: the process still has to close


def _worker(name: str, threads: int, prefetch: int | None = None) -> Unit:
    """A Dramatiq unit with a queue of its own name; messages that take long are not hoarded (``prefetch``)."""
    return Unit(
        name,
        (
            *(_PYTHON, "-m", "dramatiq", "--path", ".", "--processes", "1", "--threads", str(threads)),
            *("--worker-shutdown-timeout", str(_WORKER_DRAIN_MS), "--skip-logging"),
            *("django_dramatiq.setup", *_ACTORS, "--queues", name),
        ),
        {
            "DJANGO_SETTINGS_MODULE": "catalogsku.settings",
            "dramatiq_queue_prefetch": str(prefetch or threads),
            "dramatiq_worker_timeout": "100",  # ms; the default of a second makes an idle unit wake up late
        },
    )


UNITS = (
    Unit(
        WEB, (_PYTHON, "-m", "daphne", "--fd", "{fd}", "--no-server-name", "catalogsku.asgi:application"), stop_stage=1
    ),
    _worker("cpu", _CORES, prefetch=1),
    _worker("llm", 16),
    _worker("out", 4),
    _worker("quick", 2),
    Unit("scheduler", (_PYTHON, "manage.py", "scheduler")),
)
