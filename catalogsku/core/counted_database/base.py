"""Where Django looks for an engine's DatabaseWrapper."""

from typing import Any

from django.conf import settings
from django_prometheus.db.backends.postgresql import base

__all__ = ["DatabaseWrapper"]


class DatabaseWrapper(base.DatabaseWrapper):  # type: ignore[misc]
    def chunked_cursor(self) -> Any:
        """The server's own for rows that come some at a time. Behind a pooler that lives as long as a transaction:
        outside of one all rows come at once."""
        if settings.DATABASE_DIRECT is not None and not self.in_atomic_block:
            return self.cursor()
        return super().chunked_cursor()
