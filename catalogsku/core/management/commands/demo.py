"""`manage.py demo`: a sample catalogue and a sample study through the real workers; prints their SKUs and values."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils.module_loading import import_string

from catalogsku.core.management.commands.run import DEMO_ACCOUNTS, prepare_database, start_services

CATALOGUE = settings.BASE_DIR / "samples" / "fasteners.pdf"
STUDY = settings.BASE_DIR / "samples" / "trial-lemon-balm.pdf"


class Command(BaseCommand):
    help = (
        "Processes a sample catalogue and a sample study, prints what was found and where the results lie, and exits."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", help="a catalogue; the samples where none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        file = options["file"]
        if not file and not all(sample.exists() for sample in (CATALOGUE, STUDY)):
            raise CommandError("The samples are not there. Name a file: manage.py demo FILE")
        with start_services():
            prepare_database(self.stdout.write)
            import_string(DEMO_ACCOUNTS)()
            call_command("extract", file or str(CATALOGUE))
            if not file:
                call_command("extract", str(STUDY), template="rct")
