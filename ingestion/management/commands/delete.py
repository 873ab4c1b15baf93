"""`manage.py delete document|merchant|person WHICH`: what would go, or (--yes) that it goes, here and now."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from catalogsku.core.errors import Conflict
from ingestion.keeping.models import Deletion, DeletionState, Subject
from ingestion.keeping.selectors import find_target
from ingestion.keeping.services import deleting
from ingestion.problems import sentence


class Command(BaseCommand):
    help = (
        "Deletes a document, a merchant with all of its documents, or a person: rows, files that nobody else has, kept"
        " answers, exports. Without --yes it only says what would go. Ends with 1 where the scan found something left."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("subject", choices=Subject.values)
        parser.add_argument("which", help="a document's id, a merchant's number or name, a person's user name")
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--preview", action="store_true", help="say what would go (the default)")
        how.add_argument("--yes", action="store_true", help="delete; nothing brings it back but a backup")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        target = find_target(options["subject"], options["which"])
        if target is None:
            raise CommandError(f"There is no {options['subject']} {options['which']}.", returncode=1)
        try:
            if not options["yes"]:
                self._say(asdict(deleting.preview(target)), as_json=options["json"])
                return
            deletion = deleting.ask(target, None, here=True)
        except Conflict as refused:
            with translation.override("en"):
                raise CommandError(f"{refused.code}: {sentence(refused.code, {})}", returncode=1) from None
        deleting.carry_out(deletion.pk)
        done = Deletion.objects.get(pk=deletion.pk)
        told = {"deletion": done.pk, "state": done.state, "rows": done.rows, "files": done.files, "bytes": done.bytes}
        self._say({**told, "found": done.found}, as_json=options["json"])
        if done.state != DeletionState.DONE:
            raise CommandError("Something is left, or another worker has it in hand.", returncode=1)

    def _say(self, told: dict[str, Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(told))
            return
        for name, value in told.items():
            lines = [f"  {label}: {n}" for label, n in sorted(value.items())] if isinstance(value, dict) else []
            self.stdout.write("\n".join([f"{name}:" if lines else f"{name}: {value or 0}", *lines]))
