"""Django's `migrate`, past a pooler of connections."""

from typing import Any

from django.core.management.commands import migrate

from catalogsku.core.direct import directly


class Command(migrate.Command):
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        with directly():
            super().handle(*args, **options)
