"""Workers that ask models about waiting pages, forked from one process that has imported everything, to be killed.

Run as a program: each line read starts one, whose pid is printed. A worker ends when no page waits any more.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
THREADS = 3


class Forge:
    """Starts workers in a moment."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.consulting"],
            cwd=PROJECT,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __enter__(self) -> "Forge":
        return self

    def __exit__(self, *_: object) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate(timeout=10)

    def start(self) -> int:
        """The pid of a new worker."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


def main() -> None:
    import django

    django.setup()
    import dashscope  # noqa: F401
    import google.genai  # noqa: F401

    from processing.pages.services import consulting  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _work()
            os._exit(0)
        print(pid, flush=True)


def _work() -> None:
    from catalogsku.core.presence import current_worker

    random.seed(os.getpid())
    current_worker()
    threads = [threading.Thread(target=_consult_all) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _consult_all() -> None:
    from catalogsku.core.presence import beat
    from ingestion.models import Page
    from processing.pages.services.consulting import consult_models

    while True:
        beat()
        waiting = list(Page.objects.filter(stage="UNDERSTAND").values_list("pk", "worker"))
        free = [pk for pk, worker in waiting if worker is None]
        if not waiting:
            return
        if free:
            consult_models([random.choice(free)])
        else:
            time.sleep(0.05)


if __name__ == "__main__":
    main()
