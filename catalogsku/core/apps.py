"""Django app of the core. What the apps do with messages and with time is loaded where it is needed (messages.py)."""

from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate

from catalogsku.core import clock


class CoreConfig(AppConfig):
    name = "catalogsku.core"
    label = "core"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        connection_created.connect(clock.compare)
        pre_migrate.connect(wait_for_migrations, sender=self)
        post_migrate.connect(wait_as_usual, sender=self)


def wait_for_migrations(using: str, **said: Any) -> None:
    """Django works out the models of each migration inside its transaction, and a slow machine stands still in it for
    longer than any other work may (``DATABASES`` in the settings)."""
    with connections[using].cursor() as cursor:
        cursor.execute("SET idle_in_transaction_session_timeout = 0")


def wait_as_usual(using: str, **said: Any) -> None:
    with connections[using].cursor() as cursor:
        cursor.execute("RESET idle_in_transaction_session_timeout")
