"""`manage.py restore FROM`: an installation from a backup, and what its checks then say."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from catalogsku.core.management.commands.run import start_services
from ingestion.backups.manifest import DELETIONS, BackupRefused
from ingestion.backups.services.repeating import repeat_deletions
from ingestion.backups.services.restoring import Restored, restore


class Command(BaseCommand):
    help = (
        "Restores a backup into an empty installation whose units do not run, deletes again what was deleted since, and"
        " runs audit and doctor. Everything is checked before anything is touched. Exit code 1 where refused."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", type=Path, metavar="FROM", help="the folder of one backup")
        parser.add_argument("--replace", action="store_true", help="delete what is in database and storage")
        parser.add_argument(
            "--deletions",
            type=Path,
            metavar="FILE",
            help=f"what `deletions --json` printed last; {DELETIONS} beside the backup where none is named",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        source = options["source"].absolute()
        beside = source.parent / DELETIONS
        deletions = options["deletions"] or (beside if beside.exists() else None)
        try:
            lines = deletions.read_text().splitlines() if deletions else []
        except OSError as error:
            raise CommandError(f"{deletions}: {error.strerror}", returncode=2) from None
        with start_services():
            try:
                restored = restore(source, replace=options["replace"], say=self.stdout.write)
                repeated = repeat_deletions(lines)
            except BackupRefused as refused:
                raise CommandError(str(refused), returncode=1) from None
            self._tell(restored, repeated)
            self._look()

    def _tell(self, restored: Restored, repeated: dict[str, int]) -> None:
        manifest = restored.manifest
        self.stdout.write(f"What was accepted until {manifest.taken_at} is here again; what came later is not.")
        self.stdout.write(f"uploads under way at that time, which begin anew: {restored.uploads}")
        if repeated:
            self.stdout.write(f"deletions repeated: {', '.join(f'{n} {how}' for how, n in sorted(repeated.items()))}")
        if manifest.gone:
            self.stdout.write(f"deleted while the backup was made: {len(manifest.gone)} files")
        if restored.sources_missing:
            self.stdout.write(f"documents without their file: {restored.sources_missing}")
        if restored.other_key:
            self.stdout.write("another SECRET_KEY than then: secrets of webhooks must be set anew; or use the former")

    def _look(self) -> None:
        """Workers do not run yet, of which doctor warns."""
        for name in ("audit", "doctor"):
            self.stdout.write(f"--- {name}")
            try:
                call_command(name, stdout=self.stdout)
            except CommandError as told:
                self.stdout.write(str(told))
