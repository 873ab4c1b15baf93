"""`manage.py demo_accounts list|disable`: the accounts of `manage.py run` that still have the passwords it prints."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from catalogsku.accounts import demo


class Command(BaseCommand):
    help = "Lists the demo accounts that can sign in with their first password, or disables them. Safe to repeat."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["list", "disable"])

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] == "disable":
            names = demo.disable_demo_accounts()
            self.stdout.write(f"{len(names)} disabled: {', '.join(names)}." if names else "None was open.")
            return
        names = [user.username for user in demo.open_demo_accounts()]
        self.stdout.write(f"{len(names)} open: {', '.join(names)}." if names else "None is open.")
