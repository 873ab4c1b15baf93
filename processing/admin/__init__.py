"""Language models, their ledger, examples of prompts, shadows and exports in the admin."""

from processing.admin import examples, exports, llm, shadows

__all__ = ["examples", "exports", "llm", "shadows"]
