"""`manage.py profiles list|activate`: versions of threshold profiles, and which of them jobs begin with."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogsku.accounts.models import User
from catalogsku.core.errors import Refused
from catalogsku.profiles.gate import refusal_of, sentence
from catalogsku.profiles.models import ThresholdProfile
from catalogsku.profiles.services import activate_profile, find_profile


class Command(BaseCommand):
    help = (
        "Lists the versions of threshold profiles, or makes one the active version. A version is refused (exit code 1)"
        " while its report on golden sets (evaluate --profile KEY@VERSION --store) fails or is missing."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="what", required=True)
        listing = commands.add_parser("list", help="all versions, the newest first")
        listing.add_argument("--json", action="store_true", help="print JSON")
        activating = commands.add_parser("activate", help="make a version, new or old, the active one")
        activating.add_argument("name", metavar="KEY@VERSION")
        activating.add_argument("--override", default="", metavar="REASON", help="activate it in spite of the gate")
        activating.add_argument("--by", metavar="USER", help="who decides; for --override an administrator")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"] == "list":
            self._list(options["json"])
        else:
            self._activate(options)

    def _list(self, as_json: bool) -> None:
        rows = ThresholdProfile.objects.order_by("key", "-version")
        profiles = [
            {"profile": f"{row.key}@{row.version}", "active": row.active, "gate": _gate(row), "reason": row.reason}
            for row in rows
        ]
        if as_json:
            self.stdout.write(json.dumps(profiles, ensure_ascii=False, indent=2))
            return
        for row in profiles:
            self.stdout.write(
                f"{row['profile']:<24} {'active' if row['active'] else '':<7} {row['gate']:<20} {row['reason']}"
            )

    def _activate(self, options: dict[str, Any]) -> None:
        try:
            profile = find_profile(options["name"])
            by = User.objects.get(username=options["by"], is_active=True) if options["by"] else None
            activate_profile(profile, by, options["override"])
        except ThresholdProfile.DoesNotExist:
            raise CommandError(f"There is no profile {options['name']!r}.", returncode=2) from None
        except User.DoesNotExist:
            raise CommandError(f"There is no user {options['by']!r}.", returncode=2) from None
        except Refused as refused:
            raise CommandError(sentence(refused), returncode=1) from refused
        self.stdout.write(f"{profile} is active.")


def _gate(row: ThresholdProfile) -> str:
    refused = refusal_of(row)
    return "passed" if refused is None else refused.code
