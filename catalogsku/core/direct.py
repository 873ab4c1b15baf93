"""PostgreSQL itself, where the product's connections go through a pooler.

PgBouncer in transaction mode gives each transaction whichever session is free, and what one sets for its session,
another one has. Schema changes, dumps and restoring are of one session, and go past it (DATABASE_DIRECT_URL).
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection


@contextmanager
def directly() -> Iterator[None]:
    """This thread's connection goes to PostgreSQL itself meanwhile. Not inside a transaction."""
    if settings.DATABASE_DIRECT is None:
        yield
        return
    pooled = connection.settings_dict  # one object for all threads: it is put aside, not changed
    connection.close()
    connection.settings_dict = {**pooled, **settings.DATABASE_DIRECT}
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict = pooled
