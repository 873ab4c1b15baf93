"""`manage.py scheduler`: runs the sweeps and the periodic tasks until it is told to stop."""

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.module_loading import import_string

from catalogsku.core import messages, periodic

# Of an upper layer, by name: what every unit does first.
BEGIN = "catalogsku.accounts.start.begin_unit"


class Command(BaseCommand):
    help = "Runs sweeps and periodic tasks. Any number of instances may run at once."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        messages.load_actors()
        import_string(BEGIN)()
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        periodic.loop(stop.wait)
