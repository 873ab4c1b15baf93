"""What runs, as data: the web process, the live process with its websockets, the Dramatiq units and the scheduler. The
supervisor reads this."""

from catalogsku.core.cores import usable_cores
from catalogsku.core.supervisor import Unit

WEB, LIVE = "web", "live"
PRELOAD = "catalogsku.loaded"
# Reading takes whole cores for minutes; a person who looks at a page meanwhile must not wait for it.
CPU_NICE = 10


def _worker(name: str, threads: int, *, spare: int = 0, nice: int = 0) -> Unit:
    arguments = ("-m", "catalogsku.worker", name, "--threads", str(threads), "--spare", str(spare))
    return Unit(name, arguments, nice=nice)


UNITS = (
    Unit(
        WEB,
        ("-m", "catalogsku.web", "--fd", "{fd}", "--no-server-name", "catalogsku.asgi:application"),
        stop_stage=1,
        for_browsers=True,
    ),
    Unit(LIVE, ("-m", "catalogsku.live"), stop_stage=1, for_browsers=True),
    _worker("cpu", usable_cores(), spare=1, nice=CPU_NICE),
    _worker("llm", 16),
    _worker("out", 4),
    _worker("quick", 2),
    Unit("scheduler", ("manage.py", "scheduler")),
)
