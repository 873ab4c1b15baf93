"""`manage.py run` around the supervisor: what a dead unit held is free at once."""

import os
import subprocess
import sys
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import pre_migrate

from catalogsku.core.management.commands.run import free_claims, free_left_behind
from catalogsku.core.models import Worker
from catalogsku.core.presence import this_machine


@pytest.mark.req("TA-D3")
@pytest.mark.usefixtures("committed")
def test_forgets_the_dead_processes_of_the_unit_and_no_other() -> None:
    dead, other = (subprocess.Popen([sys.executable, "-c", ""]) for _ in range(2))
    dead.wait(), other.wait()

    def worker(unit: str, pid: int, machine: str = this_machine()) -> Worker:
        return Worker.objects.create(unit=unit, host="web-0", machine=machine, pid=pid, threads=1)

    gone = worker("cpu", dead.pid)
    # A container elsewhere may have the same hostname, and in it the process id is alive.
    kept = [worker("cpu", os.getpid()), worker("llm", other.pid), worker("cpu", dead.pid, machine="another")]

    free_claims("cpu", dead.pid)

    left = set(Worker.objects.values_list("pk", flat=True))
    assert gone.pk not in left
    assert {one.pk for one in kept} <= left


@pytest.mark.req("TA-D3", "TA-D6")
@pytest.mark.usefixtures("committed")
def test_a_start_forgets_whoever_was_killed_here_with_everything() -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()

    def worker(unit: str, pid: int, machine: str = this_machine()) -> Worker:
        return Worker.objects.create(unit=unit, host="web-0", machine=machine, pid=pid, threads=1)

    gone = [worker(unit, dead.pid) for unit in ("cpu", "llm", "out")]
    kept = [worker("cpu", os.getpid()), worker("cpu", dead.pid, machine="another")]

    free_left_behind()

    left = set(Worker.objects.values_list("pk", flat=True))
    assert not {one.pk for one in gone} & left and {one.pk for one in kept} <= left


@pytest.mark.req("TA-D3")
def test_a_namespace_of_process_ids_is_a_machine_of_its_own() -> None:
    """As a container's: the hostname, and the time since which the machine runs, are the same."""
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "catalogsku.settings", "PYTHONPATH": str(settings.BASE_DIR)}
    script = "import django; django.setup(); from catalogsku.core import presence; print(presence.this_machine())"
    asking = [sys.executable, "-c", script]
    inside = ["unshare", "--user", "--map-root-user", "--pid", "--fork", *asking]
    here = subprocess.run(asking, env=environment, capture_output=True, text=True, check=True).stdout.strip()
    there = subprocess.run(inside, env=environment, capture_output=True, text=True)
    if there.returncode and "unshare" in there.stderr:
        pytest.skip(f"no namespace can be made here: {there.stderr.strip()}")
    assert here == this_machine(), "of another process beside this one it is the same"
    assert there.stdout.strip().partition(" ")[0] == here.partition(" ")[0]
    assert there.stdout.strip() != here


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
