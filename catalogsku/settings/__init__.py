"""Settings: everything that an environment may choose is read here, and documented in .env.example."""

from catalogsku.settings.base import *  # noqa: F403
