"""The database engine: Django's for PostgreSQL, whose connections, statements and errors are counted."""

# django-prometheus makes its counters as `base` imports it: the files that they are shared through come first.
from catalogsku.core import metrics  # noqa: F401
