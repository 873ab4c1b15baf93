"""Where Django looks for an engine's DatabaseWrapper."""

from django_prometheus.db.backends.postgresql.base import DatabaseWrapper

__all__ = ["DatabaseWrapper"]
