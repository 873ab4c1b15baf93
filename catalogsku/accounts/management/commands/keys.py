"""`manage.py keys list|renew|retire`: exchanging SECRET_KEY, step by step (docs/runbook.md, Changing secrets)."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogsku.accounts.services import end_everything
from catalogsku.core import keys
from catalogsku.core.models import KeyUse
from catalogsku.core.secrets import renew_secrets


class Command(BaseCommand):
    help = (
        "Lists the SECRET_KEYs that were in use with this database, by fingerprint; writes all kept secrets under the"
        " newest; or ends everything that was given under one that is not in use any more."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["list", "renew", "retire"])
        parser.add_argument("fingerprint", nargs="?", help="retire: which, as `keys list` shows it")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        getattr(self, f"_{options['action']}")(options)

    def _list(self, options: dict[str, Any]) -> None:
        keys.note_keys()
        rows = [_row(use) for use in KeyUse.objects.order_by("first_used_at")]
        if options["json"]:
            self.stdout.write(json.dumps(rows))
            return
        for row in rows:
            self.stdout.write(f"{row['fingerprint']}  {row['state']:<20} {row['first']} to {row['last']}")

    def _renew(self, options: dict[str, Any]) -> None:
        renewed = renew_secrets()
        if options["json"]:
            self.stdout.write(json.dumps(asdict(renewed)))
        else:
            self.stdout.write(
                f"{renewed.renewed} written under the newest key, {renewed.current} were so already,"
                f" {renewed.unreadable} cannot be read with any key that is set."
            )
        if renewed.unreadable:
            raise CommandError("Put the former key into SECRET_KEY_FALLBACKS, or set those secrets anew.", returncode=1)

    def _retire(self, options: dict[str, Any]) -> None:
        if not keys.retire_key(options["fingerprint"] or ""):
            raise CommandError("Name a key that `keys list` shows as former: one that is in use cannot be retired.")
        people = end_everything()
        self.stdout.write(f"Retired. Sessions, tokens, streams and links of {people} people have ended.")


def _row(use: KeyUse) -> dict[str, str]:
    first, last = (at.strftime("%Y-%m-%d %H:%M") for at in (use.first_used_at, use.last_used_at))
    return {"fingerprint": use.fingerprint, "state": _state(use), "first": first, "last": last}


def _state(use: KeyUse) -> str:
    """``public`` stands in source code that anybody can read."""
    honoured = [keys.fingerprint(secret) for secret in keys.honoured_keys()]
    words = ["in use" if use.fingerprint == honoured[0] else "fallback" if use.fingerprint in honoured else "former"]
    if keys.public_keys_used().filter(pk=use.pk).exists():
        words.append("public")
    return ", ".join([*words, *(["retired"] if use.retired_at else [])])
