"""What runs, as data: the web process, the Dramatiq units and the scheduler. The supervisor reads this."""

import os
import sys

from catalogsku.core.supervisor import Unit

WEB = "web"
# Reading takes whole cores for minutes; a person who looks at a page meanwhile must not wait for it.
CPU_NICE = 10
_CORES = len(os.sched_getaffinity(0))
_PYTHON = sys.executable
# Dramatiq itself: its Django command would load everything once more, only to become this.
_ACTORS = ("ingestion.actors", "processing.actors", "annotation.actors")
_WORKER_DRAIN_MS = 12_000  # below the unit's drain time: the process still has to close


def _worker(name: str, threads: int, nice: int = 0) -> Unit:
    """A Dramatiq unit with a queue of its own name. It holds as many messages as it has threads: Dramatiq counts those
    in work among them, so that fewer leave threads idle, and more are hoarded while another process has none."""
    return Unit(
        name,
        (
            *(_PYTHON, "-m", "dramatiq", "--path", ".", "--processes", "1", "--threads", str(threads)),
            *("--worker-shutdown-timeout", str(_WORKER_DRAIN_MS), "--skip-logging"),
            *("django_dramatiq.setup", *_ACTORS, "--queues", name),
        ),
        {
            "DJANGO_SETTINGS_MODULE": "catalogsku.settings",
            "dramatiq_queue_prefetch": str(threads),
            "dramatiq_worker_timeout": "100",  # ms; the default of a second makes an idle unit wake up late
        },
        nice=nice,
    )


UNITS = (
    Unit(
        WEB,
        (_PYTHON, "-m", "catalogsku.web", "--fd", "{fd}", "--no-server-name", "catalogsku.asgi:application"),
        stop_stage=1,
    ),
    _worker("cpu", _CORES, nice=CPU_NICE),
    _worker("llm", 16),
    _worker("out", 4),
    _worker("quick", 2),
    Unit("scheduler", (_PYTHON, "manage.py", "scheduler")),
)
