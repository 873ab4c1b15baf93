"""`manage.py run` around the supervisor: what a dead unit held is free at once."""

import os
import socket
import subprocess
import sys
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import pre_migrate

from catalogsku.core.management.commands.run import free_claims, free_left_behind
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


@pytest.mark.req("TA-D3", "TA-D6")
@pytest.mark.usefixtures("committed")
def test_a_start_forgets_whoever_was_killed_here_with_everything() -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    host = socket.gethostname()
    gone = [Worker.objects.create(unit=unit, host=host, pid=dead.pid, threads=1) for unit in ("cpu", "llm", "out")]
    kept = [
        Worker.objects.create(unit="cpu", host=on, pid=pid, threads=1)
        for on, pid in ((host, os.getpid()), ("elsewhere", dead.pid))
    ]

    free_left_behind()

    left = set(Worker.objects.values_list("pk", flat=True))
    assert not {one.pk for one in gone} & left and {one.pk for one in kept} <= left


def test_the_database_waits_for_a_migration_that_a_slow_machine_works_out(committed: None) -> None:
    """It ended the first start of a busy machine, in the middle of a migration."""

    def waits() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SHOW idle_in_transaction_session_timeout")
            return str(cursor.fetchone()[0])

    usual, during = waits(), []

    def note(**said: Any) -> None:
        during.append(waits())

    pre_migrate.connect(note, sender=apps.get_app_config("annotation"))
    try:
        call_command("migrate", verbosity=0)
    finally:
        pre_migrate.disconnect(note, sender=apps.get_app_config("annotation"))
    assert usual != "0" and during == ["0"] and waits() == usual
