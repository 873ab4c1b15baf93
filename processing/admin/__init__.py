"""Language models, their ledger, examples of prompts and shadows in the admin."""

from processing.admin import examples, llm, shadows

__all__ = ["examples", "llm", "shadows"]
