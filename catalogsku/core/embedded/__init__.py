"""PostgreSQL and Redis from wheels for development, demo and tests; imports no Django.

Production sets DATABASE_URL and REDIS_URL, and nothing here is used.
"""

from catalogsku.core.embedded.places import EmbeddedServicesError, Services, addresses, default_var
from catalogsku.core.embedded.running import Running, start

__all__ = ["EmbeddedServicesError", "Running", "Services", "addresses", "default_var", "start"]
