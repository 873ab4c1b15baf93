"""Rows of language models: their gates and budgets, the ledger of calls, and batches of questions."""

from processing.llm.models.batches import BatchStage, ModelBatch
from processing.llm.models.calls import (
    Budget,
    BudgetLimit,
    BudgetScope,
    CallState,
    GateState,
    LanguageModel,
    MediaResolution,
    ModelCall,
    ModelGate,
    Provider,
    Thinking,
)
from processing.llm.models.told_price import ToldPrice

__all__ = [
    "BatchStage",
    "Budget",
    "BudgetLimit",
    "BudgetScope",
    "CallState",
    "GateState",
    "LanguageModel",
    "MediaResolution",
    "ModelBatch",
    "ModelCall",
    "ModelGate",
    "Provider",
    "Thinking",
    "ToldPrice",
]
