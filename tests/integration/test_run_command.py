"""`manage.py run` around the supervisor: what a dead unit held is free at once."""

import os
import socket
import subprocess
import sys

import pytest

from catalogsku.core.management.commands.run import free_claims
from catalogsku.core.models import Worker


@pytest.mark.req("TA-D3")
@pytest.mark.usefixtures("committed")
def test_forgets_the_dead_processes_of_the_unit_and_no_other() -> None:
    dead, other = (subprocess.Popen([sys.executable, "-c", ""]) for _ in range(2))
    dead.wait(), other.wait()
    host = socket.gethostname()

    def worker(unit: str, pid: int, on: str = host) -> Worker:
        return Worker.objects.create(unit=unit, host=on, pid=pid, threads=1)

    gone = worker("cpu", dead.pid)
    kept = [worker("cpu", os.getpid()), worker("llm", other.pid), worker("cpu", dead.pid, on="elsewhere")]

    free_claims("cpu", dead.pid)

    left = set(Worker.objects.values_list("pk", flat=True))
    assert gone.pk not in left
    assert {one.pk for one in kept} <= left
