"""`manage.py run`: services, migrations, translations, demo accounts, then every unit until Ctrl-C."""

import socket
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from catalogsku.core import embedded
from catalogsku.core.embedded import EmbeddedServicesError, Running
from catalogsku.core.management.commands import messages
from catalogsku.core.models import Worker
from catalogsku.core.presence import this_machine
from catalogsku.core.supervisor import Supervisor, Unit, listen

# The upper layers, by name: core starts them and knows nothing else of them.
UNITS = "catalogsku.units.UNITS"
PRELOAD = "catalogsku.units.PRELOAD"
DEMO_ACCOUNTS = "catalogsku.accounts.services.ensure_demo_accounts"
SAMPLES = "ingestion.services.demo.ensure_sample_jobs"
FREE_PROCESSES = "ingestion.services.sweep.free_process"

_GROUP_GONE_WITHIN_S = 1.0


class Command(BaseCommand):
    help = "Starts the web app, its workers and, unless addresses are set, PostgreSQL and Redis. Ctrl-C stops them."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="the next free one is used where it is taken")
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--no-sample", action="store_true", help="do not process the samples")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("This command makes demo accounts. In production start each unit by itself.")
        with start_services() as services, self._listener(options["host"], options["port"]) as listener:
            if not services.is_owner and settings.EMBEDDED_DATABASE:
                raise CommandError(
                    f"Another process already runs here ({services.where.services_file}). Stop it first."
                )
            prepare_database(self.stdout.write)
            accounts = import_string(DEMO_ACCOUNTS)()
            if not options["no_sample"]:
                import_string(SAMPLES)()
            free_left_behind()
            self._greet(listener, options["port"], accounts)
            units: Sequence[Unit] = import_string(UNITS)
            Supervisor(
                units,
                services=services,
                logs=settings.VAR_DIR / "log",
                folder=settings.BASE_DIR,
                say=self._say,
                preload=import_string(PRELOAD),
                on_unit_death=free_claims,
                fds=[listener.fileno()],
            ).run()
        self.stdout.write("Everything that was started has ended.")

    def _listener(self, host: str, port: int) -> socket.socket:
        try:
            return listen(port, host)
        except (OSError, OverflowError) as error:
            raise CommandError(f"Cannot listen on {host}: {error}") from error

    def _greet(self, listener: socket.socket, wanted: int, accounts: Sequence[Any]) -> None:
        port = listener.getsockname()[1]
        if port != wanted:
            self.stdout.write(f"Port {wanted} is taken; using {port}.")
        width = max(len(account.username) for account in accounts)
        lines = [
            f"  {account.role:<10}  {account.username:<{width}}  {account.password:<16}  {account.merchant}"
            for account in accounts
        ]
        self.stdout.write("\n".join(["", "Demo accounts (role, name, password, merchant):", *lines]))
        self.stdout.write(
            f"\n  http://localhost:{port}\n\nLogs: {settings.VAR_DIR / 'log'}. Ctrl-C stops everything.\n"
        )
        self.stdout.flush()

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def free_claims(unit: str, pid: int) -> None:
    """Put back at once what the dead worker processes of ``unit`` had in hand, without waiting for the sweep."""
    known = Worker.objects.filter(machine=this_machine(), unit=unit)
    _free(known, _GROUP_GONE_WITHIN_S)


def free_left_behind() -> None:
    """The same for everything that worked on this machine before, and was killed with its supervisor."""
    _free(Worker.objects.filter(machine=this_machine()), 0)


def _free(workers: "QuerySet[Worker]", die_within_s: float) -> None:
    try:
        known = list(workers.values_list("pid", flat=True))
        until_s = time.monotonic() + die_within_s
        while any(map(_is_alive, known)) and time.monotonic() < until_s:
            time.sleep(0.02)
        if dead := [pid for pid in known if not _is_alive(pid)]:
            import_string(FREE_PROCESSES)(this_machine(), dead)
    finally:
        connection.close()


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def start_services() -> Running:
    """The embedded services that no address replaces. Raises CommandError with a sentence."""
    try:
        return embedded.start(settings.VAR_DIR, postgresql=settings.EMBEDDED_DATABASE, redis=settings.EMBEDDED_REDIS)
    except EmbeddedServicesError as error:
        raise CommandError(str(error)) from error


def prepare_database(say: Any) -> None:
    """Bring schema and translations up to date; quiet where they are."""
    say("Preparing the database ...")
    call_command("migrate", interactive=False, verbosity=0)
    for file in messages.catalogue_files():
        messages.compile_file(file)
