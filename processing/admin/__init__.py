"""Language models, their ledger and shadows in the admin."""

from processing.admin import llm, shadows

__all__ = ["llm", "shadows"]
