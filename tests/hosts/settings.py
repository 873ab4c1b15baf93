"""The product's settings, with a reader that only waits for documents that ask for it (tests/hosts/waiting.py)."""

from catalogsku.settings import *  # noqa: F403
from catalogsku.settings import SANDBOX_PRELOAD as OF_THE_PRODUCT

SANDBOX_PRELOAD = [*OF_THE_PRODUCT, "tests.hosts.waiting"]
