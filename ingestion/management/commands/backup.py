"""`manage.py backup TO`: database and files, while the product runs; `--verify FROM`: whether one is whole."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from catalogsku.core.management.commands.run import start_services
from ingestion.backups.manifest import BackupRefused
from ingestion.backups.services import making, scheduling
from ingestion.backups.services.verifying import verify


class Command(BaseCommand):
    help = (
        "Makes a backup of database and files in a folder (BACKUP_TO where none is named), while the product runs;"
        " files that the newest backup there has are linked. Or says whether a backup is whole. Exit code 1 where not."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("to", nargs="?", type=Path, metavar="TO", help="the folder of backups, on another disk")
        parser.add_argument("--keep", type=int, metavar="N", help="the newest so many stay, others in it go")
        parser.add_argument("--verify", type=Path, metavar="FROM", help="look at this backup, and change nothing")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            told = self._verify(options["verify"]) if options["verify"] else self._make(options)
        except BackupRefused as refused:
            raise CommandError(str(refused), returncode=1) from None
        if options["json"]:
            self.stdout.write(json.dumps(told))
        else:
            for name, value in told.items():
                self.stdout.write(f"{name}: {value}")

    def _verify(self, folder: Path) -> dict[str, Any]:
        manifest = verify(folder)
        return {"whole": True, "product": manifest.product, **making.told(manifest)}

    def _make(self, options: dict[str, Any]) -> dict[str, Any]:
        target = options["to"] or (Path(settings.BACKUP_TO) if settings.BACKUP_TO else None)
        if target is None:
            raise CommandError("Name the folder: manage.py backup TO.", returncode=2)
        if options["keep"] is not None and options["keep"] < 1:
            raise CommandError("--keep: at least 1.", returncode=2)
        say = (lambda line: None) if options["json"] else self.stdout.write
        with start_services():
            return scheduling.make_and_note(target, options["keep"], say)
