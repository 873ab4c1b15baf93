"""`manage.py demo`: one sample catalogue through the real workers; prints its SKUs and where result.json lies."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils.module_loading import import_string

from catalogsku.core.management.commands.run import DEMO_ACCOUNTS, prepare_database, start_services


class Command(BaseCommand):
    help = "Processes a sample catalogue, prints its SKU table and the path of result.json, and exits."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", help="a PDF; the first of samples/ where none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        sample = options["file"] or next(
            (str(file) for file in sorted((settings.BASE_DIR / "samples").glob("*.pdf"))), ""
        )
        if not sample:
            raise CommandError("There is no PDF in samples/. Name one: manage.py demo FILE")
        with start_services():
            prepare_database(self.stdout.write)
            import_string(DEMO_ACCOUNTS)()
            call_command("extract", sample)
